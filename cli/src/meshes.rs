//! Meshes from OBJ, glTF and GLB files, all pieces joined into one.

use std::fs;
use std::path::Path;

use base64::Engine;
use glam::{Mat3, Mat4, Vec3, Vec4};
use wobble::{Indices, Mesh};

use crate::Fault;

/// The triangles of a file.
#[derive(Default)]
pub struct Triangles {
    pub positions: Vec<Vec3>,
    pub indices: Vec<u32>,
    /// One for each position; zero where the file has none.
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    /// White where the file has none.
    colours: Vec<Vec4>,
}

/// A part of a file. Lists may be shorter than that of positions.
struct Piece {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    colours: Vec<Vec4>,
    indices: Vec<u32>,
}

impl Triangles {
    /// Normals that the file lacks are found from the triangles; tangents are left out unless every piece
    /// has them.
    pub fn mesh(&self) -> Mesh<'_> {
        Mesh {
            positions: &self.positions,
            normals: self.normals.iter().any(|n| *n != Vec3::ZERO).then_some(&self.normals),
            tangents: (!self.tangents.contains(&Vec4::ZERO)).then_some(&self.tangents),
            indices: Indices::U32(&self.indices),
            ..Mesh::default()
        }
    }

    /// What a channel of the vertex colours multiplies toughness by: black is as weak as can be.
    pub fn toughness(&self, channel: usize) -> Vec<f32> {
        self.colours.iter().map(|colour| colour[channel].clamp(1e-3, 1.0)).collect()
    }

    fn add(&mut self, mut piece: Piece) {
        let first = self.positions.len() as u32;
        piece.normals.resize(piece.positions.len(), Vec3::ZERO);
        piece.tangents.resize(piece.positions.len(), Vec4::ZERO);
        piece.colours.resize(piece.positions.len(), Vec4::ONE);
        self.positions.extend(piece.positions);
        self.normals.extend(piece.normals.iter().map(|n| n.normalize_or_zero()));
        self.tangents.extend(piece.tangents);
        self.colours.extend(piece.colours);
        // An index past the end stays so, and the library names it.
        self.indices.extend(piece.indices.into_iter().map(|i| i.saturating_add(first)));
    }
}

/// Reads a mesh by the ending of its name.
pub fn read(file: &Path) -> Result<Triangles, Fault> {
    let ending = file.extension().and_then(|e| e.to_str()).unwrap_or_default().to_ascii_lowercase();
    let told = |why: String| Fault::Failed(format!("{}: {why}", file.display()));
    match ending.as_str() {
        "obj" => obj(file).map_err(told),
        "gltf" | "glb" => gltf(file).map_err(told),
        _ => Err(told("a mesh ends in .obj, .gltf or .glb; export it as one of these".into())),
    }
}

fn obj(file: &Path) -> Result<Triangles, String> {
    // A vertex for each place with each of its normals and texture coordinates, as graphics cards want it.
    let options = tobj::LoadOptions { triangulate: true, single_index: true, ..tobj::LoadOptions::default() };
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    // What things look like is of no interest here.
    let no_material = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut bytes.as_slice(), &options, no_material)
        .map_err(|error| error.to_string())?;
    let mut all = Triangles::default();
    for model in models {
        let vectors =
            |flat: &[f32]| -> Vec<Vec3> { flat.as_chunks().0.iter().map(|v| Vec3::from_array(*v)).collect() };
        let (positions, normals) = (vectors(&model.mesh.positions), vectors(&model.mesh.normals));
        let colours = vectors(&model.mesh.vertex_color).iter().map(|c| c.extend(1.0)).collect();
        all.add(Piece { positions, normals, tangents: Vec::new(), colours, indices: model.mesh.indices });
    }
    Ok(all)
}

