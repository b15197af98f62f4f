//! Bodies that are cut, break or are mended: nodes and meshes for the pieces.
//!
//! The largest piece stays the node that broke. The others are known to the world at once, so that no tick passes them by,
//! and come into the tree when the engine has finished what it is at: then `fractured` is emitted.

use std::sync::Arc;

use godot::classes::mesh::ArrayType;
use godot::classes::{ArrayMesh, Material, Node};
use godot::obj::{InstanceId, WithBaseField};
use godot::prelude::*;
use wobble::{BodyId, BreakEvent, Knife, Shape, Skin};

use super::WobbleBody3D;
use super::drawing::Drawn;
use super::life::Home;
use crate::convert::warn;
use crate::shape::{add_surface, array, arrays_of};

/// What a node knows that is a piece of another.
pub struct Piece {
    pub is_debris: bool,
    /// Whether it is yet to come into the tree.
    is_arriving: bool,
}

impl WobbleBody3D {
    pub(super) fn is_arriving(&self) -> bool {
        self.piece.as_ref().is_some_and(|piece| piece.is_arriving)
    }

    /// Whether the body is not whole.
    pub(super) fn is_parted(&self) -> bool {
        let torn = self.home.as_ref().is_some_and(|home| !Arc::ptr_eq(&home.shape, &home.unbroken));
        torn || self.is_piece()
    }

    /// A piece comes into the tree: it goes where its body is.
    pub(super) fn appear(&mut self) {
        let Some(piece) = &mut self.piece else { return };
        piece.is_arriving = false;
        if let Some(placed) = self.placed {
            self.place(placed);
            self.draw_now();
        }
    }

    pub(super) fn cut_with(&mut self, knife: &Knife) -> i64 {
        let inside = self.base().is_inside_tree();
        let Some(home) = self.home.as_ref().filter(|_| inside) else {
            self.complain(
                "there is no body to cut: it is made when the node is ready, from a mesh or a shape",
            );
            return 0;
        };
        let (core, id) = (home.core.clone(), home.id);
        let before = core.lock().world.breaks().len();
        let cut = core.lock().world.cut(id, knife);
        match cut {
            Ok(count) => {
                let breaks = core.lock().world.breaks()[before..].to_vec();
                self.part(&breaks);
                count as i64
            }
            Err(error) => {
                warn(&self.to_gd().upcast(), error);
                0
            }
        }
    }

    /// Makes nodes of the pieces that broke off this body, and draws what is left of it.
    pub fn part(&mut self, breaks: &[BreakEvent]) {
        let Some((_, own)) = self.place_in_world() else { return };
        let others = breaks.iter().filter(|event| event.piece != own);
        let pieces: Vec<InstanceId> =
            others.filter_map(|event| self.piece_node(event.piece, event.is_debris)).collect();
        self.is_settled = false;
        self.follow_shape();
        if pieces.is_empty() {
            return;
        }
        let (body, parent) = (self.to_gd().instance_id(), self.base().get_parent());
        let parent = parent.map(|parent| parent.instance_id());
        let arrival = Callable::from_sync_fn("arrive", move |_| arrive(body, parent, &pieces));
        arrival.call_deferred(&[]);
    }

    /// A node for a piece: set as this one is, drawn from the piece's own mesh.
    fn piece_node(&self, id: BodyId, is_debris: bool) -> Option<InstanceId> {
        let (home, placed) = (self.home.as_ref()?, self.placed?);
        let shape = Arc::clone(home.core.lock().world.body(id).ok()?.shape());
        let mut node = WobbleBody3D::new_alloc();
        let from = self.base();
        node.set_name(&GString::from(&from.get_name()));
        node.set_visible(from.is_visible());
        node.set_layer_mask(from.get_layer_mask());
        node.set_cast_shadows_setting(from.get_cast_shadows_setting());
        node.set_process_mode(from.get_process_mode());
        node.set_material_override(from.get_material_override().as_ref());
        node.set_material_overlay(from.get_material_overlay().as_ref());
        let drawn = self.divided(&shape);
        let mut made = node.bind_mut();
        made.soft_material = self.soft_material.clone();
        (made.weighting, made.level_weights) = (self.weighting, self.level_weights.clone());
        (made.collision_layer, made.collision_mask) = (self.collision_layer, self.collision_mask);
        (made.particle_radius, made.self_collision) = (self.particle_radius, self.self_collision);
        made.can_sleep = self.can_sleep;
        // The library has set the piece as the whole was.
        (made.wanted, made.placed) = (self.wanted.clone(), Some(placed));
        made.piece = Some(Piece { is_debris, is_arriving: true });
        let (core, made_from) = (home.core.clone(), made.made_from(placed.scale));
        made.home = Some(Home { core, id, unbroken: Arc::clone(&shape), shape, made_from });
        if let Some(drawn) = drawn {
            made.show(drawn);
        }
        drop(made);
        home.core.lock().bodies.push((id, node.instance_id()));
        Some(node.instance_id())
    }

