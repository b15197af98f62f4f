//! The surface that queries meet: a shape's as triangles, and where they are in a body.
//!
//! That of a shape with a mesh is the mesh, put in order; that of others lies between their outer
//! particles. Both are found when first asked for, as is where a body's surface is, which is kept until
//! its positions change. Reads a body, writes nothing that a step reads.

use std::sync::{Mutex, MutexGuard};

use glam::{Mat3A, Vec3, Vec3A};

use crate::body::Body;
use crate::collide::bounds::Bounds;
use crate::collide::field::outline::Carried;
use crate::collide::triangle::face_normal;
use crate::mesh::{Indices, Mesh, Welded};
use crate::parallel::Spread;
use crate::sampling::repair;
use crate::sampling::tree::Tree;
use crate::shape::Shape;
use crate::skinning::{Skin, SkinBuffers};

/// Vertices of a mesh that are nearer to each other than this share of its size are one.
const WELDING: f32 = 1e-5;

/// A shape's surface at rest.
pub(crate) struct Outline {
    vertices: Vertices,
    triangles: Vec<[u32; 3]>,
    tree: Tree,
}

/// What the corners of triangles are numbers of.
enum Vertices {
    /// Vertices of the shape's mesh. For each finest cluster a box around those that it carries, at rest.
    OfSkin(Vec<Bounds>),
    /// Places between particles. `thin` tells how far away from them the surface is at most, metres, and
    /// the finest cluster that turns each.
    OfParticles { carried: Vec<Carried>, thin: Option<(f32, Vec<u32>)> },
}

impl std::fmt::Debug for Outline {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        write!(f, "Outline of {} triangles", self.triangles.len())
    }
}

impl Outline {
    pub(crate) fn new(shape: &Shape) -> Outline {
        match shape.skin() {
            Some(skin) => Outline::of_skin(skin, shape.clusters(0).len()),
            None => Outline::of_particles(shape),
        }
    }

    fn of_skin(skin: &Skin, clusters: usize) -> Outline {
        let positions: Vec<Vec3> = skin.rest().iter().map(|r| r.truncate()).collect();
        let indices = Indices::U32(skin.triangles().as_flattened());
        let welded = Welded::new(&Mesh { positions: &positions, indices, ..Mesh::default() }, WELDING);
        let at = |place: u32| Vec3A::from(welded.positions[place as usize]);
        let triangles = repair::repaired(&welded.triangles, &at);
        let triangles: Vec<[u32; 3]> =
            triangles.into_iter().map(|t| t.map(|place| welded.first_at[place as usize])).collect();
        let mut boxes = vec![Bounds::EMPTY; clusters];
        for (v, &position) in positions.iter().enumerate() {
            for (cluster, _) in skin.influences(v).into_iter().filter(|(_, share)| *share > 0) {
                let all = &mut boxes[cluster as usize];
                *all = all.with(Bounds::of([position.into()]));
            }
        }
        Outline::assembled(Vertices::OfSkin(boxes), triangles, |v| positions[v as usize].into())
    }

    fn of_particles(shape: &Shape) -> Outline {
        let (rest, field) = (shape.rest(), shape.field());
        let skin = field.skin.min(0.5 * shape.spacing());
        let (mut carried, mut triangles) = field.outline(skin);
        if triangles.is_empty() {
            // All in one place: points that can be near and be overlapped, though no ray meets them.
            let alone = |i: u32| Carried { particles: [i; 3], shares: [1.0, 0.0, 0.0], offset: Vec3A::ZERO };
            carried = (0..rest.len() as u32).map(alone).collect();
            triangles = (0..rest.len() as u32).map(|i| [i; 3]).collect();
        }
        let places: Vec<Vec3A> =
            carried.iter().map(|c| c.between(|i| Vec3A::from_vec4(rest[i as usize])) + c.offset).collect();
        let cluster = |c: &Carried| shape.holder(c.particles[0] as usize).unwrap_or(0);
        let thin = (skin > 0.0).then(|| (skin, carried.iter().map(cluster).collect()));
        let vertices = Vertices::OfParticles { carried, thin };
        Outline::assembled(vertices, triangles, |v| places[v as usize])
    }

    fn assembled(vertices: Vertices, triangles: Vec<[u32; 3]>, at: impl Fn(u32) -> Vec3A) -> Outline {
        let corners: Vec<[Vec3A; 3]> = triangles.iter().map(|t| t.map(&at)).collect();
        Outline { vertices, triangles, tree: Tree::new(&corners) }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let vertices = match &self.vertices {
            Vertices::OfSkin(boxes) => boxes.capacity() * size_of::<Bounds>(),
            Vertices::OfParticles { carried, thin } => {
                carried.capacity() * size_of::<Carried>()
                    + thin.as_ref().map_or(0, |(_, clusters)| clusters.capacity() * 4)
            }
        };
        vertices + self.triangles.capacity() * size_of::<[u32; 3]>() + self.tree.bytes()
    }

