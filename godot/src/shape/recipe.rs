//! From Godot's meshes to shapes, and back to meshes. What is baked holds nothing of Godot's, so any thread may.

use std::sync::Arc;

use glam::{Vec3, Vec4};
use godot::classes::mesh::{ArrayFormat, ArrayType, PrimitiveType};
use godot::classes::{ArrayMesh, Mesh};
use godot::prelude::*;
use wobble::{Error, Indices, LevelsDef, SamplingDef, Shape, Skin, Solid};

use crate::convert::{vec3, vector3};

/// What a shape is made from.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum Source {
    #[default]
    Mesh = 0,
    Ball = 1,
    Box = 2,
    Capsule = 3,
    Torus = 4,
    Cylinder = 5,
    GummyBear = 6,
}

/// How particles inside are laid out.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum Layout {
    #[default]
    BlueNoise = 0,
    Grid = 1,
    BodyCentred = 2,
}

/// A channel of the vertex colours.
#[derive(GodotConvert, Var, Export, Default, Clone, Copy, PartialEq, Eq, Debug)]
#[godot(via = i64)]
pub enum Channel {
    #[default]
    None = 0,
    Red = 1,
    Green = 2,
    Blue = 3,
    Alpha = 4,
}

impl Channel {
    /// What a colour multiplies toughness by: black is as weak as can be, white as tough as the material.
    fn toughness(self, colour: &Color) -> f32 {
        let value = match self {
            Channel::None => 1.0,
            Channel::Red => colour.r,
            Channel::Green => colour.g,
            Channel::Blue => colour.b,
            Channel::Alpha => colour.a,
        };
        value.clamp(1e-3, 1.0)
    }
}

/// All surfaces of a mesh that are made of triangles, one after the other.
#[derive(Default)]
pub struct Geometry {
    positions: Vec<Vec3>,
    /// Zero where a surface has none.
    normals: Vec<Vec3>,
    /// Zero where a surface has none; empty if none has.
    tangents: Vec<Vec4>,
    indices: Vec<u32>,
    /// Empty if none is painted.
    toughness: Vec<f32>,
}

impl Geometry {
    pub fn of(mesh: &Gd<Mesh>, toughness: Channel) -> Result<Geometry, String> {
        let mut all = Geometry::default();
        for surface in triangle_surfaces(mesh) {
            all.add(&mesh.surface_get_arrays(surface), toughness);
        }
        if all.indices.is_empty() {
            return Err("the mesh has no triangles".into());
        }
        Ok(all)
    }

    fn add(&mut self, arrays: &VarArray, toughness: Channel) {
        let start = self.positions.len();
        let positions: PackedVector3Array = array(arrays, ArrayType::VERTEX);
        let normals: PackedVector3Array = array(arrays, ArrayType::NORMAL);
        let tangents: PackedFloat32Array = array(arrays, ArrayType::TANGENT);
        let indices: PackedInt32Array = array(arrays, ArrayType::INDEX);
        self.positions.extend(positions.as_slice().iter().map(|p| vec3(*p)));
        self.normals.extend(normals.as_slice().iter().map(|n| vec3(*n)));
        self.normals.resize(self.positions.len(), Vec3::ZERO);
        if !tangents.is_empty() {
            self.tangents.resize(start, Vec4::ZERO);
            self.tangents.extend(tangents.as_slice().chunks_exact(4).map(Vec4::from_slice));
        }
        if !self.tangents.is_empty() {
            self.tangents.resize(self.positions.len(), Vec4::ZERO);
        }
        if toughness != Channel::None {
            let colours: PackedColorArray = array(arrays, ArrayType::COLOR);
            self.toughness.extend(colours.as_slice().iter().map(|colour| toughness.toughness(colour)));
            self.toughness.resize(self.positions.len(), 1.0);
        }
        let first = start as u32;
        // Godot's triangles are clockwise seen from outside.
        let mut add = |a: u32, b: u32, c: u32| self.indices.extend([first + a, first + c, first + b]);
        if indices.is_empty() {
            let count = positions.len() as u32;
            (0..count / 3).for_each(|t| add(3 * t, 3 * t + 1, 3 * t + 2));
        } else {
            indices.as_slice().chunks_exact(3).for_each(|t| add(t[0] as u32, t[1] as u32, t[2] as u32));
        }
    }

