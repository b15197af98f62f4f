//! Rest shapes: built, baked, shared.

use glam::Vec3;

use super::defs::{WobbleLevelReport, WobbleShapeDef};
use super::guard::call;
use super::handles::{self, WobbleShape};
use super::memory::{self, Strided, out, out_sized};
use super::status::{Failure, WobbleStatus};
use crate::membership::MOST_PARTICLES;
use crate::painting::Particles;
use crate::shape::Shape;

/// Fills a definition with the defaults. size is sizeof(WobbleShapeDef).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_def_init(def: *mut WobbleShapeDef, size: u32) -> WobbleStatus {
    call(|| memory::init(def, size, WobbleShapeDef::standard(), "def"))
}

/// Builds a shape from points in metres. Its origin is their centre of mass. Takes a while: save
/// the shape and load it next time. Holds no lock meanwhile, so other threads go on.
///
/// points        3 floats a particle
/// count         particles, at most 16777216
/// stride        bytes from one point to the next; a multiple of 4, at least 12; 0 for tightly packed
/// masses        kg, above 0, one a particle; null for 1 kg in all, evenly spread
/// masses_stride bytes from one mass to the next; 0 for tightly packed
/// def           null for the defaults
/// out_shape     receives the shape with one reference: wobble_shape_release() it when done
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_create_from_points(
    points: *const f32,
    count: u32,
    stride: u32,
    masses: *const f32,
    masses_stride: u32,
    def: *const WobbleShapeDef,
    out_shape: *mut WobbleShape,
) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        let standard = WobbleShapeDef::standard();
        let def = if def.is_null() { standard } else { memory::read(def, standard, "def")? };
        let levels = def.levels()?;
        if count as usize > MOST_PARTICLES {
            return Err(Failure::argument(format!("count is {count}; it must be at most {MOST_PARTICLES}")));
        }
        let points = Strided::new(points, count, stride, 3, "points")?.vectors("points")?;
        let masses = if masses.is_null() {
            None
        } else {
            let strided = Strided::new(masses, count, masses_stride, 1, "masses")?;
            let mut masses = memory::reserve(strided.count, "masses")?;
            masses.extend((0..strided.count).map(|i| strided.read::<1>(i)[0]));
            Some(masses)
        };
        let mut progress = def.watcher();
        let particles = Particles { points: &points, masses: masses.as_deref(), ..Particles::default() };
        let shape = Shape::from_particles(&particles, &levels, &mut progress)?;
        out.write(handles::add_shape(shape)?);
        Ok(())
    })
}

/// Adds a reference to a shape.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_shape_retain(shape: WobbleShape) -> WobbleStatus {
    call(|| handles::retain_shape(shape))
}

/// Takes a reference away; with the last one the handle becomes stale. Bodies keep their shape.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_shape_release(shape: WobbleShape) -> WobbleStatus {
    call(|| handles::release_shape(shape))
}

/// Bytes that wobble_shape_save() takes. Costs as much as saving.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_save_size(shape: WobbleShape, out_size: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_size, "out_size")?;
        out.write(memory::size32(handles::shape(shape)?.file()?.len(), "shape")?);
        Ok(())
    })
}

/// The shape as bytes, which can be read on any machine. A loaded shape behaves bit for bit like the saved one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_save(
    shape: WobbleShape,
    out_bytes: *mut u8,
    capacity: u32,
    out_size: *mut u32,
) -> WobbleStatus {
    call(|| {
        let bytes = handles::shape(shape)?.file()?;
        memory::write_bytes(&bytes, out_bytes, capacity, out_size, "shape")
    })
}

/// A shape from bytes of wobble_shape_save(). Damaged or hostile bytes are refused.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_load(
    bytes: *const u8,
    size: u32,
    out_shape: *mut WobbleShape,
) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        // SAFETY: by the caller's word the bytes are there.
        let shape = Shape::from_bytes(unsafe { memory::bytes(bytes, size, "bytes")? })?;
        out.write(handles::add_shape(shape)?);
        Ok(())
    })
}

