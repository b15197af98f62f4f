//! Soft bodies for games: clustered shape matching at several scales at once.
//!
//! A [`Shape`] is made once from points; any number of bodies share it. A [`World`] steps its
//! bodies, [`World::step`] in substeps, each of which runs these stages:
//!
//! 1. **match**: every cluster of every level finds its best rigid motion ([`matching`], [`fitting`]);
//! 2. **goals**: what each finest cluster pulls with, all levels blended ([`goals`]);
//! 3. **integrate**: particles gain velocity, move, meet the planes ([`integrate`], [`settle`], [`collide`]);
//! 4. **strain-limit**: overdrawn clusters take their particles back ([`strain`]).
//!
//! Everything gathers and nothing scatters, so the same inputs give the same bits on any
//! number of threads and any CPU.
//!
//! ```
//! use glam::{Vec3, vec3};
//! use wobble::{BodyDef, LevelsDef, Plane, Shape, World, WorldDef};
//!
//! let points: Vec<Vec3> = (0..1000)
//!     .map(|i| vec3((i % 10) as f32, (i / 10 % 10) as f32, (i / 100) as f32) * 0.1)
//!     .collect();
//! let shape = Shape::from_points(&points, None, &LevelsDef::default())?;
//! let mut world = World::new(&WorldDef::default())?;
//! world.add_plane(&Plane::default())?;
//! let id = world.add_body(&shape, &BodyDef { position: vec3(0.0, 2.0, 0.0), ..BodyDef::default() })?;
//! for _ in 0..120 {
//!     world.step(1.0 / 60.0)?;
//! }
//! assert!(world.body(id)?.shape_error() < 0.05);
//! # Ok::<(), wobble::Error>(())
//! ```

#![warn(missing_docs)]

pub mod body;
pub mod clustering;
pub mod collide;
pub mod error;
pub mod fitting;
pub mod goals;
pub mod integrate;
pub mod matching;
pub mod material;
pub mod math;
mod measure;
pub mod membership;
pub mod parallel;
pub mod profile;
mod quadratic;
pub mod settle;
pub mod shape;
mod step;
pub mod strain;
pub mod world;

pub use body::{Body, BodyDef};
pub use clustering::{Algorithm, Kernel, LevelReport, LevelsDef, Nesting, Towards, Weighting};
pub use collide::plane::Plane;
pub use error::Error;
pub use material::{Damping, DampingForm, Goals, Material, Rotation, Stiffness, StrainLimit};
pub use profile::Profile;
pub use shape::{Level, Shape};
pub use world::{BodyId, PlaneId, World, WorldDef};
