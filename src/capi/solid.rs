//! Solids by rule or by a function of the host's: their meshes, and shapes that fill them.

use std::ffi::c_void;
use std::ptr::null_mut;

use glam::Vec3;

use super::convert::unknown;
use super::defs::{WobbleBounds, WobbleShapeDef, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleShape};
use super::memory::{self, Sized32, Strided, out};
use super::mesh::build_defs;
use super::mesh_defs::WobbleSamplingDef;
use super::status::{Failure, WOBBLE_STATUS_NULL_POINTER, WobbleStatus};
use crate::shape::Shape;
use crate::solid::{Solid, SolidMesh};

/// A ball of radius. The default.
pub const WOBBLE_SOLID_BALL: u32 = 0;
/// A box of size.
pub const WOBBLE_SOLID_BOX: u32 = 1;
/// A cylinder along y that ends in half balls, of radius and height, that of all of it.
pub const WOBBLE_SOLID_CAPSULE: u32 = 2;
/// A ring about y: radius to the middle of its tube, which has the radius tube.
pub const WOBBLE_SOLID_TORUS: u32 = 3;
/// A cylinder along y of radius and height.
pub const WOBBLE_SOLID_CYLINDER: u32 = 4;
/// A gummy bear of height that stands on y = 0 and looks along z.
pub const WOBBLE_SOLID_GUMMY_BEAR: u32 = 5;
/// Whatever distance describes between low and high.
pub const WOBBLE_SOLID_DISTANCE: u32 = 6;

/// Metres from a point to the surface of a solid, less than zero inside. Only the sign must be right, but
/// distances that change about as fast as the place make better normals. It must give the same for the same
/// point, a number everywhere, and must not throw or jump out. Many threads call it at once unless threads
/// is 1.
pub type WobbleDistanceCallback = Option<extern "C" fn(x: f32, y: f32, z: f32, user: *mut c_void) -> f32>;

/// A solid about the origin, y up, and how finely its surface is found. Fill with wobble_solid_def_init().
/// Fields of other kinds are not looked at. Lengths are metres, 1e-6 to 1e9.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleSolidDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// A WOBBLE_SOLID_ constant. Default ball.
    pub kind: u32,
    /// Of a box: along each axis. Default 1 each.
    pub size: WobbleVec3,
    /// Of a ball, capsule, torus or cylinder. Default 0.5.
    pub radius: f32,
    /// Of a torus: the radius of its tube, less than radius. Default 0.2.
    pub tube: f32,
    /// Of a capsule (at least twice its radius), cylinder or gummy bear. Default 1.
    pub height: f32,
    /// Of a distance function: lowest corner of the box that holds the solid. What is outside is cut off. Default -0.5 each.
    pub low: WobbleVec3,
    /// Of a distance function: the highest corner. Default 0.5 each.
    pub high: WobbleVec3,
    /// Of a distance function: tells distances. Default null.
    pub distance: WobbleDistanceCallback,
    /// Passed to distance. Default null.
    pub distance_user: *mut c_void,
    /// Triangles are about a share 1/cells of the longest side wide, 4 to 256. What is thinner may be lost. Default 48. Time and memory grow with its cube.
    pub cells: u32,
    /// Threads that find the surface, at most 256; 0 takes all cores, with 1 distance is called on the caller's thread alone. Default 0. Results do not depend on it.
    pub threads: u32,
}

// SAFETY: repr(C), begins with struct_size, and all other fields are numbers, a pointer that is only passed
// on, and a function pointer that may be null and is otherwise the caller's word.
unsafe impl Sized32 for WobbleSolidDef {}

/// Fills a definition with the defaults: a ball of 1 m. size is sizeof(WobbleSolidDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_solid_def_init(def: *mut WobbleSolidDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleSolidDef::standard(), "def"))
}

/// Metres from a point to the surface of a solid, less than zero inside.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_solid_distance(
    solid: *const WobbleSolidDef,
    point: *const WobbleVec3,
    out_distance: *mut f32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_distance, "out_distance")?;
        let point = Vec3::from(memory::required(point, "point")?);
        crate::error::finite("point", point)?;
        out.write(WobbleSolidDef::read(solid)?.solid()?.distance(point));
        Ok(())
    })
}

/// The box along the axes that holds a solid.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_solid_bounds(
    solid: *const WobbleSolidDef,
    out_bounds: *mut WobbleBounds,
) -> WobbleStatus {
    call(|| {
        let out = out(out_bounds, "out_bounds")?;
        let (low, high) = WobbleSolidDef::read(solid)?.solid()?.bounds();
        out.write(WobbleBounds { low: low.into(), high: high.into() });
        Ok(())
    })
}

/// How many vertices and indices the surface of a solid has. Costs as much as wobble_solid_mesh().
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_solid_mesh_size(
    solid: *const WobbleSolidDef,
    out_vertex_count: *mut u32,
    out_index_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        let vertices = out(out_vertex_count, "out_vertex_count")?;
        let indices = out(out_index_count, "out_index_count")?;
        let mesh = WobbleSolidDef::read(solid)?.mesh()?;
        let index_count = memory::size32(mesh.indices.len() * 4, "mesh")? / 4;
        vertices.write(mesh.positions.len() as u32);
        indices.write(index_count);
        Ok(())
    })
}

