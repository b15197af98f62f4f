//! Force fields: wind, attractors, buoyancy; and explosions, which are over at once.
//!
//! A field acts on all bodies of some groups or on a single body. Before a step each body is told which
//! fields act on it; in each substep those fields fill one velocity gain a particle, which the
//! integrator adds. Bodies without fields have none and pay nothing. A particle reads nothing but
//! itself, and fields add up in the order they were made: the same bits on any number of threads.
//!
//! Drag is taken at the end of the substep, v' = v + h g + h k (u - v'), so that no strength overshoots.

use glam::{Vec3, Vec4};

use crate::body::Body;
use crate::collide::bounds::Bounds;
use crate::collide::surface::Groups;
use crate::error::{Error, LARGEST, finite, within};
use crate::slots::Slot;
use crate::step::{PARTICLES, Pass};
use crate::world::{BodyId, World};

/// What a field does.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Field, FieldDef};
///
/// let wind = Field::Wind { velocity: Vec3::X * 8.0, drag: 1.0, gusts: 0.5, gust_hertz: 0.3 };
///
/// world.add_field(&FieldDef::new(wind))?;
/// (0..30).try_for_each(|_frame| world.step(1.0 / 60.0))?;
/// assert!(world.body(id)?.momentum().x > 1.0);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Field {
    /// Air that moves, and drags what moves otherwise.
    Wind {
        /// m/s.
        velocity: Vec3,
        /// How soon a particle takes the velocity on, 1/s, 0 to 1e6.
        drag: f32,
        /// How much the velocity swells and ebbs, as a share of it, 0 to 10.
        gusts: f32,
        /// How often, hertz, 0 to 1e3.
        gust_hertz: f32,
    },
    /// A point that pulls, or pushes if its strength is below 0.
    Attractor {
        /// Where it is, metres.
        centre: Vec3,
        /// Acceleration near the centre, m/s², at most 1e9 in size. It falls off smoothly to none at
        /// the radius, and within a sixteenth of it, so that nothing is torn at the centre.
        strength: f32,
        /// Metres, above 0 to 1e9.
        radius: f32,
    },
    /// A fluid below a plane that lifts what is in it, against gravity.
    Buoyancy {
        /// Direction out of the fluid, of any length but zero.
        normal: Vec3,
        /// Distance of its surface from the origin along the normal, metres.
        offset: f32,
        /// Density of the fluid over that of the bodies, 0 to 1e3: above 1 they float.
        density_ratio: f32,
        /// How soon a particle in it takes on its flow, 1/s, 0 to 1e6.
        drag: f32,
        /// How the fluid moves, m/s.
        flow: Vec3,
    },
}

/// A field and whom it acts on.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Field, FieldDef};
///
/// let wind = Field::Wind { velocity: Vec3::X * 8.0, drag: 1.0, gusts: 0.5, gust_hertz: 0.3 };
///
/// world.add_field(&FieldDef { body: Some(id), ..FieldDef::new(wind) })?; // for this body alone
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FieldDef {
    /// What it does.
    pub field: Field,
    /// The only body that it acts on; none for all of the groups. Default none.
    pub body: Option<BodyId>,
    /// It acts on bodies that are in one of these groups. Default all.
    pub mask: u32,
}

/// ```
/// use glam::Vec3;
/// use wobble::{Field, FieldDef};
///
/// let wind = Field::Wind { velocity: Vec3::X * 8.0, drag: 1.0, gusts: 0.5, gust_hertz: 0.3 };
///
/// assert_eq!(FieldDef::new(wind).mask, u32::MAX, "it acts on all groups");
/// ```
impl FieldDef {
    /// A field that acts on all bodies.
    pub fn new(field: Field) -> FieldDef {
        FieldDef { field, body: None, mask: u32::MAX }
    }
}

