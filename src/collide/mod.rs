//! What a body meets.

pub mod plane;
