//! `WobbleShape`: what a body is at rest, baked once and shared by any number of bodies.

mod recipe;

use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Weak};
use std::thread::JoinHandle;

use glam::Vec3;
use godot::classes::{ArrayMesh, FileAccess, Mesh, Resource};
use godot::prelude::*;
use wobble::{Amount, Error, LevelsDef, Nesting, Pattern, SamplingDef, Shape};

use crate::convert::{packed, vec3, vector3};
use recipe::{Channel, Layout, Matter, Recipe, Source};
pub use recipe::{Geometry, add_surface, array, array_mesh, arrays_of, triangle_surfaces};

/// What a [WobbleBody3D] is at rest: particles that fill a mesh, and clusters of them at several scales.
///
/// Finding the clusters takes a moment, so bake the shape in the editor and save it as a `.res` file; any number of
/// bodies share it. A shape that was not baked is baked when the first body needs it. Files of the command line tool
/// (`wobble bake bear.obj -o bear.wobble`) are imported as shapes.
#[derive(GodotClass)]
#[class(tool, init, base=Resource)]
pub struct WobbleShape {
    /// What the shape is made from: [member mesh], or a solid of [member size].
    #[export]
    source: Source,
    /// The mesh to fill. Holes, open and crossing pieces are fine; a flat sheet becomes one layer of particles.
    #[export]
    mesh: Option<Gd<Mesh>>,
    /// Metres along each axis of a solid: a ball has its diameter in x, a capsule and a cylinder their diameter in x and
    /// height in y, a torus its width in x and the thickness of its tube in y, a gummy bear its height in y.
    #[export]
    #[init(val = Vector3::ONE)]
    size: Vector3,
    /// Triangles along the longest side of a solid's mesh.
    #[export(range = (4.0, 128.0, 1.0))]
    #[init(val = 24)]
    resolution: i32,

    /// About how many particles. A step takes about 0.13 µs for each on one thread.
    #[export_group(name = "Particles")]
    #[export(range = (4.0, 20000.0, 1.0, or_greater))]
    #[init(val = 1000)]
    particles: i32,
    /// How particles inside are laid out.
    #[export]
    layout: Layout,
    /// Whether particles lie on the surface, so that the outline holds.
    #[export]
    #[init(val = true)]
    surface: bool,
    /// Whether particles lie inside; without them the body is hollow.
    #[export]
    #[init(val = true)]
    fill: bool,
    /// kg/m³. [member WobbleBody3D.mass] overrides the mass that follows from it.
    #[export(range = (1.0, 5000.0, 1.0, or_greater))]
    #[init(val = 1000.0)]
    density: f32,
    /// The channel of the mesh's vertex colours that multiplies [member WobbleMaterial.toughness]: white is as tough as the
    /// material, black breaks at a touch.
    #[export]
    toughness_from: Channel,
    /// Seed of the random choices.
    #[export]
    seed: i64,

    /// Particles for each cluster of the finest level.
    #[export_group(name = "Levels")]
    #[export(range = (4.0, 100.0, 1.0, or_greater))]
    #[init(val = 20)]
    particles_per_cluster: i32,
    /// Levels at most. 1 is the classic method with a single scale.
    #[export(range = (1.0, 16.0, 1.0))]
    #[init(val = 16)]
    max_levels: i32,
    /// Clusters all particles anew at every level instead of clusters of the level below: slower, a little livelier.
    #[export]
    independent_levels: bool,

    /// The baked shape, as in a `.wobble` file. Empty if it was not baked.
    #[export(storage)]
    #[var(set)]
    data: PackedByteArray,

    known: Option<Arc<Shape>>,
    variants: Vec<(Variation, Weak<Shape>)>,
    job: Option<Job>,
    base: Base<Resource>,
}

/// What bodies of one resource may differ in.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Variation {
    pub scale: Vec3,
    /// kg; `None` as the density has it.
    pub mass: Option<f32>,
}

/// A bake on a thread of its own.
struct Job {
    /// Bits of the share that is done.
    progress: Arc<AtomicU32>,
    cancelled: Arc<AtomicBool>,
    thread: Option<JoinHandle<Result<Arc<Shape>, Error>>>,
}

impl Drop for Job {
    /// The library may be unloaded next: nothing of it may be running then.
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

#[godot_api]
impl WobbleShape {
    /// A bake that [method bake_begin] started is over.
    #[signal]
    fn baked();

    #[constant]
    const SOURCE_MESH: i64 = 0;
    #[constant]
    const SOURCE_BALL: i64 = 1;
    #[constant]
    const SOURCE_BOX: i64 = 2;
    #[constant]
    const SOURCE_CAPSULE: i64 = 3;
    #[constant]
    const SOURCE_TORUS: i64 = 4;
    #[constant]
    const SOURCE_CYLINDER: i64 = 5;
    #[constant]
    const SOURCE_GUMMY_BEAR: i64 = 6;

