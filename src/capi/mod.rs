//! The C interface: thin over the Rust one, and the only code that trusts nobody.
//!
//! ```text
//! status   codes and the sentence behind the last one
//! guard    every call goes through it: panics become codes, logs go out after locks
//! memory   pointers from outside: null, alignment, size, stride
//! handles  bits to objects and back; worlds and shapes live here
//! cell     one world behind its lock, and its step in the background
//! defs     structs that cross the border; convert: what they mean in Rust
//! mesh_defs, collider_defs  the same for meshes and colliders
//! library, world, collider, contacts, query, attach, field, shape, mesh, particles, solid, anatomy, body,
//! select, tuning, lasting, breaking, reading, skin, sleeping, material   the functions of the header
//! ```
//!
//! `include/wobble.h` is generated from these files; a test compares.

#![allow(
    clippy::missing_safety_doc,
    reason = "docs are for C readers; the header's preamble gives the rules"
)]

pub mod anatomy;
pub mod attach;
pub mod body;
pub mod breaking;
mod cell;
pub mod collider;
pub mod collider_defs;
pub mod contacts;
mod convert;
pub mod defs;
pub mod field;
mod guard;
pub mod handles;
pub mod lasting;
pub mod library;
pub mod material;
mod memory;
pub mod mesh;
pub mod mesh_defs;
pub mod particles;
pub mod query;
pub mod reading;
pub mod select;
pub mod shape;
pub mod skin;
pub mod sleeping;
pub mod solid;
pub mod status;
pub mod tuning;
pub mod world;
