//! How a body comes to be, follows its properties, and goes.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use glam::Vec3;
use godot::classes::Mesh;
use godot::obj::{InstanceId, WithBaseField};
use godot::prelude::*;
use wobble::{
    Body, BodyDef, BodyId, Error, Fracture, Groups, Material, Plasticity, Shape, Surface, Touch, Weighting,
};

use super::WobbleBody3D;
use super::drawing::Drawn;
use crate::convert::{Placement, warn};
use crate::core::Shared;
use crate::shape::{Variation, WobbleShape};
use crate::world;

/// Shapes that were made from meshes, by the mesh: bodies with the same mesh share one.
static IMPLIED: Mutex<BTreeMap<i64, InstanceId>> = Mutex::new(BTreeMap::new());

/// The body in the library.
pub struct Home {
    pub core: Shared,
    pub id: BodyId,
    pub shape: Arc<Shape>,
    /// The shape before it was cut or broke.
    pub unbroken: Arc<Shape>,
    pub made_from: MadeFrom,
}

/// What makes a body another one.
#[derive(Clone, Copy, PartialEq)]
pub struct MadeFrom {
    shape: i64,
    mesh: i64,
    mass: f32,
    scale: Vec3,
}

/// What may change from tick to tick.
#[derive(Clone, PartialEq)]
pub struct Wanted {
    material: Material,
    surface: Surface,
    groups: Groups,
    radius: f32,
    touch: Touch,
    can_sleep: bool,
    weighting: Weighting,
    plasticity: Option<Plasticity>,
    level_flow: Vec<f32>,
    fracture: Option<Fracture>,
}

impl WobbleBody3D {
    /// Joins the world that the node is in, or goes on in it.
    pub(super) fn join(&mut self) {
        let node = self.to_gd().upcast::<Node>();
        let Some(world) = world::find(&node) else { return };
        let core = world.bind().core();
        if self.home.as_ref().is_some_and(|home| !home.core.is_same(&core)) {
            self.leave();
        }
        match &self.home {
            None => self.build(core),
            Some(home) => {
                home.core.lock().set_present(home.id, true);
                self.is_settled = false;
            }
        }
    }

    /// Stands still while out of the tree: it may come back.
    pub(super) fn pause(&mut self) {
        self.let_go_of_nodes();
        if let Some(home) = &self.home {
            home.core.lock().set_present(home.id, false);
        }
    }

    pub(super) fn leave(&mut self) {
        self.let_go_of_nodes();
        if let Some(home) = self.home.take() {
            home.core.lock().remove(home.id);
        }
        self.grabs.clear();
        (self.wanted, self.drawn) = (None, None);
    }

    pub(super) fn made_from(&self, scale: Vec3) -> MadeFrom {
        let id = |found: Option<InstanceId>| found.map_or(0, InstanceId::to_i64);
        MadeFrom {
            shape: id(self.shape.as_ref().map(|shape| shape.instance_id())),
            mesh: id(self.base().get_mesh().map(|mesh| mesh.instance_id())),
            mass: self.mass,
            scale,
        }
    }

    /// Whether something was set that makes it another body. Setting a mesh shows it, so a look at what is shown does.
    fn is_another(&mut self) -> bool {
        let Some(Home { made_from, .. }) = self.home else { return false };
        let shape = self.shape.as_ref().map_or(0, |shape| shape.instance_id().to_i64());
        if shape != made_from.shape || self.mass != made_from.mass {
            return true;
        }
        if self.is_shown() {
            return false;
        }
        // The engine shows the mesh at rest again where that was changed, too.
        self.show_again();
        self.made_from(made_from.scale) != made_from
    }

    /// Makes the body in a world. Where that cannot be, says why.
    pub(super) fn build(&mut self, core: Shared) {
        if let Err(why) = self.try_build(core) {
            self.complain(&why);
        }
    }

