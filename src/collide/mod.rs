//! What a body meets.

pub mod collider;
pub(crate) mod contact;
pub mod events;
pub(crate) mod field;
pub(crate) mod meeting;
pub mod plane;
pub(crate) mod response;
pub mod surface;
pub(crate) mod tree;
