//! What cannot become a body is refused in words that help.

use glam::{Vec3, vec3};
use wobble::{Amount, Error, LevelsDef, Mesh, SamplingDef, Shape};

use super::scenes::meshes::{Triangles, ball, cuboid, sheet};
use super::{count, single};

fn told(mesh: &Mesh, def: &SamplingDef, levels: &LevelsDef) -> String {
    Shape::from_mesh(mesh, def, levels, &mut |_| true).unwrap_err().to_string()
}

#[test]
fn errors_say_what_to_do() {
    let ball = ball(0.5, 8);
    let spacing = |spacing| SamplingDef { amount: Amount::Spacing(spacing), ..SamplingDef::default() };
    let plain = SamplingDef::default();
    let clusters = LevelsDef { finest_clusters: Some(500), ..LevelsDef::default() };
    let line =
        Triangles { positions: vec![Vec3::ZERO, Vec3::X, Vec3::X * 2.0], indices: vec![0, 1, 2, 2, 1, 0] };
    let point = Triangles { positions: vec![Vec3::ONE; 3], indices: vec![0, 1, 2] };
    let tiny = Triangles { positions: ball.positions.iter().map(|p| *p * 1e-6).collect(), ..ball.clone() };
    for (error, words) in [
        (told(&Mesh::default(), &plain, &single()), "positions has 0 elements"),
        (told(&line.mesh(), &plain, &single()), "none of its triangles has an area; export a surface"),
        (told(&point.mesh(), &plain, &single()), "none of its triangles has an area"),
        (told(&ball.mesh(), &spacing(3.0), &single()), "ask for a smaller spacing"),
        (told(&ball.mesh(), &spacing(1e-4), &single()), "ask for a larger spacing"),
        (told(&ball.mesh(), &spacing(f32::NAN), &single()), "spacing is NaN"),
        (told(&ball.mesh(), &spacing(0.0), &single()), "spacing is 0; it must be more than 0 m"),
        (told(&ball.mesh(), &count(3), &single()), "count is 3; it must be from 4"),
        (told(&ball.mesh(), &count(100), &clusters), "500 clusters of the finest level are more than its"),
        (told(&tiny.mesh(), &plain, &single()), "scale the mesh to metres"),
        (told(&ball.mesh(), &SamplingDef { density: 0.0, ..plain.clone() }, &single()), "density is 0"),
        (told(&ball.mesh(), &SamplingDef { weld: 1.0, ..plain.clone() }, &single()), "weld is 1"),
        (
            told(&ball.mesh(), &SamplingDef { thickness: Some(-1.0), ..plain.clone() }, &single()),
            "thickness is -1",
        ),
        (
            told(&ball.mesh(), &SamplingDef { surface: false, fill: false, ..plain.clone() }, &single()),
            "particles inside, on its surface, or both",
        ),
        (
            told(&sheet(1.0, 1.0, 2, 2).mesh(), &SamplingDef { surface: false, ..plain.clone() }, &single()),
            "ask for particles on the surface, too",
        ),
    ] {
        assert!(error.contains(words), "{error:?} does not say {words:?}");
    }
}

#[test]
fn progress_rises_to_one_and_can_cancel_at_any_time() {
    let cube = cuboid(Vec3::ONE, 4);
    let mut shown = Vec::new();
    let mut note = |done| {
        shown.push(done);
        true
    };
    Shape::from_mesh(&cube.mesh(), &count(500), &LevelsDef::default(), &mut note).unwrap();
    assert!(shown.is_sorted() && shown[0] < 0.3 && shown.last() == Some(&1.0), "{shown:?}");
    for stop in [0, 1, 2, 4, shown.len() / 2, shown.len() - 1] {
        let mut calls = 0;
        let mut cancel = |_| {
            calls += 1;
            calls <= stop
        };
        let result = Shape::from_mesh(&cube.mesh(), &count(500), &LevelsDef::default(), &mut cancel);
        assert!(matches!(result, Err(Error::Cancelled)), "at call {stop}");
    }
}

#[test]
fn a_far_triangle_does_no_harm() {
    let mut triangles = ball(0.5, 6);
    let n = triangles.positions.len() as u32;
    triangles.positions.extend([vec3(1e6, 0.0, 0.0), vec3(1e6, 1.0, 0.0), vec3(1e6, 0.0, 1.0)]);
    triangles.indices.extend([n, n + 1, n + 2]);
    match Shape::from_mesh(&triangles.mesh(), &count(200), &single(), &mut |_| true) {
        Ok(shape) => assert!(shape.particle_count() >= 4),
        Err(error) => assert!(matches!(error, Error::Unsuitable { .. }), "{error}"),
    }
}
