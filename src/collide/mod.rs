//! What a body meets.

pub(crate) mod between;
pub(crate) mod bounds;
pub(crate) mod boxes;
pub mod collider;
pub(crate) mod colliders;
pub(crate) mod contact;
pub mod events;
pub(crate) mod field;
pub(crate) mod hull;
pub(crate) mod meeting;
pub(crate) mod outside;
pub(crate) mod pairs;
pub(crate) mod parts;
pub mod plane;
pub(crate) mod proxies;
pub(crate) mod response;
mod shape;
pub(crate) mod solid;
pub mod surface;
pub(crate) mod tree;
pub(crate) mod triangle;
pub mod trimesh;
pub(crate) mod unrest;
pub(crate) mod whole;
