//! Draws a frame: shadows first, then the sky, colliders, bodies and lines, then the panel.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::camera::rh::{proj::opengl, view};
use glam::{Mat4, Vec2, Vec3, Vec4};
use miniquad::{
    BufferId, BufferType, FilterMode, PassAction, Pipeline, RenderPass, RenderingBackend, TextureFormat,
    TextureId, TextureParams, UniformsSource, VertexAttribute, VertexFormat,
};
use wobble::{ColliderShape, Shape, World};

use crate::camera::Orbit;
use crate::gpu::{Kind, Stream, fixed, pipeline};
use crate::paint::{Area, Corner};
use crate::shaders::{self, Told};
use crate::solids::{Triangles, dome};
use crate::views::Picture;

/// Texels along each side of the shadow.
const SHADOW: u32 = 1024;
const HAZE: Vec3 = Vec3::new(0.30, 0.35, 0.42);
const GROUND: Vec4 = Vec4::new(0.30, 0.31, 0.33, 0.0);
const COLLIDER: Vec4 = Vec4::new(0.36, 0.40, 0.46, 0.0);
/// Rings and segments of a ball as it is drawn, and up to how many balls; shadows make do with the last.
const DOMES: [(u32, u32, usize); 3] = [(3, 14, 1500), (2, 8, 4000), (1, 8, usize::MAX)];

/// Where and how a frame is drawn.
pub struct Frame<'a> {
    pub camera: &'a Orbit,
    /// What the light falls on: the middle and how far about it, metres.
    pub lit: (Vec3, f32),
    /// The part of the window for the scene, and the whole of it, points.
    pub scene: Area,
    pub window: Vec2,
    /// Pixels to a point.
    pub scale: f32,
}

/// Triangles on the GPU.
struct Solid {
    vertices: Vec<BufferId>,
    indices: BufferId,
    count: i32,
}

struct Pipelines {
    sky: Pipeline,
    mesh: Pipeline,
    balls: Pipeline,
    dark_mesh: Pipeline,
    dark_balls: Pipeline,
    lines: Pipeline,
    flat: Pipeline,
}

pub struct Canvas {
    pub gpu: Box<dyn RenderingBackend>,
    pipelines: Pipelines,
    dark: RenderPass,
    shadow: TextureId,
    domes: [Solid; 3],
    square: Solid,
    /// Colliders in their own frames, in the world's order.
    colliders: Vec<Solid>,
    /// Triangles of skins by the address of their shape, which is held so that it stays one.
    skins: BTreeMap<usize, (Arc<Shape>, BufferId, i32)>,
    streams: Vec<[Stream; 2]>,
    balls: Stream,
    lines: [Stream; 2],
    corners: [Stream; 2],
}

