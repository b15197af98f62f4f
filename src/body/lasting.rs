//! Deformation that lasts: how much of it a body keeps, and how it forgets it.

use glam::{Quat, Vec3};

use super::Body;
use crate::error::{Error, within};
use crate::material::Goals;
use crate::plasticity::{Plastic, Plasticity};

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
            if self.plastic.is_none() {
                self.plastic = Some(Box::new(Plastic::new(&self.shape)));
                self.touched();
            }
        } else if self.plastic.as_ref().is_some_and(|plastic| plastic.is_undented()) {
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

    /// The largest lasting strain of a finest cluster; 0 where nothing lasts.
    pub fn lasting_strain(&self) -> f32 {
        let finest = self.shape.levels().first().map_or(0, |level| level.cluster_count());
        let dents = self.plastic.iter().flat_map(|plastic| &plastic.dents[..finest]);
        dents.map(|dent| dent.strain()).fold(0.0, f32::max)
    }

    /// Forgets all that has lasted.
    pub(crate) fn undent(&mut self) {
        if self.plastic.is_some() {
            self.plastic = self.plasticity.map(|_| Box::new(Plastic::new(&self.shape)));
        }
    }

    /// Puts particles where the dented rest shape has them.
    pub(crate) fn put_dented(&mut self, position: Vec3, rotation: Quat) {
        let Some(plastic) = self.plastic.as_ref().filter(|plastic| !plastic.is_undented()) else { return };
        let at = plastic.rest_positions(&self.shape);
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