    #[constant]
    const CHANNEL_NONE: i64 = 0;
    #[constant]
    const CHANNEL_RED: i64 = 1;
    #[constant]
    const CHANNEL_GREEN: i64 = 2;
    #[constant]
    const CHANNEL_BLUE: i64 = 3;
    #[constant]
    const CHANNEL_ALPHA: i64 = 4;

    #[func]
    fn set_data(&mut self, data: PackedByteArray) {
        if data == self.data {
            return;
        }
        self.data = data;
        self.known = None;
        self.variants.clear();
        self.base_mut().emit_changed();
    }

    /// Bakes the shape and waits for it; whether that went well.
    #[func]
    pub fn bake(&mut self) -> bool {
        self.bake_cancel();
        let baked = self.recipe().and_then(|recipe| recipe.cook(&mut |_| true).map_err(|e| e.to_string()));
        self.take(baked)
    }

    /// Starts to bake the shape on a thread; ask [method bake_progress] how far it is. Whether it could start.
    #[func]
    fn bake_begin(&mut self) -> bool {
        self.bake_cancel();
        let recipe = match self.recipe() {
            Ok(recipe) => recipe,
            Err(why) => return self.take(Err(why)),
        };
        let (progress, cancelled) = (Arc::new(AtomicU32::new(0)), Arc::new(AtomicBool::new(false)));
        let (told, stopped) = (Arc::clone(&progress), Arc::clone(&cancelled));
        let cook = move || {
            recipe.cook(&mut |done| {
                told.store(done.to_bits(), Ordering::Relaxed);
                !stopped.load(Ordering::Relaxed)
            })
        };
        match std::thread::Builder::new().name("wobble bake".into()).spawn(cook) {
            Ok(thread) => self.job = Some(Job { progress, cancelled, thread: Some(thread) }),
            Err(error) => godot_warn!("no thread to bake on: {error}"),
        }
        self.job.is_some()
    }

    /// How much of a bake is done, 0 to 1; -1 if none is under way. Takes the shape in when it is done, and emits
    /// [signal baked]: call it once a frame.
    #[func]
    fn bake_progress(&mut self) -> f32 {
        let Some(job) = &mut self.job else { return -1.0 };
        if job.thread.as_ref().is_some_and(|thread| !thread.is_finished()) {
            return f32::from_bits(job.progress.load(Ordering::Relaxed)).clamp(0.0, 1.0);
        }
        let ended = job.thread.take().map(JoinHandle::join);
        self.job = None;
        match ended {
            Some(Ok(baked)) => self.take(baked.map_err(|error| error.to_string())),
            _ => self.take(Err("the bake ended in a fault".into())),
        };
        self.base_mut().emit_signal("baked", &[]);
        1.0
    }

    /// Stops a bake that is under way and waits until it has.
    #[func]
    fn bake_cancel(&mut self) {
        self.job = None;
    }

    /// Whether the shape was baked.
    #[func]
    pub fn is_baked(&self) -> bool {
        !self.data.is_empty()
    }

    /// Takes over a shape that the command line tool baked; whether the file holds one.
    #[func]
    fn load_file(&mut self, path: GString) -> bool {
        let bytes = FileAccess::get_file_as_bytes(&path);
        match Shape::from_bytes(bytes.as_slice()) {
            Ok(shape) => {
                self.set_data(bytes);
                self.known = Some(shape);
                true
            }
            Err(error) => {
                godot_warn!("{path}: {error}");
                false
            }
        }
    }

    /// Number of particles, 0 if not baked.
    #[func]
    fn get_particle_count(&mut self) -> i64 {
        self.known().map_or(0, |shape| shape.particle_count() as i64)
    }

    /// Number of levels, 0 if not baked.
    #[func]
    fn get_level_count(&mut self) -> i64 {
        self.known().map_or(0, |shape| shape.levels().len() as i64)
    }

    /// kg, 0 if not baked.
    #[func]
    fn get_mass(&mut self) -> f32 {
        self.known().map_or(0.0, |shape| shape.mass())
    }

    /// Where particles are at rest, in the space of the mesh; empty if not baked.
    #[func]
    fn get_rest_positions(&mut self) -> PackedVector3Array {
        let Some(shape) = self.known() else { return PackedVector3Array::new() };
        let rest: Vec<Vec3> = shape.rest().iter().map(|r| r.truncate() + shape.centre()).collect();
        packed(&rest)
    }

