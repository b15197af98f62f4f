//! Small dense maths: morton order, rotations, symmetric 3x3.
