//! Pictures for the examples: a small renderer and a writer of PNG files.

mod palette;
pub mod picture;
pub mod render;
mod shadow;
