//! Soft bodies for games: clustered shape matching at several scales at once.
//!
//! A [`Shape`] is made once from points; any number of bodies share it. A [`World`] steps its
//! bodies, [`World::step`] in substeps, each of which runs these stages:
//!
//! 1. **match**: every cluster of every level finds its best rigid motion;
//! 2. **goals**: what each finest cluster pulls with, all levels blended;
//! 3. **integrate**: particles gain velocity, move, meet colliders;
//! 4. **strain-limit**: overdrawn clusters take their particles back.
//!
//! Everything gathers and nothing scatters, so the same inputs give the same bits on any
//! number of threads and any x86-64 processor. Others, such as aarch64, round differently.
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

mod attach;
mod bake;
mod body;
mod bones;
mod bulk;
mod bytes;
#[cfg(feature = "capi")]
pub mod capi;
pub mod clustering;
mod collide;
mod contact;
mod drift;
mod energy;
pub mod error;
mod fields;
mod fitting;
mod fracture;
mod goals;
mod handling;
mod headroom;
mod integrate;
mod landing;
mod lanes;
mod matching;
mod material;
pub mod math;
mod measure;
pub mod membership;
mod mesh;
mod moved;
mod painting;
mod parallel;
mod plasticity;
mod presets;
mod profile;
mod quadratic;
mod query;
mod recluster;
mod sampling;
mod select;
mod settle;
mod shape;
mod skinning;
mod sleep;
mod slots;
mod snapshot;
mod solid;
mod spacing;
mod statistics;
mod step;
mod strain;
mod volume;
mod world;

pub use attach::{Attachment, AttachmentDef, AttachmentId, DragDef, Hold, JointDef};
pub use body::{Body, BodyDef};
pub use clustering::{Algorithm, Kernel, LevelReport, LevelsDef, Nesting, Towards, Weighting};
pub use collide::collider::{Collider, ColliderDef, ColliderId, ColliderShape};
pub use collide::events::{ContactEvent, Partner, Phase};
pub use collide::plane::Plane;
pub use collide::surface::{Combine, Groups, Surface, Touch};
pub use collide::trimesh::TriMesh;
pub use error::{Error, LARGEST};
pub use fields::{Explosion, Field, FieldDef, FieldId};
pub use fracture::{Fracture, Knife};
pub use material::{Damping, DampingForm, Goals, Material, Rotation, Stiffness, StrainLimit};
pub use mesh::{Indices, Mesh, Welded};
pub use painting::Particles;
pub use plasticity::Plasticity;
pub use presets::Preset;
pub use profile::Profile;
pub use query::Hit;
pub use sampling::{Amount, Closest, MeshSurface, Pattern, SamplingDef};
pub use select::Space;
pub use shape::{Level, RestCluster, Shape};
pub use skinning::{INFLUENCES, Octahedral, Skin, SkinBuffers, SkinSource, WHOLE};
pub use solid::{Solid, SolidMesh};
pub use statistics::Statistics;
pub use world::{BodyId, BreakEvent, World, WorldDef};
