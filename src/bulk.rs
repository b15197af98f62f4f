//! All particles of a body at once, in the caller's order.

use glam::{Vec3, Vec4};

use crate::body::Body;
use crate::error::{Error, is_ordinary};
use crate::parallel::Spread;

/// Where three floats a particle go, `stride` bytes apart.
pub(crate) struct Target {
    /// The first.
    pub(crate) start: *mut f32,
    /// At least 12, a multiple of 4.
    pub(crate) stride: usize,
}

// SAFETY: a place to write to, cut up between threads by particle.
unsafe impl Sync for Target {}

/// Particles that a thread copies at a time.
const BLOCK: usize = 8192;

/// Copies `from`, in spatial order, to `target` in the caller's order.
///
/// # Safety
/// `place` holds indices into `from`; the target has room for as many particles as `place`.
pub(crate) unsafe fn copy_in_order(from: &[Vec4], place: &[u32], target: &Target, spread: Spread) {
    debug_assert!(place.iter().all(|&p| (p as usize) < from.len()));
    spread.for_each(place.len().div_ceil(BLOCK), |block| {
        let first = block * BLOCK;
        let place = &place[first..place.len().min(first + BLOCK)];
        // SAFETY: promised by the caller; blocks write to places of their own.
        unsafe {
            let out = target.start.byte_add(first * target.stride);
            if target.stride == 12 {
                copy_packed(from, place, out)
            } else {
                copy_apart(from, place, out, target.stride)
            }
        }
    });
}

/// # Safety
/// As for `copy_in_order`.
unsafe fn copy_apart(from: &[Vec4], place: &[u32], out: *mut f32, stride: usize) {
    for (i, &p) in place.iter().enumerate() {
        // SAFETY: promised by the caller.
        unsafe {
            let vector = from.get_unchecked(p as usize).truncate().to_array();
            out.byte_add(i * stride).cast::<[f32; 3]>().write(vector);
        }
    }
}

/// Four particles fill three stores of sixteen bytes.
///
/// # Safety
/// As for `copy_in_order`.
unsafe fn copy_packed(from: &[Vec4], place: &[u32], out: *mut f32) {
    let (fours, rest) = place.as_chunks::<4>();
    for (i, four) in fours.iter().enumerate() {
        // SAFETY: promised by the caller.
        unsafe {
            let [a, b, c, d] = four.map(|p| *from.get_unchecked(p as usize));
            let packed =
                [Vec4::new(a.x, a.y, a.z, b.x), Vec4::new(b.y, b.z, c.x, c.y), Vec4::new(c.z, d.x, d.y, d.z)];
            out.add(12 * i).cast::<[[f32; 4]; 3]>().write(packed.map(|v| v.to_array()));
        }
    }
    // SAFETY: promised by the caller.
    unsafe { copy_apart(from, rest, out.add(12 * fours.len()), 12) };
}

/// The same of positions at `fraction` from those in `before` to those in `now`; exact at 0 and at 1.
///
/// # Safety
/// As for `copy_in_order`, for both.
pub(crate) unsafe fn copy_between(
    before: &[Vec4],
    now: &[Vec4],
    fraction: f32,
    place: &[u32],
    target: &Target,
    spread: Spread,
) {
    let (left, gone) = (Vec4::splat(1.0 - fraction), Vec4::splat(fraction));
    spread.for_each(place.len().div_ceil(BLOCK), |block| {
        let first = block * BLOCK;
        for (i, &p) in (first..).zip(&place[first..place.len().min(first + BLOCK)]) {
            // SAFETY: promised by the caller; blocks write to places of their own.
            unsafe {
                let (a, b) = (before.get_unchecked(p as usize), now.get_unchecked(p as usize));
                let at = (*a * left + *b * gone).truncate().to_array();
                target.start.byte_add(i * target.stride).cast::<[f32; 3]>().write(at);
            }
        }
    });
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
///
/// let body = world.body_mut(id)?;
/// body.set_positions(&vec![Vec3::Y; 216])?; // all at one point; the shape comes back
/// body.set_velocities(&vec![Vec3::ZERO; 216])?;
/// world.step(1.0 / 60.0)?;
/// assert_eq!(world.body(id)?.raw_previous().len(), 216); // where they were before that step
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Positions before the last step in spatial order, metres; the w lane is not for use.
    pub fn raw_previous(&self) -> &[Vec4] {
        &self.previous
    }

    /// Sets all positions, metres, as a jump: nothing is interpolated on the way there. Pinned particles
    /// are held where they are put.
    pub fn set_positions(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        self.check_all("positions", positions)?;
        for (x, &caller) in self.x.iter_mut().zip(self.shape.order()) {
            *x = positions[caller as usize].extend(x.w);
        }
        for pin in &mut self.pins {
            pin.target = self.x[pin.particle as usize].truncate();
        }
        self.previous.copy_from_slice(&self.x);
        self.disturbed();
        Ok(())
    }

    /// Sets all velocities, m/s.
    pub fn set_velocities(&mut self, velocities: &[Vec3]) -> Result<(), Error> {
        self.check_all("velocities", velocities)?;
        for (v, &caller) in self.v.iter_mut().zip(self.shape.order()) {
            *v = velocities[caller as usize].extend(0.0);
        }
        self.disturbed();
        Ok(())
    }

    fn check_all(&self, field: &'static str, vectors: &[Vec3]) -> Result<(), Error> {
        let count = self.shape.particle_count();
        if vectors.len() != count {
            let wanted = format!("one for each of the {count} particles");
            return Err(Error::Length { field, got: vectors.len(), wanted });
        }
        let refused = |v: &Vec3| v.to_array().into_iter().find(|c| !is_ordinary(*c));
        match vectors.iter().enumerate().find_map(|(i, v)| Some((i, refused(v)?))) {
            None => Ok(()),
            Some((index, value)) => {
                let wanted = "finite and at most 1e9 in size";
                Err(Error::Element { field, index, value: value.into(), wanted })
            }
        }
    }
}
