//! Shapes from particles with what is painted on them, and with a mesh that they carry.

use std::ptr::null;

use super::defs::WobbleShapeDef;
use super::guard::call;
use super::handles::{self, WobbleShape};
use super::memory::{self, Sized32, Strided, out};
use super::mesh::{Owned, list, mesh_def};
use super::mesh_defs::WobbleMeshDef;
use super::status::{Failure, WobbleStatus};
use crate::membership::MOST_PARTICLES;
use crate::painting::Particles;
use crate::shape::Shape;

/// Particles in the host's memory. Fill with wobble_particles_def_init(), then set what there is. Strides are
/// bytes from one particle to the next, multiples of 4; 0 for tightly packed.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleParticlesDef {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// Number of particles, at most 16777216.
    pub count: u32,
    /// 3 floats a particle, metres.
    pub points: *const f32,
    /// A float a particle, kg, 1e-12 to 1e9; null for 1 kg in all, evenly spread.
    pub masses: *const f32,
    /// A float a particle: multiplies the material's stiffness, 0 to 1e6; or null.
    pub stiffness: *const f32,
    /// A float a particle: multiplies the material's damping, 0 to 1e6; or null.
    pub damping: *const f32,
    /// A float a particle, 0 to 1: bodies start with particles of 0.5 and more pinned; or null.
    pub pin: *const f32,
    /// At least 12.
    pub points_stride: u32,
    /// At least 4.
    pub masses_stride: u32,
    /// Of the map of stiffness.
    pub stiffness_stride: u32,
    /// Of the map of damping.
    pub damping_stride: u32,
    /// Of the map of pins.
    pub pin_stride: u32,
    /// Of the map of toughness.
    pub toughness_stride: u32,
    /// A float a particle: multiplies the toughness of bodies that break, 0.001 to 1e6; or null.
    pub toughness: *const f32,
}

// SAFETY: repr(C), begins with struct_size, all other fields are numbers or pointers that are checked before
// they are followed.
unsafe impl Sized32 for WobbleParticlesDef {}

/// Fills a definition with zeros. size is sizeof(WobbleParticlesDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_particles_def_init(def: *mut WobbleParticlesDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleParticlesDef::standard(), "def"))
}

/// Builds a shape from particles of the host's choice as wobble_shape_create_from_points() does, with what is
/// painted on them, and with a mesh for bodies to carry.
///
/// particles     where they are, their masses and maps; copied
/// mesh          bodies carry it, see wobble_body_read_skin(), given where the particles are; its maps are not
///               looked at; null for none; copied
/// def           null for the defaults
/// out_shape     receives the shape with one reference: wobble_shape_release() it when done
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_create_from_particles(
    particles: *const WobbleParticlesDef,
    mesh: *const WobbleMeshDef,
    def: *const WobbleShapeDef,
    out_shape: *mut WobbleShape,
) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        let all = memory::read(particles, WobbleParticlesDef::standard(), "particles")?;
        let mesh = if mesh.is_null() { None } else { Some(Owned::copied(&mesh_def(mesh)?)?) };
        let standard = WobbleShapeDef::standard();
        let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? };
        let (levels, mut progress) = (def.levels()?, def.watcher());
        if all.count as usize > MOST_PARTICLES {
            let sentence = format!("count is {}; it must be at most {MOST_PARTICLES}", all.count);
            return Err(Failure::argument(sentence));
        }
        let points =
            Strided::new(all.points, all.count, all.points_stride, 3, "points")?.vectors("points")?;
        let map = |map, stride, name| list::<1, f32>(map, all.count, stride, name, |[value]| value);
        let masses = map(all.masses, all.masses_stride, "masses")?;
        let stiffness = map(all.stiffness, all.stiffness_stride, "stiffness")?;
        let damping = map(all.damping, all.damping_stride, "damping")?;
        let pin = map(all.pin, all.pin_stride, "pin")?;
        let toughness = map(all.toughness, all.toughness_stride, "toughness")?;
        let particles = Particles {
            points: &points,
            masses: masses.as_deref(),
            stiffness: stiffness.as_deref(),
            damping: damping.as_deref(),
            pin: pin.as_deref(),
            toughness: toughness.as_deref(),
        };
        let shape = match &mesh {
            None => Shape::from_particles(&particles, &levels, &mut progress)?,
            Some(mesh) => Shape::from_particles_and_mesh(&particles, &mesh.mesh(), &levels, &mut progress)?,
        };
        out.write(handles::add_shape(shape)?);
        Ok(())
    })
}

impl WobbleParticlesDef {
    fn standard() -> WobbleParticlesDef {
        WobbleParticlesDef {
            struct_size: size_of::<WobbleParticlesDef>() as u32,
            count: 0,
            points: null(),
            masses: null(),
            stiffness: null(),
            damping: null(),
            pin: null(),
            points_stride: 0,
            masses_stride: 0,
            stiffness_stride: 0,
            damping_stride: 0,
            pin_stride: 0,
            toughness_stride: 0,
            toughness: null(),
        }
    }
}
