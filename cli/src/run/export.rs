//! Positions for other programs: numbered PLY files, or one GLB file that moves.

use std::fs;
use std::path::{Path, PathBuf};

use glam::Vec3;
use gltf::binary::{Glb, Header};
use gltf::json::validation::{Checked::Valid, USize64};
use gltf::json::{self, Index, Root, accessor, animation, buffer, mesh, scene};

use crate::Fault;
use crate::papers::Stage;

enum Kind {
    Ply,
    Glb(Moving),
}

pub struct Export {
    file: PathBuf,
    kind: Kind,
    frames: usize,
}

impl Export {
    pub fn new(file: &Path) -> Result<Export, Fault> {
        let kind = match file.extension().and_then(|kind| kind.to_str()) {
            Some("ply") => Kind::Ply,
            Some("glb") => Kind::Glb(Moving::default()),
            _ => {
                let why =
                    format!("--export is {file:?}; name a .ply or a .glb file, no other kinds are written");
                return Err(Fault::Usage(why));
            }
        };
        Ok(Export { file: file.into(), kind, frames: 0 })
    }

    pub fn take(&mut self, stage: &Stage) -> Result<(), Fault> {
        match &mut self.kind {
            Kind::Ply => write(&numbered(&self.file, self.frames), &ply(stage)?)?,
            Kind::Glb(moving) => moving.take(stage)?,
        }
        self.frames += 1;
        Ok(())
    }

    /// Writes what is left to write; the file, or the first of them.
    pub fn finish(self) -> Result<PathBuf, Fault> {
        match self.kind {
            Kind::Ply => Ok(numbered(&self.file, 0)),
            Kind::Glb(moving) => {
                let bytes =
                    moving.glb().map_err(|why| Fault::Failed(format!("{}: {why}", self.file.display())))?;
                write(&self.file, &bytes)?;
                Ok(self.file)
            }
        }
    }
}

