//! How attachments are made: what a host asks for, checked and turned into links.

use glam::{Quat, Vec3};

use super::{AttachmentId, Frame, Held, Hold, Kind, Side};
use crate::body::{Body, unit};
use crate::error::{Error, LARGEST, finite, within};
use crate::world::{BodyId, World};

/// Particles of a body to be held to the world, or to a frame that the host moves.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, Hold, Space};
///
/// let top = world.body(id)?.particles_in_box(Vec3::new(-1.0, 0.2, -1.0), Vec3::ONE, Space::Rest)?;
///
/// let hold = Hold::Spring { hertz: 2.0, damping_ratio: 0.2 };
/// world.attach(id, &top, &AttachmentDef { hold, ..AttachmentDef::default() })?; // it bobs
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AttachmentDef {
    /// Where the frame is now, metres: they keep their place in it. Default the origin.
    pub position: Vec3,
    /// How it is turned. Default not at all.
    pub rotation: Quat,
    /// Default [`Hold::Firm`].
    pub hold: Hold,
    /// Newtons, above 0: a substep that would need more of the attachment as a whole ends it.
    /// Default infinite.
    pub break_force: f32,
}

impl Default for AttachmentDef {
    fn default() -> Self {
        let (position, rotation) = (Vec3::ZERO, Quat::IDENTITY);
        AttachmentDef { position, rotation, hold: Hold::Firm, break_force: f32::INFINITY }
    }
}

/// Points of two bodies to be held together, or at a distance.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, BodyDef, DragDef, JointDef};
///
/// let shape = world.body(id)?.shape().clone();
/// let other = world.add_body(&shape, &BodyDef { position: Vec3::new(0.8, 1.0, 0.0), ..BodyDef::default() })?;
///
/// let (point, other_point) = (Vec3::new(0.25, 1.0, 0.0), Vec3::new(0.55, 1.0, 0.0));
/// world.join(id, other, &JointDef { point, other_point, radius: 0.1, ..JointDef::default() })?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JointDef {
    /// Where the first body is held, metres, world space. Default the origin.
    pub point: Vec3,
    /// Where the second body is held, which may be the same point. Default the origin.
    pub other_point: Vec3,
    /// Particles within this distance of a point take part, those near it more; metres, 0 to 1e9. The
    /// nearest takes part in any case. Default 0: that one alone.
    pub radius: f32,
    /// Distance that the joint keeps between the held places, metres, 0 to 1e9. Default none: that
    /// between them now. Held places are means of particles, so they lie within the bodies.
    pub length: Option<f32>,
    /// Default [`Hold::Firm`].
    pub hold: Hold,
    /// Newtons, above 0: a substep that would need more ends the joint. Default infinite.
    pub break_force: f32,
}

impl Default for JointDef {
    fn default() -> Self {
        JointDef {
            point: Vec3::ZERO,
            other_point: Vec3::ZERO,
            radius: 0.0,
            length: None,
            hold: Hold::Firm,
            break_force: f32::INFINITY,
        }
    }
}

/// A point of a body to be dragged, as with a mouse.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::DragDef;
///
/// let hand = world.drag(id, &DragDef { point: Vec3::Y * 1.25, max_force: 100.0, ..DragDef::default() })?;
/// world.move_attachment(hand, Vec3::Y * 1.5, Quat::IDENTITY)?;
/// world.step(1.0 / 60.0)?;
/// world.detach(hand)?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DragDef {
    /// Where the body is taken hold of, metres, world space. Default the origin.
    pub point: Vec3,
    /// Particles within this distance of the point take part, those near it more; metres, 0 to 1e9. The
    /// nearest takes part in any case. Default 0: that one alone.
    pub radius: f32,
    /// See [`Hold::Spring`]; default 5 Hz.
    pub hertz: f32,
    /// See [`Hold::Spring`]; default 1.
    pub damping_ratio: f32,
    /// The most force to drag with, newtons, above 0. Default infinite. About ten times the weight of
    /// the body feels right.
    pub max_force: f32,
}

