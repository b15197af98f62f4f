//! What a body meets.

pub(crate) mod contact;
pub(crate) mod field;
pub(crate) mod meeting;
pub mod plane;
pub(crate) mod response;
pub(crate) mod tree;
