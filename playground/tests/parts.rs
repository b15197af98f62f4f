//! The parts of the playground that need no window; their tests are in their files.

#![allow(dead_code)]

#[path = "../examples/playground/camera.rs"]
mod camera;
#[path = "../examples/playground/script.rs"]
mod script;
#[path = "../examples/playground/solids.rs"]
mod solids;
#[path = "../examples/playground/weights.rs"]
mod weights;