impl Canvas {
    pub fn new(mut gpu: Box<dyn RenderingBackend>) -> Result<Canvas, String> {
        let pipelines = Pipelines::new(&mut *gpu)?;
        let side = |format, filter| TextureParams {
            width: SHADOW,
            height: SHADOW,
            format,
            min_filter: filter,
            mag_filter: filter,
            ..TextureParams::default()
        };
        let shadow = gpu.new_render_texture(side(TextureFormat::Depth32, FilterMode::Nearest));
        let colour = gpu.new_render_texture(side(TextureFormat::RGBA8, FilterMode::Nearest));
        let dark = gpu.new_render_pass(colour, Some(shadow));
        let domes = DOMES.map(|(rings, segments, _)| solid(&mut *gpu, &dome(rings, segments)));
        let corners: [[f32; 2]; 4] = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]];
        let square = Solid {
            vertices: vec![fixed(&mut *gpu, BufferType::VertexBuffer, &corners)],
            indices: fixed(&mut *gpu, BufferType::IndexBuffer, &[0u32, 1, 2, 0, 2, 3]),
            count: 6,
        };
        let pair = || [Stream::new(BufferType::VertexBuffer), Stream::new(BufferType::IndexBuffer)];
        Ok(Canvas {
            gpu,
            pipelines,
            dark,
            shadow,
            domes,
            square,
            colliders: Vec::new(),
            skins: BTreeMap::new(),
            streams: Vec::new(),
            balls: Stream::new(BufferType::VertexBuffer),
            lines: pair(),
            corners: pair(),
        })
    }

    /// Takes up the colliders of a new world.
    pub fn take_up(&mut self, world: &World) {
        for old in self.colliders.drain(..) {
            old.vertices.into_iter().chain([old.indices]).for_each(|buffer| self.gpu.delete_buffer(buffer));
        }
        for (_, (_, indices, _)) in std::mem::take(&mut self.skins) {
            self.gpu.delete_buffer(indices);
        }
        let shapes = world.colliders().map(|(_, collider)| Triangles::of_collider(collider.shape()));
        self.colliders = shapes.map(|shape| solid(&mut *self.gpu, &shape)).collect();
    }

    pub fn draw(&mut self, frame: &Frame, world: Option<&World>, picture: &Picture) {
        let mut told = told(frame);
        let balls = self.balls.write(&mut *self.gpu, &picture.balls);
        let skins = self.write_skins(picture);
        self.gpu.begin_pass(Some(self.dark), PassAction::clear_color(1.0, 1.0, 1.0, 1.0));
        self.draw_solids(&mut told, world, &skins, (balls, picture.balls.len()), true);
        self.gpu.end_render_pass();
        self.gpu.begin_default_pass(PassAction::clear_color(0.0, 0.0, 0.0, 1.0));
        let pixels = |points: f32| (points * frame.scale).round() as i32;
        let (from, size) = (frame.scene.from, frame.scene.size());
        self.gpu.apply_viewport(pixels(from.x), 0, pixels(size.x), pixels(size.y));
        let [middle, rise] = frame.camera.tilt();
        self.gpu.apply_pipeline(&self.pipelines.sky);
        told.tint = [middle, rise, 0.0, 0.0];
        self.show(
            &self.square.vertices.clone(),
            self.square.indices,
            self.shadow,
            &told,
            self.square.count,
            1,
        );
        self.draw_solids(&mut told, world, &skins, (balls, picture.balls.len()), false);
        self.draw_lines(&told, picture);
        self.gpu.apply_viewport(0, 0, pixels(frame.window.x), pixels(frame.window.y));
    }

    /// Draws the panel over the frame and ends it.
    pub fn finish(&mut self, frame: &Frame, corners: &[Corner], letters: TextureId) {
        let quads = 0..corners.len() as u32 / 4;
        let indices: Vec<u32> = quads.flat_map(|q| [0, 1, 2, 0, 2, 3].map(|i| 4 * q + i)).collect();
        let vertices = self.corners[0].write(&mut *self.gpu, corners);
        let order = self.corners[1].write(&mut *self.gpu, &indices);
        let mut told = told(frame);
        told.tint = [frame.window.x, frame.window.y, 0.0, 0.0];
        self.gpu.apply_pipeline(&self.pipelines.flat);
        self.show(&[vertices], order, letters, &told, indices.len() as i32, 1);
        self.gpu.end_render_pass();
        self.gpu.commit_frame();
    }

    fn show(
        &mut self,
        vertices: &[BufferId],
        indices: BufferId,
        image: TextureId,
        told: &Told,
        count: i32,
        instances: i32,
    ) {
        if count > 0 && instances > 0 {
            self.gpu.apply_bindings_from_slice(vertices, indices, &[image]);
            self.gpu.apply_uniforms(UniformsSource::table(told));
            self.gpu.draw(0, count, instances);
        }
    }

    /// Vertices, triangles and colour of each skinned mesh, on the GPU.
    fn write_skins(&mut self, picture: &Picture) -> Vec<(Solid, Vec3)> {
        let gpu = &mut *self.gpu;
        let stream = || [(); 2].map(|()| Stream::new(BufferType::VertexBuffer));
        self.streams.resize_with(self.streams.len().max(picture.skins.len()), stream);
        let written = picture.skins.iter().zip(&mut self.streams).map(|(skin, [positions, normals])| {
            let key = Arc::as_ptr(&skin.shape) as usize;
            let (_, indices, count) = *self.skins.entry(key).or_insert_with(|| {
                let triangles = skin.shape.skin().map_or(&[][..], |skin| skin.triangles());
                let indices = fixed(gpu, BufferType::IndexBuffer, triangles.as_flattened());
                (skin.shape.clone(), indices, 3 * triangles.len() as i32)
            });
            let vertices = vec![positions.write(gpu, &skin.positions), normals.write(gpu, &skin.normals)];
            (Solid { vertices, indices, count }, skin.colour)
        });
        written.collect()
    }

    /// Colliders, meshes and balls; for the shadow only what casts one.
    fn draw_solids(
        &mut self,
        told: &mut Told,
        world: Option<&World>,
        skins: &[(Solid, Vec3)],
        (balls, count): (BufferId, usize),
        dark: bool,
    ) {
        let pipelines = &self.pipelines;
        let (mesh, ball) = match dark {
            true => (pipelines.dark_mesh, pipelines.dark_balls),
            false => (pipelines.mesh, pipelines.balls),
        };
        // The shaders that draw the shadow do not read it.
        let image = self.shadow;
        self.gpu.apply_pipeline(&mesh);
        let colliders = std::mem::take(&mut self.colliders);
        for ((_, collider), solid) in world.iter().flat_map(|world| world.colliders()).zip(&colliders) {
            let endless = matches!(collider.shape(), ColliderShape::Plane { .. });
            if !(dark && endless) && collider.is_enabled() {
                let model = Mat4::from_rotation_translation(collider.rotation(), collider.position());
                told.model = model.to_cols_array();
                told.tint = if endless { GROUND } else { COLLIDER }.to_array();
                told.eye[3] = f32::from(u8::from(endless));
                self.show(&solid.vertices, solid.indices, image, told, solid.count, 1);
            }
        }
        self.colliders = colliders;
        told.model = Mat4::IDENTITY.to_cols_array();
        told.eye[3] = 0.0;
        for (solid, colour) in skins {
            told.tint = colour.extend(0.0).to_array();
            self.show(&solid.vertices, solid.indices, image, told, solid.count, 1);
        }
        let fit = DOMES.iter().position(|(.., most)| count <= *most && !dark).unwrap_or(DOMES.len() - 1);
        let dome = &self.domes[fit];
        let (vertices, indices, corners) = ([dome.vertices[0], balls], dome.indices, dome.count);
        self.gpu.apply_pipeline(&ball);
        self.show(&vertices, indices, image, told, corners, count as i32);
    }

    fn draw_lines(&mut self, told: &Told, picture: &Picture) {
        let indices: Vec<u32> = (0..picture.lines.len() as u32).collect();
        let vertices = self.lines[0].write(&mut *self.gpu, &picture.lines);
        let order = self.lines[1].write(&mut *self.gpu, &indices);
        self.gpu.apply_pipeline(&self.pipelines.lines);
        self.show(&[vertices], order, self.shadow, told, indices.len() as i32, 1);
    }
}

