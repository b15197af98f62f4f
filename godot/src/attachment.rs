//! `WobbleAttachment3D`: holds a part of a body to a node.

use godot::classes::{Engine, INode3D, Node3D, RigidBody3D};
use godot::obj::WithBaseField;
use godot::prelude::*;
use wobble::{AttachmentDef, AttachmentId, BodyId, Hold, Space};

use crate::body::WobbleBody3D;
use crate::convert::{Placement, vec3, vector3, warn};
use crate::core::Shared;

/// Holds the particles of a [WobbleBody3D] that are near it to a node, firmly or by a spring.
///
/// Put it where the body is to be held. It takes hold in the first tick and keeps the particles in their place in the frame
/// of [member hold_to], or in its own if that is empty: then it is the node above it that they follow. A rigid body that holds is
/// pulled in turn; hold it by a spring, since a firm hold that is answered a tick late gains energy.
#[derive(GodotClass)]
#[class(tool, init, base=Node3D)]
pub struct WobbleAttachment3D {
    /// The body to hold.
    #[export(node_path = ("WobbleBody3D"))]
    #[var(set)]
    body: NodePath,
    /// The node to hold it to; this one if empty.
    #[export(node_path = ("Node3D"))]
    #[var(set)]
    hold_to: NodePath,
    /// How far around this node particles are held, metres. The nearest is held in any case.
    #[export(range = (0.0, 5.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.2)]
    radius: f32,
    /// Whether a spring holds rather than a firm grip.
    #[export]
    spring: bool,
    /// Frequency of the spring, hertz.
    #[export(range = (0.1, 60.0, 0.1, or_greater, suffix = "Hz"))]
    #[init(val = 5.0)]
    spring_frequency: f32,
    /// 1 comes to rest soonest without overshooting, less swings.
    #[export(range = (0.0, 2.0, 0.01, or_greater))]
    #[init(val = 1.0)]
    spring_damping: f32,
    /// Newtons at which it breaks; 0 for never.
    #[export(range = (0.0, 10000.0, 0.1, or_greater, suffix = "N"))]
    break_force: f32,

    held: Option<Held>,
    /// Whether it has tried to take hold.
    has_tried: bool,
    /// Whether the node was put elsewhere since the last tick.
    jumps: bool,
    base: Base<Node3D>,
}

struct Held {
    core: Shared,
    body: BodyId,
    id: AttachmentId,
    /// Where the node was last that it is held to.
    at: Placement,
}

#[godot_api]
impl INode3D for WobbleAttachment3D {
    fn ready(&mut self) {
        let in_game = !Engine::singleton().is_editor_hint();
        self.base_mut().set_physics_process(in_game);
        // After the scripts of the scene, before the world steps.
        self.base_mut().set_physics_process_priority(999);
    }

    fn exit_tree(&mut self) {
        self.let_go();
    }

    #[func(gd_self)]
    fn physics_process(mut this: Gd<Self>, _delta: f64) {
        let pull = this.bind_mut().tick();
        if let Some((mut rigid, impulse, torque, lever)) = pull {
            rigid.apply_impulse_ex(impulse).position(lever).done();
            rigid.apply_torque_impulse(torque);
        }
        let broke = this.bind_mut().is_broken();
        if broke {
            this.emit_signal("broke", &[]);
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if self.base().try_get_node_as::<WobbleBody3D>(&self.body).is_none() {
            warnings.push("There is no body to hold: choose a WobbleBody3D.");
        }
        let firm_on_rigid = !self.spring && self.frame_node().try_cast::<RigidBody3D>().is_ok();
        if firm_on_rigid {
            warnings.push("A firm hold on a rigid body gains energy: hold it by a spring.");
        }
        warnings
    }
}

#[godot_api]
impl WobbleAttachment3D {
    /// It needed more than [member break_force], and holds no more.
    #[signal]
    fn broke();

    #[func]
    fn set_body(&mut self, body: NodePath) {
        self.body = body;
        self.let_go();
        self.base_mut().update_configuration_warnings();
    }

    #[func]
    fn set_hold_to(&mut self, hold_to: NodePath) {
        self.hold_to = hold_to;
        self.let_go();
        self.base_mut().update_configuration_warnings();
    }

    /// Whether it holds something.
    #[func]
    fn is_holding(&self) -> bool {
        self.held.is_some()
    }