impl Default for DragDef {
    fn default() -> Self {
        let max_force = f32::INFINITY;
        DragDef { point: Vec3::ZERO, radius: 0.0, hertz: 5.0, damping_ratio: 1.0, max_force }
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::{Quat, Vec3};
/// use wobble::{AttachmentDef, BodyDef, DragDef, JointDef};
///
/// let shape = world.body(id)?.shape().clone();
/// let other = world.add_body(&shape, &BodyDef { position: Vec3::new(0.8, 1.0, 0.0), ..BodyDef::default() })?;
///
/// world.attach(id, &[0], &AttachmentDef::default())?; // particle 0 stays where it is
/// let middle = Vec3::new(0.4, 1.0, 0.0);
/// world.join(id, other, &JointDef { point: middle, other_point: middle, ..JointDef::default() })?;
/// world.drag(other, &DragDef { point: Vec3::new(1.0, 1.0, 0.0), ..DragDef::default() })?;
/// assert_eq!(world.attachments().count(), 3);
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// Holds particles of a body, by their numbers in creation order, to a frame. [`World::move_attachment`]
    /// moves it; one that never moves is the world itself. Pinned particles are left to their pins.
    pub fn attach(
        &mut self,
        id: BodyId,
        particles: &[u32],
        def: &AttachmentDef,
    ) -> Result<AttachmentId, Error> {
        let body = self.body(id)?;
        finite("position", def.position)?;
        let frame = Frame { position: def.position, rotation: unit(def.rotation)? };
        def.hold.check()?;
        check_force("break_force", def.break_force)?;
        if particles.is_empty() {
            return Err(Error::Length { field: "particles", got: 0, wanted: "at least 1".into() });
        }
        let places: Result<Vec<usize>, Error> = particles.iter().map(|&i| body.index(i as usize)).collect();
        let mut places = places?;
        places.sort_unstable();
        places.dedup();
        let held = places.into_iter().map(|i| {
            let local = frame.rotation.inverse() * (body.x[i].truncate() - frame.position);
            Held { particle: i as u32, local }
        });
        let kind = Kind::Frame { body: id.index, held: held.collect(), from: frame, to: frame };
        self.add_attachment(kind, def.hold, def.break_force)
    }

    /// Joins two bodies, or two places of one.
    pub fn join(&mut self, id: BodyId, other: BodyId, def: &JointDef) -> Result<AttachmentId, Error> {
        def.hold.check()?;
        check_force("break_force", def.break_force)?;
        if let Some(length) = def.length {
            within("length", length, 0.0, LARGEST, "from 0 to 1e9 metres")?;
        }
        let (side, at) = self.side(id, "point", def.point, def.radius)?;
        let (other_side, other_at) = self.side(other, "other_point", def.other_point, def.radius)?;
        let length = def.length.unwrap_or(at.distance(other_at));
        let kind = Kind::Joint { sides: [side, other_side], length };
        self.add_attachment(kind, def.hold, def.break_force)
    }

    /// Takes hold of a body to drag it; [`World::move_attachment`] says where to, and
    /// [`World::detach`] lets go. Until moved it is held where it is.
    pub fn drag(&mut self, id: BodyId, def: &DragDef) -> Result<AttachmentId, Error> {
        let hold = Hold::Spring { hertz: def.hertz, damping_ratio: def.damping_ratio };
        hold.check()?;
        check_force("max_force", def.max_force)?;
        let (side, at) = self.side(id, "point", def.point, def.radius)?;
        // What is dragged is the place that was taken hold of, not the mean of particles near it.
        let (offset, point) = (at - def.point, def.point);
        let kind = Kind::Drag { side, offset, from: point, to: point, most: def.max_force };
        self.add_attachment(kind, hold, f32::INFINITY)
    }

    /// The particles of a body about a point, their shares, and where their mean is.
    fn side(&self, id: BodyId, field: &'static str, point: Vec3, radius: f32) -> Result<(Side, Vec3), Error> {
        let body = self.body(id)?;
        finite(field, point)?;
        within("radius", radius, 0.0, LARGEST, "from 0 to 1e9 metres")?;
        let shares = shares(body, point, radius).ok_or(Error::Length {
            field: "particles",
            got: 0,
            wanted: "at least 1".into(),
        })?;
        let at = super::link::point(body, &shares).at;
        Ok((Side { body: id.index, shares }, at))
    }
}

/// Particles within `radius` of a point, those near it more, by their masses: an impulse then changes
/// the velocity of neighbours alike. The nearest always; none if there are no particles.
fn shares(body: &Body, point: Vec3, radius: f32) -> Option<Vec<(u32, f32)>> {
    let squares = body.x.iter().map(|x| (x.truncate() - point).as_dvec3().length_squared());
    let squares: Vec<f64> = squares.collect();
    let (nearest, _) = squares.iter().enumerate().min_by(|a, b| a.1.total_cmp(b.1))?;
    let reach = f64::from(radius).powi(2);
    let inside = (0..squares.len()).filter(|&i| squares[i] < reach);
    let weighed: Vec<(u32, f64)> = inside
        .map(|i| (i as u32, (1.0 - squares[i] / reach).powi(2) * f64::from(body.shape.masses()[i])))
        .collect();
    let sum: f64 = weighed.iter().map(|(_, weight)| weight).sum();
    if sum > 0.0 {
        return Some(weighed.into_iter().map(|(i, weight)| (i, (weight / sum) as f32)).collect());
    }
    Some(vec![(nearest as u32, 1.0)])
}

impl Hold {
    /// Refuses what is out of range.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let Hold::Spring { hertz, damping_ratio } = *self else { return Ok(()) };
        within("hertz", hertz, f32::MIN_POSITIVE, 1e4, "above 0 and at most 1e4")?;
        within("damping_ratio", damping_ratio, 0.0, 100.0, "from 0 to 100")
    }
}

/// Refuses what is no force to break or bound by.
pub(crate) fn check_force(field: &'static str, force: f32) -> Result<(), Error> {
    if force > 0.0 {
        return Ok(());
    }
    Err(Error::Value { field, value: force.into(), wanted: "above 0; infinite for no limit" })
}
