//! A physics tick: what nodes want goes to the core, the core steps, what became of it goes to nodes and scripts.
//!
//! Scripts run last, when nothing is borrowed: they may free bodies, the world, or change scenes.

use std::sync::Mutex;
use std::time::Instant;

use godot::classes::{CollisionObject3D, Engine, Node};
use godot::obj::InstanceId;
use godot::prelude::*;

use super::WobbleWorld;
use crate::body::{Job, WobbleBody3D};
use crate::colliders;
use crate::convert::warn;
use crate::core::{Event, Shared, Told};
use crate::debug::Drawing;

pub fn tick(mut this: Gd<WobbleWorld>, dt: f32) {
    // Time may stand still.
    if dt <= 0.0 || Engine::singleton().is_editor_hint() {
        return;
    }
    let start = Instant::now();
    let core = this.bind().core();
    this.bind_mut().tell_core();
    for mut body in bodies(&core) {
        body.bind_mut().before_step();
    }
    find_colliders(&mut this, &core);
    for mut shape in colliders::update(&core, dt) {
        let id = shape.instance_id().to_i64().to_variant();
        shape.connect("changed", &this.callable("_shape_changed").bind(&[id]));
    }
    let stepped = core.lock().world.step(dt);
    if let Err(error) = stepped {
        warn(&this.clone().upcast(), error);
        return;
    }
    part(&core);
    colliders::push(&core);
    colliders::keep_awake(&core);
    draw(&core, 1.0, true);
    this.bind_mut().keep_to_budget();
    draw_debug(&mut this);
    let events = core.lock().events();
    this.bind_mut().tick_time = start.elapsed().as_secs_f32();
    events.iter().for_each(tell);
}

/// Makes nodes of what broke off in the step.
fn part(core: &Shared) {
    let breaks = core.lock().world.breaks().to_vec();
    for of_body in breaks.chunk_by(|a, b| a.body == b.body) {
        let node = core.lock().node_of(of_body[0].body);
        if let Some(Ok(mut body)) = node.map(Gd::<WobbleBody3D>::try_from_instance_id) {
            body.bind_mut().part(of_body);
        }
    }
}

/// Draws meshes between the last two ticks, where the project asks for interpolation.
pub fn draw_between_ticks(this: &Gd<WobbleWorld>) {
    if !interpolates(this) {
        return;
    }
    let core = this.bind().core();
    let fraction = Engine::singleton().get_physics_interpolation_fraction().clamp(0.0, 1.0) as f32;
    draw(&core, fraction, false);
}

/// Draws all bodies that changed, on the threads of the world; with `follow` their nodes go where they are.
fn draw(core: &Shared, fraction: f32, follow: bool) {
    let (mut ids, mut taken) = (Vec::new(), Vec::new());
    for mut body in bodies(core) {
        let begun = body.bind_mut().begin_drawing(follow);
        if let Some((id, drawn, space)) = begun {
            ids.push(id);
            taken.push((body, drawn, space));
        }
    }
    let jobs: Vec<Mutex<Job>> =
        taken.iter_mut().map(|(_, drawn, space)| Mutex::new(drawn.job(fraction, *space))).collect();
    let read = core.lock().world.read_bodies(&ids, |i, body| {
        if let Ok(mut job) = jobs[i].lock() {
            job.run(body);
        }
    });
    if let Err(error) = read {
        godot_warn!("bodies could not be drawn: {error}");
    }
    let done: Vec<_> = jobs.into_iter().map(|job| job.into_inner().ok().and_then(|job| job.done)).collect();
    for ((mut body, drawn, _), done) in taken.into_iter().zip(done) {
        body.bind_mut().end_drawing(drawn, done);
    }
}

fn interpolates(this: &Gd<WobbleWorld>) -> bool {
    this.get_tree_or_null().is_some_and(|tree| tree.is_physics_interpolation_enabled())
}

/// The nodes of the bodies that are in the tree, or come into it.
fn bodies(core: &Shared) -> Vec<Gd<WobbleBody3D>> {
    let ids: Vec<InstanceId> = core.lock().present().collect();
    ids.into_iter().filter_map(|id| Gd::try_from_instance_id(id).ok()).collect()
}

/// Looks through the tree once; from then on it tells what is added.
fn find_colliders(this: &mut Gd<WobbleWorld>, core: &Shared) {
    if std::mem::replace(&mut this.bind_mut().is_scanned, true) {
        return;
    }
    let Some(root) = this.get_tree_or_null().and_then(|tree| tree.get_root()) else { return };
    let found = root.find_children_ex("*").type_("CollisionObject3D").recursive(true).owned(false).done();
    for node in found.iter_shared() {
        if let Ok(object) = node.try_cast::<CollisionObject3D>() {
            core.lock().mirror.add(object.instance_id());
        }
    }
}

fn draw_debug(this: &mut Gd<WobbleWorld>) {
    let (wanted, core) = (this.bind().debug_draw, this.bind().core());
    // Adding a node is told to the world, so nothing may be bound meanwhile.
    let drawing = this.bind_mut().drawing.take();
    if wanted {
        let parent = this.clone().upcast::<Node>();
        let mut drawing = drawing.unwrap_or_else(|| Drawing::new(&parent));
        drawing.update(&core.lock());
        this.bind_mut().drawing = Some(drawing);
    }
}

/// Emits one signal, if both nodes are still there: what was emitted before may have freed them.
fn tell(event: &Event) {
    let Ok(mut body) = Gd::<WobbleBody3D>::try_from_instance_id(event.body) else { return };
    let node = |id: InstanceId| Gd::<Node>::try_from_instance_id(id).ok();
    match &event.what {
        Told::ContactBegan { other, point, normal, impulse } => {
            let Some(other) = node(*other) else { return };
            let arguments =
                [other.to_variant(), point.to_variant(), normal.to_variant(), impulse.to_variant()];
            body.emit_signal("contact_began", &arguments);
        }
        Told::ContactEnded { other } => {
            let Some(other) = node(*other) else { return };
            body.emit_signal("contact_ended", &[other.to_variant()]);
        }
        Told::Slept => drop(body.emit_signal("slept", &[])),
        Told::Woke => drop(body.emit_signal("woke", &[])),
        Told::Froze => {
            warn(&body.clone().upcast(), "the body went wild and was stopped; reset() lets it go on");
            body.emit_signal("froze", &[]);
        }
    }
}