/// `out.ply` and 3 give `out-0003.ply`.
pub fn numbered(file: &Path, number: usize) -> PathBuf {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy();
    let kind = file.extension().unwrap_or_default().to_string_lossy();
    file.with_file_name(format!("{stem}-{number:04}.{kind}"))
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Fault> {
    fs::write(file, bytes).map_err(|error| Fault::Failed(format!("{}: {error}", file.display())))
}

/// Positions, velocities and the number of the body of every particle, as a binary PLY file.
fn ply(stage: &Stage) -> Result<Vec<u8>, Fault> {
    let mut bytes = Vec::new();
    let mut count = 0;
    for (k, id) in stage.bodies.iter().enumerate() {
        let body = stage.world.body(*id)?;
        for (x, v) in body.raw_positions().iter().zip(body.raw_velocities()) {
            let numbers = [x.x, x.y, x.z, v.x, v.y, v.z];
            bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
            bytes.extend((k as i32).to_le_bytes());
            count += 1;
        }
    }
    let properties: String =
        ["x", "y", "z", "vx", "vy", "vz"].map(|p| format!("property float {p}\n")).concat();
    let header = format!(
        "ply\nformat binary_little_endian 1.0\ncomment wobble, {:.4} s\nelement vertex {count}\n{properties}\
         property int body\nend_header\n",
        stage.time()
    );
    Ok([header.into_bytes(), bytes].concat())
}

/// Positions of every frame, as they become points with one morph target a frame.
#[derive(Default)]
struct Moving {
    times: Vec<f32>,
    frames: Vec<Vec<Vec3>>,
}

impl Moving {
    fn take(&mut self, stage: &Stage) -> Result<(), Fault> {
        let mut all = Vec::new();
        for id in &stage.bodies {
            all.extend(stage.world.body(*id)?.raw_positions().iter().map(|x| x.truncate()));
        }
        self.times.push(stage.time());
        self.frames.push(all);
        Ok(())
    }

    fn glb(&self) -> Result<Vec<u8>, gltf::Error> {
        let mut file = Builder::default();
        let rest = &self.frames[0];
        let positions = file.vectors(rest);
        let targets = self.frames[1..].iter().map(|frame| {
            let moved: Vec<Vec3> = frame.iter().zip(rest).map(|(x, r)| *x - *r).collect();
            let positions = Some(file.vectors(&moved));
            mesh::MorphTarget { positions, normals: None, tangents: None }
        });
        let targets: Vec<_> = targets.collect();
        let count = targets.len();
        // At each moment one target alone has weight; at the first none has.
        let weights: Vec<f32> =
            (0..=count).flat_map(|now| (1..=count).map(move |k| f32::from(k == now))).collect();
        let (input, output) = (file.scalars(&self.times, true), file.scalars(&weights, false));
        let primitive = mesh::Primitive {
            attributes: [(Valid(mesh::Semantic::Positions), positions)].into(),
            mode: Valid(mesh::Mode::Points),
            targets: (count > 0).then_some(targets),
            extensions: None,
            extras: Default::default(),
            indices: None,
            material: None,
        };
        let points = file.root.push(json::Mesh {
            primitives: vec![primitive],
            weights: (count > 0).then(|| vec![0.0; count]),
            extensions: None,
            extras: Default::default(),
        });
        let node = file.root.push(scene::Node { mesh: Some(points), ..Default::default() });
        let whole =
            file.root.push(json::Scene { nodes: vec![node], extensions: None, extras: Default::default() });
        file.root.scene = Some(whole);
        if count > 0 {
            file.root.push(motion(node, input, output));
        }
        file.finish()
    }
}

fn motion(
    node: Index<scene::Node>,
    input: Index<json::Accessor>,
    output: Index<json::Accessor>,
) -> json::Animation {
    let sampler = animation::Sampler {
        input,
        output,
        interpolation: Valid(animation::Interpolation::Linear),
        extensions: None,
        extras: Default::default(),
    };
    let target = animation::Target {
        node,
        path: Valid(animation::Property::MorphTargetWeights),
        extensions: None,
        extras: Default::default(),
    };
    let channel =
        animation::Channel { sampler: Index::new(0), target, extensions: None, extras: Default::default() };
    json::Animation {
        channels: vec![channel],
        samplers: vec![sampler],
        extensions: None,
        extras: Default::default(),
    }
}

/// A glTF file and its one buffer.
#[derive(Default)]
struct Builder {
    root: Root,
    bytes: Vec<u8>,
}

impl Builder {
    fn vectors(&mut self, list: &[Vec3]) -> Index<json::Accessor> {
        let (low, high) = list.iter().fold((Vec3::MAX, Vec3::MIN), |(l, h), p| (l.min(*p), h.max(*p)));
        let numbers = list.iter().flat_map(|p| p.to_array()).collect::<Vec<f32>>();
        let bounds = Some((low.to_array().to_vec(), high.to_array().to_vec()));
        self.accessor(&numbers, list.len(), accessor::Type::Vec3, bounds, true)
    }

    fn scalars(&mut self, list: &[f32], bounded: bool) -> Index<json::Accessor> {
        let low = list.iter().copied().fold(f32::INFINITY, f32::min);
        let high = list.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let bounds = bounded.then(|| (vec![low], vec![high]));
        self.accessor(list, list.len(), accessor::Type::Scalar, bounds, false)
    }

    fn accessor(
        &mut self,
        numbers: &[f32],
        count: usize,
        kind: accessor::Type,
        bounds: Option<(Vec<f32>, Vec<f32>)>,
        vertices: bool,
    ) -> Index<json::Accessor> {
        let view = self.root.push(buffer::View {
            buffer: Index::new(0),
            byte_length: USize64::from(numbers.len() * 4),
            byte_offset: Some(USize64::from(self.bytes.len())),
            byte_stride: None,
            target: vertices.then_some(Valid(buffer::Target::ArrayBuffer)),
            extensions: None,
            extras: Default::default(),
        });
        self.bytes.extend(numbers.iter().flat_map(|n| n.to_le_bytes()));
        let (min, max) = bounds.map_or((None, None), |(low, high)| (Some(low.into()), Some(high.into())));
        self.root.push(json::Accessor {
            buffer_view: Some(view),
            byte_offset: None,
            count: USize64::from(count),
            component_type: Valid(accessor::GenericComponentType(accessor::ComponentType::F32)),
            type_: Valid(kind),
            min,
            max,
            normalized: false,
            sparse: None,
            extensions: None,
            extras: Default::default(),
        })
    }

    fn finish(mut self) -> Result<Vec<u8>, gltf::Error> {
        self.root.push(json::Buffer {
            byte_length: USize64::from(self.bytes.len()),
            uri: None,
            extensions: None,
            extras: Default::default(),
        });
        self.root.asset.generator = Some("wobble".into());
        let json = json::serialize::to_vec(&self.root).map_err(gltf::Error::Deserialize)?;
        let header = Header { magic: *b"glTF", version: 2, length: 0 };
        Glb { header, json: json.into(), bin: Some(self.bytes.into()) }.to_vec()
    }
}
