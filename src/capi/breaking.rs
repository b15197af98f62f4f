//! Cutting and breaking.

use super::defs::WobbleVec3;
use super::guard::call;
use super::handles::{self, WobbleBody, WobbleShape, WobbleWorld};
use super::lasting::rule;
use super::memory::{self, Sized32, Strided, out, out_sized};
use super::status::WobbleStatus;
use crate::fracture::{Fracture, Knife};
use crate::skinning::{Skin, SkinSource};
use crate::world::{BodyId, BreakEvent};

/// How a body breaks. Fill with wobble_fracture_init().
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleFracture {
    /// Bytes of this struct as the host knows it.
    pub struct_size: u32,
    /// The stretch beyond 1 at which a cluster breaks, 0.001 to 100: with 0.3 at 1.3 times its length. Default 0.3.
    pub toughness: f32,
    /// Pieces of fewer particles fall into single ones, which are debris: one body whose particles fly freely. 1 to 1000; default 4.
    pub smallest: u32,
}

// SAFETY: repr(C), begins with struct_size, all other fields are numbers.
unsafe impl Sized32 for WobbleFracture {}

impl From<Fracture> for WobbleFracture {
    fn from(rule: Fracture) -> WobbleFracture {
        let struct_size = size_of::<WobbleFracture>() as u32;
        WobbleFracture { struct_size, toughness: rule.toughness, smallest: rule.smallest }
    }
}

/// A piece of a body that broke in the last step or was cut since.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleBreak {
    /// The body that broke. Its largest piece keeps the handle.
    pub body: WobbleBody,
    /// The piece.
    pub piece: WobbleBody,
    /// Where the piece's particles begin among those of wobble_world_broken_particles().
    pub first_particle: u32,
    /// How many particles it has.
    pub particle_count: u32,
    /// 1 if the piece is debris: particles that nothing holds.
    pub is_debris: u32,
    /// Always 0.
    pub reserved: u32,
}

/// Where a vertex of a piece's mesh lies in the mesh that its body had before it broke.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct WobbleSkinSource {
    /// A vertex of that mesh.
    pub first: u32,
    /// Another one, or the same for a vertex that was there before.
    pub second: u32,
    /// The share of the second, 0 to 1: blend texture coordinates by it.
    pub share: f32,
    /// 1 if the vertex belongs to a cap, which closes the mesh where it was cut.
    pub is_cap: u32,
}

/// Fills a struct with the defaults. size is sizeof(WobbleFracture).
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_fracture_init(fracture: *mut WobbleFracture, size: u32) -> WobbleStatus {
    call(|| memory::init(fracture, size, Fracture::default().into(), "fracture"))
}

/// Lets a body break where it is stretched too far; null lets it be whole however far. Finds the body's
/// surface, so that a step in which it breaks need not.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_set_fracture(
    body: WobbleBody,
    fracture: *const WobbleFracture,
) -> WobbleStatus {
    call(|| {
        let given = rule(fracture, Fracture::default().into(), "fracture")?;
        let given = given.map(|f| Fracture { toughness: f.toughness, smallest: f.smallest });
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| Ok(b.set_fracture(given)?))
    })
}

/// How a body breaks; out_enabled gets 1 if it does, else 0, and then out_fracture the defaults.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_fracture(
    body: WobbleBody,
    out_fracture: *mut WobbleFracture,
    out_enabled: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (to, enabled) = (out_sized(out_fracture, "out_fracture")?, out(out_enabled, "out_enabled")?);
        let named = handles::body(body)?;
        let found = named.cell.with_body(&named, |b| Ok(b.fracture()))?;
        to.write(found.unwrap_or_default().into());
        enabled.write(found.is_some().into());
        Ok(())
    })
}

/// Multiplies the toughness about each particle, in creation order, 0.001 to 1e6; a cluster has the mean of its
/// members. A count of 0 makes it the same everywhere again.
///
/// map     a number for each particle
/// count   0, or as many as the body has particles
/// stride  bytes from one to the next, 0 for tightly packed
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_paint_toughness(
    body: WobbleBody,
    map: *const f32,
    count: u32,
    stride: u32,
) -> WobbleStatus {
    call(|| {
        let given = Strided::new(map, count, stride, 1, "map")?;
        let named = handles::body(body)?;
        named.cell.with_body_mut(&named, |b| {
            if count == 0 {
                return Ok(b.paint_toughness(None)?);
            }
            given.is_exactly(b.shape().particle_count(), "map", "particles")?;
            let map: Vec<f32> = (0..given.count).map(|i| given.read::<1>(i)[0]).collect();
            Ok(b.paint_toughness(Some(&map))?)
        })
    })
}