/// A shape with its lengths multiplied along each axis, the mesh that it carries too. Its clusters stay, so it takes about as
/// long as loading one.
///
/// x, y, z       what lengths are multiplied by, from 1e-3 to 1e3 each
/// mass          kg; 0 for as much more or less as the volume grows or shrinks
/// out_shape     receives the shape with one reference: wobble_shape_release() it when done
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_create_scaled(
    shape: WobbleShape,
    x: f32,
    y: f32,
    z: f32,
    mass: f32,
    out_shape: *mut WobbleShape,
) -> WobbleStatus {
    call(|| {
        let out = out(out_shape, "out_shape")?;
        let scaled = handles::shape(shape)?.scaled(Vec3::new(x, y, z), (mass != 0.0).then_some(mass))?;
        out.write(handles::add_shape(scaled)?);
        Ok(())
    })
}

/// Number of particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_particle_count(
    shape: WobbleShape,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::shape(shape)?.particle_count() as u32);
        Ok(())
    })
}

/// Number of levels, finest first; 0 for a shape without particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_level_count(shape: WobbleShape, out_count: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_count, "out_count")?;
        out.write(handles::shape(shape)?.levels().len() as u32);
        Ok(())
    })
}

/// Total mass, kg.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_mass(shape: WobbleShape, out_mass: *mut f32) -> WobbleStatus {
    call(|| {
        let out = out(out_mass, "out_mass")?;
        out.write(handles::shape(shape)?.mass());
        Ok(())
    })
}

/// What tells the shape from others, equal for the built and the loaded one.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_fingerprint(
    shape: WobbleShape,
    out_fingerprint: *mut u64,
) -> WobbleStatus {
    call(|| {
        let out = out(out_fingerprint, "out_fingerprint")?;
        out.write(handles::shape(shape)?.fingerprint());
        Ok(())
    })
}

/// What building a level took. level counts from 0, the finest.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_level_report(
    shape: WobbleShape,
    level: u32,
    out_report: *mut WobbleLevelReport,
) -> WobbleStatus {
    call(|| {
        let out = out_sized(out_report, "out_report")?;
        let shape = handles::shape(shape)?;
        check_level(&shape, level)?;
        out.write(shape.levels()[level as usize].report().into());
        Ok(())
    })
}

/// Rest positions, metres about the centre of mass, in the order the points were given in.
///
/// out_positions receives 3 floats a particle
/// stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
/// capacity      particles that fit; at least wobble_shape_particle_count()
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_rest_positions(
    shape: WobbleShape,
    out_positions: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        let target = Strided::new(out_positions, capacity, stride, 3, "out_positions")?;
        target.holds(shape.particle_count(), "out_positions")?;
        for (i, &place) in shape.place().iter().enumerate() {
            target.write(i, shape.rest()[place as usize].truncate().to_array());
        }
        Ok(())
    })
}

/// Rest centres of a level's clusters, metres about the shape's centre of mass: what
/// wobble_body_cluster_transforms() turn about.
///
/// out_centres   receives 3 floats a cluster
/// stride        bytes from one to the next; a multiple of 4, at least 12; 0 for tightly packed
/// capacity      clusters that fit
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_cluster_centres(
    shape: WobbleShape,
    level: u32,
    out_centres: *mut f32,
    stride: u32,
    capacity: u32,
) -> WobbleStatus {
    call(|| {
        let shape = handles::shape(shape)?;
        check_level(&shape, level)?;
        let clusters = shape.clusters(level as usize);
        let target = Strided::new(out_centres, capacity, stride, 3, "out_centres")?;
        target.holds(clusters.len(), "out_centres")?;
        for (i, cluster) in clusters.iter().enumerate() {
            target.write(i, cluster.centre.truncate().to_array());
        }
        Ok(())
    })
}

/// For each place of a borrowed view (wobble_body_view_positions()) the number of the particle
/// there, counted from 0 in the order the points were given in. Good as long as the shape lives.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_view_order(
    shape: WobbleShape,
    out_order: *mut *const u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (order, count) = (out(out_order, "out_order")?, out(out_count, "out_count")?);
        let shape = handles::shape(shape)?;
        order.write(shape.order().as_ptr());
        count.write(shape.order().len() as u32);
        Ok(())
    })
}

pub(crate) fn check_level(shape: &Shape, level: u32) -> Result<(), Failure> {
    let count = shape.levels().len();
    if (level as usize) < count {
        return Ok(());
    }
    Err(Failure::argument(format!(
        "level is {level}, but there are only {count} (counted from 0, the finest)"
    )))
}
