//! Godot's own colliders, seen by bodies; its rigid bodies, pushed back by them.
//!
//! Before a step every collision object of the tree is looked at: one that changed has its colliders made anew, one
//! that moved has them moved. Static bodies jump, animatable and character bodies are carried to where they
//! are and take what lies on them along, unless it is too far for a tick, rigid ones move on with the velocity
//! they have. After the step rigid bodies get the impulses that their colliders took, before Godot's own step of the same tick.

mod geometry;

use std::collections::{BTreeMap, BTreeSet};

use glam::Vec3;
use godot::classes::{
    AnimatableBody3D, CharacterBody3D, CollisionObject3D, PhysicalBone3D, PhysicsMaterial, RigidBody3D,
    Shape3D, StaticBody3D,
};
use godot::obj::InstanceId;
use godot::prelude::*;
use wobble::{ColliderDef, ColliderId, ColliderShape, Combine, Groups, Surface, World};

use crate::convert::{Placement, vec3, vector3};
use crate::core::{Core, Shared};

/// How an object moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Motion {
    /// From place to place at once.
    Static,
    /// By the host, with what lies on it.
    Carried,
    /// By forces.
    Rigid,
}

/// One shape of an object.
#[derive(Clone, PartialEq)]
struct Part {
    shape: i64,
    local: Transform3D,
}

/// What an object's colliders are made from.
#[derive(Clone, PartialEq)]
struct Wanted {
    parts: Vec<Part>,
    motion: Motion,
    layer: u32,
    surface: Surface,
    conveyor: Vec3,
}

/// An object and its colliders.
struct Mirrored {
    node: InstanceId,
    wanted: Wanted,
    /// The scale that its colliders have.
    scale: Vec3,
    placed: Transform3D,
    colliders: Vec<(ColliderId, Transform3D)>,
    velocity: [Vec3; 2],
    warned: bool,
}

/// All objects that bodies see.
#[derive(Default)]
pub struct Mirror {
    objects: Vec<Mirrored>,
    owners: BTreeMap<ColliderId, InstanceId>,
    shapes: BTreeMap<(i64, [u32; 3]), ColliderShape>,
    /// Shapes that changed since the last step.
    changed: BTreeSet<i64>,
    /// Shapes whose changes are told to the world.
    watched: BTreeSet<i64>,
    /// What is to be told to the user.
    refused: Vec<String>,
}

impl Mirror {
    pub fn owner_of(&self, id: ColliderId) -> Option<InstanceId> {
        self.owners.get(&id).copied()
    }

    /// Takes notice of an object that is in the tree.
    pub fn add(&mut self, node: InstanceId) {
        if self.objects.iter().all(|object| object.node != node) {
            self.objects.push(Mirrored {
                node,
                wanted: Wanted {
                    parts: Vec::new(),
                    motion: Motion::Static,
                    layer: 0,
                    surface: Surface::default(),
                    conveyor: Vec3::ZERO,
                },
                scale: Vec3::ONE,
                placed: Transform3D::IDENTITY,
                colliders: Vec::new(),
                velocity: [Vec3::ZERO; 2],
                warned: false,
            });
        }
    }

    /// A shape resource was changed.
    pub fn shape_changed(&mut self, shape: i64) {
        self.changed.insert(shape);
    }

    /// How many objects have colliders.
    pub fn count(&self) -> usize {
        self.objects.iter().filter(|object| !object.colliders.is_empty()).count()
    }
}

/// Brings the colliders up to date. Returns shapes that are new, to be watched for changes.
pub fn update(core: &Shared, dt: f32) -> Vec<Gd<Shape3D>> {
    let (fresh, refused) = {
        let core = &mut *core.lock();
        let fresh = follow_objects(core, dt);
        (fresh, std::mem::take(&mut core.mirror.refused))
    };
    refused.iter().for_each(|why| godot_warn!("{why}"));
    fresh
}

fn follow_objects(core: &mut Core, dt: f32) -> Vec<Gd<Shape3D>> {
    let fall = core.world.gravity() * dt;
    let mut mirror = std::mem::take(&mut core.mirror);
    let mut objects = std::mem::take(&mut mirror.objects);
    let changed = std::mem::take(&mut mirror.changed);
    mirror.shapes.retain(|(shape, _), _| !changed.contains(shape));
    let (mut fresh, mut gone) = (Vec::new(), Vec::new());
    objects.retain_mut(|object| {
        let found = Gd::<CollisionObject3D>::try_from_instance_id(object.node).ok();
        let Some(node) = found.filter(|node| node.is_inside_tree()) else {
            object.clear(&mut core.world, &mut mirror);
            gone.push(object.node);
            return false;
        };
        let (wanted, shapes) = wanted_of(&node);
        let transform = node.get_global_transform();
        let stale = wanted.parts.iter().any(|part| changed.contains(&part.shape));
        if stale || wanted != object.wanted || !object.has_scale_of(transform) {
            object.rebuild(wanted, transform, &shapes, &mut core.world, &mut mirror);
            fresh.extend(
                shapes.into_iter().filter(|shape| mirror.watched.insert(shape.instance_id().to_i64())),
            );
        }
        object.follow(&node, transform, core, fall);
        true
    });
    mirror.objects = objects;
    core.mirror = mirror;
    gone.into_iter().for_each(|node| core.forget_partner(node));
    fresh
}