    fn try_build(&mut self, core: Shared) -> Result<(), String> {
        let transform = self.base().get_global_transform();
        let placement = Placement::of(transform).ok_or(
            "the transform is flat or not finite, so there is no body; give it a scale above 0 on each axis",
        )?;
        if placement.scale.x < 0.0 {
            return Err("a mirrored body cannot be simulated; give it a scale above 0 on each axis".into());
        }
        let mut resource = self.resource()?;
        let mass = (self.mass > 0.0).then_some(self.mass);
        let shape = resource.bind_mut().vary(Variation { scale: placement.scale, mass });
        let shape = shape.ok_or("there is no body without a shape")?;
        let drawn = Drawn::new(self.base().get_mesh(), &shape)?;
        let def = BodyDef {
            position: placement.position + placement.rotation * shape.centre(),
            rotation: placement.rotation,
            ..BodyDef::default()
        };
        let id = core.lock().world.add_body(&shape, &def).map_err(|error| error.to_string())?;
        core.lock().bodies.push((id, self.to_gd().instance_id()));
        let made_from = self.made_from(placement.scale);
        let unbroken = Arc::clone(&shape);
        self.home = Some(Home { core, id, shape, unbroken, made_from });
        (self.placed, self.wanted, self.is_settled) = (Some(placement), None, false);
        self.complaint.clear();
        self.follow_properties();
        self.pin_by_box();
        self.show(drawn);
        self.draw_now();
        Ok(())
    }

    /// The shape that is given, or one made from the mesh.
    fn resource(&mut self) -> Result<Gd<WobbleShape>, String> {
        if let Some(shape) = &self.shape {
            return Ok(shape.clone());
        }
        let mesh = self.base().get_mesh().ok_or(match self.piece {
            Some(_) => "a piece lives in the world where it broke off, as large as it was; there is no mesh to make it anew",
            None => "there is no mesh to be soft; give the node a mesh or a shape",
        })?;
        let shape = implied(&mesh);
        self.implied = Some(shape.clone());
        Ok(shape)
    }

    /// Before a step: takes over what was set since the last one.
    pub fn before_step(&mut self) {
        if self.is_arriving() {
            return;
        }
        if self.is_another() {
            let Some((core, _)) = self.place_in_world() else { return };
            let velocity = self.velocity();
            self.leave();
            self.build(core);
            self.act(|body| body.set_velocity(velocity));
            return;
        }
        let Some(home) = &self.home else { return };
        let awake = self.base().is_inside_tree() && self.base().can_process();
        if let Ok(body) = home.core.lock().world.body_mut(home.id)
            && body.is_enabled() != awake
        {
            body.set_enabled(awake);
        }
        self.follow_node();
        self.follow_properties();
        self.follow_holders();
        self.is_carried = false;
    }

    /// What the properties of the node and its material say.
    fn wanted_now(&self) -> Wanted {
        let given = self.soft_material.as_ref().map(|material| material.bind());
        let given = given.as_deref();
        let natural = given.map_or(Weighting::Uniform, |m| m.weighting());
        Wanted {
            material: given.map_or(Material::default(), |m| m.material()),
            surface: given.map_or(Surface::default(), |m| m.surface()),
            plasticity: given.and_then(|m| m.plasticity()),
            level_flow: given.map_or(Vec::new(), |m| m.level_flow()),
            fracture: given.and_then(|m| m.fracture()),
            groups: Groups { group: self.collision_layer, mask: self.collision_mask },
            radius: self.particle_radius,
            touch: Touch { itself: self.self_collision, ..Touch::default() },
            can_sleep: self.can_sleep,
            weighting: self.weighting.weighting(self.level_weights.as_slice()).unwrap_or(natural),
        }
    }

    pub(super) fn follow_properties(&mut self) {
        let (Some(home), wanted) = (&self.home, self.wanted_now()) else { return };
        if self.wanted.as_ref() == Some(&wanted) {
            return;
        }
        let parted = self.is_parted();
        let refused = match home.core.lock().world.body_mut(home.id) {
            Ok(body) => apply(body, &wanted, parted),
            Err(error) => Some(error),
        };
        self.wanted = Some(wanted);
        if let Some(error) = refused {
            self.complain(&error.to_string());
        }
    }

    /// Tells the user what is wrong, once.
    pub(super) fn complain(&mut self, why: &str) {
        if self.complaint != why {
            self.complaint = why.into();
            warn(&self.to_gd().upcast(), why);
        }
    }

    /// Does something to the body; what it refuses is told.
    pub(super) fn act(&mut self, action: impl FnOnce(&mut Body) -> Result<(), Error>) -> bool {
        let Some(home) = &self.home else {
            self.complain("there is no body yet: it is made when the node is ready, from a mesh or a shape");
            return false;
        };
        let done = home.core.lock().world.body_mut(home.id).and_then(action);
        self.is_settled = false;
        match done {
            Ok(()) => true,
            Err(error) => {
                warn(&self.to_gd().upcast(), error);
                false
            }
        }
    }

