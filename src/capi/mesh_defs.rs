//! Structs that meshes and their reading take across the border.

use std::ffi::c_void;

use super::memory::Sized32;

/// Particles inside a mesh: a cubic grid.
pub const WOBBLE_PATTERN_GRID: u32 = 0;
/// A body-centred cubic grid: eight neighbours at the same distance.
pub const WOBBLE_PATTERN_BODY_CENTRED: u32 = 1;
/// Random places that keep their distance: no direction is preferred. The default.
pub const WOBBLE_PATTERN_BLUE_NOISE: u32 = 2;

/// Clusters that carry a vertex, at most.
pub const WOBBLE_INFLUENCES: u32 = 8;

/// A triangle mesh in the host's memory. Fill with wobble_mesh_def_init(), then set what there is.
/// Strides are bytes from one vertex to the next, multiples of 4; 0 for tightly packed. Vertices
/// that are split, for texture coordinates or normals, are one for the physics and stay split.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleMeshDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Number of vertices.
    pub vertex_count: u32,
    /// 3 floats a vertex, metres.
    pub positions: *const f32,
    /// 3 floats a vertex, of unit length; null to have smooth ones found from the triangles.
    pub normals: *const f32,
    /// 4 floats a vertex: a direction of unit length, and 1 or -1 for the side of the bitangent; or null.
    pub tangents: *const f32,
    /// Three a triangle, counted from 0, counterclockwise seen from outside.
    pub indices: *const c_void,
    /// A float a vertex: multiplies the material's stiffness, 0 to 1e6; or null.
    pub stiffness: *const f32,
    /// A float a vertex: multiplies the material's damping, 0 to 1e6; or null.
    pub damping: *const f32,
    /// A float a vertex, 0 to 1: bodies start with particles of 0.5 and more pinned; or null.
    pub pin: *const f32,
    /// A float a vertex: multiplies the density, 1e-6 to 1e6; or null.
    pub density: *const f32,
    /// At least 12.
    pub positions_stride: u32,
    /// At least 12.
    pub normals_stride: u32,
    /// At least 16.
    pub tangents_stride: u32,
    /// Number of indices.
    pub index_count: u32,
    /// Bytes of an index, 2 or 4. Default 4.
    pub index_size: u32,
    /// Of the map of stiffness, at least 4.
    pub stiffness_stride: u32,
    /// Of the map of damping.
    pub damping_stride: u32,
    /// Of the map of pins.
    pub pin_stride: u32,
    /// Of the map of density.
    pub density_stride: u32,
    /// Of the map of toughness.
    pub toughness_stride: u32,
    /// A float a vertex: multiplies the toughness of bodies that break, 0.001 to 1e6; or null.
    pub toughness: *const f32,
}

/// How a mesh is filled with particles. Fill with wobble_sampling_def_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleSamplingDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// A WOBBLE_PATTERN_ constant. Default blue noise.
    pub pattern: u32,
    /// About this many particles, 4 to 16777216; 0 to go by spacing. Default 5000.
    pub count: u32,
    /// Distance of neighbours, metres, where count is 0.
    pub spacing: f32,
    /// 1 for particles on the surface, so that the outline holds; 0 for none. Default 1.
    pub surface: u32,
    /// 1 for particles inside; 0 for a hollow body. Default 1.
    pub fill: u32,
    /// kg/m³, 1e-6 to 1e9. Default 1000, water.
    pub density: f32,
    /// Thickness of sheets and hollow bodies, metres, for their mass; 0 for as thick as the spacing.
    pub thickness: f32,
    /// Vertices nearer than this share of the mesh's size are one, 0 to 0.1. Default 1e-5.
    pub weld: f32,
    /// Not used; 0.
    pub reserved: u32,
    /// Seed of the random choices. Default 0.
    pub seed: u64,
}

/// Where a deformed mesh goes: the host's vertex buffer. Fill with wobble_skin_buffers_init(), then
/// set what is wanted; null pointers are left out. Strides are bytes from one vertex to the next,
/// multiples of 4; 0 for tightly packed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleSkinBuffers {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Vertices that fit; at least wobble_shape_vertex_count().
    pub capacity: u32,
    /// 3 floats a vertex, metres, world space.
    pub positions: *mut f32,
    /// 3 floats a vertex, of unit length.
    pub normals: *mut f32,
    /// 4 floats a vertex, for meshes that have tangents; the fourth is the mesh's own.
    pub tangents: *mut f32,
    /// 3 floats a vertex: positions before the last step, for motion vectors.
    pub previous: *mut f32,
    /// At least 12.
    pub positions_stride: u32,
    /// At least 12.
    pub normals_stride: u32,
    /// At least 16.
    pub tangents_stride: u32,
    /// At least 12.
    pub previous_stride: u32,
    /// When, between the last two steps: 0 is before the last one, 1 (the default) is now.
    pub fraction: f32,
    /// Not used; 0.
    pub reserved: u32,
    /// 12 floats, three rows of four: carries world space to the space that all of it is wanted in, such as that of a node which draws the mesh; must not mirror or flatten. Null (the default) for world space.
    pub frame: *const f32,
}

// SAFETY: repr(C), begins with struct_size, all other fields are numbers or pointers.
unsafe impl Sized32 for WobbleMeshDef {}
// SAFETY: as above.
unsafe impl Sized32 for WobbleSamplingDef {}
// SAFETY: as above.
unsafe impl Sized32 for WobbleSkinBuffers {}
