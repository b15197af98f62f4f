//! What a body meets.

pub(crate) mod field;
pub mod plane;
pub(crate) mod tree;