    /// Asks the body something; `otherwise` if there is none.
    pub(super) fn ask<T>(&self, otherwise: T, question: impl FnOnce(&Body) -> T) -> T {
        let Some(home) = &self.home else { return otherwise };
        let core = home.core.lock();
        core.world.body(home.id).map_or(otherwise, question)
    }

    /// The body's world and its name in it.
    pub fn place_in_world(&self) -> Option<(Shared, BodyId)> {
        self.home.as_ref().map(|home| (home.core.clone(), home.id))
    }

    /// Mean velocity, m/s.
    pub(super) fn velocity(&self) -> Vec3 {
        self.ask(Vec3::ZERO, |body| body.momentum() / body.shape().mass())
    }

    /// What keeps the node from being a body, for the editor.
    pub(super) fn misconfigurations(&self) -> Vec<String> {
        let mut found = Vec::new();
        let mesh = self.base().get_mesh();
        if self.shape.is_none() && mesh.is_none() {
            found.push("There is nothing to be soft: give the node a mesh or a shape.".into());
        }
        if let Some(shape) = &self.shape
            && !shape.bind().is_baked()
        {
            found.push(
                "The shape is not baked: it will be when the scene starts, which takes a while.".into(),
            );
        }
        if let (Some(shape), Some(mesh)) = (&self.shape, mesh)
            && let Some(known) = shape.clone().bind_mut().known()
            && let Err(why) = Drawn::fits(&mesh, &known)
        {
            found.push(why);
        }
        match Placement::of(self.base().get_transform()) {
            None => found.push("The transform is flat or not finite: give it a scale above 0.".into()),
            Some(placement) if placement.scale.x < 0.0 => {
                found.push("The transform mirrors: give it a scale above 0 on each axis.".into());
            }
            Some(_) => {}
        }
        if self.level_weights.as_slice().iter().any(|w| !w.is_finite() || *w < 0.0) {
            found.push("Level weights must be 0 or more.".into());
        }
        found
    }
}

/// The first thing that is refused; all else takes effect. What is meant for levels that a piece lacks goes to its coarsest.
fn apply(body: &mut Body, wanted: &Wanted, parted: bool) -> Option<Error> {
    let levels = body.level_weights().len();
    let weighting = match &wanted.weighting {
        Weighting::Manual(weights) if parted && weights.len() > levels && levels > 0 => {
            let (own, beyond) = weights.split_at(levels);
            let mut own = own.to_vec();
            own[levels - 1] += beyond.iter().sum::<f32>();
            Weighting::Manual(own)
        }
        other => other.clone(),
    };
    let flow = |level: usize| wanted.level_flow.get(level).copied().unwrap_or(1.0);
    let changed: Vec<usize> = (0..levels).filter(|&l| body.level_flow(l).ok() != Some(flow(l))).collect();
    body.set_groups(wanted.groups);
    body.set_can_sleep(wanted.can_sleep);
    let results = [
        body.set_material(wanted.material),
        body.set_surface(wanted.surface),
        body.set_particle_radius(wanted.radius),
        body.set_touch(wanted.touch),
        body.set_weighting(&weighting),
        body.set_plasticity(wanted.plasticity),
        changed.into_iter().try_for_each(|level| body.set_level_flow(level, flow(level))),
        body.set_fracture(wanted.fracture),
    ];
    results.into_iter().find_map(Result::err)
}

/// The shape made from a mesh, the same one for all bodies that have it.
fn implied(mesh: &Gd<Mesh>) -> Gd<WobbleShape> {
    let key = mesh.instance_id().to_i64();
    let mut known = IMPLIED.lock().unwrap_or_else(PoisonError::into_inner);
    known.retain(|_, shape| Gd::<WobbleShape>::try_from_instance_id(*shape).is_ok());
    let found = known.get(&key).and_then(|shape| Gd::try_from_instance_id(*shape).ok());
    found.unwrap_or_else(|| {
        let shape = WobbleShape::of_mesh(mesh);
        known.insert(key, shape.instance_id());
        shape
    })
}
