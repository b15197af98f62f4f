//! Shapes from meshes.

use std::ptr::{null, null_mut};

use glam::{Vec3, Vec4};

use super::convert::{flag, unknown};
use super::defs::{WobbleShapeDef, WobbleVec3};
use super::guard::call;
use super::handles::{self, WobbleShape};
use super::memory::{self, Strided, out};
use super::mesh_defs::*;
use super::status::{Failure, WobbleStatus};
use crate::mesh::{Indices, Mesh, check_counts};
use crate::sampling::{Amount, Pattern, SamplingDef};
use crate::shape::Shape;

/// Fills a mesh definition with zeros and the size of an index. size is sizeof(WobbleMeshDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_mesh_def_init(def: *mut WobbleMeshDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleMeshDef::standard(), "def"))
}

/// Fills a definition with the defaults. size is sizeof(WobbleSamplingDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_sampling_def_init(def: *mut WobbleSamplingDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleSamplingDef::standard(), "def"))
}

/// Builds a shape from a mesh: particles that fill it, clusters, and the mesh itself, which bodies of
/// the shape carry and wobble_body_read_skin() gives back deformed. Holes, open pieces, pieces that
/// cross, triangles that face the wrong way or come twice are fine; a flat sheet becomes one layer
/// of particles. The shape's origin is its centre of mass, see wobble_shape_centre(). Takes a while:
/// save the shape and load it next time. Holds no lock meanwhile, so other threads go on.
///
/// mesh          the mesh; copied
/// sampling      null for the defaults: 5000 particles with the density of water
/// def           null for the defaults
/// out_shape     receives the shape with one reference: wobble_shape_release() it when done
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_create_from_mesh(
    mesh: *const WobbleMeshDef,
    sampling: *const WobbleSamplingDef,
    def: *const WobbleShapeDef,
    out_shape: *mut WobbleShape,
) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        let mesh = mesh_def(mesh)?;
        let (sampling, levels, def) = build_defs(sampling, def)?;
        let owned = Owned::copied(&mesh)?;
        let mut progress = def.watcher();
        let shape = Shape::from_mesh(&owned.mesh(), &sampling, &levels, &mut progress)?;
        out.write(handles::add_shape(shape)?);
        Ok(())
    })
}

/// Where the shape's centre of mass lay in the space of the points or the mesh it was made from,
/// metres: a body at position p with rotation q shows the mesh as if its origin were at p - q centre.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_centre(
    shape: WobbleShape,
    out_centre: *mut WobbleVec3,
) -> WobbleStatus {
    call(|| {
        let out = out(out_centre, "out_centre")?;
        out.write(handles::shape(shape)?.centre().into());
        Ok(())
    })
}

pub(super) fn mesh_def(mesh: *const WobbleMeshDef) -> Result<WobbleMeshDef, Failure> {
    memory::read(mesh, WobbleMeshDef::standard(), "mesh")
}

/// The definitions of a shape that is filled with particles, and room for as many as are asked for.
pub(super) fn build_defs(
    sampling: *const WobbleSamplingDef,
    def: *const WobbleShapeDef,
) -> Result<(SamplingDef, crate::clustering::LevelsDef, WobbleShapeDef), Failure> {
    let (usual, standard) = (WobbleSamplingDef::standard(), WobbleShapeDef::standard());
    let sampling = if sampling.is_null() { usual } else { memory::read(sampling, usual, "sampling")? };
    let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? };
    let sampling = sampling.sampling()?;
    Ok((sampling, def.levels()?, def))
}

impl WobbleMeshDef {
    fn standard() -> WobbleMeshDef {
        WobbleMeshDef {
            struct_size: size_of::<WobbleMeshDef>() as u32,
            vertex_count: 0,
            positions: null(),
            normals: null(),
            tangents: null(),
            indices: null(),
            stiffness: null(),
            damping: null(),
            pin: null(),
            density: null(),
            positions_stride: 0,
            normals_stride: 0,
            tangents_stride: 0,
            index_count: 0,
            index_size: 4,
            stiffness_stride: 0,
            damping_stride: 0,
            pin_stride: 0,
            density_stride: 0,
            toughness_stride: 0,
            toughness: null(),
        }
    }
}

impl WobbleSamplingDef {
    fn standard() -> WobbleSamplingDef {
        let def = SamplingDef::default();
        WobbleSamplingDef {
            struct_size: size_of::<WobbleSamplingDef>() as u32,
            pattern: WOBBLE_PATTERN_BLUE_NOISE,
            count: 5000,
            spacing: 0.0,
            surface: def.surface.into(),
            fill: def.fill.into(),
            density: def.density,
            thickness: 0.0,
            weld: def.weld,
            reserved: 0,
            seed: def.seed,
        }
    }

