//! Soft bodies for games: clustered shape matching at several scales at once.

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