/// Gives rigid bodies what they took from soft ones in the last step.
pub fn push(core: &Shared) {
    let mut pushes = Vec::new();
    {
        let core = &*core.lock();
        for object in core.mirror.objects.iter().filter(|object| object.wanted.motion == Motion::Rigid) {
            for (id, _) in &object.colliders {
                let Ok(collider) = core.world.collider(*id) else { continue };
                let (impulse, torque) = (collider.impulse(), collider.torque_impulse());
                if impulse != Vec3::ZERO || torque != Vec3::ZERO {
                    pushes.push((object.node, impulse, torque, collider.position()));
                }
            }
        }
    }
    for (node, impulse, torque, about) in pushes {
        let Ok(mut body) = Gd::<RigidBody3D>::try_from_instance_id(node) else { continue };
        let lever = vector3(about) - body.get_global_position();
        body.apply_impulse_ex(vector3(impulse)).position(lever).done();
        body.apply_torque_impulse(vector3(torque));
    }
}

/// Keeps those bodies awake that touch rigid bodies: one that sleeps would let them fall.
pub fn keep_awake(core: &Shared) {
    let core = &mut *core.lock();
    let rigid: BTreeSet<ColliderId> = core
        .mirror
        .objects
        .iter()
        .filter(|object| object.wanted.motion == Motion::Rigid)
        .flat_map(|object| object.colliders.iter().map(|(id, _)| *id))
        .collect();
    if rigid.is_empty() {
        return;
    }
    let touching: BTreeSet<_> = core
        .world
        .contacts()
        .iter()
        .filter(|c| matches!(c.other, wobble::Partner::Collider(id) if rigid.contains(&id)))
        .map(|c| c.body)
        .collect();
    for id in touching {
        if let Ok(body) = core.world.body_mut(id) {
            body.wake();
        }
    }
}

/// What the colliders of an object should be like, and the shapes they have, one a part.
fn wanted_of(node: &Gd<CollisionObject3D>) -> (Wanted, Vec<Gd<Shape3D>>) {
    let (mut parts, mut shapes) = (Vec::new(), Vec::new());
    let (motion, material, conveyor) = kind_of(node);
    if let Some(motion) = motion {
        for &owner in node.get_shape_owners().as_slice() {
            let owner = owner as u32;
            if node.is_shape_owner_disabled(owner) {
                continue;
            }
            let local = node.shape_owner_get_transform(owner);
            for index in 0..node.shape_owner_get_shape_count(owner) {
                if let Some(shape) = node.shape_owner_get_shape(owner, index) {
                    parts.push(Part { shape: shape.instance_id().to_i64(), local });
                    shapes.push(shape);
                }
            }
        }
        let surface = surface_of(material);
        return (Wanted { parts, motion, layer: node.get_collision_layer(), surface, conveyor }, shapes);
    }
    let (layer, surface) = (0, Surface::default());
    (Wanted { parts, motion: Motion::Static, layer, surface, conveyor }, shapes)
}

/// How an object moves, if bodies see it at all, what its surface is and how it moves things along.
fn kind_of(node: &Gd<CollisionObject3D>) -> (Option<Motion>, Option<Gd<PhysicsMaterial>>, Vec3) {
    if let Ok(body) = node.clone().try_cast::<RigidBody3D>() {
        let motion = if body.is_freeze_enabled() { Motion::Carried } else { Motion::Rigid };
        return (Some(motion), body.get_physics_material_override(), Vec3::ZERO);
    }
    if let Ok(body) = node.clone().try_cast::<StaticBody3D>() {
        let carried = node.clone().try_cast::<AnimatableBody3D>().is_ok();
        let motion = if carried { Motion::Carried } else { Motion::Static };
        let turn = Placement::of(body.get_global_transform()).map_or(glam::Quat::IDENTITY, |p| p.rotation);
        let conveyor = turn.inverse() * vec3(body.get_constant_linear_velocity());
        return (Some(motion), body.get_physics_material_override(), conveyor);
    }
    let is_carried = node.clone().try_cast::<CharacterBody3D>().is_ok()
        || node.clone().try_cast::<PhysicalBone3D>().is_ok();
    (is_carried.then_some(Motion::Carried), None, Vec3::ZERO)
}

fn surface_of(material: Option<Gd<PhysicsMaterial>>) -> Surface {
    let Some(material) = material else { return Surface { friction: 1.0, ..Surface::default() } };
    Surface {
        friction: material.get_friction().max(0.0),
        restitution: material.get_bounce().clamp(0.0, 1.0),
        combine: if material.is_rough() { Combine::Maximum } else { Combine::Natural },
    }
}

