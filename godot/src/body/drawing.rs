//! The body's mesh into the renderer's buffers, all vertices of a surface at once.

use glam::{Affine3A, Vec3};
use godot::classes::mesh::{ArrayFormat, ArrayType};
use godot::classes::{ArrayMesh, Mesh, MeshInstance3D, RenderingServer};
use godot::obj::WithBaseField;
use godot::prelude::*;
use wobble::{BodyId, Error, Shape};

use super::WobbleBody3D;
use super::reading::{Done, Job, Sheet, Space};
use crate::convert::vector3;
use crate::shape::{add_surface, array_mesh, triangle_surfaces};

/// A mesh whose vertices follow a body.
pub struct Drawn {
    pub mesh: Gd<ArrayMesh>,
    surfaces: Vec<Surface>,
    /// From the world to the vertices as they were last drawn.
    frame: Affine3A,
}

/// A surface's vertices among all, and its buffer.
struct Surface {
    first: usize,
    count: usize,
    has_tangents: bool,
    bytes: PackedByteArray,
}

impl Drawn {
    /// A copy of `mesh`, or the mesh that the shape carries.
    pub fn new(mesh: Option<Gd<Mesh>>, shape: &Shape) -> Result<Drawn, String> {
        let skin = shape.skin().ok_or("the shape carries no mesh to be drawn; bake it from one")?;
        let mesh = match mesh {
            Some(mesh) => {
                Drawn::fits(&mesh, shape)?;
                copy(&mesh, shape)
            }
            None => array_mesh(skin, shape.centre()),
        };
        Drawn::with(mesh)
    }

    /// What draws a skin by a mesh that has its vertices in their order.
    pub fn with(mesh: Gd<ArrayMesh>) -> Result<Drawn, String> {
        let mut first = 0;
        let surfaces: Result<Vec<Surface>, String> = (0..mesh.get_surface_count())
            .map(|index| {
                let surface = Surface::of(&mesh, index, first)?;
                first += surface.count;
                Ok(surface)
            })
            .collect();
        Ok(Drawn { mesh, surfaces: surfaces?, frame: Affine3A::IDENTITY })
    }

    /// Whether the vertices of a mesh are those that the shape carries.
    pub fn fits(mesh: &Gd<Mesh>, shape: &Shape) -> Result<(), String> {
        let vertices: usize =
            triangle_surfaces(mesh).map(|s| positions_of(&mesh.surface_get_arrays(s)).len()).sum();
        let carried = shape.skin().map_or(0, |skin| skin.vertex_count());
        if vertices == carried {
            return Ok(());
        }
        Err(format!(
            "the mesh has {vertices} vertices and the shape was baked from one of {carried}; bake the shape from this \
             mesh, or take the mesh away to show that of the shape"
        ))
    }

    /// What there is to do off the main thread, and the plain memory to do it in.
    pub fn job(&mut self, fraction: f32, space: Space) -> Job<'_> {
        let surfaces = self.surfaces.iter_mut().map(|s| {
            let (places, directions) = s.bytes.as_mut_slice().split_at_mut(12 * s.count);
            let range = s.first..s.first + s.count;
            // SAFETY: of floats and words all bits are fine, and a place is nothing but three floats.
            let (places, directions) = unsafe { (places.align_to_mut().1, directions.align_to_mut().1) };
            Sheet { range, has_tangents: s.has_tangents, places, directions }
        });
        Job { fraction, space, surfaces: surfaces.collect(), done: None }
    }

    /// Hands the buffers to the renderer, and the box about them.
    pub fn put(&mut self, done: &Done) {
        self.frame = done.frame;
        let [low, high] = done.bounds;
        let mut server = RenderingServer::singleton();
        let rid = self.mesh.get_rid();
        for (index, surface) in (0..).zip(&self.surfaces) {
            server.mesh_surface_update_vertex_region(rid, index, 0, &surface.bytes);
        }
        if low.is_finite() && high.is_finite() {
            server.mesh_set_custom_aabb(rid, Aabb::new(vector3(low), vector3(high - low)));
        }
    }
}

