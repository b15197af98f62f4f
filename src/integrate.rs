//! One symplectic Euler step of a particle (MR Algorithm 3, all levels at once).
//!
//! Reads the blended pull; writes position and velocity:
//! v += pull - (α/h) (x - origin) - k_d v + h g + h f/m, then x += h v.

use glam::Vec4;

use crate::lanes::Lanes;

/// What all particles of a body share in a substep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Drive {
    /// Length of the substep, s.
    pub(crate) h: f32,
    /// Σ over levels of weight times α over h, 1/s.
    pub(crate) stiffness: f32,
    /// What pulls are about, metres; w = 1 like that of free particles.
    pub(crate) origin: Vec4,
    /// Σ over levels of weight times k_d.
    pub(crate) damping: f32,
    /// Velocity gained from gravity and forces on the whole body, m/s; w = 0.
    pub(crate) gain: Vec4,
}

/// Position and velocity after the substep, and the part of the velocity change that stems from
/// inside the body, which sums to zero over it but for rounding and whose w means nothing. `x.w` is 1 for a free particle and 0 for a
/// kinematic one, which keeps its velocity; `v.w`, the grip of a contact, is taken off, and that of `pull` has no say. `push` is the velocity
/// gained from forces on this particle, w = 0.
#[inline(always)]
pub(crate) fn advance(drive: &Drive, x: Vec4, v: Vec4, pull: Vec4, push: Vec4) -> (Vec4, Vec4, Vec4) {
    let (v, pull) = (v.with_w(0.0), pull.with_w(0.0));
    let free = Vec4::new(1.0, 1.0, 1.0, 0.0) * x.w;
    let inner = pull - ((x - drive.origin) * drive.stiffness + v * drive.damping);
    let v = (v + (drive.gain + push) * free) + inner * free;
    (x + v * Vec4::new(drive.h, drive.h, drive.h, 0.0), v, inner)
}

/// The same for free particles, `x.w` being 1, without forces but with what `pull.w` adds to their damping.
#[inline(always)]
pub(crate) fn advance_freely<L: Lanes>(drive: &Drive, x: L, v: L, pull: L) -> (L, L, L) {
    let all = |number: f32| L::all(Vec4::splat(number));
    let damping = pull.wwww() + all(drive.damping);
    let inner = pull - ((x - L::all(drive.origin)) * all(drive.stiffness) + v * damping);
    let v = ((v + L::all(drive.gain)) + inner) * L::all(Vec4::new(1.0, 1.0, 1.0, 0.0));
    (x + v * all(drive.h), v, inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_mass_on_a_spring_follows_the_published_table() {
        // SM Table 2.1: k = m = 1, h = 0.1, x0 = 10, goal at the origin, so α = h² k/m = 0.01.
        let drive =
            Drive { h: 0.1, stiffness: 0.01 / 0.1, damping: 0.0, origin: Vec4::ZERO, gain: Vec4::ZERO };
        let (mut x, mut v) = (Vec4::new(10.0, 0.0, 0.0, 1.0), Vec4::ZERO);
        for (want_x, want_v) in
            [(9.90, -1.00), (9.70, -1.99), (9.40, -2.96), (9.01, -3.90), (8.53, -4.80), (7.97, -5.66)]
        {
            (x, v, _) = advance(&drive, x, v, Vec4::ZERO, Vec4::ZERO);
            assert!((x.x - want_x).abs() < 0.006, "{} is not {want_x}", x.x);
            assert!((v.x - want_v).abs() < 0.006, "{} is not {want_v}", v.x);
        }
    }

    #[test]
    fn a_free_particle_moves_the_same_either_way() {
        let gain = Vec4::new(0.1, -1.0, 0.0, 0.0);
        let drive =
            Drive { h: 0.1, stiffness: 3.0, damping: 0.2, origin: Vec4::new(1.0, 0.0, 2.0, 1.0), gain };
        let (x, v) = (Vec4::new(1.5, 0.3, 2.7, 1.0), Vec4::new(0.5, -0.2, 0.1, 0.0));
        let pull = Vec4::new(0.4, 0.2, -0.3, 0.0);
        // w of what came from inside means nothing.
        let moved = |(x, v, inner): (Vec4, Vec4, Vec4)| (x, v, inner.truncate());
        let forced = |drive: &Drive| moved(advance(drive, x, v, pull, Vec4::ZERO));
        assert_eq!(moved(advance_freely(&drive, x, v, pull)), forced(&drive));
        let braked = Drive { damping: 0.2 + 0.3, ..drive };
        let (gripping, braking) = (v.with_w(0.7), pull.with_w(0.3));
        assert_eq!(moved(advance_freely(&drive, x, gripping, braking)), forced(&braked));
    }

    #[test]
    fn a_kinematic_particle_keeps_its_velocity() {
        let drive = Drive {
            h: 0.1,
            stiffness: 10.0,
            damping: 0.5,
            origin: Vec4::ZERO,
            gain: Vec4::new(0.0, -1.0, 0.0, 0.0),
        };
        let (x, v) = (Vec4::new(1.0, 2.0, 3.0, 0.0), Vec4::new(1.0, 0.0, 0.0, 0.0));
        let (moved, kept, _) = advance(&drive, x, v, Vec4::ONE, Vec4::ONE);
        assert_eq!(kept, v);
        assert_eq!(moved, Vec4::new(1.1, 2.0, 3.0, 0.0));
    }
}
