//! What the test files share: worlds with one body, materials by the papers' numbers, and
//! measures in `f64` that do not rely on those of the library.

// Each crate that includes this module uses some of it.
#![allow(dead_code)]

pub mod files;
pub mod reference;

use std::sync::Arc;

use glam::{DMat3, DVec3, Quat, Vec3};
use wobble::{
    Body, BodyDef, BodyId, Damping, DampingForm, Goals, LevelsDef, Material, Nesting, Plane, Rotation, Shape,
    Stiffness, World, WorldDef,
};

/// A world with one body in it, stepped on the calling thread.
pub struct Scene {
    pub world: World,
    pub id: BodyId,
}

impl Scene {
    /// A body of `shape` with `material` at the origin; no gravity, one substep.
    pub fn new(shape: &Arc<Shape>, material: Material) -> Scene {
        Scene::with(shape, &BodyDef { material, ..BodyDef::default() })
    }

    /// A body by `def`; no gravity, one substep, always awake.
    pub fn with(shape: &Arc<Shape>, def: &BodyDef) -> Scene {
        let alone =
            WorldDef { gravity: Vec3::ZERO, threads: 1, substeps: 1, sleeping: false, ..WorldDef::default() };
        let mut world = World::new(&alone).unwrap();
        let id = world.add_body(shape, def).unwrap();
        Scene { world, id }
    }

    /// The same with earth's gravity and a floor at y = 0.
    pub fn on_ground(shape: &Arc<Shape>, def: &BodyDef) -> Scene {
        let mut scene = Scene::with(shape, def);
        scene.world.set_gravity(Vec3::new(0.0, -9.81, 0.0)).unwrap();
        scene.world.add_plane(&Plane::default()).unwrap();
        scene
    }

    pub fn body(&self) -> &Body {
        self.world.body(self.id).unwrap()
    }

    pub fn body_mut(&mut self) -> &mut Body {
        self.world.body_mut(self.id).unwrap()
    }

    pub fn run(&mut self, steps: usize, dt: f32) {
        for _ in 0..steps {
            self.world.step(dt).unwrap();
        }
    }

    /// Positions in creation order.
    pub fn positions(&self) -> Vec<Vec3> {
        positions(self.body())
    }

    /// Sets every velocity to that of a rigid spin about the centre of mass.
    pub fn spin(&mut self, omega: Vec3) {
        let centre = self.body().centre_of_mass();
        let positions = self.positions();
        for (i, p) in positions.iter().enumerate() {
            self.body_mut().set_velocity_of(i, omega.cross(*p - centre)).unwrap();
        }
    }
}

/// Positions in creation order.
pub fn positions(body: &Body) -> Vec<Vec3> {
    let mut out = vec![Vec3::ZERO; body.shape().particle_count()];
    body.read_positions(&mut out).unwrap();
    out
}

/// Velocities in creation order.
pub fn velocities(body: &Body) -> Vec<Vec3> {
    let mut out = vec![Vec3::ZERO; body.shape().particle_count()];
    body.read_velocities(&mut out).unwrap();
    out
}

/// True if every position and velocity is a finite number.
pub fn is_finite(body: &Body) -> bool {
    body.raw_positions().iter().chain(body.raw_velocities()).all(|v| v.is_finite())
}

/// Largest distance of a particle from the body's centre of mass.
pub fn reach(body: &Body) -> f32 {
    let centre = body.centre_of_mass();
    positions(body).iter().map(|p| p.distance(centre)).fold(0.0, f32::max)
}

/// A shape with `per_cluster` particles a finest cluster.
pub fn shape(points: &[Vec3], per_cluster: u32, nesting: Nesting) -> Arc<Shape> {
    let def = LevelsDef { particles_per_cluster: per_cluster, nesting, ..LevelsDef::default() };
    Shape::from_points(points, None, &def).unwrap()
}

/// A shape with one level of one cluster, which holds every particle with weight 1.
pub fn single_cluster(points: &[Vec3], masses: Option<&[f32]>) -> Arc<Shape> {
    let def = LevelsDef { finest_clusters: Some(1), max_levels: 1, ..LevelsDef::default() };
    Shape::from_points(points, masses, &def).unwrap()
}

/// α and k_d per step as the papers give them, all else as it is by default.
pub fn papers(alpha: f32, k_d: f32) -> Material {
    Material { stiffness: Stiffness::PerStep(alpha), damping: Damping::PerStep(k_d), ..Material::default() }
}

/// Every rotation with every form of damping and every kind of goal.
pub fn materials(alpha: f32, k_d: f32) -> Vec<Material> {
    let mut all = Vec::new();
    for rotation in [Rotation::Momentum, Rotation::Stretch] {
        for damping_form in [DampingForm::Rigid, DampingForm::Paper] {
            for goals in [Goals::Rigid, Goals::Linear { beta: 0.6 }, Goals::Quadratic { beta: 0.6 }] {
                all.push(Material { rotation, damping_form, goals, ..papers(alpha, k_d) });
            }
        }
    }
    all
}

/// A turn about no axis in particular.
pub fn some_turn(angle: f32) -> Quat {
    Quat::from_axis_angle(Vec3::new(2.0, -1.0, 3.0).normalize(), angle)
}

/// Root mean square distance of `points` from the best affine image of `rest`, over the root
/// mean square distance of `rest` from its centre: what is left of a deformation when stretch
/// and shear are taken out.
pub fn non_affine(points: &[Vec3], rest: &[Vec3]) -> f64 {
    let n = rest.len() as f64;
    let mean = |p: &[Vec3]| p.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / n;
    let (centre, rest_centre) = (mean(points), mean(rest));
    let (mut a, mut s, mut size) = (DMat3::ZERO, DMat3::ZERO, 0.0);
    let outer = |p: DVec3, q: DVec3| DMat3::from_cols(p * q.x, p * q.y, p * q.z);
    for (p, r) in points.iter().zip(rest) {
        let (p, q) = (p.as_dvec3() - centre, r.as_dvec3() - rest_centre);
        a += outer(p, q);
        s += outer(q, q);
        size += q.length_squared();
    }
    let f = a * s.inverse();
    let left = points
        .iter()
        .zip(rest)
        .map(|(p, r)| (p.as_dvec3() - centre - f * (r.as_dvec3() - rest_centre)).length_squared());
    (left.sum::<f64>() / size).sqrt()
}
