//! RC's beams: compressed by a force towards the middle, or twisted by its ends, for four seconds, and let go.

use std::sync::Arc;

use glam::{DMat3, DVec3, Vec3};
use wobble::{
    Body, BodyDef, BodyId, Damping, DampingForm, LevelsDef, Material, Plasticity, Shape, Stiffness, World,
    WorldDef,
};

pub const DT: f32 = 1.0 / 60.0;
/// How long the force acts, steps.
pub const PUSHED: usize = 240;
/// As in RC.
pub const CLUSTERS: u32 = 200;

/// The papers' beam of 5,317 particles, 2 m by 0.4 by 0.4, where it is at hand; else one made by rule.
pub fn particles() -> Vec<Vec3> {
    super::papers_particles("beam").unwrap_or_else(by_rule)
}

/// A beam of the same size and about as many particles, none of them quite on its place in a grid.
pub fn by_rule() -> Vec<Vec3> {
    let grid = super::grid(49, 10, 11, 1.0);
    let off = super::box_cloud(grid.len(), Vec3::splat(0.3), 5);
    let size = Vec3::new(2.0, 0.4, 0.4) / Vec3::new(48.0, 9.0, 10.0);
    grid.iter().zip(off).map(|(at, off)| (*at + off) * size).collect()
}

pub fn shape(points: &[Vec3], clusters: u32, levels: u32) -> Arc<Shape> {
    let def = LevelsDef { finest_clusters: Some(clusters), max_levels: levels, ..LevelsDef::default() };
    Shape::from_points(points, None, &def).unwrap()
}

/// A beam in a world without gravity in which nothing falls asleep.
pub fn world(shape: &Arc<Shape>, plasticity: Plasticity, threads: u32) -> (World, BodyId) {
    let alone = WorldDef { gravity: Vec3::ZERO, threads, sleeping: false, ..WorldDef::default() };
    let mut world = World::new(&alone).unwrap();
    let material = Material {
        stiffness: Stiffness::Hertz(20.0),
        damping: Damping::PerSecond(30.0),
        damping_form: DampingForm::Paper,
        ..Material::default()
    };
    let id = world.add_body(shape, &BodyDef { material, ..BodyDef::default() }).unwrap();
    world.body_mut(id).unwrap().set_plasticity(Some(plasticity)).unwrap();
    (world, id)
}

/// Every deformation that keeps the volume lasts (RC's λ = 0).
pub fn flowing(recluster: f32) -> Plasticity {
    Plasticity { yield_strain: 0.0, limit: 10.0, recluster, ..Plasticity::default() }
}

/// A step under the force s (-x, 0, 0) on each kilogram. x is along the beam as it lies: a beam that has turned a little would
/// otherwise be turned on, across the force.
pub fn compress(world: &mut World, id: BodyId, s: f32) {
    let along = axis(world.body(id).unwrap());
    push(world, id, |x, mass| along * (-s * along.dot(x) * mass));
}

/// From one end to the other.
fn axis(body: &Body) -> Vec3 {
    let (shape, centre) = (body.shape(), body.centre_of_mass());
    let ends = shape.rest().iter().zip(body.raw_positions()).filter(|(r, _)| r.x.abs() > 0.8);
    ends.map(|(r, x)| (x.truncate() - centre) * r.x.signum()).sum::<Vec3>().normalize_or(Vec3::X)
}

/// A step under a torque that turns either half the other way, stronger towards the ends: s times the distance from
/// the middle, on each kilogram, across the beam.
pub fn twist(world: &mut World, id: BodyId, s: f32) {
    push(world, id, |x, mass| Vec3::new(s * x.x, 0.0, 0.0).cross(x) * mass);
}

fn push(world: &mut World, id: BodyId, force: impl Fn(Vec3, f32) -> Vec3) {
    let body = world.body_mut(id).unwrap();
    let mass = body.shape().masses()[0];
    let (at, centre) = (positions(body), body.centre_of_mass());
    for (i, x) in at.into_iter().enumerate() {
        body.apply_force_to(i, force(x - centre, mass)).unwrap();
    }
    world.step(DT).unwrap();
}

/// Positions in creation order.
pub fn positions(body: &Body) -> Vec<Vec3> {
    let mut out = vec![Vec3::ZERO; body.shape().particle_count()];
    body.read_positions(&mut out).unwrap();
    out
}

/// Root mean square distances from the centre along the principal axes, the longest first, metres.
pub fn sizes(body: &Body) -> [f32; 3] {
    let (at, centre) = (positions(body), body.centre_of_mass());
    let sum = at.iter().fold(DMat3::ZERO, |sum, x| {
        let d = (*x - centre).as_dvec3() / (at.len() as f64).sqrt();
        sum + DMat3::from_cols(d * d.x, d * d.y, d * d.z)
    });
    eigenvalues(sum).map(|v| v.max(0.0).sqrt() as f32)
}

/// Those of a symmetric matrix, the largest first, from its characteristic polynomial.
fn eigenvalues(m: DMat3) -> [f64; 3] {
    let mean = (m.x_axis.x + m.y_axis.y + m.z_axis.z) / 3.0;
    let off = m - DMat3::from_diagonal(DVec3::splat(mean));
    let size = ((off * off).to_cols_array().iter().step_by(4).sum::<f64>() / 6.0).sqrt();
    if size == 0.0 {
        return [mean; 3];
    }
    let angle = (off.determinant() / (2.0 * size.powi(3))).clamp(-1.0, 1.0).acos() / 3.0;
    let root = |k: f64| mean + 2.0 * size * (angle + k * std::f64::consts::TAU / 3.0).cos();
    [root(0.0), root(2.0), root(1.0)]
}

/// Angle between the cross sections at both ends, radians.
pub fn twisted(rest: &[Vec3], body: &Body) -> f32 {
    let at = positions(body);
    let turn = |end: &dyn Fn(f32) -> bool| {
        let (mut sine, mut cosine) = (0.0f64, 0.0f64);
        for (r, x) in rest.iter().zip(&at).filter(|(r, _)| end(r.x)) {
            sine += f64::from(r.y * x.z - r.z * x.y);
            cosine += f64::from(r.y * x.y + r.z * x.z);
        }
        sine.atan2(cosine) as f32
    };
    turn(&|x| x > 0.8) - turn(&|x| x < -0.8)
}

/// The condition number at which the scenes replace clusters.
pub const WORN: f32 = 1.4;

/// Step number `step` of a scene: pushed at first, then let go.
pub fn step(world: &mut World, id: BodyId, twisted: bool, step: usize) {
    match (step < PUSHED, twisted) {
        (true, false) => compress(world, id, SQUEEZE),
        (true, true) => twist(world, id, TWIST),
        (false, _) => world.step(DT).unwrap(),
    }
}

/// Strength of the forces, 1/s².
const SQUEEZE: f32 = 5.0;
const TWIST: f32 = 10.0;