    /// A box around the surface of a body.
    fn bounds(&self, body: &Body) -> Bounds {
        let around = match &self.vertices {
            Vertices::OfSkin(boxes) => body.with_pose(1.0, false, Spread::Here, |posed| {
                let origin = Vec3A::from_vec4(posed.origin);
                let carried = posed.bones.iter().zip(boxes).filter(|(_, b)| b.low.cmple(b.high).all());
                carried.fold(Bounds::EMPTY, |all, (bone, rest)| {
                    let [x, y, z] = bone.rows.map(Vec3A::from_vec4);
                    let shift = Vec3A::new(bone.rows[0].w, bone.rows[1].w, bone.rows[2].w);
                    let (middle, half) = (rest.centre(), (rest.high - rest.low) * 0.5);
                    let middle = Vec3A::new(x.dot(middle), y.dot(middle), z.dot(middle)) + shift;
                    let half = Vec3A::new(x.abs().dot(half), y.abs().dot(half), z.abs().dot(half));
                    all.with(Bounds::about(origin + middle, half))
                })
            }),
            Vertices::OfParticles { thin, .. } => {
                let particles = body.raw_positions().iter().map(|p| Vec3A::from_vec4(*p));
                Bounds::of(particles).grown(thin.as_ref().map_or(0.0, |(skin, _)| *skin))
            }
        };
        // Sums of shares round off.
        around.grown(1e-6 * around.low.abs().max(around.high.abs()).max_element())
    }

    /// Where the vertices of a body are.
    fn place(&self, body: &Body, out: &mut Vec<Vec3>) {
        match &self.vertices {
            Vertices::OfSkin(_) => {
                out.resize(body.shape().skin().map_or(0, Skin::vertex_count), Vec3::ZERO);
                let mut buffers = SkinBuffers { positions: Some(out), ..SkinBuffers::default() };
                // The shape has a mesh and the buffer has its size.
                let _ = body.read_skin(1.0, &mut buffers);
            }
            Vertices::OfParticles { carried, thin } => {
                out.clear();
                let at = |i: u32| Vec3A::from_vec4(body.raw_positions()[i as usize]);
                out.extend(carried.iter().map(|c| Vec3::from(c.between(at))));
                let Some((skin, clusters)) = thin else { return };
                body.with_pose(1.0, false, Spread::Here, |posed| {
                    for ((place, c), &cluster) in out.iter_mut().zip(carried).zip(clusters) {
                        let rows = posed.bones[cluster as usize].rows.map(Vec3A::from_vec4);
                        let turn = Mat3A::from_cols(rows[0], rows[1], rows[2]).transpose();
                        *place += Vec3::from((turn * c.offset).clamp_length_max(*skin));
                    }
                });
            }
        }
    }
}

impl Carried {
    /// Its place between particles.
    fn between(&self, at: impl Fn(u32) -> Vec3A) -> Vec3A {
        let [a, b, c] = self.particles.map(at);
        a * self.shares[0] + b * self.shares[1] + c * self.shares[2]
    }
}

/// Where a body's surface is, as far as it was asked for since the body changed.
#[derive(Default)]
struct Placed {
    bounds: Option<Bounds>,
    is_placed: bool,
    vertices: Vec<Vec3>,
    tree: Tree,
}

/// Keeps a body's surface from one query to the next.
#[derive(Default)]
pub(crate) struct OutlineCache(Mutex<Placed>);

impl OutlineCache {
    /// To be called whenever positions change.
    pub(crate) fn forget(&mut self) {
        let placed = self.0.get_mut().unwrap_or_else(|poisoned| poisoned.into_inner());
        (placed.bounds, placed.is_placed) = (None, false);
    }

    fn lock(&self) -> MutexGuard<'_, Placed> {
        self.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner())
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        let placed = self.lock();
        placed.vertices.capacity() * size_of::<Vec3>() + placed.tree.bytes()
    }
}

/// A body's surface where it is.
pub(super) struct Surface<'a> {
    pub(super) tree: &'a Tree,
    pub(super) bounds: Bounds,
    triangles: &'a [[u32; 3]],
    vertices: &'a [Vec3],
}

impl Surface<'_> {
    pub(super) fn corners(&self, triangle: u32) -> [Vec3A; 3] {
        self.triangles[triangle as usize].map(|v| self.vertices[v as usize].into())
    }

    /// The way that a triangle faces; up where it has no area.
    pub(super) fn normal(&self, triangle: u32) -> Vec3A {
        face_normal(self.corners(triangle)).unwrap_or(Vec3A::Y)
    }

    /// Whether a point is inside of the body.
    pub(super) fn holds(&self, point: Vec3A) -> bool {
        self.bounds.holds(point) && self.tree.winding(point) > 0.5
    }
}

impl Body {
    /// A box around the surface; empty if there is none.
    pub(super) fn surface_bounds(&self) -> Bounds {
        *self.outline.lock().bounds.get_or_insert_with(|| self.shape.outline().bounds(self))
    }

    /// Calls `work` with the surface where it is now.
    pub(super) fn with_surface<R>(&self, work: impl FnOnce(&Surface) -> R) -> R {
        let bounds = self.surface_bounds();
        let outline = self.shape.outline();
        let placed = &mut *self.outline.lock();
        if !placed.is_placed {
            outline.place(self, &mut placed.vertices);
            if placed.tree.bytes() == 0 {
                placed.tree = outline.tree.clone();
            }
            let at = |t: u32| outline.triangles[t as usize].map(|v| placed.vertices[v as usize].into());
            placed.tree.refit(at);
            placed.is_placed = true;
        }
        let Placed { tree, vertices, .. } = placed;
        work(&Surface { tree, bounds, triangles: &outline.triangles, vertices })
    }
}
