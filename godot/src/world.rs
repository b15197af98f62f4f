//! `WobbleWorld`: steps the bodies of a scene tree on the physics tick.

mod tick;

use std::sync::atomic::{AtomicI64, Ordering};

use glam::Vec3;
use godot::classes::{CollisionObject3D, Engine, Node, ProjectSettings};
use godot::obj::{InstanceId, WithBaseField};
use godot::prelude::*;
use wobble::{Error, Explosion, Groups, Hit, Partner, World, WorldDef};

use crate::convert::{vec3, vector3, warn};
use crate::core::{Core, JUMP_DISTANCE, Shared};

/// The instance of the world of bodies that have none above them; 0 for none.
static COMMON: AtomicI64 = AtomicI64::new(0);

/// Steps [WobbleBody3D]s and lets them meet Godot's colliders.
///
/// There is no need to add one: bodies make a common world where they find none. Add one to change its properties; bodies
/// below it are its own, and the first one in the tree also takes those that are below none.
///
/// The world steps in the physics process, after the scripts of the scene. It sees static, animatable, character and rigid
/// bodies, and pushes the latter.
#[derive(GodotClass)]
#[class(tool, base=Node)]
pub struct WobbleWorld {
    /// Takes gravity from the project settings, `physics/3d/default_gravity` and `default_gravity_vector`.
    #[export]
    use_project_gravity: bool,
    /// m/s², if not taken from the project settings.
    #[export]
    gravity: Vector3,
    /// Equal parts of a physics tick. More make bodies stiffer and stacks calmer, and cost as much more.
    #[export(range = (1.0, 64.0, 1.0))]
    substeps: i32,
    /// Threads that step; 0 takes all cores. Results do not depend on it.
    #[export(range = (0.0, 64.0, 1.0))]
    threads: i32,
    /// The most that a step should take, milliseconds; 0 for as long as it takes. Where steps take longer, fewer substeps are
    /// made, and more again once there is time: results then depend on the machine.
    #[export(range = (0.0, 16.0, 0.1, or_greater, suffix = "ms"))]
    budget: f32,
    /// Whether bodies push each other apart where they touch.
    #[export]
    bodies_collide: bool,
    /// Whether bodies at rest fall asleep.
    #[export]
    sleeping: bool,
    /// Contacts are reported from this impulse on, N s in a tick.
    #[export(range = (0.0, 100.0, 0.01, or_greater))]
    contact_threshold: f32,
    /// The most cracks that open in a tick; the others wait for the next.
    #[export(range = (0.0, 1000.0, 1.0))]
    most_fractures: i32,
    /// Animatable, character and frozen rigid bodies, and nodes that hold bodies, that went farther than this since the last tick
    /// have jumped: they are in their new place at once and hit nothing on the way, and what they hold is put there with them.
    /// Those that went less far move there, as fast as they went. 0 for never.
    #[export(range = (0.0, 100.0, 0.01, or_greater, suffix = "m"))]
    jump_distance: f32,
    /// Draws particles and contacts.
    #[export]
    debug_draw: bool,

    core: Shared,
    /// What the core was told last.
    told: Option<Settings>,
    /// Substeps that the budget allows.
    affordable: u32,
    is_scanned: bool,
    /// Seconds that the last tick took, but for scripts.
    tick_time: f32,
    drawing: Option<crate::debug::Drawing>,
    base: Base<Node>,
}

/// What of the properties goes to the core.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Settings {
    gravity: Vec3,
    substeps: u32,
    threads: u32,
    bodies_collide: bool,
    sleeping: bool,
    contact_threshold: f32,
    most_fractures: u32,
}

#[godot_api]
impl INode for WobbleWorld {
    fn init(base: Base<Node>) -> Self {
        // One thread until the properties are known: most worlds of the editor never step.
        let def = WorldDef { threads: 1, ..WorldDef::default() };
        let world = World::new(&def).expect("one thread and the defaults are accepted");
        WobbleWorld {
            use_project_gravity: true,
            gravity: vector3(def.gravity),
            substeps: def.substeps as i32,
            threads: 0,
            budget: 0.0,
            bodies_collide: true,
            sleeping: true,
            contact_threshold: 0.0,
            most_fractures: world.most_fractures() as i32,
            jump_distance: JUMP_DISTANCE,
            debug_draw: false,
            core: Shared::new(world),
            told: None,
            affordable: 64,
            is_scanned: false,
            tick_time: 0.0,
            drawing: None,
            base,
        }
    }

