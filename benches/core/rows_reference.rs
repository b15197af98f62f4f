//! The library against MR written down plainly: how much faster, and whether both
//! go the same way.

use glam::{Vec3, Vec4};
use nalgebra::Vector3;
use wobble::{Body as SoftBody, BodyDef, Damping, DampingForm, Material, Rotation, Shape, Stiffness};

use crate::harness::{Bench, Limit, seconds};
use crate::reference::{Parameters, Reference};
use crate::scene::{Body, DT, Levels, Motion, STIR, Scene, Shapes, empty_world, velocities};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    if bench.wants(&["core.reference_over_ours_1t", "core.reference_over_ours_2t"]) {
        speed(bench, shapes);
    }
    if bench.wants(&["core.reference_agreement"]) {
        agreement(bench, shapes);
    }
}

/// What the reference calls the material of a body.
fn parameters(body: &SoftBody, h: f32, gravity: Vec3) -> Parameters {
    let material = body.material();
    Parameters {
        stiffness: material.alpha(h).into(),
        damping: material.k_d(h).into(),
        gravity: vector(gravity),
        rotation: material.rotation,
        level_weights: body.level_weights().iter().map(|&w| w.into()).collect(),
    }
}

fn speed(bench: &mut Bench, shapes: &mut Shapes) {
    let nested = shapes.get(Body::Grid, Levels::Nested).shape;
    let independent = shapes.get(Body::Grid, Levels::Independent).shape;
    let mut one = Scene::new(&nested, papers(), 1, Motion::Lively);
    let mut two = Scene::new(&nested, papers(), 2, Motion::Lively);
    let body = one.world.body(one.body).expect("never removed");
    let mut reference = Reference::new(&independent, parameters(body, DT, Vec3::ZERO));
    // Both are in the same motion: how long a rotation takes to find depends on it.
    let sway = velocities(&nested, Motion::Lively);
    let start = |i: usize| (vector(nested.rest()[nested.place()[i] as usize].truncate()), vector(sway[i]));
    let mut steps = 0;
    let mut step_reference = || {
        if steps % STIR == 0 {
            reference.set_state((0..sway.len()).map(start));
        }
        steps += 1;
        seconds(|| reference.step(DT.into()))
    };
    let best = bench.race(&mut [&mut step_reference, &mut || one.step(), &mut || two.step()]);
    bench.tell("core.reference_ms", best[0] * 1e3);
    bench.row("core.reference_over_ours_1t", best[0] / best[1], Limit::AtLeast(20.0));
    bench.row("core.reference_over_ours_2t", best[0] / best[2], Limit::AtLeast(35.0));
}

/// The largest distance between a particle here and there over the first second at
/// 60 Hz, as a share of the body's width. The body is thrown, spinning, stretched and
/// bent, so that all levels have work to do. It meets nothing: where a body touches, the
/// library also takes deformation velocity out of the clusters, which the paper does not.
fn agreement(bench: &mut Bench, shapes: &mut Shapes) {
    let (h, gravity) = (1.0 / 60.0, Vec3::new(0.0, -9.81, 0.0));
    let shape = shapes.get(Body::Grid, Levels::Independent).shape;
    let mut world = empty_world(2);
    world.set_gravity(gravity).expect("finite");
    let id = world.add_body(&shape, &BodyDef { material: papers(), ..BodyDef::default() }).expect("sound");
    let body = world.body_mut(id).expect("never removed");
    let mut reference = Reference::new(&shape, parameters(body, h, gravity));
    throw(body, &shape, &mut reference);
    let mut ours = vec![Vec3::ZERO; shape.particle_count()];
    let mut largest: f64 = 0.0;
    for _ in 0..bench.size(60, 3) {
        world.step(h).expect("the body stays finite");
        reference.step(h.into());
        world.body(id).expect("never removed").read_positions(&mut ours).expect("of this length");
        let apart = ours.iter().zip(reference.positions()).map(|(p, q)| (vector(*p) - q).norm());
        largest = apart.fold(largest, f64::max);
    }
    bench.row("core.reference_agreement", largest / f64::from(width(shape.rest())), Limit::AtMost(0.01));
}

/// What the paper's step and ours have in common.
fn papers() -> Material {
    Material {
        stiffness: Stiffness::PerStep(0.6),
        damping: Damping::PerStep(0.1),
        damping_form: DampingForm::Paper,
        rotation: Rotation::Momentum,
        ..Material::default()
    }
}

/// Brings both bodies into the same deformed, moving state.
fn throw(body: &mut SoftBody, shape: &Shape, reference: &mut Reference) {
    let bend = |p: Vec3| Vec3::new(1.2 * p.x + 0.3 * p.y * p.y, p.y + 0.1 * p.z, 0.9 * p.z + 0.2 * p.x * p.x);
    let spin = |p: Vec3| Vec3::new(0.5, 0.0, 0.0) + Vec3::new(1.0, 2.0, 0.5).cross(p);
    body.deform(bend).expect("finite");
    let rest = |&place: &u32| shape.rest()[place as usize].truncate();
    for (i, r) in shape.place().iter().map(rest).enumerate() {
        body.set_velocity_of(i, spin(r)).expect("finite");
    }
    reference.set_state(shape.place().iter().map(rest).map(|r| (vector(bend(r)), vector(spin(r)))));
}

/// The longest side of the box around `points`.
fn width(points: &[Vec4]) -> f32 {
    let low = points.iter().fold(Vec4::INFINITY, |low, p| low.min(*p));
    let high = points.iter().fold(Vec4::NEG_INFINITY, |high, p| high.max(*p));
    (high - low).max_element()
}

fn vector(v: Vec3) -> Vector3<f64> {
    Vector3::new(v.x.into(), v.y.into(), v.z.into())
}
