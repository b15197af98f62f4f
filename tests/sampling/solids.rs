//! Solids by rule: closed meshes of the right volume, and bodies made of them.

use std::f32::consts::PI;

use glam::{Vec3, vec3};
use wobble::{LevelsDef, MeshSurface, SamplingDef, Shape, Solid, SolidMesh, Welded};

use super::{count, single};

fn volume(mesh: &SolidMesh) -> f32 {
    let corner = |i: u32| mesh.positions[i as usize].as_dvec3();
    let cones = mesh.indices.chunks(3).map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0);
    cones.sum::<f64>() as f32
}

fn solids() -> Vec<(&'static str, Solid<'static>, f32)> {
    let shell = |p: Vec3| (p.length() - 0.45).abs() - 0.05;
    let shell = Solid::from_distance(Vec3::splat(-0.6), Vec3::splat(0.6), shell).unwrap();
    vec![
        ("ball", Solid::ball(0.5).unwrap(), PI / 6.0),
        ("box", Solid::cuboid(vec3(1.0, 0.5, 0.7)).unwrap(), 0.35),
        ("capsule", Solid::capsule(0.2, 1.0).unwrap(), PI * 0.04 * (0.6 + 0.8 / 3.0)),
        ("torus", Solid::torus(0.4, 0.12).unwrap(), 2.0 * PI * PI * 0.4 * 0.0144),
        ("cylinder", Solid::cylinder(0.3, 0.8).unwrap(), PI * 0.09 * 0.8),
        ("shell", shell, 4.0 / 3.0 * PI * (0.125 - 0.064)),
    ]
}

#[test]
fn the_mesh_of_a_solid_is_closed_and_has_its_volume_and_normals() {
    for (name, solid, expected) in solids() {
        let mesh = solid.mesh(40).unwrap();
        mesh.as_mesh().check().unwrap();
        let surface = MeshSurface::new(&Welded::new(&mesh.as_mesh(), 0.0)).unwrap();
        assert!(surface.is_closed(), "{name}");
        assert!((volume(&mesh) / expected - 1.0).abs() < 0.01, "{name}: {} of {expected}", volume(&mesh));
        for (at, normal) in mesh.positions.iter().zip(&mesh.normals) {
            assert!(solid.distance(*at).abs() < 2e-3, "{name}: {} off at {at}", solid.distance(*at));
            assert!((normal.length() - 1.0).abs() < 1e-3);
            assert!(solid.distance(*at + *normal * 0.02) > 0.0, "{name}: the normal at {at} points inwards");
        }
    }
}

#[test]
fn one_thread_makes_the_same_mesh_and_asks_on_that_of_the_caller() {
    let caller = std::thread::current().id();
    let distance = |p: Vec3| {
        assert_eq!(std::thread::current().id(), caller);
        p.length() - 0.5
    };
    let solid = Solid::from_distance(Vec3::splat(-0.5), Vec3::splat(0.5), distance).unwrap();
    let (here, all) = (solid.mesh_on(20, 1).unwrap(), Solid::ball(0.5).unwrap().mesh(20).unwrap());
    assert_eq!((here.positions, here.normals, here.indices), (all.positions, all.normals, all.indices));
    let levels = LevelsDef { threads: 1, ..single() };
    Shape::from_solid(&solid, 20, &count(200), &levels, &mut |_| true).unwrap();
}

#[test]
fn a_box_keeps_its_edges_and_corners() {
    let mesh = Solid::cuboid(Vec3::ONE).unwrap().mesh(20).unwrap();
    for corner in 0..8 {
        let at = vec3((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32) - 0.5;
        assert!(mesh.positions.iter().any(|p| p.distance(at) < 1e-3), "no vertex at {at}");
    }
}

#[test]
fn solids_become_bodies_of_the_right_mass() {
    for (name, solid, expected) in solids() {
        let def = SamplingDef { density: 1.0, ..count(1000) };
        let shape = Shape::from_solid(&solid, 40, &def, &single(), &mut |_| true).unwrap();
        assert!(shape.particle_count().abs_diff(1000) <= 50, "{name}: {}", shape.particle_count());
        assert!((shape.mass() / expected - 1.0).abs() < 0.03, "{name}: {} of {expected}", shape.mass());
        assert!(shape.skin().is_some(), "{name}");
        for rest in shape.rest() {
            assert!(solid.distance(rest.truncate() + shape.centre()) < 5e-3, "{name}");
        }
    }
}

#[test]
fn the_gummy_bear_stands_is_one_piece_and_looks_the_same_from_left_and_right() {
    let bear = Solid::gummy_bear(0.3).unwrap();
    let mesh = bear.mesh(80).unwrap();
    let surface = MeshSurface::new(&Welded::new(&mesh.as_mesh(), 0.0)).unwrap();
    assert!(surface.is_closed());
    let (low, high) = surface.bounds();
    assert!(low.y.abs() < 0.005 && (high.y / 0.3 - 1.0).abs() < 0.02, "from {low} to {high}");
    assert!((low.x + high.x).abs() < 1e-3);
    let shape = Shape::from_solid(&bear, 80, &count(1500), &LevelsDef::default(), &mut |_| true).unwrap();
    assert!(shape.centre().x.abs() < 0.003 && shape.centre().y < 0.16, "{}", shape.centre());
    assert!(shape.levels().len() > 1);
}

#[test]
fn solids_that_cannot_be_are_refused_in_words_that_help() {
    let told = |solid: Result<Solid, wobble::Error>| solid.err().map(|e| e.to_string()).unwrap_or_default();
    assert!(told(Solid::ball(-1.0)).starts_with("radius is -1; it must be from 1e-6"));
    assert!(told(Solid::cuboid(vec3(1.0, f32::NAN, 1.0))).starts_with("size is NaN"));
    assert!(told(Solid::capsule(1.0, 1.5)).contains("at least twice the radius"));
    assert!(told(Solid::torus(1.0, 2.0)).contains("so that there is a hole"));
    assert!(told(Solid::cylinder(1.0, 0.0)).starts_with("height is 0"));
    assert!(told(Solid::gummy_bear(f32::INFINITY)).starts_with("height is inf"));
    assert!(told(Solid::from_distance(Vec3::ONE, Vec3::ONE, |_| 0.0)).starts_with("high - low is 0"));
    let mesh = |f: fn(Vec3) -> f32| {
        let solid = Solid::from_distance(Vec3::ZERO, Vec3::ONE, f).unwrap();
        solid.mesh(8).err().map(|e| e.to_string()).unwrap_or_default()
    };
    assert!(mesh(|_| f32::NAN).contains("is not a number; let it give one everywhere"));
    assert!(mesh(|_| 1.0).contains("no part of it is inside"));
    assert_eq!(mesh(|_| -1.0), "", "all of the box is inside, and cut off at its bounds");
    assert!(Solid::ball(1.0).unwrap().mesh(3).is_err_and(|e| e.to_string().starts_with("cells is 3")));
}
