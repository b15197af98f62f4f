//! Small dense maths: spatial order, rotations, symmetric 3x3 matrices.

pub mod morton;
pub mod rotation;
pub mod symmetric;
