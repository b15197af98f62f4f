//! What the nodes of one world share: the library's world, and which node is which of its bodies.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use godot::obj::InstanceId;
use godot::prelude::*;
use wobble::{BodyId, ContactEvent, Partner, Phase, World};

use crate::colliders::Mirror;

/// Shared by a world and its nodes. Never borrowed while something is called that may run scripts.
pub type Shared = Rc<RefCell<Core>>;

pub struct Core {
    pub world: World,
    /// Bodies and their nodes, in the order in which they came.
    pub bodies: Vec<(BodyId, InstanceId)>,
    /// Godot's colliders.
    pub mirror: Mirror,
    /// How many colliders of a node, or bodies, each body touches.
    touching: BTreeMap<(BodyId, i64), u32>,
}

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
    pub fn new(world: World) -> Core {
        Core { world, bodies: Vec::new(), mirror: Mirror::default(), touching: BTreeMap::new() }
    }

    /// Forgets a body.
    pub fn remove(&mut self, id: BodyId) {
        let _ = self.world.remove_body(id);
        self.bodies.retain(|(known, _)| *known != id);
        self.touching.retain(|(body, _), _| *body != id);
    }

    /// Forgets bodies that the library has no more; returns their nodes.
    pub fn forget_missing(&mut self) -> Vec<InstanceId> {
        let world = &self.world;
        self.touching.retain(|(body, _), _| world.body(*body).is_ok());
        let gone = self.bodies.extract_if(.., |(id, _)| world.body(*id).is_err());
        gone.map(|(_, node)| node).collect()
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