/// A push away from a point.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Explosion;
///
/// world.explode(&Explosion { centre: Vec3::ZERO, radius: 3.0, speed: 10.0, mask: u32::MAX })?;
/// assert!(world.body(id)?.momentum().y > 1.0);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Explosion {
    /// Where, metres.
    pub centre: Vec3,
    /// How far it reaches, metres, above 0 to 1e9.
    pub radius: f32,
    /// The velocity that a particle at the centre would gain, m/s, at most 1e9 in size: less with
    /// the distance, none at the radius. Below 0 it is an implosion.
    pub speed: f32,
    /// It acts on bodies that are in one of these groups.
    pub mask: u32,
}

/// Names a force field of a world.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Field, FieldDef};
///
/// let wind = Field::Wind { velocity: Vec3::X * 8.0, drag: 1.0, gusts: 0.5, gust_hertz: 0.3 };
///
/// let id = world.add_field(&FieldDef::new(wind))?;
/// world.remove_field(id)?;
/// assert!(world.field(id).is_err());
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct FieldId {
    pub(crate) world: u32,
    pub(crate) number: u32,
}

/// A field in a world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Placed {
    pub(crate) number: u32,
    pub(crate) field: Field,
    /// The place of the only body.
    pub(crate) body: Option<u32>,
    pub(crate) mask: u32,
    /// How long it has been there, s.
    pub(crate) age: f64,
}

impl Field {
    /// Refuses what is out of range; makes a normal a unit vector.
    pub(crate) fn checked(self) -> Result<Field, Error> {
        match self {
            Field::Wind { velocity, drag, gusts, gust_hertz } => {
                finite("velocity", velocity)?;
                within("drag", drag, 0.0, 1e6, "from 0 to 1e6 per second")?;
                within("gusts", gusts, 0.0, 10.0, "from 0 to 10")?;
                within("gust_hertz", gust_hertz, 0.0, 1e3, "from 0 to 1e3")?;
                Ok(self)
            }
            Field::Attractor { centre, strength, radius } => {
                finite("centre", centre)?;
                within("strength", strength, -LARGEST, LARGEST, "from -1e9 to 1e9")?;
                within("radius", radius, f32::MIN_POSITIVE, LARGEST, "above 0 and at most 1e9 metres")?;
                Ok(self)
            }
            Field::Buoyancy { normal, offset, density_ratio, drag, flow } => {
                finite("normal", normal)?;
                finite("flow", flow)?;
                within("offset", offset, -LARGEST, LARGEST, "from -1e9 to 1e9")?;
                within("density_ratio", density_ratio, 0.0, 1e3, "from 0 to 1e3")?;
                within("drag", drag, 0.0, 1e6, "from 0 to 1e6 per second")?;
                let length = normal.length();
                if length < 1e-6 {
                    let wanted = "a direction, longer than 1e-6";
                    return Err(Error::Value { field: "normal (length)", value: length.into(), wanted });
                }
                Ok(Field::Buoyancy { normal: normal / length, offset, density_ratio, drag, flow })
            }
        }
    }
}

/// The share of a velocity difference that drag takes in a substep.
fn taken(drag: f32, h: f32) -> f32 {
    let k = drag * h;
    k / (1.0 + k)
}

/// How much stronger than on average the wind blows: two waves, so that gusts do not tick.
fn swell(age: f64, gusts: f32, hertz: f32) -> f32 {
    let phase = std::f64::consts::TAU * f64::from(hertz) * age;
    1.0 + gusts * (0.6 * libm::sin(phase) + 0.4 * libm::sin(phase * 2.3 + 1.0)) as f32
}

