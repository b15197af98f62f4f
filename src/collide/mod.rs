//! What a body meets.

pub(crate) mod bounds;
pub mod collider;
pub(crate) mod colliders;
pub(crate) mod contact;
pub mod events;
pub(crate) mod hull;
pub mod plane;
pub(crate) mod solid;
pub mod surface;
pub(crate) mod tree;
pub mod trimesh;
