//! From meshes to particles: how many, where, how heavy, and the same everywhere.

#[path = "../scenes/mod.rs"]
mod scenes;

mod broken;
mod refused;
mod solids;

use std::sync::Arc;

use glam::{Vec3, vec3};
use scenes::meshes::{Triangles, ball, brought, cuboid};
use wobble::{Amount, LevelsDef, Mesh, MeshSurface, Pattern, SamplingDef, Shape, Welded};

const PATTERNS: [Pattern; 3] = [Pattern::Grid, Pattern::BodyCentred, Pattern::BlueNoise];

/// Every mesh at hand, and whether it is closed.
const BROUGHT: [(&str, bool); 5] =
    [("suzanne", false), ("teapot", false), ("stanford-bunny", false), ("cow", true), ("spot", true)];

/// One cluster: these tests are about particles.
fn single() -> LevelsDef {
    LevelsDef { finest_clusters: Some(1), max_levels: 1, ..LevelsDef::default() }
}

fn sampled(mesh: &Mesh, def: &SamplingDef) -> Arc<Shape> {
    Shape::from_mesh(mesh, def, &single(), &mut |_| true).unwrap()
}

fn count(count: u32) -> SamplingDef {
    SamplingDef { amount: Amount::Count(count), ..SamplingDef::default() }
}

fn surface(triangles: &Triangles) -> MeshSurface {
    MeshSurface::new(&Welded::new(&triangles.mesh(), 1e-5)).unwrap()
}

/// Particles in the space of the mesh.
fn points(shape: &Shape) -> Vec<Vec3> {
    shape.rest().iter().map(|r| r.truncate() + shape.centre()).collect()
}

fn size(surface: &MeshSurface) -> f32 {
    let (low, high) = surface.bounds();
    (high - low).max_element()
}

/// Volume by the divergence theorem, right for closed meshes whose pieces do not cross.
fn bounded_volume(t: &Triangles) -> f64 {
    let corner = |i: u32| t.positions[i as usize].as_dvec3();
    t.indices.chunks(3).map(|t| corner(t[0]).dot(corner(t[1]).cross(corner(t[2]))) / 6.0).sum()
}

/// Panics unless particles are as many as asked for, and inside or on the surface.
fn expect_filled(name: &str, triangles: &Triangles, shape: &Shape, wanted: u32) {
    let surface = surface(triangles);
    let off = shape.particle_count() as f64 / f64::from(wanted) - 1.0;
    assert!(off.abs() <= 0.05, "{name}: {} particles for {wanted}", shape.particle_count());
    let nearly = 1e-5 * size(&surface);
    for p in points(shape) {
        let at = surface.closest(p);
        assert!(surface.contains(p) || at.distance < nearly, "{name}: {p} is {} m outside", at.distance);
    }
}

#[test]
fn every_mesh_brought_is_filled_by_every_pattern() {
    for (name, is_closed) in BROUGHT {
        let Some(triangles) = brought(name) else { continue };
        assert_eq!(surface(&triangles).is_closed(), is_closed, "{name}");
        for pattern in PATTERNS {
            let shape = sampled(&triangles.mesh(), &SamplingDef { pattern, density: 1.0, ..count(5000) });
            expect_filled(name, &triangles, &shape, 5000);
            if is_closed {
                let off = f64::from(shape.mass()) / bounded_volume(&triangles) - 1.0;
                assert!(off.abs() < 0.03, "{name}, {pattern:?}: the mass is {off} off density times volume");
            }
        }
    }
}

#[test]
fn a_ball_and_a_box_weigh_what_their_volume_weighs_however_many_the_particles() {
    for (name, triangles, volume) in [
        ("ball", ball(0.5, 20), 4.0 / 3.0 * std::f32::consts::PI * 0.125),
        ("box", cuboid(vec3(1.0, 0.5, 2.0), 3), 1.0),
    ] {
        for pattern in PATTERNS {
            for wanted in [300, 2000] {
                for on_surface in [true, false] {
                    let def = SamplingDef { pattern, surface: on_surface, density: 500.0, ..count(wanted) };
                    let shape = sampled(&triangles.mesh(), &def);
                    expect_filled(name, &triangles, &shape, wanted);
                    let off = shape.mass() / (500.0 * volume) - 1.0;
                    assert!(off.abs() < 0.01, "{name}, {def:?}: {off}");
                    // A lattice is moved to the middle; random points stray less than if each were thrown
                    // by itself, which would be the extent over the root of twelve times their number.
                    let size = triangles.positions.iter().fold(Vec3::ZERO, |most, p| most.max(*p)) * 2.0;
                    let alone = size.length() / (12.0 * wanted as f32).sqrt();
                    let most = if pattern == Pattern::BlueNoise { alone } else { 0.005 };
                    assert!(shape.centre().length() < most, "{name}, {def:?}: {}", shape.centre());
                }
            }
        }
    }
}

