//! Pictures for the examples and the command line tool: a small renderer and a writer of PNG files.

// Each crate that includes this module uses some of it.
#![allow(dead_code)]

pub mod palette;
pub mod picture;
pub mod render;
mod shadow;
pub mod solids;
pub mod tints;