impl Surface {
    fn of(mesh: &Gd<ArrayMesh>, index: i32, first: usize) -> Result<Surface, String> {
        let server = RenderingServer::singleton();
        let (count, format) = (mesh.surface_get_array_len(index), mesh.surface_get_format(index));
        let format_of_server = godot::classes::rendering_server::ArrayFormat::from_ord(format.ord());
        let at =
            |array: ArrayType| server.mesh_surface_get_format_offset(format_of_server, count, array.ord());
        let has_tangents = format.is_set(ArrayFormat::TANGENT);
        let stride = if has_tangents { 8 } else { 4 };
        let expected = server.mesh_surface_get_format_vertex_stride(format_of_server, count) == 12
            && at(ArrayType::NORMAL) as i32 == 12 * count
            && server.mesh_surface_get_format_normal_tangent_stride(format_of_server, count) == stride;
        if !expected {
            return Err(
                "the renderer lays vertices out in a way that is not known; use Godot 4.4 or later".into()
            );
        }
        let surface = RenderingServer::singleton().mesh_get_surface(mesh.get_rid(), index);
        let mut bytes: PackedByteArray =
            surface.get("vertex_data").and_then(|data| data.try_to().ok()).unwrap_or_default();
        bytes.resize(count as usize * (12 + stride as usize));
        Ok(Surface { first, count: count as usize, has_tangents, bytes })
    }
}

fn positions_of(arrays: &VarArray) -> PackedVector3Array {
    arrays.get(ArrayType::VERTEX.ord() as usize).and_then(|a| a.try_to().ok()).unwrap_or_default()
}

/// The triangles of a mesh with all that belongs to their vertices but bones, and tangents that the shape does not have;
/// with normals in any case.
fn copy(mesh: &Gd<Mesh>, shape: &Shape) -> Gd<ArrayMesh> {
    let mut copied = ArrayMesh::new_gd();
    let mut first = 0;
    for index in triangle_surfaces(mesh) {
        let mut arrays = mesh.surface_get_arrays(index);
        let count = positions_of(&arrays).len();
        let slot = |array: ArrayType| array.ord() as usize;
        if arrays.at(slot(ArrayType::NORMAL)).is_nil() {
            let normals = shape.skin().map_or(&[][..], |skin| &skin.normals()[first..first + count]);
            let normals: PackedVector3Array = normals.iter().map(|n| vector3(n.truncate())).collect();
            arrays.set(slot(ArrayType::NORMAL), &normals.to_variant());
        }
        for bones in [ArrayType::BONES, ArrayType::WEIGHTS] {
            arrays.set(slot(bones), &Variant::nil());
        }
        if shape.skin().is_none_or(|skin| skin.tangents().is_empty()) {
            arrays.set(slot(ArrayType::TANGENT), &Variant::nil());
        }
        add_surface(&mut copied, &arrays);
        if let Some(material) = mesh.surface_get_material(index) {
            let last = copied.get_surface_count() - 1;
            copied.surface_set_material(last, &material);
        }
        first += count;
    }
    copied
}

impl WobbleBody3D {
    /// The node that shows the body, if it is not the body itself.
    pub(super) fn target(&self) -> Option<Gd<MeshInstance3D>> {
        if self.render_to.is_empty() {
            return None;
        }
        self.base().try_get_node_as::<MeshInstance3D>(&self.render_to)
    }

    /// Shows a mesh in place of the one at rest.
    pub(super) fn show(&mut self, drawn: Drawn) {
        match self.target() {
            Some(mut target) => {
                target.set_mesh(&drawn.mesh);
                self.base_mut().set_base(Rid::Invalid);
            }
            None => {
                self.base_mut().set_base(drawn.mesh.get_rid());
                self.show_overrides(drawn.surfaces.len() as i32);
            }
        }
        self.drawn = Some(drawn);
    }

    /// A new base forgets the materials that the node sets on surfaces.
    fn show_overrides(&mut self, surfaces: i32) {
        let (mut server, instance) = (RenderingServer::singleton(), self.base().get_instance());
        for index in 0..surfaces.min(self.base().get_surface_override_material_count()) {
            if let Some(material) = self.base().get_surface_override_material(index) {
                server.instance_set_surface_override_material(instance, index, material.get_rid());
            }
        }
    }

