//! What a host may do to a body between steps: move, push, pin, place it.
//!
//! Every call checks first and changes nothing when it refuses. Whatever touches positions or
//! velocities makes the clusters' moments stale.

use std::sync::Arc;

use glam::{DMat3, DVec3, Quat, Vec3, Vec4};

use crate::body::{Body, Pin, unit};
use crate::drift::Drift;
use crate::error::{Error, LARGEST, finite, within};
use crate::fitting::Fit;
use crate::landing::Landing;
use crate::math::symmetric;
use crate::volume::Swelling;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
///
/// let body = world.body_mut(id)?;
/// body.teleport(Vec3::Y * 3.0, Quat::from_rotation_z(0.5))?; // at rest and in its rest shape
/// body.set_velocity(Vec3::X)?;
/// body.apply_force(Vec3::Y * 20.0)?; // N, for the next step
/// body.apply_force_to(0, Vec3::X)?; // on one particle
/// body.apply_impulse(Vec3::Y)?; // N s, at once
/// body.apply_impulse_to(0, Vec3::X * 0.01)?;
/// body.apply_impulse_at(Vec3::Y * 3.0, Vec3::X, 0.2)?; // on what is within 0.2 m
/// body.apply_torque_impulse(Vec3::Z * 0.1)?;
/// body.set_level_weight(0, 0.9)?; // the others share the rest
///
/// body.set_position_of(7, Vec3::Y * 3.0)?;
/// body.set_velocity_of(7, Vec3::ZERO)?;
/// body.pin(7)?;
/// body.move_pin(7, Vec3::Y * 3.1)?; // in the course of the next step
/// assert!(body.is_pinned(7)? && body.pins().eq([7]));
/// body.unpin(7)?;
///
/// body.deform(|p| p * Vec3::new(1.0, 0.5, 1.0))?; // flat
/// body.reset(); // back to its rest shape, where it is
/// assert!(body.shape_error() < 1e-3);
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Moves one particle, metres, as a jump; its velocity stays.
    pub fn set_position_of(&mut self, particle: usize, position: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("position", position)?;
        self.x[i] = position.extend(self.x[i].w);
        self.previous[i] = self.x[i];
        self.disturbed();
        Ok(())
    }

    /// Sets one particle's velocity, m/s.
    pub fn set_velocity_of(&mut self, particle: usize, velocity: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("velocity", velocity)?;
        self.v[i] = velocity.extend(0.0);
        self.disturbed();
        Ok(())
    }

    /// Sets the velocity of every particle, m/s.
    pub fn set_velocity(&mut self, velocity: Vec3) -> Result<(), Error> {
        finite("velocity", velocity)?;
        self.v.fill(velocity.extend(0.0));
        self.disturbed();
        Ok(())
    }

    /// Sends every particle's position through `map`; refused as a whole if one result is not finite.
    pub fn deform(&mut self, map: impl Fn(Vec3) -> Vec3) -> Result<(), Error> {
        let moved: Vec<Vec4> = self.x.iter().map(|x| map(x.truncate()).extend(x.w)).collect();
        for x in &moved {
            finite("deformed position", x.truncate())?;
        }
        self.x = moved;
        self.previous.copy_from_slice(&self.x);
        self.disturbed();
        Ok(())
    }

    /// Adds a force on the whole body, newtons, for the next step.
    pub fn apply_force(&mut self, force: Vec3) -> Result<(), Error> {
        finite("force", force)?;
        if self.shape.mass() > 0.0 {
            self.acceleration += force / self.shape.mass();
            self.wake();
        }
        Ok(())
    }

    /// Adds a force on one particle, newtons, for the next step.
    pub fn apply_force_to(&mut self, particle: usize, force: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("force", force)?;
        self.accelerations.resize(self.x.len(), Vec4::ZERO);
        self.accelerations[i] += (force / self.shape.masses()[i]).extend(0.0);
        self.wake();
        Ok(())
    }

    /// Changes the momentum of the whole body at once, newton seconds.
    pub fn apply_impulse(&mut self, impulse: Vec3) -> Result<(), Error> {
        finite("impulse", impulse)?;
        let gained = (impulse / self.shape.mass()).extend(0.0);
        for (v, x) in self.v.iter_mut().zip(&self.x) {
            *v += gained * x.w;
        }
        self.disturbed();
        Ok(())
    }

    /// Changes the momentum of one particle at once, newton seconds. A pinned one does not budge.
    pub fn apply_impulse_to(&mut self, particle: usize, impulse: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("impulse", impulse)?;
        self.v[i] += (impulse / self.shape.masses()[i]).extend(0.0) * self.x[i].w;
        self.disturbed();
        Ok(())
    }

    /// Changes the momentum of the particles within `radius` metres of `point` at once, newton seconds
    /// in all: those at the point gain most velocity, those at the radius none. Pinned ones do not
    /// budge and take no share. Refused where no free particle is within the radius.
    pub fn apply_impulse_at(&mut self, point: Vec3, impulse: Vec3, radius: f32) -> Result<(), Error> {
        finite("point", point)?;
        finite("impulse", impulse)?;
        within("radius", radius, f32::MIN_POSITIVE, LARGEST, "above 0 and at most 1e9 metres")?;
        let share = |x: Vec4| {
            let from_rim =
                1.0 - (x.truncate() - point).as_dvec3().length_squared() / f64::from(radius).powi(2);
            from_rim.max(0.0).powi(2) * f64::from(x.w)
        };
        let carried = self.x.iter().zip(self.shape.masses()).map(|(x, m)| share(*x) * f64::from(*m));
        let mass = carried.sum::<f64>();
        if mass <= 0.0 {
            let wanted = "more than the distance from the point to the nearest particle that is not pinned";
            return Err(Error::Value { field: "radius", value: radius.into(), wanted });
        }
        for (v, x) in self.v.iter_mut().zip(&self.x) {
            *v += (impulse * (share(*x) / mass) as f32).extend(0.0);
        }
        self.disturbed();
        Ok(())
    }

    /// Changes the angular momentum about the centre of mass at once, kg m²/s, as a rigid body's:
    /// momentum stays, and so does the shape at first. Pinned particles do not budge, and the
    /// centre is that of the free ones. Refused where these leave a part of the axis without
    /// inertia: a point takes none, and a straight line none about itself.
    pub fn apply_torque_impulse(&mut self, impulse: Vec3) -> Result<(), Error> {
        finite("impulse", impulse)?;
        let free = || self.x.iter().zip(self.shape.masses()).filter(|(x, _)| x.w != 0.0);
        let state = || free().map(|(x, m)| (x.truncate().as_dvec3(), f64::from(*m)));
        let (sum, mass) = state().fold((DVec3::ZERO, 0.0), |(sum, mass), (x, m)| (sum + x * m, mass + m));
        let centre = sum / mass;
        let inertia = state().fold(DMat3::ZERO, |sum, (x, m)| {
            let d = x - centre;
            sum + (DMat3::from_diagonal(DVec3::splat(d.length_squared()))
                - DMat3::from_cols(d * d.x, d * d.y, d * d.z))
                * m
        });
        let inverse = DMat3::from_cols_array_2d(&symmetric::pseudo_inverse(inertia.to_cols_array_2d(), 1e-9));
        let wanted = impulse.as_dvec3();
        let omega = inverse * wanted;
        let missed = (inertia * omega - wanted).length();
        if missed.is_nan() || missed > 1e-4 * wanted.length() {
            let (field, wanted) = ("impulse (length)", "0, or about an axis that particles lie beside");
            return Err(Error::Value { field, value: impulse.length().into(), wanted });
        }
        let gained = |x: &Vec4| omega.cross(x.truncate().as_dvec3() - centre).as_vec3().extend(0.0) * x.w;
        if !self.v.iter().zip(&self.x).all(|(v, x)| (*v + gained(x)).is_finite()) {
            let (field, wanted) = ("impulse (length)", "so small that velocities stay finite");
            return Err(Error::Value { field, value: impulse.length().into(), wanted });
        }
        self.v.iter_mut().zip(&self.x).for_each(|(v, x)| *v += gained(x));
        self.disturbed();
        Ok(())
    }

    /// Whether a particle is pinned.
    pub fn is_pinned(&self, particle: usize) -> Result<bool, Error> {
        Ok(self.x[self.index(particle)?].w == 0.0)
    }

    /// The pinned particles, in the order they were pinned.
    pub fn pins(&self) -> impl ExactSizeIterator<Item = usize> {
        self.pins.iter().map(|pin| self.shape.order()[pin.particle as usize] as usize)
    }

    /// Gives one level this share of the weight, 0 to 1; the others keep their proportions in what
    /// is left, or share it evenly if they had none. A single level has all of it.
    pub fn set_level_weight(&mut self, level: usize, weight: f32) -> Result<(), Error> {
        let count = self.level_weights().len();
        let own =
            *self.level_weights().get(level).ok_or(Error::Index { field: "level", got: level, count })?;
        let (least, wanted) = if count == 1 { (1.0, "1 for the only level") } else { (0.0, "from 0 to 1") };
        within("weight", weight, least, 1.0, wanted)?;
        let others: f32 = self.level_weights().iter().sum::<f32>() - own;
        let left = 1.0 - weight;
        let mut weights = self.level_weights().to_vec();
        for w in &mut weights {
            *w = if others > 1e-6 { *w / others * left } else { left / (count - 1).max(1) as f32 };
        }
        weights[level] = weight;
        self.set_level_weights(&weights)
    }

    /// Holds a particle where it is: nothing but the host moves it.
    ///
    /// Pins weigh more than all the rest wherever clusters are matched, so they hold the body at every level: what is clamped
    /// does not hang by the particles next to its clamp alone. A body is best pinned where it is in shape; where it is deformed, all of
    /// it goes along with the pin. With quadratic goals, and where worn clusters are replaced
    /// ([`Plasticity::recluster`](crate::Plasticity::recluster)), pins weigh what their particles do, and a clamp yields the more the finer the body is.
    /// Setting or freeing pins costs the next step as much as the clusters that hold pins; moving them costs nothing.
    pub fn pin(&mut self, particle: usize) -> Result<(), Error> {
        let i = self.index(particle)?;
        if self.x[i].w != 0.0 {
            self.hold(i);
            self.disturbed();
        }
        Ok(())
    }

    /// Pins what the shape has painted as pinned.
    pub(crate) fn pin_painted(&mut self) {
        let shape = Arc::clone(&self.shape);
        shape.pinned().iter().for_each(|&i| self.hold(i as usize));
        self.disturbed();
    }

    fn hold(&mut self, i: usize) {
        self.x[i].w = 0.0;
        self.v[i] = Vec4::ZERO;
        self.pins.push(Pin { particle: i as u32, target: self.x[i].truncate() });
    }

    /// Lets a pinned particle go, with the velocity it has.
    pub fn unpin(&mut self, particle: usize) -> Result<(), Error> {
        let i = self.index(particle)?;
        self.x[i].w = 1.0;
        self.pins.retain(|pin| pin.particle as usize != i);
        self.disturbed();
        Ok(())
    }

    /// Moves a pinned particle to `target`, metres, in the course of the next step.
    pub fn move_pin(&mut self, particle: usize, target: Vec3) -> Result<(), Error> {
        let i = self.index(particle)?;
        finite("target", target)?;
        match self.pins.iter_mut().find(|pin| pin.particle as usize == i) {
            Some(pin) => {
                let moved = pin.target != target;
                pin.target = target;
                if moved {
                    self.wake();
                }
                Ok(())
            }
            None => Err(Error::Value { field: "particle", value: particle as f64, wanted: "pinned first" }),
        }
    }

    /// Puts the centre of mass at `position`, metres, and the body about it in its rest shape, turned by
    /// `rotation` and at rest. Dents, cuts and breaks stay; [`World::reset_body`](crate::World::reset_body) ends
    /// them. Pins go along; frames that hold it are put there by
    /// [`World::set_attachment_pose`](crate::World::set_attachment_pose). A frozen body goes on.
    pub fn teleport(&mut self, position: Vec3, rotation: Quat) -> Result<(), Error> {
        finite("position", position)?;
        let rotation = unit(rotation)?;
        self.v.fill(Vec4::ZERO);
        self.put(position, rotation);
        self.put_dented(position, rotation);
        Ok(())
    }

    /// Back to the rest shape, upright and at rest, about the present centre of mass; nothing of its
    /// deformation lasts. A frozen body goes on.
    pub fn reset(&mut self) {
        let centre = self.centre_of_mass();
        self.undent();
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
        (self.drift, self.landing) = (Drift::default(), Landing::default());
        self.swelling = Swelling::default();
        self.disturbed();
    }
}