    /// Centres of a level's clusters at rest, in the space of the mesh; level 0 is the finest.
    #[func]
    fn get_cluster_centres(&mut self, level: i64) -> PackedVector3Array {
        let Some(shape) = self.known() else { return PackedVector3Array::new() };
        if level < 0 || level as usize >= shape.levels().len() {
            return PackedVector3Array::new();
        }
        shape.clusters(level as usize).iter().map(|c| vector3(c.centre.truncate() + shape.centre())).collect()
    }

    /// Half widths of a level's clusters at rest, metres.
    #[func]
    fn get_cluster_radii(&mut self, level: i64) -> PackedFloat32Array {
        let Some(shape) = self.known() else { return PackedFloat32Array::new() };
        if level < 0 || level as usize >= shape.levels().len() {
            return PackedFloat32Array::new();
        }
        shape.clusters(level as usize).iter().map(|c| c.width).collect()
    }

    /// The mesh that bodies of this shape carry, at rest; null if not baked or without one.
    #[func]
    pub fn get_skin_mesh(&mut self) -> Option<Gd<ArrayMesh>> {
        let shape = self.known()?;
        Some(array_mesh(shape.skin()?, shape.centre()))
    }
}

impl WobbleShape {
    /// A shape that fills a mesh.
    pub fn of_mesh(mesh: &Gd<Mesh>) -> Gd<WobbleShape> {
        let mut shape = WobbleShape::new_gd();
        shape.bind_mut().mesh = Some(mesh.clone());
        shape
    }

    fn recipe(&self) -> Result<Recipe, String> {
        let matter = match self.source {
            Source::Mesh => {
                let mesh = self.mesh.as_ref().ok_or("the shape has no mesh to be baked from: give it one")?;
                Matter::Mesh(Geometry::of(mesh, self.toughness_from)?)
            }
            kind => Matter::Solid { kind, size: vec3(self.size), cells: self.resolution.max(0) as u32 },
        };
        let sampling = SamplingDef {
            pattern: match self.layout {
                Layout::BlueNoise => Pattern::BlueNoise,
                Layout::Grid => Pattern::Grid,
                Layout::BodyCentred => Pattern::BodyCentred,
            },
            amount: Amount::Count(self.particles.max(0) as u32),
            surface: self.surface,
            fill: self.fill,
            density: self.density,
            seed: self.seed as u64,
            ..SamplingDef::default()
        };
        let levels = LevelsDef {
            nesting: if self.independent_levels { Nesting::Independent } else { Nesting::Nested },
            particles_per_cluster: self.particles_per_cluster.max(0) as u32,
            max_levels: self.max_levels.max(0) as u32,
            seed: self.seed as u64,
            ..LevelsDef::default()
        };
        Ok(Recipe { matter, sampling, levels })
    }

    fn take(&mut self, baked: Result<Arc<Shape>, String>) -> bool {
        match baked {
            Ok(shape) => {
                self.set_data(PackedByteArray::from(shape.to_bytes().as_slice()));
                self.known = Some(shape);
                true
            }
            Err(why) => {
                godot_warn!("{}the shape was not baked: {why}", self.place());
                false
            }
        }
    }

    fn place(&self) -> String {
        let path = self.base().get_path().to_string();
        if path.is_empty() { path } else { format!("{path}: ") }
    }

    /// The shape, if it was baked.
    pub fn known(&mut self) -> Option<Arc<Shape>> {
        if self.known.is_none() && self.is_baked() {
            match Shape::from_bytes(self.data.as_slice()) {
                Ok(shape) => self.known = Some(shape),
                Err(error) => {
                    godot_warn!("{}{error}; bake the shape again", self.place());
                    self.data = PackedByteArray::new();
                }
            }
        }
        self.known.clone()
    }

    /// The shape for bodies of this scale and mass, baked if need be. `None` if it cannot be; the user was told why.
    pub fn vary(&mut self, variation: Variation) -> Option<Arc<Shape>> {
        if !self.is_baked() && !self.bake() {
            return None;
        }
        let shape = self.known()?;
        if variation == (Variation { scale: Vec3::ONE, mass: None }) {
            return Some(shape);
        }
        self.variants.retain(|(_, made)| made.strong_count() > 0);
        let made = self.variants.iter().find(|(known, _)| *known == variation);
        if let Some(made) = made.and_then(|(_, made)| made.upgrade()) {
            return Some(made);
        }
        match shape.scaled(variation.scale, variation.mass) {
            Ok(made) => {
                self.variants.push((variation, Arc::downgrade(&made)));
                Some(made)
            }
            Err(error) => {
                godot_warn!("{}{error}", self.place());
                None
            }
        }
    }
}
