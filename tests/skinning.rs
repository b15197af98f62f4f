//! The mesh that a body carries: it follows, stays whole and smooth, and costs nothing twice.

mod scenes;
mod support;

use std::sync::Arc;

use glam::{Affine3A, Mat3, Quat, Vec3, Vec4};
use scenes::spheres::{self, Owned};
use support::{Scene, some_turn};
use wobble::{
    BodyDef, Error, LevelsDef, Material, Mesh, Octahedral, Particles, Plane, Shape, SkinBuffers, Stiffness,
    WHOLE, World, WorldDef,
};

const RADIUS: f32 = 0.55;

/// A ball of about 5,000 particles with a sphere around it.
fn ball(rings: usize) -> (Arc<Shape>, Owned) {
    let owned = spheres::sphere(rings, RADIUS);
    (carrying(&scenes::ball(0.53, 0.05), &owned.mesh()), owned)
}

fn carrying(points: &[Vec3], mesh: &Mesh) -> Arc<Shape> {
    let particles = Particles { points, ..Particles::default() };
    Shape::from_particles_and_mesh(&particles, mesh, &LevelsDef::default(), &mut |_| true).unwrap()
}

/// All that can be read of a mesh.
#[derive(Clone, Debug, PartialEq)]
struct Read {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    tangents: Vec<Vec4>,
    previous: Vec<Vec3>,
    bounds: [Vec3; 2],
}

fn read_with(count: usize, work: impl FnOnce(&mut SkinBuffers) -> Result<[Vec3; 2], Error>) -> Read {
    let (mut positions, mut normals) = (vec![Vec3::NAN; count], vec![Vec3::NAN; count]);
    let (mut tangents, mut previous) = (vec![Vec4::NAN; count], vec![Vec3::NAN; count]);
    let bounds = work(&mut SkinBuffers {
        positions: Some(&mut positions),
        normals: Some(&mut normals),
        tangents: Some(&mut tangents),
        previous: Some(&mut previous),
        ..SkinBuffers::default()
    });
    Read { positions, normals, tangents, previous, bounds: bounds.unwrap() }
}

fn read(scene: &Scene, fraction: f32) -> Read {
    let count = scene.body().shape().skin().unwrap().vertex_count();
    read_with(count, |out| scene.body().read_skin(fraction, out))
}

/// Stretch, shear and turn: normals go by the inverse transpose.
#[test]
fn a_frame_carries_all_that_is_read() {
    let (shape, _) = ball(16);
    let scene = Scene::with(&shape, &BodyDef { position: Vec3::new(1.0, 2.0, 3.0), ..BodyDef::default() });
    let linear = Mat3::from_quat(some_turn(0.7)) * Mat3::from_diagonal(Vec3::new(2.0, 0.5, 1.5));
    let frame = Affine3A::from_mat3_translation(linear, Vec3::new(-4.0, 5.0, 6.0));
    let count = shape.skin().unwrap().vertex_count();
    let framed = read_with(count, |out| {
        out.frame = Some(frame);
        scene.body().read_skin(1.0, out)
    });
    let plain = read(&scene, 1.0);
    for i in 0..count {
        assert!(framed.positions[i].distance(frame.transform_point3(plain.positions[i])) < 1e-5);
        assert!(framed.previous[i].distance(frame.transform_point3(plain.previous[i])) < 1e-5);
        let normal = (linear.inverse().transpose() * plain.normals[i]).normalize();
        assert!(framed.normals[i].distance(normal) < 1e-4);
        let tangent = (linear * plain.tangents[i].truncate()).normalize();
        assert!(framed.tangents[i].truncate().distance(tangent) < 1e-4);
    }
    let low = framed.positions.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
    assert_eq!(framed.bounds[0], low);
    assert_eq!(read(&scene, 1.0), plain, "a frame is for one read alone");
}

