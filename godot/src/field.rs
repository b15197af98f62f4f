//! `WobbleForceField3D`: wind, attractors and water.

use godot::classes::{Engine, INode3D, Node3D};
use godot::obj::WithBaseField;
use godot::prelude::*;
use wobble::{Field, FieldDef, FieldId};

use crate::body::WobbleBody3D;
use crate::convert::{Placement, vec3, warn};
use crate::core::Shared;
use crate::world;

/// What a field does.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum FieldKind {
    #[default]
    Wind = 0,
    Attractor = 1,
    Buoyancy = 2,
}

/// Wind, an attractor or water, for all [WobbleBody3D]s of some layers or for one.
///
/// Wind blows and water flows along [member velocity] in the node's own axes. An attractor pulls towards the node. Water fills all below the
/// plane through the node, across its y axis.
#[derive(GodotClass)]
#[class(tool, init, base=Node3D)]
pub struct WobbleForceField3D {
    /// What the field does.
    #[export]
    kind: FieldKind,
    /// Of wind, or of the flow of water, in the node's own axes, m/s.
    #[export]
    #[init(val = Vector3::new(0.0, 0.0, -5.0))]
    velocity: Vector3,
    /// How soon bodies take on the velocity of wind or water, 1/s.
    #[export(range = (0.0, 20.0, 0.01, or_greater))]
    #[init(val = 1.0)]
    drag: f32,
    /// How much wind swells and ebbs, as a share of it.
    #[export(range = (0.0, 2.0, 0.01, or_greater))]
    gusts: f32,
    /// How often, hertz.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[init(val = 0.5)]
    gust_frequency: f32,
    /// Acceleration near an attractor, m/s²; below 0 it pushes.
    #[export(range = (-100.0, 100.0, 0.1, or_less, or_greater))]
    #[init(val = 20.0)]
    strength: f32,
    /// How far an attractor reaches, metres.
    #[export(range = (0.01, 100.0, 0.01, or_greater))]
    #[init(val = 5.0)]
    radius: f32,
    /// Density of water over that of the bodies: above 1 they float.
    #[export(range = (0.0, 10.0, 0.01, or_greater))]
    #[init(val = 2.0)]
    density_ratio: f32,
    /// The only body that it acts on; all of the layers below if empty.
    #[export(node_path = ("WobbleBody3D"))]
    body: NodePath,
    /// The layers that it acts on.
    #[export(flags_3d_physics)]
    #[init(val = 0xffff_ffff)]
    mask: u32,

    placed: Option<(Shared, FieldId)>,
    told: Option<FieldDef>,
    base: Base<Node3D>,
}

#[godot_api]
impl INode3D for WobbleForceField3D {
    fn ready(&mut self) {
        let in_game = !Engine::singleton().is_editor_hint();
        self.base_mut().set_physics_process(in_game);
    }

    fn exit_tree(&mut self) {
        self.remove();
    }

    fn physics_process(&mut self, _delta: f64) {
        let Some(def) = self.def() else { return };
        if self.told == Some(def) {
            return;
        }
        self.told = Some(def);
        let told = match &self.placed {
            Some((core, id)) => core.lock().world.set_field(*id, &def),
            None => {
                let Some(world) = world::find(&self.to_gd().upcast()) else { return };
                let core = world.bind().core();
                let added = core.lock().world.add_field(&def);
                added.map(|id| self.placed = Some((core, id)))
            }
        };
        if let Err(error) = told {
            warn(&self.to_gd().upcast(), error);
        }
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        let mut warnings = PackedStringArray::new();
        if !self.body.is_empty() && self.base().try_get_node_as::<WobbleBody3D>(&self.body).is_none() {
            warnings.push("The body that the field is for is not there.");
        }
        warnings
    }
}

#[godot_api]
impl WobbleForceField3D {
    #[constant]
    const KIND_WIND: i64 = 0;
    #[constant]
    const KIND_ATTRACTOR: i64 = 1;
    #[constant]
    const KIND_BUOYANCY: i64 = 2;
}

impl WobbleForceField3D {
    /// `None` where the node, or the only body, is nowhere.
    fn def(&self) -> Option<FieldDef> {
        let place = Placement::of(self.base().get_global_transform())?;
        let velocity = place.rotation * vec3(self.velocity);
        let field = match self.kind {
            FieldKind::Wind => {
                let (gusts, gust_hertz) = (self.gusts, self.gust_frequency);
                Field::Wind { velocity, drag: self.drag, gusts, gust_hertz }
            }
            FieldKind::Attractor => {
                Field::Attractor { centre: place.position, strength: self.strength, radius: self.radius }
            }
            FieldKind::Buoyancy => {
                let normal = place.rotation * glam::Vec3::Y;
                let (density_ratio, drag, flow) = (self.density_ratio, self.drag, velocity);
                Field::Buoyancy { normal, offset: normal.dot(place.position), density_ratio, drag, flow }
            }
        };
        let mut def = FieldDef { mask: self.mask, ..FieldDef::new(field) };
        if !self.body.is_empty() {
            let body = self.base().try_get_node_as::<WobbleBody3D>(&self.body)?;
            let (_, id) = body.bind().place_in_world()?;
            def.body = Some(id);
        }
        Some(def)
    }

    fn remove(&mut self) {
        self.told = None;
        if let Some((core, id)) = self.placed.take() {
            let _ = core.lock().world.remove_field(id);
        }
    }
}
