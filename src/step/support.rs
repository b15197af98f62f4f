//! Colliders that stand still carry a body at its coarse levels, before its particles are moved and meet them one by one.
//!
//! Of each particle that touched something in the last substep it is asked again how far off that is, so nothing is remembered from one
//! substep to the next but who touched.

use glam::Vec3A;

use super::{PARTICLES, Pass};
use crate::body::Body;
use crate::collide::bounds::Bounds;
use crate::collide::contact::Taken;
use crate::contact::by_level::{self, Contact, Gain, Held, Taking};
use crate::contact::holds::Holds;
use crate::moved::Moved;
use crate::plasticity::AtRest;

/// Colliders that are near a block of particles in all but mazes of them.
const NEAR: usize = 64;

/// What carries a body in a substep.
#[derive(Debug, Default)]
pub(crate) struct Support {
    contacts: Vec<Contact>,
    /// The particle and the collider of each.
    between: Vec<(u32, u32)>,
    holds: Holds,
    /// The clusters of a level that hold them.
    held: Vec<Held>,
    near: Vec<u32>,
    gains: Vec<Gain>,
    pressed: Vec<f32>,
    /// What the body gets, about its origin.
    pub(crate) got: Moved,
}

impl Support {
    /// Whether anything carries the body.
    pub(crate) fn is_any(&self) -> bool {
        !self.contacts.is_empty()
    }

    /// For each cluster of every level, what it gains; empty if nothing carries the body.
    pub(crate) fn gains(&self) -> &[Gain] {
        if self.is_any() { &self.gains } else { &[] }
    }

    /// For each particle, the impulses along the normals that its clusters got, N s; empty if nothing carries the body.
    pub(crate) fn pressed(&self) -> &[f32] {
        if self.is_any() { &self.pressed } else { &[] }
    }

    /// Heap bytes.
    pub(crate) fn bytes(&self) -> usize {
        self.contacts.capacity() * size_of::<Contact>()
            + self.between.capacity() * size_of::<(u32, u32)>()
            + self.held.capacity() * size_of::<Held>()
            + self.gains.capacity() * size_of::<Gain>()
            + self.pressed.capacity() * 4
    }

    /// Before it is first used: makes room for as many contacts as a side of a body has particles, so that most bodies ask for memory once.
    fn make_room(&mut self, body: &Body) {
        let particles = body.x.len();
        let most = particles.min((libm::cbrtf(particles as f32) as usize).pow(2));
        self.contacts.reserve(most);
        self.between.reserve(most);
        self.holds.make_room(body.tables(), most);
        self.near.reserve(NEAR);
        // The finest level acts only where there is no other.
        let acting = usize::from(body.tables().levels().len() > 1);
        self.held
            .reserve(body.tables().levels().get(acting).map_or(0, |level| level.cluster_count().min(most)));
        self.gains.resize(body.tables().all_clusters().len(), Gain::default());
        self.pressed.resize(particles, 0.0);
    }

    /// Forgets the last substep.
    fn begin(&mut self, body: &Body) {
        for (particle, _) in self.between.drain(..) {
            self.pressed[particle as usize] = 0.0;
        }
        for cluster in self.holds.levels.iter().flat_map(|rows| &rows.clusters) {
            self.gains[*cluster as usize] = Gain::default();
        }
        self.contacts.clear();
        self.holds.clear(body.tables());
        self.got = Moved::default();
    }
}

/// Lets colliders that the body touched in the last substep carry it. Pins carry what they hold.
pub(super) fn carry(body: &mut Body, pass: Pass) {
    if !(body.grip.is_any() || body.support.is_any()) {
        return;
    }
    let mut support = std::mem::take(&mut body.support);
    if support.gains.is_empty() {
        support.make_room(body);
    }
    support.begin(body);
    if body.grip.is_any() && body.pins.is_empty() {
        find(body, pass, &mut support);
    }
    if support.is_any() {
        solve(body, pass, &mut support);
        tell(body, pass, &mut support);
    }
    body.support = support;
}

/// Finds the contacts of all particles that touched something.
fn find(body: &Body, pass: Pass, support: &mut Support) {
    let Some(meets) = pass.meets(body) else { return };
    let shape = body.tables();
    let gained = Vec3A::from(pass.gain(body)) - Vec3A::from_vec4(body.drift.slip);
    for (block, (x, v)) in body.x.chunks(PARTICLES).zip(body.v.chunks(PARTICLES)).enumerate() {
        let touching = || (0..x.len()).filter(|&k| v[k].w > 0.0 && x[k].w > 0.0);
        if touching().next().is_none() {
            continue;
        }
        let bounds = Bounds::of(touching().map(|k| Vec3A::from_vec4(x[k])));
        meets.find_near(&bounds, &mut support.near);
        for k in touching() {
            let reach = (v[k].truncate().length() + gained.length()) * pass.h;
            for &collider in &support.near {
                let Some(contact) = meets.touching(collider, x[k], reach) else { continue };
                let at = Vec3A::from_vec4(x[k] - body.origin);
                support.contacts.push(Contact { at, gained, ..contact });
                let particle = block * PARTICLES + k;
                support.between.push((particle as u32, collider));
                support.holds.push(shape, particle);
            }
        }
    }
}

/// From the coarsest level down. The finest is left to the particles, unless there is no other: its clusters are hardly more than they, and
/// a body that lies on a few of them trembles at 0.1 m/s (`tests/colliders.rs`, the ball in a bowl).
fn solve(body: &Body, pass: Pass, support: &mut Support) {
    let at_rest = AtRest::of(body.matched(), body.plastic.as_deref());
    let Support { contacts, holds, held, gains, .. } = support;
    let (gravity, mut calmness) = (pass.gain(body).length(), None);
    for (l, rows) in holds.levels.iter().enumerate().rev() {
        if body.strength(l, pass.h).stiffness <= 0.0 || l == 0 && holds.levels.len() > 1 {
            continue;
        }
        held.clear();
        held.extend(rows.clusters.iter().map(|&c| {
            let c = c as usize;
            let (cluster, scatter) = (&at_rest.clusters[c], &at_rest.scatter[c]);
            Held::of(cluster, scatter, &body.moments[c], &body.fits[c], &body.rigid[c])
        }));
        // A level of a body with even weights carries all it is asked to; one of no weight is not there.
        let share = (body.weights[l] * body.weights.len() as f32).min(1.0);
        by_level::measure(contacts, rows, held, pass.h);
        let calmness = *calmness.get_or_insert_with(|| by_level::calmness(contacts, gravity));
        by_level::act(contacts, rows, held, gains, Taking { share, most: gravity * calmness });
    }
}

/// Tells the particles, the colliders and the body what was carried.
fn tell(body: &mut Body, pass: Pass, support: &mut Support) {
    let Support { contacts, between, pressed, got, .. } = support;
    for (contact, &(particle, collider)) in contacts.iter().zip(&*between) {
        let (i, push) = (particle as usize, contact.normal * contact.carried);
        pressed[i] += contact.carried;
        *got = *got + Moved { sum: push.extend(0.0), turned: contact.at.cross(push) };
        let Some(collider_at) = pass.colliders.get(collider).filter(|_| contact.carried > 0.0) else {
            continue;
        };
        let arm = Vec3A::from_vec4(body.x[i]) - collider_at.to.position;
        let taken = Taken {
            collider,
            count: 1,
            impulse: -push,
            torque: -arm.cross(push),
            pressed: contact.carried,
            points: [arm, arm * contact.carried],
            normals: [contact.normal, push],
        };
        body.touched[i / PARTICLES].take(taken);
    }
}
