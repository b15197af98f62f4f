//! What a body meets.

pub mod collider;
pub mod events;
pub mod plane;
pub mod surface;
