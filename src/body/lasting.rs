//! Deformation that lasts: how much of it a body keeps, and how it forgets it.

use glam::{Quat, Vec3};

use super::Body;
use crate::clustering::Nesting;
use crate::error::{Error, within};
use crate::material::Goals;
use crate::plasticity::{Plastic, Plasticity};

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::Plasticity;
///
/// let body = world.body_mut(id)?;
/// body.set_plasticity(Some(Plasticity { yield_strain: 0.02, ..Plasticity::default() }))?;
/// body.set_level_flow(1, 0.0)?; // the coarse level forgets no shape: dents stay shallow
/// assert_eq!(body.level_flow(1)?, 0.0);
/// body.deform(|p| p * glam::Vec3::new(1.0, 0.7, 1.0))?;
/// world.step(1.0 / 60.0)?;
/// assert!(world.body(id)?.plasticity().is_some() && world.body(id)?.lasting_strain() > 0.0);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// How deformation lasts, if it does.
    pub fn plasticity(&self) -> Option<Plasticity> {
        self.plasticity
    }

    /// Lets deformation last, or with `None` no more of it: what has lasted stays until [`Body::reset`].
    /// Not for bodies with quadratic goals. A body whose deformation can last takes a fifth longer to step, several
    /// times as long while all of it flows, and about 25 bytes a particle more.
    pub fn set_plasticity(&mut self, plasticity: Option<Plasticity>) -> Result<(), Error> {
        if let Some(plasticity) = plasticity {
            plasticity.check()?;
            if let Goals::Quadratic { beta } = self.material.goals {
                let wanted = "rigid or linear for a body whose deformation lasts";
                return Err(Error::Value { field: "goals (quadratic)", value: beta.into(), wanted });
            }
            if let (true, Nesting::Independent) = (plasticity.recluster != 0.0, self.shape.nesting()) {
                let wanted = "0 for a body whose levels are independent";
                return Err(Error::Value { field: "recluster", value: plasticity.recluster.into(), wanted });
            }
            if self.plastic.is_none() {
                (self.plastic, self.held) = (Some(Box::new(Plastic::new(&self.shape))), None);
                self.touched();
            }
        } else if self.reclustered.is_none() && self.plastic.as_ref().is_some_and(|p| p.is_undented()) {
            self.plastic = None;
            self.touched();
        }
        if plasticity != self.plasticity {
            self.wake();
        }
        self.plasticity = plasticity;
        Ok(())
    }

    /// What the flow of a level is multiplied by.
    pub fn level_flow(&self, level: usize) -> Result<f32, Error> {
        let count = self.flows.len();
        self.flows.get(level).copied().ok_or(Error::Index { field: "level", got: level, count })
    }

    /// Multiplies the flow of a level, 0 to 1; 1 at first. The finest level's flow decides what lasts; a
    /// coarser nested level follows it by this share. With 0 for the coarse levels a surface can be
    /// dented while the outline as a whole comes back.
    pub fn set_level_flow(&mut self, level: usize, multiplier: f32) -> Result<(), Error> {
        within("flow multiplier", multiplier, 0.0, 1.0, "from 0 to 1")?;
        let count = self.flows.len();
        let flow = self.flows.get_mut(level).ok_or(Error::Index { field: "level", got: level, count })?;
        *flow = multiplier;
        self.wake();
        Ok(())
    }

    /// The largest lasting strain of a finest cluster, since it was made if it replaced another; 0 where nothing lasts.
    pub fn lasting_strain(&self) -> f32 {
        let finest = self.finest_count();
        let dents = self.plastic.iter().flat_map(|plastic| &plastic.dents[..finest]);
        dents.map(|dent| dent.strain()).fold(0.0, f32::max)
    }

    /// Forgets all that has lasted.
    pub(crate) fn undent(&mut self) {
        self.forget_own_clusters();
        if self.plastic.is_some() {
            self.plastic = self.plasticity.map(|_| Box::new(Plastic::new(&self.shape)));
            self.held = None;
        }
    }

    /// Puts particles where the dented rest shape has them.
    pub(crate) fn put_dented(&mut self, position: Vec3, rotation: Quat) {
        let lasts = |plastic: &&Plastic| self.reclustered.is_some() || !plastic.is_undented();
        let Some(plastic) = self.plastic.as_deref().filter(lasts) else { return };
        let apart = self.reclustered.as_ref().map_or(&[][..], |own| &own.apart_held);
        let at = plastic.rest_positions(self.tables(), apart);
        for (x, r) in self.x.iter_mut().zip(at) {
            *x = (position + rotation * Vec3::from(r)).extend(x.w);
        }
        self.previous.copy_from_slice(&self.x);
        for pin in &mut self.pins {
            pin.target = self.x[pin.particle as usize].truncate();
        }
        self.disturbed();
    }
}