impl Mirrored {
    fn clear(&mut self, world: &mut World, mirror: &mut Mirror) {
        for (id, _) in self.colliders.drain(..) {
            let _ = world.remove_collider(id);
            mirror.owners.remove(&id);
        }
    }

    fn has_scale_of(&self, transform: Transform3D) -> bool {
        let scale = |t: Transform3D| Placement::of(t).map(|p| p.scale);
        transform == self.placed || scale(transform).is_none_or(|s| s.distance(self.scale) < 1e-4)
    }

    /// Makes all colliders anew.
    fn rebuild(
        &mut self,
        wanted: Wanted,
        transform: Transform3D,
        shapes: &[Gd<Shape3D>],
        world: &mut World,
        mirror: &mut Mirror,
    ) {
        self.clear(world, mirror);
        (self.placed, self.velocity) = (transform, [Vec3::ZERO; 2]);
        self.scale = Placement::of(transform).map_or(Vec3::ONE, |p| p.scale);
        for (part, shape) in wanted.parts.iter().zip(shapes) {
            match self.made(part, shape, &wanted, world, mirror) {
                Ok(Some(id)) => {
                    mirror.owners.insert(id, self.node);
                    self.colliders.push((id, part.local));
                }
                Ok(None) => {}
                Err(why) if !self.warned => {
                    self.warned = true;
                    let name = Gd::<Node>::try_from_instance_id(self.node).map(|node| node.get_path());
                    mirror.refused.push(format!("soft bodies do not see a shape of {name:?}: {why}"));
                }
                Err(_) => {}
            }
        }
        self.wanted = wanted;
    }

    fn made(
        &self,
        part: &Part,
        shape: &Gd<Shape3D>,
        wanted: &Wanted,
        world: &mut World,
        mirror: &mut Mirror,
    ) -> Result<Option<ColliderId>, String> {
        let placement = Placement::of(self.placed * part.local)
            .ok_or("its transform is flat or not finite; give it a scale above 0")?;
        let key = (part.shape, placement.scale.to_array().map(f32::to_bits));
        if !mirror.shapes.contains_key(&key) {
            let Some(made) = geometry::collider_shape(shape, placement.scale)? else { return Ok(None) };
            mirror.shapes.retain(|(known, _), _| {
                Gd::<Shape3D>::try_from_instance_id(InstanceId::from_i64(*known)).is_ok()
            });
            mirror.shapes.insert(key, made);
        }
        let def = ColliderDef {
            shape: mirror.shapes[&key].clone(),
            position: placement.position,
            rotation: placement.rotation,
            surface: wanted.surface,
            conveyor: wanted.conveyor,
            // What a body meets is told by the mask of the body.
            groups: Groups { group: wanted.layer, mask: u32::MAX },
            ..ColliderDef::default()
        };
        world.add_collider(&def).map(Some).map_err(|error| error.to_string())
    }

    /// Moves the colliders to where the object is, in its own way. Rigid bodies gain `fall` of speed in the step, m/s.
    fn follow(&mut self, node: &Gd<CollisionObject3D>, transform: Transform3D, core: &mut Core, fall: Vec3) {
        let moved = transform != self.placed;
        let jumped = core.is_jump(vec3(self.placed.origin), vec3(transform.origin));
        let world = &mut core.world;
        self.placed = transform;
        if self.wanted.motion == Motion::Rigid {
            self.drive(node, transform, world, fall);
        } else if moved {
            for (id, local) in &self.colliders {
                let Some(p) = Placement::of(transform * *local) else { continue };
                let _ = match self.wanted.motion {
                    Motion::Carried if !jumped => world.move_collider(*id, p.position, p.rotation),
                    _ => world.set_collider_pose(*id, p.position, p.rotation),
                };
            }
        }
    }

    /// Lets the colliders of a rigid body move on as it does, its fall in this step included.
    fn drive(&mut self, node: &Gd<CollisionObject3D>, transform: Transform3D, world: &mut World, fall: Vec3) {
        let Ok(body) = node.clone().try_cast::<RigidBody3D>() else { return };
        let velocity = if body.is_sleeping() {
            [Vec3::ZERO; 2]
        } else {
            let fall = fall * body.get_gravity_scale();
            [vec3(body.get_linear_velocity()) + fall, vec3(body.get_angular_velocity())]
        };
        let still = velocity == [Vec3::ZERO; 2] && self.velocity == velocity;
        self.velocity = velocity;
        let centre = transform * body.get_center_of_mass();
        for (id, local) in &self.colliders {
            let Some(p) = Placement::of(transform * *local) else { continue };
            let place = world.collider(*id).map(|c| (c.position(), c.rotation()));
            if still && place == Ok((p.position, p.rotation)) {
                continue;
            }
            let [linear, spin] = velocity;
            let linear = linear + spin.cross(p.position - vec3(centre));
            let _ = world.set_collider_pose(*id, p.position, p.rotation);
            let _ = world.set_collider_velocity(*id, linear, spin);
        }
    }
}
