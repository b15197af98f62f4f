//! What a step does to a body before its first stage and after its last.

use glam::{Quat, Vec3, Vec4};

use super::{Body, Freshness};
use crate::drift::Drift;
use crate::fitting::Fit;
use crate::landing::Landing;
use crate::volume::Swelling;

impl Body {
    /// Before a step of `dt` seconds: forgets where the mesh was, lets pins weigh and gives pinned particles the velocity
    /// that takes them to their targets.
    pub(crate) fn aim_pins(&mut self, dt: f32) {
        self.forget_places();
        self.weigh_pins();
        for pin in &self.pins {
            let i = pin.particle as usize;
            let v = ((pin.target - self.x[i].truncate()) / dt).extend(0.0);
            if v != self.v[i] {
                self.v[i] = v;
                self.freshness = Freshness::Stale;
            }
        }
    }

    pub(crate) fn takes_part(&self) -> bool {
        self.enabled && !self.frozen && !self.x.is_empty()
    }

    /// After a step: puts pins exactly on their targets; freezes and rolls back a body that has gone
    /// non-finite, and says whether it did.
    pub(crate) fn settle(&mut self) -> bool {
        for pin in &self.pins {
            self.x[pin.particle as usize] = pin.target.extend(0.0);
        }
        self.forget_forces();
        let faulty = std::mem::take(self.faulty.get_mut());
        if faulty {
            self.x.copy_from_slice(&self.previous);
            self.v.fill(Vec4::ZERO);
            self.fits.fill(Fit::default());
            (self.origin, self.drift, self.landing) = (Vec4::ZERO, Drift::default(), Landing::default());
            self.swelling = Swelling::default();
            self.frozen = true;
            self.touched();
        }
        faulty
    }

    /// Forces act for one step.
    pub(crate) fn forget_forces(&mut self) {
        self.acceleration = Vec3::ZERO;
        self.accelerations.fill(Vec4::ZERO);
    }

    /// Puts the origin to about where the rest shape's is, so that the shifts of the fits are
    /// small and lose nothing to rounding; every moment must be summed anew.
    pub(crate) fn move_origin(&mut self) {
        self.origin = self.origin_now();
    }

    /// Where `move_origin` would put the origin now.
    pub(crate) fn origin_now(&self) -> Vec4 {
        let Some(coarsest) = self.fits.last() else { return self.origin };
        let turned = Quat::from_vec4(coarsest.rotation) * self.shape.rest()[0].truncate();
        (self.x[0].truncate() - turned).extend(0.0)
    }

    /// To be called whenever positions or velocities were changed.
    pub(crate) fn touched(&mut self) {
        self.forget_places();
        (self.freshness, self.gained) = (Freshness::Stale, None);
    }

    /// Forgets where the mesh and the surface are.
    pub(crate) fn forget_places(&mut self) {
        self.poses.forget();
        self.outline.forget();
    }
}