    fn enter_tree(&mut self) {
        let id = self.to_gd().instance_id();
        if Engine::singleton().is_editor_hint() {
            self.base_mut().set_physics_process(false);
            self.base_mut().set_process(false);
            return;
        }
        if common().is_none() {
            set_common(id);
        }
        self.base_mut().set_physics_process_priority(1000);
        self.base_mut().set_process_priority(1000);
        self.is_scanned = false;
        let noticed = self.base().callable("_notice");
        if let Some(mut tree) = self.base().get_tree_or_null() {
            tree.connect("node_added", &noticed);
        }
    }

    fn exit_tree(&mut self) {
        let id = self.to_gd().instance_id().to_i64();
        let _ = COMMON.compare_exchange(id, 0, Ordering::Relaxed, Ordering::Relaxed);
        self.drawing = None;
        let noticed = self.base().callable("_notice");
        if let Some(mut tree) = self.base().get_tree_or_null()
            && tree.is_connected("node_added", &noticed)
        {
            tree.disconnect("node_added", &noticed);
        }
    }

    #[func(gd_self)]
    fn physics_process(this: Gd<Self>, delta: f64) {
        tick::tick(this, delta as f32);
    }

    #[func(gd_self)]
    fn process(this: Gd<Self>, _delta: f64) {
        tick::draw_between_ticks(&this);
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if !vec3(self.gravity).is_finite() {
            warnings.push("Gravity must be finite.");
        }
        warnings
    }
}

#[godot_api]
impl WobbleWorld {
    /// The world that a node is in, or would be in: the nearest one above it, else the common one. Null outside the tree.
    #[func]
    pub fn of(node: Gd<Node>) -> Option<Gd<WobbleWorld>> {
        find(&node)
    }

    /// The first body or collider that a ray meets, as a dictionary with `node`, `point`, `normal`, `distance` and, of a
    /// body, `particle`; empty if it meets none. Bodies are met at their mesh as it is deformed.
    #[func]
    fn cast_ray(
        &self,
        origin: Vector3,
        direction: Vector3,
        #[opt(default = 1000.0)] max_distance: f32,
        #[opt(default = 0xffff_ffff)] mask: u32,
    ) -> VarDictionary {
        let groups = Groups { group: u32::MAX, mask };
        let met = {
            let core = self.core.lock();
            let hit = core.world.cast_ray(vec3(origin), vec3(direction), max_distance, groups);
            hit.map(|hit| hit.map(|hit| described(&core, &hit)))
        };
        let met = met.unwrap_or_else(|error| {
            warn(&self.to_gd().upcast(), error);
            None
        });
        met.unwrap_or_default()
    }

    /// Pushes everything within `radius` away from a point; a particle at the centre would gain `speed`, m/s.
    #[func]
    fn explode(&self, centre: Vector3, radius: f32, speed: f32, #[opt(default = 0xffff_ffff)] mask: u32) {
        let explosion = Explosion { centre: vec3(centre), radius, speed, mask };
        let done = self.core.lock().world.explode(&explosion);
        self.accepted(done);
    }

    /// Number of bodies.
    #[func]
    fn get_body_count(&self) -> i64 {
        self.core.lock().bodies.len() as i64
    }

    /// Number of Godot's collision objects that bodies see.
    #[func]
    fn get_collider_count(&self) -> i64 {
        self.core.lock().mirror.count() as i64
    }

    /// What the last step took, milliseconds.
    #[func]
    fn get_step_time(&self) -> f32 {
        self.core.lock().world.profile().total * 1e3
    }

    /// What the last tick took, milliseconds: the step, all that nodes and colliders wanted and got, and the meshes.
    #[func]
    fn get_tick_time(&self) -> f32 {
        self.tick_time * 1e3
    }

    /// Substeps of the last step.
    #[func]
    fn get_substeps_made(&self) -> i64 {
        self.core.lock().world.profile().substeps.into()
    }

    /// A number that changes with any bit of any body: equal on machines that are in step.
    #[func]
    fn get_state_hash(&self) -> i64 {
        self.core.lock().world.state_hash() as i64
    }

    /// Wakes all bodies.
    #[func]
    fn wake_all(&self) {
        self.core.lock().world.wake_all();
    }

    #[func]
    fn _notice(&mut self, node: Gd<Node>) {
        if let Ok(object) = node.try_cast::<CollisionObject3D>() {
            self.core.lock().mirror.add(object.instance_id());
        }
    }

    #[func]
    fn _shape_changed(&mut self, shape: i64) {
        self.core.lock().mirror.shape_changed(shape);
    }
}

impl WobbleWorld {
    pub fn core(&self) -> Shared {
        self.core.clone()
    }

    fn accepted(&self, result: Result<(), Error>) {
        if let Err(error) = result {
            warn(&self.to_gd().upcast(), error);
        }
    }

