//! Clusters as bones: the motion of each is that of the present positions.

mod scenes;
mod support;

use glam::{DMat3, Mat3, Quat, Vec3};
use support::{Scene, materials, papers, shape, some_turn};
use wobble::{Body, BodyDef, Material, Nesting, Rotation, Shape};

const STEP: f32 = 1.0 / 60.0;

/// The transforms of a level's clusters.
fn bones(body: &Body, level: usize) -> Vec<(Quat, Vec3)> {
    let mut out = vec![(Quat::from_xyzw(9.0, 9.0, 9.0, 9.0), Vec3::NAN); body.shape().clusters(level).len()];
    body.cluster_transforms(level, &mut out).unwrap();
    out
}

fn centre(shape: &Shape, level: usize, c: usize) -> Vec3 {
    shape.clusters(level)[c].centre.truncate()
}

/// Largest difference of two rotations' matrices.
fn far(a: Quat, b: Quat) -> f32 {
    let (a, b) = (Mat3::from_quat(a), Mat3::from_quat(b));
    (a - b).to_cols_array().iter().fold(0.0, |worst: f32, c| worst.max(c.abs()))
}

/// Solid, hollow, flat and straight bodies with several levels.
fn clouds() -> [(&'static str, Vec<Vec3>); 4] {
    [
        ("cube", scenes::grid(8, 8, 8, 0.1)),
        ("shell", scenes::shell(600, 0.5, 0.4, 3)),
        ("sheet", scenes::sheet(20, 0.05)),
        ("strand", scenes::strand(200, 0.02)),
    ]
}

#[test]
fn a_rigidly_moved_body_gives_that_motion_for_every_cluster() {
    let (turn, way) = (some_turn(2.1), Vec3::new(0.7, -0.4, 1.1));
    for (name, points) in clouds() {
        for nesting in [Nesting::Nested, Nesting::Independent] {
            let shape = shape(&points, 10, nesting);
            assert!(shape.levels().len() > 2, "{name}");
            // Placed by the library, and moved behind its back so that its fits are of no use.
            let placed = BodyDef { position: way, rotation: turn, ..BodyDef::default() };
            let placed = Scene::with(&shape, &placed);
            let mut moved = Scene::with(&shape, &BodyDef::default());
            moved.body_mut().deform(|p| turn * p + way).unwrap();
            for (scene, how) in [(&placed, "placed"), (&moved, "moved")] {
                for level in 0..shape.levels().len() {
                    for (c, (rotation, position)) in bones(scene.body(), level).into_iter().enumerate() {
                        let at = format!("{how} {name}, {nesting:?}, level {level}, cluster {c}");
                        let error = position.distance(turn * centre(&shape, level, c) + way);
                        assert!(error < 1e-5, "{at}: off by {error} m");
                        // About itself a strand may have turned in any way.
                        let error = match name {
                            "strand" => (rotation * Vec3::X).distance(turn * Vec3::X),
                            _ => far(rotation, turn),
                        };
                        assert!(error < 1e-5, "{at}: turned by {error}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_moving_bodys_clusters_are_fitted_to_where_its_particles_are_now() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let mut scene = Scene::new(&shape(&scenes::grid(8, 8, 8, 0.1), 10, nesting), papers(0.8, 0.1));
        scene.spin(Vec3::new(4.0, 9.0, -6.0));
        scene.body_mut().set_velocity(Vec3::new(3.0, 5.0, 1.0)).unwrap();
        scene.run(40, STEP);
        let (body, shape) = (scene.body(), scene.body().shape());
        for (c, (rotation, position)) in bones(body, 0).into_iter().enumerate() {
            // The best fit leaves neither a mean distance nor a mean twist, both per kg here; fits a
            // step old would be off by 6 m/s times 1/60 s and by as much of a turn.
            let (mut away, mut twist, cluster) = (Vec3::ZERO, Vec3::ZERO, &shape.clusters(0)[c]);
            for e in shape.levels()[0].members().row(c) {
                let turned = rotation * (shape.rest()[e.index as usize] - cluster.centre).truncate();
                let d = body.raw_positions()[e.index as usize].truncate() - position;
                away += (d - turned) * e.weight;
                twist += turned.cross(d) * e.weight;
            }
            assert!(away.length() < 2e-6 * cluster.mass, "{nesting:?}, cluster {c}: {away}");
            assert!(twist.length() < 1e-5 * cluster.spread, "{nesting:?}, cluster {c}: {twist}");
        }
    }
}

/// The rotation of the polar decomposition of `m`, by nalgebra.
fn polar(m: DMat3) -> Quat {
    let svd = nalgebra::Matrix3::from_column_slice(&m.to_cols_array()).svd(true, true);
    let r = svd.u.unwrap() * svd.v_t.unwrap();
    Quat::from_mat3(&DMat3::from_cols_slice(r.as_slice()).as_mat3())
}

#[test]
fn a_stretched_body_gives_the_rotation_of_the_polar_decomposition() {
    let turn = some_turn(0.9);
    let stretch = Mat3::from_cols_array(&[1.3, 0.2, -0.1, 0.2, 0.8, 0.15, -0.1, 0.15, 1.1]);
    let map = Mat3::from_quat(turn) * stretch;
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let shape = shape(&scenes::shell(600, 0.5, 0.4, 3), 10, nesting);
        for rotation in [Rotation::Stretch, Rotation::Momentum] {
            let mut scene = Scene::new(&shape, Material { rotation, ..Material::default() });
            scene.body_mut().deform(|p| map * p).unwrap();
            for level in 0..shape.levels().len() {
                let first: usize = (0..level).map(|l| shape.clusters(l).len()).sum();
                for (c, (found, position)) in bones(scene.body(), level).into_iter().enumerate() {
                    let [xx, yy, zz, xy, xz, yz] = shape.scatter()[first + c].map(f64::from);
                    let scatter = DMat3::from_cols_array(&[xx, xy, xz, xy, yy, yz, xz, yz, zz]);
                    let wanted = match rotation {
                        Rotation::Stretch => turn,
                        Rotation::Momentum => polar(map.as_dmat3() * scatter),
                    };
                    let error = far(found, wanted);
                    assert!(error < 1e-4, "{nesting:?} {rotation:?} level {level} cluster {c}: {error}");
                    assert!(position.distance(map * centre(&shape, level, c)) < 1e-5);
                }
            }
        }
    }
}

#[test]
fn asking_does_not_change_what_comes() {
    for material in materials(0.7, 0.1) {
        let hash = |asks: bool| {
            let shape = shape(&scenes::grid(6, 6, 6, 0.2), 15, Nesting::Nested);
            let def = BodyDef { position: Vec3::Y, rotation: some_turn(0.4), material, ..BodyDef::default() };
            let mut scene = Scene::on_ground(&shape, &def);
            for _ in 0..40 {
                scene.run(1, STEP);
                if asks {
                    (0..shape.levels().len()).for_each(|level| drop(bones(scene.body(), level)));
                    scene.body().elastic_energy(STEP).unwrap();
                }
            }
            scene.world.state_hash()
        };
        assert_eq!(hash(true), hash(false), "{material:?}");
    }
}

#[test]
fn levels_that_are_not_there_and_short_arrays_are_refused() {
    let scene = Scene::new(&shape(&scenes::grid(6, 6, 6, 0.2), 15, Nesting::Nested), Material::default());
    let mut out = [(Quat::IDENTITY, Vec3::ZERO); 20];
    let refusal = scene.body().cluster_transforms(2, &mut out).unwrap_err().to_string();
    assert!(refusal.starts_with("level is 2, but there are only 2"), "{refusal}");
    let refusal = scene.body().cluster_transforms(0, &mut out[..13]).unwrap_err().to_string();
    assert!(refusal.starts_with("out has 13 elements; it must have at least 14"), "{refusal}");
    assert_eq!(out, [(Quat::IDENTITY, Vec3::ZERO); 20]);
    scene.body().cluster_transforms(0, &mut out).unwrap();
    assert_eq!(out[14..], [(Quat::IDENTITY, Vec3::ZERO); 6], "what is beyond the clusters stays");
    let empty = Scene::new(&shape(&[], 15, Nesting::Nested), Material::default());
    assert!(empty.body().cluster_transforms(0, &mut []).is_err());
}