    fn mesh(&self) -> wobble::Mesh<'_> {
        wobble::Mesh {
            positions: &self.positions,
            indices: Indices::U32(&self.indices),
            normals: Some(&self.normals),
            tangents: (!self.tangents.is_empty()).then_some(&self.tangents[..]),
            toughness: (!self.toughness.is_empty()).then_some(&self.toughness[..]),
            ..wobble::Mesh::default()
        }
    }
}

/// The surfaces of a mesh that bodies take notice of.
pub fn triangle_surfaces(mesh: &Gd<Mesh>) -> impl Iterator<Item = i32> + use<> {
    let arrays = mesh.clone().try_cast::<ArrayMesh>().ok();
    let is_made_of_triangles = move |surface: &i32| {
        arrays
            .as_ref()
            .is_none_or(|mesh| mesh.surface_get_primitive_type(*surface) == PrimitiveType::TRIANGLES)
    };
    (0..mesh.get_surface_count()).filter(is_made_of_triangles)
}

/// One array of a surface; empty if it has none.
pub fn array<T: FromGodot + Default>(arrays: &VarArray, kind: ArrayType) -> T {
    arrays.get(kind.ord() as usize).and_then(|array| array.try_to().ok()).unwrap_or_default()
}

/// What a shape is made of.
pub enum Matter {
    Mesh(Geometry),
    Solid { kind: Source, size: Vec3, cells: u32 },
}

/// All that a bake needs.
pub struct Recipe {
    pub matter: Matter,
    pub sampling: SamplingDef,
    pub levels: LevelsDef,
}

impl Recipe {
    pub fn cook(&self, progress: &mut dyn FnMut(f32) -> bool) -> Result<Arc<Shape>, Error> {
        let (kind, size, cells) = match &self.matter {
            Matter::Mesh(geometry) => {
                return Shape::from_mesh(&geometry.mesh(), &self.sampling, &self.levels, progress);
            }
            Matter::Solid { kind, size, cells } => (kind, *size, *cells),
        };
        let solid = match kind {
            Source::Mesh | Source::Ball => Solid::ball(0.5 * size.x)?,
            Source::Box => Solid::cuboid(size)?,
            Source::Capsule => Solid::capsule(0.5 * size.x, size.y)?,
            Source::Torus => Solid::torus(0.5 * (size.x - size.y), 0.5 * size.y)?,
            Source::Cylinder => Solid::cylinder(0.5 * size.x, size.y)?,
            Source::GummyBear => Solid::gummy_bear(size.y)?,
        };
        Shape::from_solid(&solid, cells, &self.sampling, &self.levels, progress)
    }
}

/// The mesh that a shape carries, with its centre of mass at `centre`.
pub fn array_mesh(skin: &Skin, centre: Vec3) -> Gd<ArrayMesh> {
    let mut mesh = ArrayMesh::new_gd();
    add_surface(&mut mesh, &arrays_of(skin, centre));
    mesh
}

/// The same as arrays.
pub fn arrays_of(skin: &Skin, centre: Vec3) -> VarArray {
    let positions: PackedVector3Array = skin.rest().iter().map(|r| vector3(r.truncate() + centre)).collect();
    let normals: PackedVector3Array = skin.normals().iter().map(|n| vector3(n.truncate())).collect();
    let corners = |t: &[u32; 3]| [t[0] as i32, t[2] as i32, t[1] as i32];
    let indices: PackedInt32Array = skin.triangles().iter().flat_map(corners).collect();
    let mut arrays = VarArray::new();
    arrays.resize(ArrayType::MAX.ord() as usize, &Variant::nil());
    arrays.set(ArrayType::VERTEX.ord() as usize, &positions.to_variant());
    arrays.set(ArrayType::NORMAL.ord() as usize, &normals.to_variant());
    if !skin.tangents().is_empty() {
        let tangents: PackedFloat32Array = skin.tangents().iter().flat_map(|t| t.to_array()).collect();
        arrays.set(ArrayType::TANGENT.ord() as usize, &tangents.to_variant());
    }
    arrays.set(ArrayType::INDEX.ord() as usize, &indices.to_variant());
    arrays
}

/// Adds a surface of triangles whose vertices are meant to move.
pub fn add_surface(mesh: &mut Gd<ArrayMesh>, arrays: &VarArray) {
    mesh.add_surface_from_arrays_ex(PrimitiveType::TRIANGLES, arrays)
        .flags(ArrayFormat::FLAG_USE_DYNAMIC_UPDATE)
        .done();
}
