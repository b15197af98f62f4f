//! Meshes from OBJ, glTF and GLB files, all pieces joined into one.

use std::fs;
use std::path::Path;

use base64::Engine;
use glam::{Mat4, Vec3};
use wobble::{Indices, Mesh};

use crate::Fault;

/// The triangles of a file.
#[derive(Default)]
pub struct Triangles {
    pub positions: Vec<Vec3>,
    pub indices: Vec<u32>,
}

impl Triangles {
    pub fn mesh(&self) -> Mesh<'_> {
        Mesh { positions: &self.positions, indices: Indices::U32(&self.indices), ..Mesh::default() }
    }

    fn add(&mut self, positions: impl Iterator<Item = Vec3>, indices: impl Iterator<Item = u32>) {
        let first = self.positions.len() as u32;
        self.positions.extend(positions);
        // An index past the end stays so, and the library names it.
        self.indices.extend(indices.map(|i| i.saturating_add(first)));
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
    let options = tobj::LoadOptions { triangulate: true, ..tobj::LoadOptions::default() };
    let bytes = fs::read(file).map_err(|error| error.to_string())?;
    // What things look like is of no interest here.
    let no_material = |_: &Path| Err(tobj::LoadError::OpenFileFailed);
    let (models, _) = tobj::load_obj_buf(&mut bytes.as_slice(), &options, no_material)
        .map_err(|error| error.to_string())?;
    let mut all = Triangles::default();
    for model in models {
        let positions = model.mesh.positions.as_chunks::<3>().0.iter().map(|p| Vec3::from_array(*p));
        all.add(positions, model.mesh.indices.iter().copied());
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
        let count = positions.len() as u32;
        match reader.read_indices() {
            Some(indices) => all.add(positions.into_iter(), indices.into_u32()),
            None => all.add(positions.into_iter(), 0..count),
        }
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