#[test]
fn a_mesh_that_is_moved_and_turned_is_as_at_rest() {
    let (shape, owned) = ball(24);
    for place in [Vec3::ZERO, Vec3::new(3.0, -2.0, 5.0)] {
        let def = BodyDef { position: place, rotation: some_turn(1.1), ..BodyDef::default() };
        let found = read(&Scene::with(&shape, &def), 1.0);
        for (i, &rest) in owned.positions.iter().enumerate() {
            let wanted = place + some_turn(1.1) * (rest - shape.centre());
            let most = 1e-5 * 2.0 * RADIUS;
            assert!(found.positions[i].distance(wanted) < most, "vertex {i} {}", found.positions[i] - wanted);
            assert!(found.normals[i].distance(some_turn(1.1) * owned.normals[i]) < 1e-4);
            let tangent = some_turn(1.1) * owned.tangents[i].truncate();
            assert!(found.tangents[i].distance(tangent.extend(-1.0)) < 1e-4);
            assert!(found.previous[i].distance(found.positions[i]) < 1e-6);
        }
        let all = &found.positions;
        let low = all.iter().fold(Vec3::INFINITY, |low, p| low.min(*p));
        let high = all.iter().fold(Vec3::NEG_INFINITY, |high, p| high.max(*p));
        assert_eq!(found.bounds, [low, high]);
    }
}

#[test]
fn vertices_that_were_split_stay_together_in_any_motion() {
    let (shape, owned) = ball(24);
    let mut scene = Scene::on_ground(&shape, &BodyDef { position: Vec3::Y * 0.7, ..BodyDef::default() });
    scene.body_mut().set_velocity(Vec3::new(2.0, -9.0, 1.0)).unwrap();
    scene.run(30, 1.0 / 60.0);
    let found = read(&scene, 1.0);
    let columns = 49;
    for ring in 0..25 {
        let [first, last] = [ring * columns, ring * columns + columns - 1];
        assert_eq!(owned.positions[first], owned.positions[last]);
        assert_eq!(found.positions[first], found.positions[last], "the seam is open at ring {ring}");
    }
    for pole in [0, 24 * columns] {
        assert!((0..columns).all(|i| found.positions[pole + i] == found.positions[pole]));
    }
}

/// A twist about y with a squash: its gradient is at most 1.6 within the ball.
fn twist(p: Vec3) -> Vec3 {
    Quat::from_rotation_y(1.2 * p.y) * p * Vec3::new(1.05, 0.7, 1.05)
}

#[test]
fn the_mesh_follows_the_particles_through_a_twist_without_a_step_at_cluster_borders() {
    let (shape, owned) = ball(160);
    let mut scene = Scene::new(&shape, Material::default());
    scene.body_mut().deform(twist).unwrap();
    let found = read(&scene, 1.0);
    let (mut farthest, mut steepest, mut crooked) = (0.0f32, 0.0f32, 0.0f32);
    for (i, &rest) in owned.positions.iter().enumerate() {
        farthest = farthest.max(found.positions[i].distance(twist(rest)));
    }
    for triangle in owned.indices.chunks(3) {
        for k in 0..3 {
            let [a, b] = [triangle[k] as usize, triangle[(k + 1) % 3] as usize];
            let long = owned.positions[a].distance(owned.positions[b]);
            if long > 1e-4 {
                steepest = steepest.max(found.positions[a].distance(found.positions[b]) / long);
                let turned = found.normals[a].distance(found.normals[b]);
                crooked = crooked.max(turned / long * RADIUS);
            }
        }
    }
    // A cluster is 0.15 wide; 1 % of the ball is what blending smooths away.
    assert!(farthest < 0.012, "{farthest}");
    assert!(steepest < 1.3, "{steepest}");
    // A sphere's normal turns by its length over the radius.
    assert!(crooked < 2.5, "{crooked}");
}

#[test]
fn a_mesh_squashed_on_the_floor_hardly_sinks_into_it() {
    let (shape, _) = ball(40);
    let material = Material { stiffness: Stiffness::Hertz(6.0), ..Material::default() };
    let def = BodyDef { position: Vec3::Y * 0.8, material, ..BodyDef::default() };
    let mut scene = Scene::on_ground(&shape, &def);
    scene.world.set_substeps(4).unwrap();
    let mut lowest = f32::INFINITY;
    for _ in 0..60 {
        scene.run(1, 1.0 / 60.0);
        let particles = scene.positions().iter().fold(f32::INFINITY, |low, p| low.min(p.y));
        lowest = lowest.min(read(&scene, 1.0).bounds[0].y - particles);
    }
    // At rest the mesh reaches 0.05 below the lowest particle.
    assert!(lowest > -0.055, "{lowest}");
}

