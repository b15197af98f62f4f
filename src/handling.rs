//! What a host may do to a body between steps: move, push, pin, place it.
//!
//! Every call checks first and changes nothing when it refuses. Whatever touches positions or
//! velocities makes the clusters' moments stale.

use glam::{Quat, Vec3, Vec4};

use crate::body::{Body, Pin, unit};
use crate::error::{Error, finite};
use crate::fitting::Fit;

impl Body {
    /// Moves one particle, metres; its velocity stays.
    pub fn set_position_of(&mut self, particle: usize, position: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("position", position)?;
        self.x[i] = position.extend(self.x[i].w);
        self.touched();
        Ok(())
    }

    /// Sets one particle's velocity, m/s.
    pub fn set_velocity_of(&mut self, particle: usize, velocity: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("velocity", velocity)?;
        self.v[i] = velocity.extend(0.0);
        self.touched();
        Ok(())
    }

    /// Sets the velocity of every particle, m/s.
    pub fn set_velocity(&mut self, velocity: Vec3) -> Result<(), Error> {
        finite("velocity", velocity)?;
        self.v.fill(velocity.extend(0.0));
        self.touched();
        Ok(())
    }

    /// Sends every particle's position through `map`; refused as a whole if one result is not finite.
    pub fn deform(&mut self, map: impl Fn(Vec3) -> Vec3) -> Result<(), Error> {
        let moved: Vec<Vec4> = self.x.iter().map(|x| map(x.truncate()).extend(x.w)).collect();
        for x in &moved {
            finite("deformed position", x.truncate())?;
        }
        self.x = moved;
        self.touched();
        Ok(())
    }

    /// Adds a force on the whole body, newtons, for the next step.
    pub fn apply_force(&mut self, force: Vec3) -> Result<(), Error> {
        finite("force", force)?;
        if self.shape.mass() > 0.0 {
            self.acceleration += force / self.shape.mass();
        }
        Ok(())
    }

    /// Adds a force on one particle, newtons, for the next step.
    pub fn apply_force_to(&mut self, particle: usize, force: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("force", force)?;
        self.accelerations.resize(self.x.len(), Vec4::ZERO);
        self.accelerations[i] += (force / self.shape.masses()[i]).extend(0.0);
        Ok(())
    }

    /// Changes the momentum of the whole body at once, newton seconds.
    pub fn apply_impulse(&mut self, impulse: Vec3) -> Result<(), Error> {
        finite("impulse", impulse)?;
        let gained = (impulse / self.shape.mass()).extend(0.0);
        for (v, x) in self.v.iter_mut().zip(&self.x) {
            *v += gained * x.w;
        }
        self.touched();
        Ok(())
    }

    /// Changes the momentum of one particle at once, newton seconds. A pinned one does not budge.
    pub fn apply_impulse_to(&mut self, particle: usize, impulse: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("impulse", impulse)?;
        self.v[i] += (impulse / self.shape.masses()[i]).extend(0.0) * self.x[i].w;
        self.touched();
        Ok(())
    }

    /// Holds a particle where it is: nothing but the host moves it.
    pub fn pin(&mut self, particle: usize) -> Result<(), Error> {
        let i = self.index(particle)?;
        if self.x[i].w != 0.0 {
            self.x[i].w = 0.0;
            self.v[i] = Vec4::ZERO;
            self.pins.push(Pin { particle: i as u32, target: self.x[i].truncate() });
            self.touched();
        }
        Ok(())
    }

    /// Lets a pinned particle go, with the velocity it has.
    pub fn unpin(&mut self, particle: usize) -> Result<(), Error> {
        let i = self.index(particle)?;
        self.x[i].w = 1.0;
        self.pins.retain(|pin| pin.particle as usize != i);
        Ok(())
    }

    /// Moves a pinned particle to `target`, metres, in the course of the next step.
    pub fn move_pin(&mut self, particle: usize, target: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("target", target)?;
        match self.pins.iter_mut().find(|pin| pin.particle as usize == i) {
            Some(pin) => {
                pin.target = target;
                Ok(())
            }
            None => Err(Error::Value { field: "particle", value: particle as f64, wanted: "pinned first" }),
        }
    }

    /// Puts the body elsewhere at rest shape and at rest; pins stay on their particles. A frozen
    /// body goes on.
    pub fn teleport(&mut self, position: Vec3, rotation: Quat) -> Result<(), Error> {
        finite("position", position)?;
        let rotation = unit(rotation)?;
        self.v.fill(Vec4::ZERO);
        self.put(position, rotation);
        Ok(())
    }

    /// Back to the rest shape, upright and at rest, about the present centre of mass. A frozen
    /// body goes on.
    pub fn reset(&mut self) {
        let centre = self.centre_of_mass();
        self.v.fill(Vec4::ZERO);
        self.put(centre, Quat::IDENTITY);
    }

    pub(crate) fn put(&mut self, position: Vec3, rotation: Quat) {
        for (x, r) in self.x.iter_mut().zip(self.shape.rest()) {
            *x = (position + rotation * r.truncate()).extend(x.w);
        }
        self.previous.copy_from_slice(&self.x);
        self.fits.fill(Fit { rotation: Vec4::from(rotation), omega: Vec4::ZERO });
        for pin in &mut self.pins {
            pin.target = self.x[pin.particle as usize].truncate();
        }
        self.frozen = false;
        self.slip = Vec4::ZERO;
        self.touched();
    }
}
