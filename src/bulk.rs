//! All particles of a body at once, in the caller's order.

use glam::{Vec3, Vec4};

use crate::body::Body;
use crate::error::{Error, is_ordinary};

/// Copies `from`, in spatial order, to three floats a particle in the caller's order, `stride` bytes
/// apart. As fast as memory goes: 16 bytes are stored at once where the next particle overwrites
/// what is too much.
///
/// # Safety
/// `place` holds indices into `from`; `out` has room for as many particles as `place`, `stride`
/// being at least 12 and a multiple of 4.
pub(crate) unsafe fn copy_in_order(from: &[Vec4], place: &[u32], out: *mut f32, stride: usize) {
    debug_assert!(place.iter().all(|&p| (p as usize) < from.len()));
    let Some((&last, rest)) = place.split_last() else { return };
    // SAFETY: promised by the caller, for this and all below.
    let vector = |p: u32| unsafe { *from.get_unchecked(p as usize) };
    let at = |i: usize| unsafe { out.byte_add(i * stride) };
    if stride == 12 {
        for (i, &p) in rest.iter().enumerate() {
            // SAFETY: the fourth float belongs to the next particle, which is written later.
            unsafe { at(i).cast::<[f32; 4]>().write(vector(p).to_array()) };
        }
    } else {
        for (i, &p) in rest.iter().enumerate() {
            // SAFETY: as above.
            unsafe { at(i).cast::<[f32; 3]>().write(vector(p).truncate().to_array()) };
        }
    }
    // SAFETY: as above.
    unsafe { at(rest.len()).cast::<[f32; 3]>().write(vector(last).truncate().to_array()) };
}

impl Body {
    /// Positions before the last step in spatial order, metres; the w lane is not for use.
    pub fn raw_previous(&self) -> &[Vec4] {
        &self.previous
    }

    /// Sets all positions, metres. Pinned particles are held where they are put.
    pub fn set_positions(&mut self, positions: &[Vec3]) -> Result<(), Error> {
        self.check_all("positions", positions)?;
        for (x, &caller) in self.x.iter_mut().zip(self.shape.order()) {
            *x = positions[caller as usize].extend(x.w);
        }
        for pin in &mut self.pins {
            pin.target = self.x[pin.particle as usize].truncate();
        }
        self.touched();
        Ok(())
    }

    /// Sets all velocities, m/s.
    pub fn set_velocities(&mut self, velocities: &[Vec3]) -> Result<(), Error> {
        self.check_all("velocities", velocities)?;
        for (v, &caller) in self.v.iter_mut().zip(self.shape.order()) {
            *v = velocities[caller as usize].extend(0.0);
        }
        self.touched();
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