    /// Lets go. It takes hold again of what is near it when [method take_hold] is called.
    #[func]
    fn let_go(&mut self) {
        if let Some(held) = self.held.take() {
            let _ = held.core.lock().world.detach(held.id);
        }
    }

    /// Says that the node that it holds to was put elsewhere: the body is put there with it, as it is, instead of being swept along,
    /// unless its own node was moved in the same tick. A node that went farther than [member WobbleWorld.jump_distance] jumps
    /// by itself.
    #[func]
    fn jump(&mut self) {
        self.jumps = true;
    }

    /// Takes hold of what is near it; whether it could.
    #[func]
    fn take_hold(&mut self) -> bool {
        self.let_go();
        self.has_tried = true;
        match self.try_to_hold() {
            Ok(held) => self.held = Some(held),
            Err(why) => warn(&self.to_gd().upcast(), why),
        }
        self.held.is_some()
    }
}

/// What a rigid body is pulled with: impulse, turning impulse, and where from its origin.
type Pull = (Gd<RigidBody3D>, Vector3, Vector3, Vector3);

impl WobbleAttachment3D {
    fn frame_node(&self) -> Gd<Node3D> {
        let chosen = (!self.hold_to.is_empty()).then(|| self.base().try_get_node_as::<Node3D>(&self.hold_to));
        chosen.flatten().unwrap_or_else(|| self.to_gd().upcast())
    }

    fn try_to_hold(&self) -> Result<Held, String> {
        let body = self.base().try_get_node_as::<WobbleBody3D>(&self.body);
        let body = body.ok_or("there is no body to hold; choose a WobbleBody3D")?;
        let (core, id) = body.bind().place_in_world().ok_or("the body to hold is not simulated")?;
        let frame = Placement::of(self.frame_node().get_global_transform());
        let frame = frame.ok_or("the node to hold to has a transform that is flat or not finite")?;
        let here = vec3(self.base().get_global_position());
        let hold = match self.spring {
            true => Hold::Spring { hertz: self.spring_frequency, damping_ratio: self.spring_damping },
            false => Hold::Firm,
        };
        let break_force = if self.break_force > 0.0 { self.break_force } else { f32::INFINITY };
        let def = AttachmentDef { position: frame.position, rotation: frame.rotation, hold, break_force };
        let attached = {
            let world = &mut core.lock().world;
            let around = world.body(id).and_then(|body| {
                let mut some = body.particles_in_sphere(here, self.radius.max(0.0), Space::World)?;
                if some.is_empty() {
                    some.extend(body.nearest_particle(here, Space::World)?);
                }
                Ok(some)
            });
            around.and_then(|some| world.attach(id, &some, &def)).map_err(|error| error.to_string())?
        };
        Ok(Held { core, body: id, id: attached, at: frame })
    }

    /// Moves the frame; returns what the last step did to a rigid body that holds.
    fn tick(&mut self) -> Option<Pull> {
        if !self.has_tried {
            self.take_hold();
        }
        let node = self.frame_node();
        let placement = Placement::of(node.get_global_transform())?;
        let told = std::mem::take(&mut self.jumps);
        let held = self.held.as_mut()?;
        let from = std::mem::replace(&mut held.at, placement);
        let jumps = told || held.core.lock().is_jump(from.position, placement.position);
        let body = held.core.lock().node_of(held.body);
        if let Some(Ok(mut body)) = body.filter(|_| jumps).map(Gd::<WobbleBody3D>::try_from_instance_id) {
            body.bind_mut().go_along(from, placement);
        }
        let core = &mut *held.core.lock();
        let _ = core.lead(held.id, placement, jumps);
        let attachment = core.world.attachment(held.id).ok()?;
        let (impulse, torque) = (attachment.impulse(), attachment.torque_impulse());
        let rigid = node.try_cast::<RigidBody3D>().ok().filter(|body| !body.is_freeze_enabled())?;
        // Both are about the frame's position, which is the body's origin.
        Some((rigid, vector3(impulse), vector3(torque), Vector3::ZERO))
    }

    /// Whether it broke since the last tick. A body that is gone took its attachments along, without breaking them.
    fn is_broken(&mut self) -> bool {
        let Some(held) = &self.held else { return false };
        let core = held.core.lock();
        if core.world.attachment(held.id).is_ok() {
            return false;
        }
        let broke = core.world.body(held.body).is_ok();
        drop(core);
        self.held = None;
        broke
    }
}