impl Placed {
    /// The velocity that the field gives a particle in a substep, m/s.
    fn gain(&self, substep: &Substep, x: Vec3, v: Vec3) -> Vec3 {
        let h = substep.h;
        match self.field {
            Field::Wind { velocity, drag, gusts, gust_hertz } => {
                (velocity * swell(self.age, gusts, gust_hertz) - v) * taken(drag, h)
            }
            Field::Attractor { centre, strength, radius } => {
                let way = (centre - x) / radius;
                let distance = way.length();
                let left = (1.0 - distance * distance).max(0.0);
                way * (strength * h * left * left / distance.max(0.0625))
            }
            Field::Buoyancy { normal, offset, density_ratio, drag, flow } => {
                let depth = offset - normal.dot(x);
                let within = if depth > 0.0 { 1.0 } else { 0.0 };
                let inside = match substep.spacing > 0.0 {
                    true => (0.5 + depth / substep.spacing).clamp(0.0, 1.0),
                    false => within,
                };
                substep.gravity * (-density_ratio * inside * h) + (flow - v) * (taken(drag, h) * inside)
            }
        }
    }

    /// Whether it pushes now more and now less.
    pub(crate) fn varies(&self) -> bool {
        matches!(self.field, Field::Wind { drag, gusts, gust_hertz, .. } if drag * gusts * gust_hertz > 0.0)
    }

    /// Whether it can be felt in a box.
    fn reaches(&self, bounds: &Bounds) -> bool {
        match self.field {
            Field::Wind { .. } => true,
            Field::Attractor { centre, radius, .. } => {
                bounds.distance_squared(centre.into()) <= radius * radius
            }
            Field::Buoyancy { normal, offset, .. } => bounds.lowest(normal.into()) <= offset,
        }
    }

    fn acts_on(&self, place: u32, groups: &Groups) -> bool {
        self.body.is_none_or(|only| only == place) && self.mask & groups.group != 0
    }
}

/// What fields ask of the substep and the body.
struct Substep {
    h: f32,
    gravity: Vec3,
    spacing: f32,
}

/// Before a step: tells every body that it moves which fields act on it.
pub(crate) fn assign(fields: &[Placed], slots: &mut [Slot]) {
    for (place, slot) in (0..).zip(slots) {
        let Some(body) = slot.active_mut() else { continue };
        let Body { fields: acting, groups, .. } = body;
        acting.clear();
        acting.extend((0..).zip(fields).filter(|(_, field)| field.acts_on(place, groups)).map(|(k, _)| k));
        let particles = if body.fields.is_empty() { 0 } else { body.x.len() };
        body.blown.resize(particles, Vec4::ZERO);
    }
}