impl Pipelines {
    fn new(gpu: &mut dyn RenderingBackend) -> Result<Pipelines, String> {
        use VertexFormat::{Float2, Float3, Float4};
        let at = VertexAttribute::new("at", Float3);
        let flat_at = VertexAttribute::new("at", Float2);
        let normal = VertexAttribute::with_buffer("normal", Float3, 1);
        let ball = ["centre", "colour"].map(|name| VertexAttribute::with_buffer(name, Float4, 1));
        let balls = [at.clone(), ball[0].clone(), ball[1].clone()];
        let mesh = [at.clone(), normal];
        let colour = VertexAttribute::new("colour", Float4);
        let place = VertexAttribute::new("place", Float2);
        Ok(Pipelines {
            sky: pipeline(
                gpu,
                (shaders::SKY, shaders::HEAVEN),
                std::slice::from_ref(&flat_at),
                false,
                Kind::Behind,
            )?,
            mesh: pipeline(gpu, (shaders::MESH, shaders::LIT), &mesh, false, Kind::Solid)?,
            balls: pipeline(gpu, (shaders::BALLS, shaders::LIT), &balls, true, Kind::Solid)?,
            dark_mesh: pipeline(gpu, (shaders::DARK_MESH, shaders::DARK), &mesh, false, Kind::Solid)?,
            dark_balls: pipeline(gpu, (shaders::DARK_BALLS, shaders::DARK), &balls, true, Kind::Solid)?,
            lines: pipeline(
                gpu,
                (shaders::LINES, shaders::PLAIN),
                &[at, colour.clone()],
                false,
                Kind::Lines,
            )?,
            flat: pipeline(
                gpu,
                (shaders::FLAT, shaders::LETTERS),
                &[flat_at, place, colour],
                false,
                Kind::Flat,
            )?,
        })
    }
}

fn solid(gpu: &mut dyn RenderingBackend, triangles: &Triangles) -> Solid {
    // A buffer of nothing is refused; what has no triangles is not drawn.
    let vertices = [&triangles.positions, &triangles.normals].map(|list| match list.is_empty() {
        true => fixed(gpu, BufferType::VertexBuffer, &[Vec3::ZERO]),
        false => fixed(gpu, BufferType::VertexBuffer, list),
    });
    let indices = if triangles.indices.is_empty() { &[0][..] } else { &triangles.indices };
    let indices = fixed(gpu, BufferType::IndexBuffer, indices);
    Solid { vertices: vertices.to_vec(), indices, count: triangles.indices.len() as i32 }
}

/// What the shaders are told in all of a frame.
fn told(frame: &Frame) -> Told {
    let sun = Vec3::new(-0.42, 1.0, 0.50).normalize();
    let (middle, reach) = frame.lit;
    let lamp = view::look_to_mat4(middle + sun * (3.0 * reach), -sun, Vec3::Z);
    let light = opengl::orthographic(-reach, reach, -reach, reach, 0.1 * reach, 6.0 * reach) * lamp;
    let aspect = frame.scene.size().x / frame.scene.size().y;
    Told {
        view: frame.camera.matrix(aspect).to_cols_array(),
        light: light.to_cols_array(),
        model: Mat4::IDENTITY.to_cols_array(),
        tint: [0.0; 4],
        eye: frame.camera.eye().extend(0.0).to_array(),
        sun: sun.extend(1.0 / SHADOW as f32).to_array(),
        haze: HAZE.extend(3.0 * frame.camera.distance + 8.0).to_array(),
    }
}
