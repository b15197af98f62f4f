//! All particles of a body at once, in the caller's order.

use glam::{Vec3, Vec4};

use crate::body::Body;
use crate::error::{Error, is_ordinary};

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
