//! Small dense maths: spatial order, rotations, symmetric 3x3 matrices.

pub mod morton;
pub(crate) mod prefetch;
pub mod rotation;
pub mod symmetric;