    /// Where the body was torn or mended since it was drawn: shows the mesh that it has.
    pub(super) fn follow_shape(&mut self) {
        let Some(home) = &self.home else { return };
        let now = self.ask(Arc::clone(&home.shape), |body| Arc::clone(body.shape()));
        if Arc::ptr_eq(&now, &home.shape) {
            return;
        }
        let drawn = if Arc::ptr_eq(&now, &home.unbroken) && !self.is_piece() {
            Drawn::new(self.base().get_mesh(), &now).ok()
        } else {
            self.divided(&now)
        };
        if let Some(home) = &mut self.home {
            home.shape = now;
        }
        self.drawn = None;
        match drawn {
            Some(drawn) => self.show(drawn),
            None => self.base_mut().set_base(Rid::Invalid),
        }
    }

    /// A piece without a mesh: the node goes where it is.
    pub(super) fn follow_unseen(&mut self) {
        let (Some(home), Some(placed)) = (&self.home, self.placed) else { return };
        let centre = home.shape.centre();
        let went = self.ask(placed, |body| placed.moved_with(body, centre));
        self.place(went);
    }

    /// What draws a piece of this body, with the texture coordinates and the material that it had; none if the piece has no
    /// mesh, as one from within.
    fn divided(&self, shape: &Shape) -> Option<Drawn> {
        let skin = shape.skin()?;
        let mut arrays = arrays_of(skin, shape.centre());
        let whole = self.drawn.as_ref().map(|drawn| drawn.mesh.clone());
        if let Some(whole) = &whole {
            hand_on_coordinates(skin, whole, &mut arrays);
        }
        let mut mesh = ArrayMesh::new_gd();
        add_surface(&mut mesh, &arrays);
        if let Some(material) = whole.and_then(|whole| self.look(&whole)) {
            mesh.surface_set_material(0, &material);
        }
        Drawn::with(mesh).ok()
    }

    /// The material of the first surface.
    fn look(&self, drawn: &Gd<ArrayMesh>) -> Option<Gd<Material>> {
        let from = self.base();
        let set = (from.get_surface_override_material_count() > 0)
            .then(|| from.get_surface_override_material(0))
            .flatten();
        set.or_else(|| (drawn.get_surface_count() > 0).then(|| drawn.surface_get_material(0)).flatten())
    }

    /// Back to what the body was before it was dented, cut or broken.
    pub(super) fn mend(&mut self) {
        let Some(home) = &self.home else {
            self.complain(
                "there is no body to reset: it is made when the node is ready, from a mesh or a shape",
            );
            return;
        };
        let (core, id, before) = (home.core.clone(), home.id, Arc::clone(&home.shape));
        let done = core.lock().world.reset_body(id);
        let gone = core.lock().forget_missing();
        for piece in gone {
            if let Ok(mut piece) = Gd::<Node>::try_from_instance_id(piece) {
                piece.queue_free();
            }
        }
        if let Err(error) = done {
            warn(&self.to_gd().upcast(), error);
            return;
        }
        self.follow_shape();
        if self.home.as_ref().is_some_and(|home| !Arc::ptr_eq(&home.shape, &before)) {
            self.wanted = None;
            self.follow_properties();
            self.pin_by_box();
        }
        self.draw_now();
    }
}

/// Texture coordinates for the vertices of a piece, from those of the mesh that was divided.
fn hand_on_coordinates(skin: &Skin, whole: &Gd<ArrayMesh>, arrays: &mut VarArray) {
    let mut known: Vec<Vector2> = Vec::new();
    for surface in 0..whole.get_surface_count() {
        let count = whole.surface_get_array_len(surface) as usize;
        let own: PackedVector2Array = array(&whole.surface_get_arrays(surface), ArrayType::TEX_UV);
        let filled = known.len() + count;
        known.extend(own.as_slice());
        known.resize(filled, Vector2::ZERO);
    }
    let at = |vertex: u32| known.get(vertex as usize).copied().unwrap_or_default();
    if known.iter().any(|uv| *uv != Vector2::ZERO) && skin.sources().len() == skin.vertex_count() {
        let between = |s: &wobble::SkinSource| at(s.between[0]).lerp(at(s.between[1]), s.share);
        let handed: PackedVector2Array = skin.sources().iter().map(between).collect();
        arrays.set(ArrayType::TEX_UV.ord() as usize, &handed.to_variant());
    }
}

/// Puts pieces beside the body that they broke off, or frees them where there is no place any more; then tells scripts.
fn arrive(body: InstanceId, parent: Option<InstanceId>, pieces: &[InstanceId]) {
    let parent = parent.and_then(|parent| Gd::<Node>::try_from_instance_id(parent).ok());
    let parent = parent.filter(|parent| parent.is_inside_tree() && !parent.is_queued_for_deletion());
    let mut arrived = Array::<Gd<WobbleBody3D>>::new();
    for piece in pieces {
        let Ok(piece) = Gd::<WobbleBody3D>::try_from_instance_id(*piece) else { continue };
        match parent.clone() {
            Some(mut parent) => {
                parent.add_child_ex(&piece).force_readable_name(true).done();
                arrived.push(&piece);
            }
            None => piece.free(),
        }
    }
    if let Ok(mut body) = Gd::<WobbleBody3D>::try_from_instance_id(body) {
        body.emit_signal("fractured", &[arrived.to_variant()]);
    }
}