/// Fills what the fields give the particles of a body in a substep.
pub(crate) fn blow(body: &mut Body, pass: Pass) {
    if body.fields.is_empty() {
        return;
    }
    let gravity = pass.gravity * body.material.gravity_scale;
    let substep = Substep { h: pass.h, gravity, spacing: body.shape.spacing() };
    let (x, v, fields) = (&body.x, &body.v, &body.fields);
    pass.spread.for_blocks(crate::parallel::chunks(&mut body.blown, PARTICLES), |block, out| {
        for (i, out) in (block * PARTICLES..).zip(out) {
            let (x, v) = (x[i].truncate(), v[i].truncate() + gravity * pass.h);
            let gains = fields.iter().filter_map(|&k| pass.fields.get(k as usize));
            *out = gains.fold(Vec3::ZERO, |sum, field| sum + field.gain(&substep, x, v)).extend(0.0);
        }
    });
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::{Explosion, Field, FieldDef};
///
/// let wind = Field::Wind { velocity: Vec3::X * 8.0, drag: 1.0, gusts: 0.5, gust_hertz: 0.3 };
///
/// let blowing = world.add_field(&FieldDef::new(wind))?;
/// let lull = Field::Wind { velocity: Vec3::X, drag: 1.0, gusts: 0.0, gust_hertz: 0.0 };
/// world.set_field(blowing, &FieldDef { field: lull, ..world.field(blowing)? })?;
/// assert_eq!(world.fields().count(), 1);
/// world.remove_field(blowing)?;
/// world.explode(&Explosion { centre: Vec3::ZERO, radius: 2.0, speed: 5.0, mask: 1 })?; // over at once
/// # Ok::<(), wobble::Error>(())
/// ```
impl World {
    /// Adds a force field.
    pub fn add_field(&mut self, def: &FieldDef) -> Result<FieldId, Error> {
        let (field, body) = self.checked_field(def)?;
        let number = self.new_number("fields")?;
        let placed = Placed { number, field, body, mask: def.mask, age: 0.0 };
        self.wake_in(&placed);
        self.fields.push(placed);
        Ok(self.field_id(number))
    }

    /// Changes a force field; its gusts go on.
    pub fn set_field(&mut self, id: FieldId, def: &FieldDef) -> Result<(), Error> {
        let at = self.field_at(id)?;
        let (field, body) = self.checked_field(def)?;
        let before = self.fields[at];
        let now = Placed { field, body, mask: def.mask, ..before };
        if before != now {
            self.wake_in(&before);
            self.wake_in(&now);
        }
        self.fields[at] = now;
        Ok(())
    }

    /// What a force field does, and on whom.
    pub fn field(&self, id: FieldId) -> Result<FieldDef, Error> {
        let Placed { field, body, mask, .. } = self.fields[self.field_at(id)?];
        let body = body.and_then(|place| self.bodies().map(|(id, _)| id).find(|id| id.index == place));
        Ok(FieldDef { field, body, mask })
    }

    /// All force fields, in the order they were made.
    pub fn fields(&self) -> impl Iterator<Item = FieldId> {
        self.fields.iter().map(|field| self.field_id(field.number))
    }

    /// Removes a force field.
    pub fn remove_field(&mut self, id: FieldId) -> Result<(), Error> {
        let at = self.field_at(id)?;
        let gone = self.fields.remove(at);
        self.wake_in(&gone);
        Ok(())
    }

    /// Pushes all particles within its reach away from a point, at once.
    pub fn explode(&mut self, explosion: &Explosion) -> Result<(), Error> {
        let Explosion { centre, radius, speed, mask } = *explosion;
        finite("centre", centre)?;
        within("radius", radius, f32::MIN_POSITIVE, LARGEST, "above 0 and at most 1e9 metres")?;
        within("speed", speed, -LARGEST, LARGEST, "from -1e9 to 1e9 m/s")?;
        for body in self.slots.list_mut().iter_mut().filter_map(Slot::body_mut) {
            let (low, high) = body.bounds();
            let out_of_reach = centre.distance(centre.clamp(low, high)) >= radius;
            if mask & body.groups.group == 0 || out_of_reach {
                continue;
            }
            for (x, v) in body.x.iter().zip(&mut body.v) {
                let way = (x.truncate() - centre) / radius;
                let distance = way.length();
                let gain = way * (speed * (1.0 - distance).max(0.0) / distance.max(1e-6));
                *v += gain.extend(0.0) * x.w;
            }
            body.disturbed();
        }
        Ok(())
    }

    /// Wakes those that a field acts on.
    fn wake_in(&mut self, field: &Placed) {
        for (place, slot) in (0..).zip(self.slots.list_mut()) {
            if let Some(body) = slot.body_mut().filter(|body| body.is_sleeping())
                && field.acts_on(place, &body.groups)
                && field.reaches(&body.rest.bounds.grown(body.shape.spacing()))
            {
                body.wake();
            }
        }
    }

    fn field_at(&self, id: FieldId) -> Result<usize, Error> {
        let found = self.fields.binary_search_by_key(&id.number, |field| field.number).ok();
        found.filter(|_| id.world == self.tag).ok_or(Error::Stale { what: "field" })
    }

    fn checked_field(&self, def: &FieldDef) -> Result<(Field, Option<u32>), Error> {
        let body = def.body.map(|id| self.body(id).map(|_| id.index)).transpose()?;
        Ok((def.field.checked()?, body))
    }

    /// The name that field `number` has or would have.
    pub(crate) fn field_id(&self, number: u32) -> FieldId {
        FieldId { world: self.tag, number }
    }
}
