//! `WobbleBody3D`: a mesh instance whose mesh is soft.
//!
//! ```text
//! life     joins a world, is built, follows what is set, leaves
//! drawing  the renderer's buffers
//! reading  from the library's skin into their memory
//! frame    the node's transform from the body's motion, and back
//! pins     particles held to the world or to nodes
//! parting  cut and broken bodies: pieces become nodes
//! ```

mod actions;
mod drawing;
mod frame;
mod life;
mod parting;
mod pins;
mod reading;

use std::collections::BTreeMap;

use godot::classes::{Engine, IMeshInstance3D, MeshInstance3D};
use godot::prelude::*;

use crate::convert::Placement;
use crate::material::{LevelWeighting, WobbleMaterial};
use crate::shape::WobbleShape;
use drawing::Drawn;
use life::{Home, Wanted};
use parting::Piece;
pub use reading::Job;

/// A soft body: a [MeshInstance3D] whose mesh moves.
///
/// Give it a mesh and it is soft: change the type of a MeshInstance3D to WobbleBody3D, and it falls, bounces and wobbles.
/// [member shape] says how it is filled with particles; without one the mesh is filled with about a thousand when the
/// scene starts. While it moves its transform follows the body, as that of a [RigidBody3D]; setting the transform moves the
/// body along as it is, and scaling it makes it anew.
#[derive(GodotClass)]
#[class(tool, init, base=MeshInstance3D)]
pub struct WobbleBody3D {
    /// What the body is at rest; made from the mesh if there is none. Bake it in the editor, and share it.
    #[export]
    shape: Option<Gd<WobbleShape>>,
    /// How it answers. Changes take effect at once.
    #[export]
    soft_material: Option<Gd<WobbleMaterial>>,
    /// kg; 0 for what follows from the density of the shape.
    #[export(range = (0.0, 1000.0, 0.001, or_greater, suffix = "kg"))]
    mass: f32,
    /// Which levels have how much to say: coarse ones make a body firm, fine ones rich in motion.
    #[export]
    weighting: LevelWeighting,
    /// Weights of the levels, finest first, where [member weighting] is manual. Their sum does not matter.
    #[export]
    #[var(set)]
    level_weights: PackedFloat32Array,
    /// The MeshInstance3D that shows the body; the body itself if empty.
    #[export(node_path = ("MeshInstance3D"))]
    render_to: NodePath,

    /// The layers that it is in.
    #[export_group(name = "Collision")]
    #[export(flags_3d_physics)]
    #[init(val = 1)]
    collision_layer: u32,
    /// The layers that it meets: those of Godot's bodies, and of soft ones that meet its own.
    #[export(flags_3d_physics)]
    #[init(val = 1)]
    collision_mask: u32,
    /// Distance that particles keep from what they touch, metres.
    #[export(range = (0.0, 1.0, 0.001, or_greater, suffix = "m"))]
    particle_radius: f32,
    /// Whether parts of the body touch each other. Costs about as much as a second body there.
    #[export]
    self_collision: bool,
    /// Whether the body may fall asleep once it is at rest.
    #[export]
    #[init(val = true)]
    can_sleep: bool,

    /// Particles that lie in this box of the mesh's space at rest are held where they are.
    #[export_group(name = "Pins", prefix = "pin_")]
    #[export]
    pin_box: Aabb,
    /// Nodes that hold the particles around them and take them along.
    #[export]
    pin_paths: Array<NodePath>,
    /// All nodes of this group hold the particles around them.
    #[export]
    pin_group: StringName,
    /// How far around such a node particles are held, metres. The nearest is held in any case.
    #[export(range = (0.0, 2.0, 0.01, or_greater, suffix = "m"))]
    #[init(val = 0.1)]
    pin_radius: f32,

    home: Option<Home>,
    wanted: Option<Wanted>,
    /// Where the node is, as far as the body knows.
    placed: Option<Placement>,
    /// Whether the body was moved along with something since the last step.
    is_carried: bool,
    drawn: Option<Drawn>,
    /// Whether nothing changed since the mesh was last drawn.
    is_settled: bool,
    holds: Vec<pins::NodeHold>,
    /// The shape made from the mesh.
    implied: Option<Gd<WobbleShape>>,
    /// What was taken hold of.
    grabs: BTreeMap<i64, wobble::AttachmentId>,
    /// Of a node that came about as a piece of another.
    piece: Option<Piece>,
    /// What the editor shows of a body without a mesh.
    preview: Option<Gd<godot::classes::ArrayMesh>>,
    /// What was last complained about, so that it is not repeated each tick.
    complaint: String,
    base: Base<MeshInstance3D>,
}

#[godot_api]
impl IMeshInstance3D for WobbleBody3D {
    fn ready(&mut self) {
        if Engine::singleton().is_editor_hint() {
            self.show_preview();
            return;
        }
        self.join();
        self.appear();
    }

    fn enter_tree(&mut self) {
        if self.home.is_some() && !Engine::singleton().is_editor_hint() {
            self.join();
        }
    }

    fn exit_tree(&mut self) {
        self.pause();
    }

    fn get_configuration_warnings(&self) -> PackedStringArray {
        self.misconfigurations().iter().map(|text| GString::from(text.as_str())).collect()
    }
}

impl Drop for WobbleBody3D {
    fn drop(&mut self) {
        if let Some(home) = self.home.take() {
            home.core.lock().remove(home.id);
        }
    }
}

#[godot_api]
impl WobbleBody3D {
    /// The body touches something that it did not touch in the tick before: a body, soft or not. The normal leads out of it;
    /// the impulse is what the contact took in this tick, N s.
    #[signal]
    fn contact_began(other: Gd<Node>, point: Vector3, normal: Vector3, impulse: f32);
    /// The body touches something no more. Not emitted for nodes that are gone.
    #[signal]
    fn contact_ended(other: Gd<Node>);
    /// The body fell asleep.
    #[signal]
    fn slept();
    /// The body woke up.
    #[signal]
    fn woke();
    /// The body was cut or broke apart: it is the largest piece, and `pieces` are the others, new nodes beside it with the
    /// same material, in the tree already.
    #[signal]
    fn fractured(pieces: Array<Gd<WobbleBody3D>>);
    /// The body went wild: it was put back to where it was before the tick and stays there until it is reset or teleported.
    #[signal]
    fn froze();

    #[constant]
    const WEIGHTING_DEFAULT: i64 = 0;
    #[constant]
    const WEIGHTING_UNIFORM: i64 = 1;
    #[constant]
    const WEIGHTING_LINEAR_FINE: i64 = 2;
    #[constant]
    const WEIGHTING_LINEAR_COARSE: i64 = 3;
    #[constant]
    const WEIGHTING_GAUSSIAN_FINE: i64 = 4;
    #[constant]
    const WEIGHTING_GAUSSIAN_COARSE: i64 = 5;
    #[constant]
    const WEIGHTING_POLYNOMIAL_FINE: i64 = 6;
    #[constant]
    const WEIGHTING_POLYNOMIAL_COARSE: i64 = 7;
    #[constant]
    const WEIGHTING_MANUAL: i64 = 8;

    /// Giving weights by hand makes the weighting manual.
    #[func]
    fn set_level_weights(&mut self, weights: PackedFloat32Array) {
        if !weights.is_empty() && weights != self.level_weights {
            self.weighting = LevelWeighting::Manual;
        }
        self.level_weights = weights;
    }
}
