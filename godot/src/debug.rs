//! What cannot be seen: particles, and where bodies touch.

use godot::classes::base_material_3d::{Flags, ShadingMode};
use godot::classes::mesh::{ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, MeshInstance3D, Node, StandardMaterial3D};
use godot::prelude::*;

use crate::convert::vector3;
use crate::core::Core;

const FREE: Color = Color::from_rgb(1.0, 0.8, 0.2);
const ASLEEP: Color = Color::from_rgb(0.4, 0.5, 0.9);
const PINNED: Color = Color::from_rgb(1.0, 0.2, 0.2);
const CONTACT: Color = Color::from_rgb(0.2, 1.0, 0.4);

/// A mesh of points and lines below the world; gone when dropped.
pub struct Drawing {
    node: Gd<MeshInstance3D>,
    mesh: Gd<ArrayMesh>,
    material: Gd<StandardMaterial3D>,
}

impl Drawing {
    pub fn new(world: &Gd<Node>) -> Drawing {
        let mut material = StandardMaterial3D::new_gd();
        material.set_shading_mode(ShadingMode::UNSHADED);
        material.set_flag(Flags::ALBEDO_FROM_VERTEX_COLOR, true);
        material.set_flag(Flags::USE_POINT_SIZE, true);
        material.set_flag(Flags::DISABLE_DEPTH_TEST, true);
        material.set_point_size(4.0);
        let mesh = ArrayMesh::new_gd();
        let mut node = MeshInstance3D::new_alloc();
        node.set_mesh(&mesh);
        world.clone().add_child_ex(&node).internal(godot::classes::node::InternalMode::BACK).done();
        Drawing { node, mesh, material }
    }

    pub fn update(&mut self, core: &Core) {
        self.mesh.clear_surfaces();
        let (mut places, mut colours) = (PackedVector3Array::new(), PackedColorArray::new());
        for (_, body) in core.world.bodies() {
            let colour = if body.is_sleeping() { ASLEEP } else { FREE };
            for p in body.raw_positions() {
                places.push(vector3(p.truncate()));
                colours.push(if p.w == 0.0 { PINNED } else { colour });
            }
        }
        self.add(PrimitiveType::POINTS, places, colours);
        let (mut places, mut colours) = (PackedVector3Array::new(), PackedColorArray::new());
        for contact in core.world.contacts() {
            places.push(vector3(contact.point));
            places.push(vector3(contact.point + contact.normal * 0.2));
            colours.extend([CONTACT, CONTACT]);
        }
        self.add(PrimitiveType::LINES, places, colours);
    }

    fn add(&mut self, kind: PrimitiveType, places: PackedVector3Array, colours: PackedColorArray) {
        if places.is_empty() {
            return;
        }
        let mut arrays = VarArray::new();
        arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
        arrays.set(ArrayType::VERTEX.ord() as usize, &places.to_variant());
        arrays.set(ArrayType::COLOR.ord() as usize, &colours.to_variant());
        self.mesh.add_surface_from_arrays(kind, &arrays);
        let last = self.mesh.get_surface_count() - 1;
        self.mesh.surface_set_material(last, &self.material);
    }
}

impl Drop for Drawing {
    fn drop(&mut self) {
        if self.node.is_instance_valid() {
            self.node.queue_free();
        }
    }
}