#[test]
fn particles_keep_their_distance_and_leave_no_hole() {
    let triangles = ball(0.5, 20);
    let surface = surface(&triangles);
    for (pattern, least) in [(Pattern::Grid, 0.5), (Pattern::BodyCentred, 0.5), (Pattern::BlueNoise, 0.999)] {
        let spacing = 0.05;
        let def = SamplingDef { pattern, amount: Amount::Spacing(spacing), ..SamplingDef::default() };
        let points = points(&sampled(&triangles.mesh(), &def));
        let nearest = |at: Vec3| {
            let others = points.iter().map(|p| p.distance(at)).filter(|d| *d > 0.0);
            others.fold(f32::INFINITY, f32::min)
        };
        for &p in &points {
            assert!(nearest(p) >= least * spacing, "{pattern:?}: {} apart", nearest(p));
            let depth = surface.closest(p).distance;
            assert!(!(1e-5..0.5 * spacing).contains(&depth), "{pattern:?}: {depth} below the surface");
        }
        for at in scenes::grid(20, 20, 20, 0.05).into_iter().filter(|p| p.length() < 0.49) {
            assert!(nearest(at) < 1.25 * spacing, "{pattern:?}: nobody within {} of {at}", nearest(at));
        }
    }
}

#[test]
fn the_same_seed_gives_the_same_bits_on_any_number_of_threads() {
    let potato = ball(1.0, 30).with(&cuboid(Vec3::splat(1.5), 4).moved(vec3(0.8, 0.2, 0.1)));
    let bunny = brought("stanford-bunny");
    for triangles in [Some(potato), bunny].into_iter().flatten() {
        for pattern in [Pattern::BodyCentred, Pattern::BlueNoise] {
            let built = |threads, seed| {
                let levels = LevelsDef { threads, ..single() };
                let def = SamplingDef { pattern, seed, ..count(2000) };
                Shape::from_mesh(&triangles.mesh(), &def, &levels, &mut |_| true).unwrap().fingerprint()
            };
            assert_eq!(built(1, 7), built(2, 7), "{pattern:?}");
            assert_ne!(built(2, 7), built(2, 8), "{pattern:?}: the seed makes no difference");
        }
    }
}

#[test]
fn particles_hold_the_corners_and_edges_of_a_box() {
    let points = points(&sampled(&cuboid(Vec3::ONE, 1).mesh(), &count(2000)));
    for corner in 0..8 {
        let at = vec3((corner & 1) as f32, (corner >> 1 & 1) as f32, (corner >> 2) as f32) - 0.5;
        assert!(points.iter().any(|p| p.distance(at) < 1e-5), "nobody is at the corner {at}");
    }
    let on_edges =
        points.iter().filter(|p| p.to_array().iter().filter(|c| c.abs() > 0.49999).count() == 2).count();
    assert!((12 * 7..12 * 14).contains(&on_edges), "{on_edges} on the edges");
}

#[test]
fn where_a_mesh_lies_and_how_large_it_is_makes_no_difference() {
    let at_origin = ball(0.5, 10);
    let def = SamplingDef { density: 1.0, ..count(500) };
    let shape = sampled(&at_origin.mesh(), &def);
    for (scale, by) in [(1e-2, Vec3::ZERO), (1e3, vec3(1e4, -3e3, 2e3)), (64.0, vec3(-640.0, 0.0, 64.0))] {
        let mut other = at_origin.clone();
        other.positions.iter_mut().for_each(|p| *p = *p * scale + by);
        let moved = sampled(&other.mesh(), &def);
        assert!(moved.particle_count().abs_diff(shape.particle_count()) < 10, "scaled by {scale}");
        assert!(moved.centre().distance(by) < 0.02 * scale, "{}", moved.centre());
        assert!((moved.mass() / shape.mass() / scale.powi(3) - 1.0).abs() < 0.02);
    }
}

#[test]
fn what_is_painted_on_vertices_is_carried_to_particles() {
    let triangles = cuboid(Vec3::ONE, 8);
    let along = |f: fn(f32) -> f32| triangles.positions.iter().map(|p| f(p.x + 0.5)).collect::<Vec<f32>>();
    let (density, pin) = (along(|x| 1.0 + x), along(|x| if x > 0.9 { 1.0 } else { 0.0 }));
    let mesh =
        Mesh { density: Some(&density), pin: Some(&pin), stiffness: Some(&density), ..triangles.mesh() };
    let shape = sampled(&mesh, &SamplingDef { density: 100.0, ..count(2000) });
    // The mean of 1 + x is 1.5, and the heavier half draws the centre by the variance of x over that.
    assert!((shape.mass() / 150.0 - 1.0).abs() < 0.03, "{}", shape.mass());
    assert!((shape.centre().x - 1.0 / 12.0 / 1.5).abs() < 0.03, "{}", shape.centre());
    let pinned = shape.pinned();
    assert!(!pinned.is_empty() && pinned.len() < shape.particle_count() / 4, "{}", pinned.len());
    for &i in pinned {
        assert!(shape.rest()[i as usize].x + shape.centre().x > 0.0);
    }
    let plain = sampled(&triangles.mesh(), &count(2000));
    assert!(plain.pinned().is_empty());
}

#[test]
fn a_hollow_body_has_particles_on_its_surface_only() {
    let triangles = ball(0.5, 20);
    let def = SamplingDef { fill: false, thickness: Some(0.01), density: 1000.0, ..count(1000) };
    let shape = sampled(&triangles.mesh(), &def);
    expect_filled("hollow ball", &triangles, &shape, 1000);
    let surface = surface(&triangles);
    assert!(points(&shape).iter().all(|p| surface.closest(*p).distance < 1e-5));
    assert!((shape.mass() / (1000.0 * 0.01 * std::f32::consts::PI) - 1.0).abs() < 0.01, "{}", shape.mass());
}
