//! Meshes as they are found in the world, carried by bodies that fall on the ground.

mod scenes;
mod support;

use std::collections::BTreeMap;

use glam::Vec3;
use scenes::meshes;
use support::Scene;
use wobble::{
    Amount, BodyDef, Indices, LevelsDef, Material, Mesh, SamplingDef, Shape, SkinBuffers, Stiffness,
};

/// The corners of every triangle by themselves: a mesh that is split wherever it can be.
fn split(mesh: &Mesh) -> Vec<Vec3> {
    mesh.indices.triangles().flatten().map(|i| mesh.positions[i as usize]).collect()
}

fn read(scene: &Scene, count: usize) -> Vec<Vec3> {
    let mut positions = vec![Vec3::NAN; count];
    let mut out = SkinBuffers { positions: Some(&mut positions), ..SkinBuffers::default() };
    scene.body().read_skin(1.0, &mut out).unwrap();
    positions
}

/// For each vertex, the nearest of the particles at rest.
fn nearest(shape: &Shape, vertices: &[Vec3]) -> Vec<usize> {
    let at = |vertex: Vec3| {
        let apart = |i: &usize| shape.rest()[*i].truncate().distance_squared(vertex);
        (0..shape.particle_count()).min_by(|a, b| apart(a).total_cmp(&apart(b))).unwrap()
    };
    vertices.iter().map(|v| at(*v - shape.centre())).collect()
}

#[test]
fn meshes_follow_their_particles_and_stay_closed_where_they_are_split() {
    for name in ["suzanne", "spot", "teapot", "cow"] {
        let Some(found) = meshes::brought(name) else { continue };
        let vertices = split(&found.mesh());
        let indices: Vec<u32> = (0..vertices.len() as u32).collect();
        let mesh = Mesh { positions: &vertices, indices: Indices::U32(&indices), ..Mesh::default() };
        let sampling = SamplingDef { amount: Amount::Count(1500), ..SamplingDef::default() };
        let shape = Shape::from_mesh(&mesh, &sampling, &LevelsDef::default(), &mut |_| true).unwrap();
        let low = vertices.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
        let size = (vertices.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p)) - low).max_element();
        let material = Material { stiffness: Stiffness::Hertz(10.0), ..Material::default() };
        let position = Vec3::Y * (shape.centre().y - low.y);
        let velocity = Vec3::Y * -3.0 * size;
        let mut scene =
            Scene::on_ground(&shape, &BodyDef { position, velocity, material, ..BodyDef::default() });
        for (vertex, at) in vertices.iter().zip(read(&scene, vertices.len())) {
            assert!(at.distance(*vertex - shape.centre() + position) < 1e-5 * size, "{name} at rest");
        }
        scene.world.set_substeps(4).unwrap();
        scene.run(12, 1.0 / 60.0);
        let now = read(&scene, vertices.len());
        let particles = scene.body().raw_positions();
        let mut farthest = 0.0f32;
        for (i, &p) in nearest(&shape, &vertices).iter().enumerate().step_by(7) {
            let at_rest = shape.rest()[p].truncate().distance(vertices[i] - shape.centre());
            farthest = farthest.max(now[i].distance(particles[p].truncate()) - at_rest);
        }
        println!("{name}: a vertex is at most {} of the size farther from its particle", farthest / size);
        assert!(farthest < 0.04 * size, "{name}: {farthest} of {size}");
        let mut places = BTreeMap::new();
        for (vertex, at) in vertices.iter().zip(&now) {
            let first = places.entry(vertex.to_array().map(f32::to_bits)).or_insert(*at);
            assert_eq!(first, at, "{name} is torn at {vertex}");
        }
    }
}