    /// The gravity that counts, m/s².
    fn gravity_now(&self) -> Vec3 {
        if !self.use_project_gravity {
            return vec3(self.gravity);
        }
        let settings = ProjectSettings::singleton();
        let setting = |name: &str| settings.get_setting(name);
        let strength: f64 = setting("physics/3d/default_gravity").try_to().unwrap_or(9.8);
        let direction: Vector3 =
            setting("physics/3d/default_gravity_vector").try_to().unwrap_or(Vector3::DOWN);
        vec3(direction) * strength as f32
    }

    /// Hands properties that changed to the core. What it refuses is told once and left as it was.
    fn tell_core(&mut self) {
        let wanted = Settings {
            gravity: self.gravity_now(),
            substeps: (self.substeps.max(0) as u32).min(self.affordable),
            threads: self.threads.max(0) as u32,
            bodies_collide: self.bodies_collide,
            sleeping: self.sleeping,
            contact_threshold: self.contact_threshold,
            most_fractures: self.most_fractures.max(0) as u32,
        };
        self.core.lock().jump_distance = self.jump_distance;
        if self.told == Some(wanted) {
            return;
        }
        let before = self.told.replace(wanted);
        let results = wanted.tell(&mut self.core.lock().world, before);
        results.into_iter().for_each(|result| self.accepted(result));
    }

    /// Makes fewer substeps where steps take longer than they may.
    fn keep_to_budget(&mut self) {
        let (taken, most) = (self.core.lock().world.profile().total * 1e3, self.substeps.max(1) as u32);
        if self.budget <= 0.0 {
            self.affordable = 64;
        } else if taken > self.budget {
            self.affordable = self.affordable.min(most).saturating_sub(1).max(1);
        } else if taken * (self.affordable as f32 + 1.0) < 0.8 * self.budget * self.affordable as f32 {
            self.affordable = (self.affordable + 1).min(64);
        }
    }
}

impl Settings {
    /// Hands to a world what is not as it was before.
    fn tell(self, world: &mut World, before: Option<Settings>) -> Vec<Result<(), Error>> {
        let (_, speed) = world.sleeping();
        let (_, most) = world.contact_reporting();
        let mut results = vec![
            world.set_gravity(self.gravity),
            world.set_substeps(self.substeps),
            world.set_sleeping(self.sleeping, speed),
            world.set_contact_reporting(self.contact_threshold, most),
            world.set_most_fractures(self.most_fractures),
        ];
        if before.is_none_or(|b| b.threads != self.threads) {
            results.push(world.set_threads(self.threads));
        }
        if world.bodies_meet() != self.bodies_collide {
            world.set_bodies_meet(self.bodies_collide);
        }
        results
    }
}

fn set_common(world: InstanceId) {
    COMMON.store(world.to_i64(), Ordering::Relaxed);
}

/// The common world, if there is one that is in use.
fn common() -> Option<Gd<WobbleWorld>> {
    let id = InstanceId::try_from_i64(COMMON.load(Ordering::Relaxed))?;
    let world = Gd::<WobbleWorld>::try_from_instance_id(id).ok()?;
    (!world.is_queued_for_deletion()).then_some(world)
}

/// The world of a node in the tree, made if there is none.
pub fn find(node: &Gd<Node>) -> Option<Gd<WobbleWorld>> {
    let mut above = node.get_parent();
    while let Some(node) = above {
        above = node.get_parent();
        if let Ok(world) = node.try_cast::<WobbleWorld>() {
            return Some(world);
        }
    }
    if let Some(world) = common() {
        return Some(world);
    }
    let mut root = node.get_tree_or_null()?.get_root()?;
    let mut world = WobbleWorld::new_alloc();
    world.set_name("WobbleWorld");
    set_common(world.instance_id());
    // The tree may be busy with the node that asks.
    root.call_deferred("add_child", &[world.to_variant()]);
    Some(world)
}

fn described(core: &Core, hit: &Hit) -> VarDictionary {
    let node = match hit.what {
        Partner::Body(id) => core.node_of(id),
        Partner::Collider(id) => core.mirror.owner_of(id),
    };
    let node = node.and_then(|node| Gd::<Node>::try_from_instance_id(node).ok());
    let mut found = VarDictionary::new();
    found.set("node", &node.to_variant());
    found.set("point", &vector3(hit.point).to_variant());
    found.set("normal", &vector3(hit.normal).to_variant());
    found.set("distance", &hit.distance.to_variant());
    if let Some(particle) = hit.particle {
        found.set("particle", &particle.to_variant());
    }
    found
}