/// The surface of a solid as triangles: closed, so that every edge has one on each side, with sharp edges kept.
/// To draw, to paint on, or to hand to wobble_shape_create_from_mesh(). Writes nothing on failure.
///
/// out_positions   receives 3 floats a vertex, metres
/// out_normals     receives 3 floats a vertex, of unit length; or null
/// stride          bytes from one vertex to the next in either; a multiple of 4, at least 12; 0 for tightly packed
/// vertex_capacity vertices that fit
/// out_indices     receives three indices a triangle, counterclockwise seen from outside
/// index_capacity  indices that fit; wobble_solid_mesh_size() says how many of both there are
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_solid_mesh(
    solid: *const WobbleSolidDef,
    out_positions: *mut f32,
    out_normals: *mut f32,
    stride: u32,
    vertex_capacity: u32,
    out_indices: *mut u32,
    index_capacity: u32,
) -> WobbleStatus {
    call(|| {
        let positions = Strided::new(out_positions, vertex_capacity, stride, 3, "out_positions")?;
        let normals = match out_normals.is_null() {
            true => None,
            false => Some(Strided::new(out_normals, vertex_capacity, stride, 3, "out_normals")?),
        };
        let indices = Strided::new(out_indices.cast(), index_capacity, 0, 1, "out_indices")?;
        let mesh = WobbleSolidDef::read(solid)?.mesh()?;
        positions.holds(mesh.positions.len(), "out_positions")?;
        indices.holds(mesh.indices.len(), "out_indices")?;
        mesh.positions.iter().enumerate().for_each(|(i, p)| positions.write(i, p.to_array()));
        if let Some(normals) = normals {
            mesh.normals.iter().enumerate().for_each(|(i, n)| normals.write(i, n.to_array()));
        }
        // The bits of a number pass through a float unchanged: it is only moved.
        mesh.indices.iter().enumerate().for_each(|(i, k)| indices.write(i, [f32::from_bits(*k)]));
        Ok(())
    })
}

/// Builds a shape that fills a solid: that of its mesh, see wobble_shape_create_from_mesh(). Bodies of the
/// shape carry the mesh: wobble_shape_vertex_count() and wobble_shape_indices() tell it,
/// wobble_body_read_skin() gives it deformed. The gummy bear stands beside its origin, so mind wobble_shape_centre().
///
/// solid         what to fill
/// sampling      null for the defaults: 5000 particles with the density of water
/// def           null for the defaults
/// out_shape     receives the shape with one reference: wobble_shape_release() it when done
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_create_from_solid(
    solid: *const WobbleSolidDef,
    sampling: *const WobbleSamplingDef,
    def: *const WobbleShapeDef,
    out_shape: *mut WobbleShape,
) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        let solid = WobbleSolidDef::read(solid)?;
        let (sampling, levels, def) = build_defs(sampling, def)?;
        let mesh = solid.mesh()?;
        let mut progress = def.watcher();
        let shape = Shape::from_mesh(&mesh.as_mesh(), &sampling, &levels, &mut progress)?;
        out.write(handles::add_shape(shape)?);
        Ok(())
    })
}

impl WobbleSolidDef {
    fn standard() -> WobbleSolidDef {
        let all = |side: f32| WobbleVec3 { x: side, y: side, z: side };
        WobbleSolidDef {
            struct_size: size_of::<WobbleSolidDef>() as u32,
            kind: WOBBLE_SOLID_BALL,
            size: all(1.0),
            radius: 0.5,
            tube: 0.2,
            height: 1.0,
            low: all(-0.5),
            high: all(0.5),
            distance: None,
            distance_user: null_mut(),
            cells: 48,
            threads: 0,
        }
    }

    fn read(pointer: *const WobbleSolidDef) -> Result<WobbleSolidDef, Failure> {
        memory::read(pointer, WobbleSolidDef::standard(), "solid")
    }

    fn solid(&self) -> Result<Solid<'static>, Failure> {
        let WobbleSolidDef { radius, tube, height, .. } = *self;
        Ok(match self.kind {
            WOBBLE_SOLID_BALL => Solid::ball(radius)?,
            WOBBLE_SOLID_BOX => Solid::cuboid(self.size.into())?,
            WOBBLE_SOLID_CAPSULE => Solid::capsule(radius, height)?,
            WOBBLE_SOLID_TORUS => Solid::torus(radius, tube)?,
            WOBBLE_SOLID_CYLINDER => Solid::cylinder(radius, height)?,
            WOBBLE_SOLID_GUMMY_BEAR => Solid::gummy_bear(height)?,
            WOBBLE_SOLID_DISTANCE => {
                let Some(distance) = self.distance else {
                    return Err(Failure::new(WOBBLE_STATUS_NULL_POINTER, "solid.distance is null"));
                };
                // Only passed on; what it leads to is for the host to share among threads.
                let user = self.distance_user as usize;
                let distance = move |p: Vec3| distance(p.x, p.y, p.z, user as *mut c_void);
                Solid::from_distance(self.low.into(), self.high.into(), distance)?
            }
            other => return Err(unknown("kind", other, WOBBLE_SOLID_DISTANCE)),
        })
    }

    fn mesh(&self) -> Result<SolidMesh, Failure> {
        let solid = self.solid()?;
        Ok(solid.mesh_on(self.cells, self.threads)?)
    }
}