    fn sampling(&self) -> Result<SamplingDef, Failure> {
        let pattern = match self.pattern {
            WOBBLE_PATTERN_GRID => Pattern::Grid,
            WOBBLE_PATTERN_BODY_CENTRED => Pattern::BodyCentred,
            WOBBLE_PATTERN_BLUE_NOISE => Pattern::BlueNoise,
            other => return Err(unknown("pattern", other, WOBBLE_PATTERN_BLUE_NOISE)),
        };
        let amount = if self.count > 0 { Amount::Count(self.count) } else { Amount::Spacing(self.spacing) };
        let sampling = SamplingDef {
            pattern,
            amount,
            surface: flag("surface", self.surface)?,
            fill: flag("fill", self.fill)?,
            density: self.density,
            thickness: (self.thickness != 0.0).then_some(self.thickness),
            weld: self.weld,
            seed: self.seed,
        };
        sampling.check()?;
        Ok(sampling)
    }
}

/// A copy of the caller's mesh.
pub(super) struct Owned {
    positions: Vec<Vec3>,
    normals: Option<Vec<Vec3>>,
    tangents: Option<Vec<Vec4>>,
    indices: OwnedIndices,
    maps: [Option<Vec<f32>>; 5],
}

enum OwnedIndices {
    Short(Vec<u16>),
    Long(Vec<u32>),
}

impl Owned {
    pub(super) fn copied(def: &WobbleMeshDef) -> Result<Owned, Failure> {
        let count = def.vertex_count;
        check_counts(count as usize, def.index_count as usize)?;
        let positions = Strided::new(def.positions, count, def.positions_stride, 3, "positions")?;
        let maps = [
            (def.stiffness, def.stiffness_stride, "stiffness"),
            (def.damping, def.damping_stride, "damping"),
            (def.pin, def.pin_stride, "pin"),
            (def.density, def.density_stride, "density"),
            (def.toughness, def.toughness_stride, "toughness"),
        ];
        let [stiffness, damping, pin, density, toughness] =
            maps.map(|(map, stride, name)| list::<1, f32>(map, count, stride, name, |[value]| value));
        Ok(Owned {
            positions: positions.vectors("positions")?,
            normals: list(def.normals, count, def.normals_stride, "normals", Vec3::from_array)?,
            tangents: list(def.tangents, count, def.tangents_stride, "tangents", Vec4::from_array)?,
            indices: OwnedIndices::copied(def)?,
            maps: [stiffness?, damping?, pin?, density?, toughness?],
        })
    }

    pub(super) fn mesh(&self) -> Mesh<'_> {
        let [stiffness, damping, pin, density, toughness] = self.maps.each_ref().map(Option::as_deref);
        Mesh {
            positions: &self.positions,
            indices: match &self.indices {
                OwnedIndices::Short(all) => Indices::U16(all),
                OwnedIndices::Long(all) => Indices::U32(all),
            },
            normals: self.normals.as_deref(),
            tangents: self.tangents.as_deref(),
            stiffness,
            damping,
            pin,
            density,
            toughness,
        }
    }
}

impl OwnedIndices {
    fn copied(def: &WobbleMeshDef) -> Result<OwnedIndices, Failure> {
        let count = def.index_count;
        match def.index_size {
            2 => Ok(OwnedIndices::Short(memory::copied(def.indices.cast(), count, "indices")?)),
            4 => Ok(OwnedIndices::Long(memory::copied(def.indices.cast(), count, "indices")?)),
            other => Err(Failure::argument(format!("index_size is {other}; it must be 2 or 4"))),
        }
    }
}

/// A list of the caller's with `N` floats a vertex, or none where the pointer is null.
pub(super) fn list<const N: usize, T>(
    pointer: *const f32,
    count: u32,
    stride: u32,
    name: &str,
    item: impl Fn([f32; N]) -> T,
) -> Result<Option<Vec<T>>, Failure> {
    if pointer.is_null() {
        return Ok(None);
    }
    let strided = Strided::new(pointer, count, stride, N, name)?;
    let mut all = memory::reserve(strided.count, name)?;
    all.extend((0..strided.count).map(|i| item(strided.read(i))));
    Ok(Some(all))
}

impl WobbleSkinBuffers {
    pub(crate) fn standard() -> WobbleSkinBuffers {
        WobbleSkinBuffers {
            struct_size: size_of::<WobbleSkinBuffers>() as u32,
            capacity: 0,
            positions: null_mut(),
            normals: null_mut(),
            tangents: null_mut(),
            previous: null_mut(),
            positions_stride: 0,
            normals_stride: 0,
            tangents_stride: 0,
            previous_stride: 0,
            fraction: 1.0,
            reserved: 0,
            frame: null(),
        }
    }
}
