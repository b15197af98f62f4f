//! The body's mesh into the renderer's buffers, all vertices of a surface at once.
//!
//! A surface's vertex buffer has all positions, 12 bytes each, then for each vertex the normal and the tangent, each
//! a point of the unfolded octahedron in two 16-bit numbers.

use glam::{Affine3A, Vec3, Vec3A, Vec4};
use godot::classes::mesh::{ArrayFormat, ArrayType};
use godot::classes::{ArrayMesh, Mesh, MeshInstance3D, RenderingServer};
use godot::obj::WithBaseField;
use godot::prelude::*;
use wobble::{BodyId, Error, Shape, SkinBuffers, World};

use super::WobbleBody3D;
use crate::convert::vector3;
use crate::shape::{add_surface, array_mesh, triangle_surfaces};

/// A mesh whose vertices follow a body.
pub struct Drawn {
    mesh: Gd<ArrayMesh>,
    surfaces: Vec<Surface>,
    /// As the library deforms them, in the world.
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
}

/// A surface's vertices among all, and its buffer.
struct Surface {
    first: usize,
    count: usize,
    /// Bytes of a vertex's normal and tangent.
    stride: usize,
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
        let count = skin.vertex_count();
        let mut first = 0;
        let surfaces: Result<Vec<Surface>, String> = (0..mesh.get_surface_count())
            .map(|index| {
                let surface = Surface::of(&mesh, index, first)?;
                first += surface.count;
                Ok(surface)
            })
            .collect();
        let tangents = if skin.tangents().is_empty() { 0 } else { count };
        Ok(Drawn {
            mesh,
            surfaces: surfaces?,
            positions: vec![Vec3::ZERO; count],
            normals: vec![Vec3::ZERO; count],
            tangents: vec![Vec4::ZERO; tangents],
        })
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

    fn read(&mut self, world: &mut World, id: BodyId, fraction: f32) -> Result<(), Error> {
        let tangents = (!self.tangents.is_empty()).then_some(&mut self.tangents[..]);
        let (positions, normals) = (Some(&mut self.positions[..]), Some(&mut self.normals[..]));
        let mut out = SkinBuffers { positions, normals, tangents, ..SkinBuffers::default() };
        world.read_skin(id, fraction, &mut out).map(drop)
    }

    fn put(&mut self, to_local: Affine3A) {
        let mut server = RenderingServer::singleton();
        let rid = self.mesh.get_rid();
        let (mut low, mut high) = (Vec3A::INFINITY, Vec3A::NEG_INFINITY);
        for (index, surface) in (0..).zip(&mut self.surfaces) {
            let some = surface.first..surface.first + surface.count;
            let (places, directions) = surface.bytes.as_mut_slice().split_at_mut(12 * surface.count);
            for (p, out) in self.positions[some.clone()].iter().zip(places.as_chunks_mut::<12>().0) {
                let p = to_local.transform_point3a(Vec3A::from(*p));
                (low, high) = (low.min(p), high.max(p));
                put_position(p, out);
            }
            let turn = to_local.matrix3.inverse().transpose();
            for (n, out) in self.normals[some.clone()].iter().zip(directions.chunks_exact_mut(surface.stride))
            {
                out[..4].copy_from_slice(&octahedral(turn * Vec3A::from(*n)).to_le_bytes());
            }
            if surface.has_tangents && !self.tangents.is_empty() {
                for (t, out) in self.tangents[some].iter().zip(directions.chunks_exact_mut(surface.stride)) {
                    let along = to_local.matrix3 * Vec3A::from(t.truncate());
                    out[4..8].copy_from_slice(&octahedral_tangent(along, t.w).to_le_bytes());
                }
            }
            server.mesh_surface_update_vertex_region(rid, index, 0, &surface.bytes);
        }
        if low.is_finite() && high.is_finite() {
            server.mesh_set_custom_aabb(rid, Aabb::new(vector3(low.into()), vector3((high - low).into())));
        }
    }
}

#[inline(always)]
fn put_position(p: Vec3A, out: &mut [u8; 12]) {
    let [x, y, z] = p.to_array().map(f32::to_le_bytes);
    out[..4].copy_from_slice(&x);
    out[4..8].copy_from_slice(&y);
    out[8..].copy_from_slice(&z);
}