#[test]
fn a_read_has_the_same_bits_on_any_number_of_threads() {
    let (shape, _) = ball(40);
    let count = shape.skin().unwrap().vertex_count();
    let at = |threads: u32| {
        let mut world = World::new(&WorldDef { threads, ..WorldDef::default() }).unwrap();
        world.add_plane(&Plane::default()).unwrap();
        let def = BodyDef { position: Vec3::Y * 0.6, velocity: -Vec3::Y * 5.0, ..BodyDef::default() };
        let id = world.add_body(&shape, &def).unwrap();
        (0..20).for_each(|_| world.step(1.0 / 60.0).unwrap());
        let alone = read_with(count, |out| world.body(id).unwrap().read_skin(0.3, out));
        world.body_mut(id).unwrap().set_velocity_of(0, Vec3::ZERO).unwrap();
        let together = read_with(count, |out| world.read_skin(id, 0.3, out));
        assert_eq!(alone, together);
        together
    };
    let one = at(1);
    [2, 3, 8].into_iter().for_each(|threads| assert_eq!(at(threads), one));
}

#[test]
fn between_two_steps_everything_is_exact_at_the_ends_and_linear_between() {
    let (shape, _) = ball(16);
    let mut scene = Scene::on_ground(&shape, &BodyDef { position: Vec3::Y * 0.6, ..BodyDef::default() });
    scene.run(20, 1.0 / 60.0);
    let (before, earlier) = (scene.positions(), read(&scene, 1.0));
    scene.run(1, 1.0 / 60.0);
    let (now, later) = (scene.positions(), read(&scene, 1.0));
    assert!(before.iter().zip(&now).any(|(a, b)| a.distance(*b) > 0.01));
    let particles_at = |fraction: f32| {
        let mut out = vec![Vec3::ZERO; now.len()];
        scene.body().read_positions_at(fraction, &mut out).unwrap();
        out
    };
    assert_eq!(particles_at(0.0), before);
    assert_eq!(particles_at(1.0), now);
    for (i, p) in particles_at(0.25).iter().enumerate() {
        assert!(p.distance(before[i].lerp(now[i], 0.25)) < 1e-6);
    }
    let [start, quarter] = [0.0, 0.25].map(|fraction| read(&scene, fraction));
    for i in 0..later.positions.len() {
        assert!(start.positions[i].distance(earlier.positions[i]) < 1e-5);
        assert_eq!(start.previous[i], start.positions[i]);
        assert!(later.previous[i].distance(earlier.positions[i]) < 1e-5);
        let wanted = start.positions[i].lerp(later.positions[i], 0.25);
        assert!(quarter.positions[i].distance(wanted) < 2e-6);
        assert!((quarter.normals[i].length() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn jumps_are_not_smeared_and_a_body_taken_out_stands_still() {
    let (shape, _) = ball(16);
    let points = shape.particle_count();
    let jumps: [fn(&mut wobble::Body); 5] = [
        |body| body.teleport(Vec3::new(40.0, 3.0, 0.0), Quat::IDENTITY).unwrap(),
        |body| body.reset(),
        |body| body.set_positions(&vec![Vec3::ONE; body.shape().particle_count()]).unwrap(),
        |body| body.deform(|p| p * 3.0).unwrap(),
        |body| body.set_enabled(false),
    ];
    for jump in jumps {
        let mut scene = Scene::on_ground(&shape, &BodyDef { position: Vec3::Y, ..BodyDef::default() });
        scene.run(10, 1.0 / 60.0);
        read(&scene, 0.5);
        jump(scene.body_mut());
        let mut half = vec![Vec3::ZERO; points];
        scene.body().read_positions_at(0.5, &mut half).unwrap();
        assert_eq!(half, scene.positions());
        let (half, now) = (read(&scene, 0.5), read(&scene, 1.0));
        assert!(half.positions.iter().zip(&now.positions).all(|(a, b)| a.distance(*b) < 1e-5));
    }
}

#[test]
fn a_host_that_skins_by_the_exported_matrices_gets_the_same_mesh() {
    let (shape, _) = ball(20);
    let mut scene = Scene::on_ground(&shape, &BodyDef { position: Vec3::Y * 0.6, ..BodyDef::default() });
    scene.run(25, 1.0 / 60.0);
    let skin = shape.skin().unwrap();
    let mut bones = vec![[0.0; 12]; shape.clusters(0).len()];
    for fraction in [0.0, 0.4, 1.0] {
        let found = read(&scene, fraction);
        scene.body().read_bones(fraction, &mut bones).unwrap();
        for (i, rest) in skin.rest().iter().enumerate() {
            let mut sums = [Vec4::ZERO; 3];
            let mut whole = 0;
            for (cluster, share) in skin.influences(i) {
                whole += u32::from(share);
                let rows = bones[cluster as usize].as_chunks::<4>().0;
                for k in 0..3 {
                    sums[k] += Vec4::from_array(rows[k]) * (f32::from(share) / WHOLE as f32);
                }
            }
            assert_eq!(whole, WHOLE);
            let at = Vec3::from_array(sums.map(|row| row.dot(*rest)));
            assert!(at.distance(found.positions[i]) < 2e-6, "vertex {i} at {fraction}");
            let m = Mat3::from_cols_array_2d(&sums.map(|row| row.truncate().to_array())).transpose();
            let normal = (m.inverse().transpose() * skin.normals()[i].truncate()).normalize();
            assert!(normal.distance(found.normals[i]) < 1e-4);
        }
    }
}

#[test]
fn bodies_without_thickness_or_extent_carry_a_mesh_too() {
    let owned = spheres::sphere(8, 0.3);
    let clouds = [
        vec![Vec3::ZERO],
        vec![Vec3::ONE; 40],
        scenes::sheet(20, 0.05),
        scenes::strand(60, 0.02),
        scenes::grid(4, 4, 4, 1e-12),
    ];
    for points in clouds {
        let shape = carrying(&points, &owned.mesh());
        let mut scene = Scene::with(&shape, &BodyDef { rotation: some_turn(1.1), ..BodyDef::default() });
        let most = 3e-5;
        for (i, p) in read(&scene, 1.0).positions.iter().enumerate() {
            let wanted = some_turn(1.1) * (owned.positions[i] - shape.centre());
            assert!(p.distance(wanted) < most, "{} particles, vertex {i}", points.len());
        }
        // Squashed flat, to a point, inside out: always finite, always unit normals.
        let maps: [fn(Vec3) -> Vec3; 4] =
            [|p| p * Vec3::new(1.0, 0.0, 1.0), |_| Vec3::X, |p| p * Vec3::new(1.0, -1.0, 1.0), |p| p * 1e8];
        for map in maps {
            scene.body_mut().deform(map).unwrap();
            let found = read(&scene, 1.0);
            assert!(found.positions.iter().all(|p| p.is_finite()));
            assert!(found.normals.iter().all(|n| (n.length() - 1.0).abs() < 1e-3));
            assert!(found.tangents.iter().all(|t| (t.truncate().length() - 1.0).abs() < 1e-3 && t.w == -1.0));
        }
    }
}

/// Normals and tangents by words, and as the plain read has them.
fn read_words(scene: &Scene, stride: usize) -> Vec<u32> {
    let mut words = vec![7; scene.body().shape().skin().unwrap().vertex_count() * stride];
    let octahedral = Some(Octahedral { words: &mut words, stride });
    scene.body().read_skin(1.0, &mut SkinBuffers { octahedral, ..SkinBuffers::default() }).unwrap();
    words
}

/// The direction of a point of the unfolded octahedron, both coordinates from 0 to 1.
fn refolded(x: f32, y: f32) -> Vec3 {
    let (x, y) = (2.0 * x - 1.0, 2.0 * y - 1.0);
    let z = 1.0 - x.abs() - y.abs();
    let out = (-z).max(0.0);
    Vec3::new(x - out.copysign(x), y - out.copysign(y), z).normalize()
}

fn shares(word: u32) -> [f32; 2] {
    let word = u32::from_le(word);
    [word & 0xffff, word >> 16].map(|share| share as f32 / 65535.0)
}

#[test]
fn words_tell_the_same_normals_and_tangents_in_any_direction() {
    let (shape, _) = ball(23);
    let maps: [fn(Vec3) -> Vec3; 4] =
        [|p| p, |p| some_turn(2.0) * p, |p| p * Vec3::new(1.3, 0.6, -1.0), |p| p * Vec3::new(1.0, 0.0, 1.0)];
    for map in maps {
        let mut scene = Scene::new(&shape, Material::default());
        scene.body_mut().deform(map).unwrap();
        let plain = read(&scene, 1.0);
        let (normals, both) = (read_words(&scene, 1), read_words(&scene, 2));
        for (i, (normal, tangent)) in plain.normals.iter().zip(&plain.tangents).enumerate() {
            let [x, y] = shares(normals[i]);
            assert!(refolded(x, y).distance(*normal) < 1e-4, "vertex {i}: {normal}, {x}, {y}");
            assert_eq!(normals[i], both[2 * i]);
            let [x, y] = shares(both[2 * i + 1]);
            let (y, side) = ((2.0 * y - 1.0).abs(), (y - 0.5).signum());
            assert!(refolded(x, y).distance(tangent.truncate()) < 2e-4, "vertex {i}: {tangent}, {x}, {y}");
            assert_eq!(side, tangent.w);
        }
    }
}

#[test]
fn where_a_mesh_has_no_tangents_their_words_stay() {
    let owned = spheres::sphere(9, RADIUS);
    let bare = carrying(&scenes::ball(0.53, 0.1), &Mesh { tangents: None, ..owned.mesh() });
    let words = read_words(&Scene::new(&bare, Material::default()), 2);
    assert!(words.iter().skip(1).step_by(2).all(|word| *word == 7));
    assert!(words.iter().step_by(2).all(|word| *word != 7));
}

#[test]
fn a_mesh_without_normals_gets_smooth_ones() {
    let owned = spheres::sphere(24, RADIUS);
    let mesh = Mesh { normals: None, tangents: None, ..owned.mesh() };
    let shape = carrying(&scenes::ball(0.53, 0.1), &mesh);
    for (found, wanted) in shape.skin().unwrap().normals().iter().zip(&owned.normals) {
        assert!(found.truncate().distance(*wanted) < 0.01, "{found} {wanted}");
    }
}

#[test]
fn what_cannot_be_read_is_refused_with_its_reason() {
    let (shape, owned) = ball(8);
    let scene = Scene::new(&shape, Material::default());
    let count = owned.positions.len();
    let mut short = vec![Vec3::ZERO; count - 1];
    let refused = |result: Result<[Vec3; 2], Error>, words: &str| {
        let error = result.unwrap_err().to_string();
        assert!(error.contains(words), "{error}");
    };
    let positions = Some(&mut short[..]);
    refused(scene.body().read_skin(1.0, &mut SkinBuffers { positions, ..Default::default() }), "positions");
    for (len, stride, field) in [(count, 2, "words"), (count, 0, "stride"), (9 * count, 3, "stride")] {
        let octahedral = Some(Octahedral { words: &mut vec![0; len], stride });
        refused(scene.body().read_skin(1.0, &mut SkinBuffers { octahedral, ..Default::default() }), field);
    }
    for fraction in [-0.1, 1.1, f32::NAN] {
        refused(scene.body().read_skin(fraction, &mut SkinBuffers::default()), "fraction");
        assert!(scene.body().read_bones(fraction, &mut vec![[0.0; 12]; 2000]).is_err());
        assert!(scene.body().read_positions_at(fraction, &mut vec![Vec3::ZERO; 9000]).is_err());
    }
    assert!(scene.body().read_bones(1.0, &mut []).is_err());
    let bare = Mesh { tangents: None, ..owned.mesh() };
    let bare = Scene::new(&carrying(&scenes::ball(0.53, 0.1), &bare), Material::default());
    let mut tangents = vec![Vec4::ZERO; count];
    let tangents = Some(&mut tangents[..]);
    refused(bare.body().read_skin(1.0, &mut SkinBuffers { tangents, ..Default::default() }), "tangents");
    let points = Shape::from_points(&scenes::ball(0.5, 0.1), None, &LevelsDef::default()).unwrap();
    let scene = Scene::new(&points, Material::default());
    refused(scene.body().read_skin(1.0, &mut SkinBuffers::default()), "mesh");
    let none = Particles::default();
    let empty = Shape::from_particles_and_mesh(&none, &owned.mesh(), &LevelsDef::default(), &mut |_| true);
    assert!(empty.unwrap_err().to_string().contains("points"));
}
