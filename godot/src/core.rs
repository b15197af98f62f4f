//! What the nodes of one world share: the library's world, and which node is which of its bodies.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use glam::Vec3;
use godot::obj::InstanceId;
use godot::prelude::*;
use wobble::{AttachmentId, BodyId, ContactEvent, Error, Partner, Phase, World};

use crate::colliders::Mirror;
use crate::convert::Placement;

/// 120 m/s at 60 ticks a second, 60 m/s at 30: vehicles are slower than that, and few jumps are shorter.
pub const JUMP_DISTANCE: f32 = 2.0;

/// Shared by a world and its nodes, which any thread may free.
#[derive(Clone)]
pub struct Shared(Arc<Mutex<Core>>);

impl Shared {
    pub fn new(world: World) -> Shared {
        let core = Core {
            world,
            bodies: Vec::new(),
            away: BTreeSet::new(),
            mirror: Mirror::default(),
            jump_distance: JUMP_DISTANCE,
            touching: BTreeMap::new(),
        };
        Shared(Arc::new(Mutex::new(core)))
    }

    /// Waits for other threads. Never held while something is called that may run scripts, nor taken twice by a thread.
    pub fn lock(&self) -> MutexGuard<'_, Core> {
        // A panic in a step was told already; the library keeps its own state whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_same(&self, other: &Shared) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

pub struct Core {
    pub world: World,
    /// Bodies and their nodes, in the order in which they came.
    pub bodies: Vec<(BodyId, InstanceId)>,
    /// Bodies whose nodes are out of the tree: any thread may have them.
    away: BTreeSet<BodyId>,
    /// Godot's colliders.
    pub mirror: Mirror,
    /// What goes farther in a tick has jumped, metres; 0 for nothing.
    pub jump_distance: f32,
    /// How many colliders of a node, or bodies, each body touches.
    touching: BTreeMap<(BodyId, i64), u32>,
}

/// Any thread may free a node, and with it the last share of its world.
const _: () = {
    const fn may_be_dropped_anywhere<T: Send>() {}
    may_be_dropped_anywhere::<Core>();
};

/// Something to tell the scripts of a body about.
pub struct Event {
    pub body: InstanceId,
    pub what: Told,
}

pub enum Told {
    ContactBegan { other: InstanceId, point: Vector3, normal: Vector3, impulse: f32 },
    ContactEnded { other: InstanceId },
    Slept,
    Woke,
    Froze,
}

impl Core {
    /// Whether what was at one place a tick ago and is at another now went there by no way.
    pub fn is_jump(&self, from: Vec3, to: Vec3) -> bool {
        self.jump_distance > 0.0 && from.distance(to) > self.jump_distance
    }

    /// Takes an attachment to where the node is that leads it: on the way there, or at once.
    pub fn lead(&mut self, id: AttachmentId, to: Placement, jumps: bool) -> Result<(), Error> {
        if jumps {
            self.world.set_attachment_pose(id, to.position, to.rotation)
        } else {
            self.world.move_attachment(id, to.position, to.rotation)
        }
    }

    /// Forgets a body.
    pub fn remove(&mut self, id: BodyId) {
        let _ = self.world.remove_body(id);
        self.bodies.retain(|(known, _)| *known != id);
        self.away.remove(&id);
        self.touching.retain(|(body, _), _| *body != id);
    }

    /// Forgets bodies that the library has no more; returns their nodes.
    pub fn forget_missing(&mut self) -> Vec<InstanceId> {
        let world = &self.world;
        self.away.retain(|id| world.body(*id).is_ok());
        self.touching.retain(|(body, _), _| world.body(*body).is_ok());
        let gone = self.bodies.extract_if(.., |(id, _)| world.body(*id).is_err());
        gone.map(|(_, node)| node).collect()
    }

    /// The node of a body came into the tree or left it: only there the body moves.
    pub fn set_present(&mut self, id: BodyId, is_present: bool) {
        if let Ok(body) = self.world.body_mut(id) {
            body.set_enabled(is_present);
        }
        if is_present {
            self.away.remove(&id);
        } else {
            self.away.insert(id);
        }
    }

    /// The nodes of the bodies in the tree.
    pub fn present(&self) -> impl Iterator<Item = InstanceId> {
        self.bodies.iter().filter(|(id, _)| !self.away.contains(id)).map(|(_, node)| *node)
    }

    pub fn node_of(&self, id: BodyId) -> Option<InstanceId> {
        self.bodies.iter().find(|(known, _)| *known == id).map(|(_, node)| *node)
    }

    fn node_of_partner(&self, partner: Partner) -> Option<InstanceId> {
        match partner {
            Partner::Body(id) => self.node_of(id),
            Partner::Collider(id) => self.mirror.owner_of(id),
        }
    }

    /// What the last step did that scripts want to know, in a fixed order.
    pub fn events(&mut self) -> Vec<Event> {
        let mut events = Vec::new();
        let contacts: Vec<ContactEvent> =
            self.world.contacts().iter().filter(|contact| contact.phase != Phase::Stay).copied().collect();
        for contact in contacts {
            self.tell_contact(&contact, contact.body, contact.other, 1.0, &mut events);
            if let Partner::Body(other) = contact.other {
                self.tell_contact(&contact, other, Partner::Body(contact.body), -1.0, &mut events);
            }
        }
        for (ids, what) in [
            (self.world.slept(), (|| Told::Slept) as fn() -> Told),
            (self.world.woke(), || Told::Woke),
            (self.world.newly_frozen(), || Told::Froze),
        ] {
            let nodes = ids.iter().filter_map(|id| self.node_of(*id));
            events.extend(nodes.map(|body| Event { body, what: what() }));
        }
        events
    }

    /// A node may have many colliders: what begins with the first ends with the last of them.
    fn tell_contact(
        &mut self,
        contact: &ContactEvent,
        id: BodyId,
        partner: Partner,
        sign: f32,
        out: &mut Vec<Event>,
    ) {
        let Some((body, other)) = self.node_of(id).zip(self.node_of_partner(partner)) else { return };
        let pair = (id, other.to_i64());
        let count = self.touching.entry(pair).or_default();
        if contact.phase == Phase::Begin {
            *count += 1;
            if *count == 1 {
                let (point, normal) =
                    (crate::convert::vector3(contact.point), crate::convert::vector3(contact.normal * sign));
                let what = Told::ContactBegan { other, point, normal, impulse: contact.impulse };
                out.push(Event { body, what });
            }
        } else {
            *count = count.saturating_sub(1);
            if *count == 0 {
                self.touching.remove(&pair);
                out.push(Event { body, what: Told::ContactEnded { other } });
            }
        }
    }

    /// Forgets what bodies touched of a node that is gone.
    pub fn forget_partner(&mut self, node: InstanceId) {
        self.touching.retain(|(_, other), _| *other != node.to_i64());
    }
}