/// A direction of any length as a point of the unfolded octahedron, each coordinate from 0 to 1.
#[inline(always)]
fn unfolded(n: Vec3A) -> (f32, f32) {
    let size = n.x.abs() + n.y.abs() + n.z.abs();
    let (x, y) = if size > 0.0 { (n.x / size, n.y / size) } else { (0.0, 0.0) };
    let folded = |a: f32, b: f32| (1.0 - b.abs()).copysign(a);
    let (x, y) = if n.z >= 0.0 { (x, y) } else { (folded(x, y), folded(y, x)) };
    (0.5 * x + 0.5, 0.5 * y + 0.5)
}

#[inline(always)]
fn words(x: f32, y: f32) -> u32 {
    let word = |v: f32| (v * 65535.0) as u16;
    u32::from(word(x)) | u32::from(word(y)) << 16
}

#[inline(always)]
fn octahedral(normal: Vec3A) -> u32 {
    let (x, y) = unfolded(normal);
    words(x, y)
}

/// The side of the bitangent is told by the half that the second coordinate is in.
#[inline(always)]
fn octahedral_tangent(tangent: Vec3A, side: f32) -> u32 {
    let (x, y) = unfolded(tangent);
    let y = 0.5 * y.max(1.0 / 32767.0) + 0.5;
    let found = words(x, if side >= 0.0 { y } else { 1.0 - y });
    // This one means that there is no tangent.
    if found == 0xffff_0000 { 0xffff_ffff } else { found }
}

impl Surface {
    fn of(mesh: &Gd<ArrayMesh>, index: i32, first: usize) -> Result<Surface, String> {
        let server = RenderingServer::singleton();
        let (count, format) = (mesh.surface_get_array_len(index), mesh.surface_get_format(index));
        let format_of_server = godot::classes::rendering_server::ArrayFormat::from_ord(format.ord());
        let at =
            |array: ArrayType| server.mesh_surface_get_format_offset(format_of_server, count, array.ord());
        let stride = server.mesh_surface_get_format_normal_tangent_stride(format_of_server, count) as usize;
        let expected = server.mesh_surface_get_format_vertex_stride(format_of_server, count) == 12
            && at(ArrayType::NORMAL) as i32 == 12 * count
            && stride >= 4;
        if !expected {
            return Err(
                "the renderer lays vertices out in a way that is not known; use Godot 4.4 or later".into()
            );
        }
        let mut bytes = PackedByteArray::new();
        bytes.resize(count as usize * (12 + stride));
        let has_tangents = format.is_set(ArrayFormat::TANGENT) && stride >= 8;
        Ok(Surface { first, count: count as usize, stride, has_tangents, bytes })
    }
}

fn positions_of(arrays: &VarArray) -> PackedVector3Array {
    arrays.get(ArrayType::VERTEX.ord() as usize).and_then(|a| a.try_to().ok()).unwrap_or_default()
}

/// The triangles of a mesh with all that belongs to their vertices but bones, and normals in any case.
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

    /// Deforms the mesh as it is at `fraction` between the last two ticks.
    pub(super) fn read_skin(&mut self, fraction: f32) {
        let (Some(home), Some(drawn)) = (&self.home, &mut self.drawn) else { return };
        let read = drawn.read(&mut home.core.borrow_mut().world, home.id, fraction);
        if let Err(error) = read {
            self.complain(&error.to_string());
        }
    }

    /// Hands what was read to the renderer.
    pub(super) fn put_on_screen(&mut self) {
        if !self.base().is_inside_tree() {
            return;
        }
        let to_local = self.to_local();
        if let (Some(to_local), Some(drawn)) = (to_local, &mut self.drawn) {
            drawn.put(to_local);
        }
    }

    /// Shows the body as it is at `fraction` between the last two ticks, 1 being now.
    pub fn draw(&mut self, fraction: f32) {
        if self.is_settled {
            return;
        }
        self.read_skin(fraction);
        self.put_on_screen();
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

    /// The buffer of a surface as the renderer has it.
    pub(super) fn surface_bytes(&self, surface: i64) -> PackedByteArray {
        let surfaces = self.drawn.as_ref().map_or(&[][..], |drawn| &drawn.surfaces);
        let found = usize::try_from(surface).ok().and_then(|index| surfaces.get(index));
        found.map_or(PackedByteArray::new(), |surface| surface.bytes.clone())
    }

    /// Vertices as last read, in the world.
    pub(super) fn vertices(&self) -> &[Vec3] {
        self.drawn.as_ref().map_or(&[], |drawn| &drawn.positions)
    }
}
