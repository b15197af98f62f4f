//! How contacts act on the levels of a body.

pub(crate) mod by_level;
pub(crate) mod holds;