fn gltf(file: &Path) -> Result<Triangles, String> {
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    let gltf::Gltf { document, mut blob } =
        gltf::Gltf::from_slice(&bytes).map_err(|error| error.to_string())?;
    let buffers = document.buffers().map(|buffer| {
        let data = match buffer.source() {
            gltf::buffer::Source::Bin => blob.take().ok_or("its binary part is missing".to_string()),
            gltf::buffer::Source::Uri(uri) => uri_bytes(uri, file),
        }?;
        let (length, found) = (buffer.length(), data.len());
        if found < length { Err(format!("a buffer of {length} bytes has only {found}")) } else { Ok(data) }
    });
    let buffers: Vec<Vec<u8>> = buffers.collect::<Result<_, String>>()?;
    let mut all = Triangles::default();
    let scene = document.default_scene().or_else(|| document.scenes().next()).ok_or("it has no scene")?;
    for node in scene.nodes() {
        add_node(&node, Mat4::IDENTITY, &buffers, DEEPEST, &mut all)?;
    }
    Ok(all)
}

/// Nodes below nodes; more of them go round in a circle.
const DEEPEST: usize = 256;

/// Adds the meshes of a node and of all below it. Anything but triangles is left out.
fn add_node(
    node: &gltf::Node,
    above: Mat4,
    buffers: &[Vec<u8>],
    deeper: usize,
    all: &mut Triangles,
) -> Result<(), String> {
    let deeper = deeper.checked_sub(1).ok_or("its nodes hold each other")?;
    let placed = above * Mat4::from_cols_array_2d(&node.transform().matrix());
    for primitive in node.mesh().iter().flat_map(|mesh| mesh.primitives()) {
        let reader = primitive.reader(|buffer| buffers.get(buffer.index()).map(Vec::as_slice));
        let (Some(positions), gltf::mesh::Mode::Triangles) = (reader.read_positions(), primitive.mode())
        else {
            continue;
        };
        let positions: Vec<Vec3> = positions.map(|p| placed.transform_point3(Vec3::from_array(p))).collect();
        let turned = Mat3::from_mat4(placed);
        // Normals stay across a surface that is stretched, and outside of one that is mirrored.
        let across = Mat3::from_cols(
            turned.y_axis.cross(turned.z_axis),
            turned.z_axis.cross(turned.x_axis),
            turned.x_axis.cross(turned.y_axis),
        ) * turned.determinant().signum();
        let normals = reader.read_normals().into_iter().flatten().map(|n| across * Vec3::from_array(n));
        let tangents = reader.read_tangents().into_iter().flatten().map(|[x, y, z, side]| {
            let along = (turned * Vec3::new(x, y, z)).normalize_or_zero();
            along.extend(if along == Vec3::ZERO { 0.0 } else { side * turned.determinant().signum() })
        });
        let (normals, tangents) = (normals.collect(), tangents.collect());
        let colours = reader.read_colors(0).into_iter().flat_map(|colours| colours.into_rgba_f32());
        let colours = colours.map(Vec4::from_array).collect();
        let all_of_them = 0..positions.len() as u32;
        let mut indices: Vec<u32> = reader
            .read_indices()
            .map_or_else(|| all_of_them.collect(), |indices| indices.into_u32().collect());
        if turned.determinant() < 0.0 {
            indices.as_chunks_mut::<3>().0.iter_mut().for_each(|t| t.swap(1, 2));
        }
        all.add(Piece { positions, normals, tangents, colours, indices });
    }
    node.children().try_for_each(|child| add_node(&child, placed, buffers, deeper, all))
}

/// What a URI names: bytes in itself, or a file beside the mesh.
fn uri_bytes(uri: &str, file: &Path) -> Result<Vec<u8>, String> {
    if let Some((_, data)) = uri.strip_prefix("data:").and_then(|data| data.split_once(";base64,")) {
        let decoded = base64::engine::general_purpose::STANDARD.decode(data);
        return decoded.map_err(|error| format!("bytes in it are damaged: {error}"));
    }
    let beside = file.with_file_name(uri);
    fs::read(&beside).map_err(|error| format!("{}: {error}", beside.display()))
}
