//! Soft bodies for Godot 4.4 and later: the nodes and resources of the addon `wobble`.
//!
//! ```text
//! WobbleShape     what a body is at rest: baked from a mesh, shared by bodies
//! WobbleMaterial  how it answers
//! WobbleBody3D    a body: a mesh instance whose mesh moves
//! WobbleWorld     steps bodies on the physics tick; sees Godot's colliders and pushes its rigid bodies
//! WobbleAttachment3D, WobbleForceField3D
//! ```
//!
//! The world of the library lies in a [`core::Core`] that nodes share. No borrow of it is held while anything
//! is called that may run scripts: a script may free any node, in any signal.

mod attachment;
mod body;
mod colliders;
mod convert;
mod core;
mod debug;
mod field;
mod material;
mod shape;
mod world;

use godot::prelude::*;

struct Wobble;

/// # Safety
/// Nothing is done at start but what godot-rust does.
#[gdextension]
unsafe impl ExtensionLibrary for Wobble {}