/// Cuts a body by a plane without end through point, square to normal. out_bodies gets how many bodies it is then, 1 if
/// it still hangs together; wobble_world_breaks() names them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_cut_plane(
    body: WobbleBody,
    point: *const WobbleVec3,
    normal: *const WobbleVec3,
    out_bodies: *mut u32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_bodies, "out_bodies")?;
        let point = memory::required(point, "point")?.into();
        let normal = memory::required(normal, "normal")?.into();
        out.write(cut(body, Knife::Plane { point, normal })?);
        Ok(())
    })
}

/// Cuts a body by the area that a straight edge sweeps on its way from one place to another: from and to are
/// its two ends each. out_bodies gets how many bodies it is then, 1 if it still hangs together; wobble_world_breaks() names them.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_body_cut_blade(
    body: WobbleBody,
    from: *const WobbleVec3,
    to: *const WobbleVec3,
    out_bodies: *mut u32,
) -> WobbleStatus {
    call(|| {
        let out = out(out_bodies, "out_bodies")?;
        let ends = |pointer: *const WobbleVec3, name: &str| {
            memory::copied(pointer, 2, name).map(|ends| [ends[0].into(), ends[1].into()])
        };
        let (from, to) = (ends(from, "from")?, ends(to, "to")?);
        out.write(cut(body, Knife::Blade { from, to })?);
        Ok(())
    })
}

fn cut(body: WobbleBody, knife: Knife) -> Result<u32, super::status::Failure> {
    let named = handles::body(body)?;
    named.cell.with_body_id(&named, |w, id| Ok(w.cut(id, &knife)? as u32))
}

/// The pieces of bodies that broke in the last step or were cut since, one for each piece, that which kept the handle included,
/// into out_breaks, which holds capacity of them. Nothing for bodies that cracked but still hang together.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_breaks(
    world: WobbleWorld,
    out_breaks: *mut WobbleBreak,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let cell = handles::world(world)?;
        let handle = |id: BodyId| handles::body_handle(cell.place(), id.index(), id.generation());
        let told = |event: &BreakEvent| WobbleBreak {
            body: handle(event.body),
            piece: handle(event.piece),
            first_particle: event.particles.start as u32,
            particle_count: event.particles.len() as u32,
            is_debris: event.is_debris.into(),
            reserved: 0,
        };
        let found: Vec<WobbleBreak> = cell.with(|w| Ok(w.breaks().iter().map(told).collect()))?;
        memory::write_list(&found, out_breaks, capacity, out_count, "out_breaks", "breaks")
    })
}

/// Number of pieces that wobble_world_breaks() tells of, and of their particles.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_break_count(
    world: WobbleWorld,
    out_count: *mut u32,
    out_particles: *mut u32,
) -> WobbleStatus {
    call(|| {
        let (count, particles) = (out(out_count, "out_count")?, out(out_particles, "out_particles")?);
        let found = handles::world(world)?.with(|w| Ok((w.breaks().len(), w.broken_particles().len())))?;
        count.write(found.0 as u32);
        particles.write(found.1 as u32);
        Ok(())
    })
}

/// For each particle of each piece that wobble_world_breaks() tells of, in the piece's creation order, which one it was of the
/// body that broke, in that one's.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_broken_particles(
    world: WobbleWorld,
    out_particles: *mut u32,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let found = handles::world(world)?.with(|w| Ok(w.broken_particles().to_vec()))?;
        memory::write_list(&found, out_particles, capacity, out_count, "out_particles", "particles")
    })
}

/// Bounds the cracks that open in a step, 0 to 1000; 16 at first. The least stretched wait for the next step.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_world_set_most_fractures(world: WobbleWorld, most: u32) -> WobbleStatus {
    call(|| handles::world(world)?.with(|w| Ok(w.set_most_fractures(most)?)))
}

/// The most cracks that open in a step.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_world_most_fractures(world: WobbleWorld, out_most: *mut u32) -> WobbleStatus {
    call(|| {
        let out = out(out_most, "out_most")?;
        out.write(handles::world(world)?.with(|w| Ok(w.most_fractures()))?);
        Ok(())
    })
}

/// Where the vertices of a piece's mesh lie in the mesh that its body had before it broke, one for each vertex; none for a shape
/// that is no piece. The shape of a piece comes from wobble_body_shape(), its triangles from the functions for meshes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn wobble_shape_skin_sources(
    shape: WobbleShape,
    out_sources: *mut WobbleSkinSource,
    capacity: u32,
    out_count: *mut u32,
) -> WobbleStatus {
    call(|| {
        out(out_count, "out_count")?;
        let shape = handles::shape(shape)?;
        let told = |source: &SkinSource| WobbleSkinSource {
            first: source.between[0],
            second: source.between[1],
            share: source.share,
            is_cap: source.is_cap.into(),
        };
        let found: Vec<_> = shape.skin().map_or(&[][..], Skin::sources).iter().map(told).collect();
        memory::write_list(&found, out_sources, capacity, out_count, "out_sources", "vertices")
    })
}