    /// What is needed to draw the body; with `follow` the node is to go where the body is, too. `None` if nothing changed
    /// since it was drawn.
    pub fn begin_drawing(&mut self, follow: bool) -> Option<(BodyId, Drawn, Space)> {
        self.follow_shape();
        let still = self.ask(true, |body| body.is_sleeping() || !body.is_enabled());
        if still && self.is_settled || !self.base().is_inside_tree() {
            return None;
        }
        self.is_settled = still;
        if self.drawn.is_none() && follow {
            self.follow_unseen();
        }
        let home = self.home.as_ref()?;
        let id = home.id;
        let space = match (self.placed, self.target()) {
            (Some(placed), None) if follow => Space::Body(placed, home.shape.centre()),
            (_, target) => Space::Node(self.to_local(target)?),
        };
        Some((id, self.drawn.take()?, space))
    }

    /// Takes back what [`WobbleBody3D::begin_drawing`] gave; hands what was drawn to the renderer, and moves the node.
    pub fn end_drawing(&mut self, mut drawn: Drawn, done: Option<Result<Done, Error>>) {
        match done {
            Some(Ok(done)) => {
                drawn.put(&done);
                if let Some(placement) = done.placement {
                    self.place(placement);
                }
            }
            Some(Err(error)) => self.complain(&error.to_string()),
            None => {}
        }
        self.drawn = Some(drawn);
    }

    /// Draws this body alone, and moves the node to it.
    pub(super) fn draw_now(&mut self) {
        self.is_settled = false;
        let Some((_, mut drawn, space)) = self.begin_drawing(true) else { return };
        let mut job = drawn.job(1.0, space);
        self.ask((), |body| job.run(body));
        let done = job.done;
        self.end_drawing(drawn, done);
    }

    /// In the editor: a body without a mesh shows that of its shape.
    pub(super) fn show_preview(&mut self) {
        let Some(mut shape) = self.shape.clone() else { return };
        if self.base().get_mesh().is_none()
            && let Some(mesh) = shape.bind_mut().get_skin_mesh()
        {
            self.base_mut().set_base(mesh.get_rid());
            self.preview = Some(mesh);
        }
    }

    /// The mesh that moves; null if there is no body.
    pub(super) fn moving_mesh(&self) -> Option<Gd<ArrayMesh>> {
        self.drawn.as_ref().map(|drawn| drawn.mesh.clone())
    }

    /// Whether the renderer shows what is drawn, and not the mesh at rest.
    pub(super) fn is_shown(&self) -> bool {
        let elsewhere = !self.render_to.is_empty();
        let wanted =
            self.drawn.as_ref().filter(|_| !elsewhere).map_or(Rid::Invalid, |drawn| drawn.mesh.get_rid());
        self.base().get_base() == wanted
    }

    pub(super) fn show_again(&mut self) {
        if let Some(drawn) = self.drawn.take() {
            self.show(drawn);
        }
    }

    /// The buffer of a surface as the renderer has it.
    pub(super) fn surface_bytes(&self, surface: i64) -> PackedByteArray {
        let surfaces = self.drawn.as_ref().map_or(&[][..], |drawn| &drawn.surfaces);
        let found = usize::try_from(surface).ok().and_then(|index| surfaces.get(index));
        found.map_or(PackedByteArray::new(), |surface| surface.bytes.clone())
    }

    /// Where the vertices were last drawn in the world.
    pub(super) fn vertices(&self) -> Vec<Vec3> {
        let Some(drawn) = &self.drawn else { return Vec::new() };
        let to_world = drawn.frame.inverse();
        let places =
            drawn.surfaces.iter().flat_map(|s| s.bytes.as_slice()[..12 * s.count].as_chunks::<12>().0);
        let in_world = |bytes: &[u8; 12]| {
            let at = |k: usize| f32::from_le_bytes([bytes[k], bytes[k + 1], bytes[k + 2], bytes[k + 3]]);
            to_world.transform_point3(Vec3::new(at(0), at(4), at(8)))
        };
        places.map(in_world).collect()
    }
}
