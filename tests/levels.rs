//! Levels: what each alone does, how they compose, how refinement converges.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{DVec3, Vec3};
use support::{Scene, papers, reference, shape, single_cluster};
use wobble::{LevelsDef, Material, Nesting, Rotation, Shape};

const STEP: f32 = 1.0 / 60.0;
/// Goals of a cube of 1 m round by 3e-8 m, which pushes by 2e-6 m/s a step: in 60 steps that all
/// point the same way 6e-5 m. Other weights part the bodies by centimetres.
const ROUNDING: f32 = 1e-4;

/// The cube of MR's Hovering Cube: levels of 66, 8 and 1.
fn cube(nesting: Nesting) -> &'static Arc<Shape> {
    static SHAPES: OnceLock<[Arc<Shape>; 2]> = OnceLock::new();
    let build = || [Nesting::Nested, Nesting::Independent].map(|n| shape(&scenes::cube_1331(), 20, n));
    &SHAPES.get_or_init(build)[usize::from(nesting == Nesting::Independent)]
}

/// Largest distance of a particle in one body from the same particle in the other, over 60 steps
/// of a bent cube that spins in free flight. No ground: where particles touch is decided by the
/// last bit, and contacts brake clusters of the finest level, whatever the weights.
fn parting(a: (&Arc<Shape>, &[f32]), b: (&Arc<Shape>, &[f32]), material: Material) -> f32 {
    let start = |(shape, weights): (&Arc<Shape>, &[f32])| {
        let mut scene = Scene::new(shape, material);
        scene.body_mut().set_level_weights(weights).unwrap();
        scene.body_mut().deform(|p| Vec3::new(1.2 * p.x + 0.2 * p.z * p.z, p.y, p.z)).unwrap();
        scene.spin(Vec3::Y * 3.0);
        scene
    };
    let (mut a, mut b) = (start(a), start(b));
    assert!(a.body().shape_error() > 0.1, "not bent");
    let mut worst = 0.0f32;
    for _ in 0..60 {
        a.run(1, STEP);
        b.run(1, STEP);
        let apart = a.positions().iter().zip(b.positions()).map(|(a, b)| a.distance(b)).fold(0.0, f32::max);
        worst = worst.max(apart);
    }
    worst
}

#[test]
fn all_weight_on_the_finest_level_is_a_body_with_that_level_alone() {
    let def = LevelsDef { particles_per_cluster: 20, max_levels: 1, ..LevelsDef::default() };
    let alone = Shape::from_points(&scenes::cube_1331(), None, &def).unwrap();
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let apart = parting((cube(nesting), &[1.0, 0.0, 0.0]), (&alone, &[1.0]), papers(0.7, 0.1));
        assert!(apart < ROUNDING, "{nesting:?}: {apart} m");
    }
}

#[test]
fn all_weight_on_the_coarsest_level_is_a_body_of_one_cluster() {
    let alone = single_cluster(&scenes::cube_1331(), None);
    for rotation in [Rotation::Momentum, Rotation::Stretch] {
        for nesting in [Nesting::Nested, Nesting::Independent] {
            let material = Material { rotation, ..papers(0.7, 0.1) };
            let apart = parting((cube(nesting), &[0.0, 0.0, 1.0]), (&alone, &[1.0]), material);
            assert!(apart < ROUNDING, "{nesting:?} {rotation:?}: {apart} m");
        }
    }
}

#[test]
fn weights_by_hand_only_count_by_their_ratio() {
    let shape = cube(Nesting::Nested);
    let apart = parting((shape, &[4.0, 2.0, 2.0]), (shape, &[0.5, 0.25, 0.25]), papers(1.0, 0.1));
    assert_eq!(apart, 0.0);
}

#[test]
fn composed_weights_are_a_partition_of_unity_at_every_level() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let shape = cube(nesting);
        for level in 0..shape.levels().len() {
            for (i, row) in reference::composed(shape, level).iter().enumerate() {
                let sum: f64 = row.iter().map(|(_, w)| w).sum();
                assert!((sum - 1.0).abs() < 1e-6, "{nesting:?} level {level}, particle {i}: {sum}");
                assert!(row.iter().all(|(_, w)| *w >= 0.0));
            }
        }
    }
}

#[test]
fn coarse_clusters_at_rest_are_the_sums_over_composed_weights() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let shape = cube(nesting);
        let mut first = 0;
        for level in 0..shape.levels().len() {
            let count = shape.levels()[level].cluster_count();
            let mut sums = vec![(0.0, DVec3::ZERO, 0.0); count];
            let held = reference::composed(shape, level);
            let particles = || shape.rest().iter().zip(shape.masses()).zip(&held);
            for ((r, m), row) in particles() {
                for &(c, w) in row {
                    sums[c].0 += w * f64::from(*m);
                    sums[c].1 += r.truncate().as_dvec3() * (w * f64::from(*m));
                }
            }
            for ((r, m), row) in particles() {
                for &(c, w) in row {
                    let q = r.truncate().as_dvec3() - sums[c].1 / sums[c].0;
                    sums[c].2 += q.length_squared() * (w * f64::from(*m));
                }
            }
            for (c, (cluster, (mass, centre, spread))) in shape.clusters(level).iter().zip(sums).enumerate() {
                let name = format!("{nesting:?} level {level}, cluster {c}");
                assert!((f64::from(cluster.mass) / mass - 1.0).abs() < 1e-5, "{name}: mass");
                // Half a metre of body in single precision.
                let off = cluster.centre.truncate().as_dvec3().distance(centre / mass);
                assert!(off < 2e-6, "{name}: centre {off} m off");
                assert!((f64::from(cluster.spread) / spread - 1.0).abs() < 1e-5, "{name}: spread");
                let s = shape.scatter()[first + c];
                assert!((f64::from(s[0] + s[1] + s[2]) / spread - 1.0).abs() < 1e-5, "{name}: scatter");
            }
            first += count;
        }
    }
}

#[test]
fn the_levels_of_the_papers_come_out() {
    let counts = |shape: &Shape| shape.levels().iter().map(|l| l.cluster_count()).collect::<Vec<_>>();
    for nesting in [Nesting::Nested, Nesting::Independent] {
        assert_eq!(counts(cube(nesting)), [66, 8, 1], "1,331 particles, n = 20");
    }
}

/// How far the foot of a bar sinks that hangs by its top layer.
fn sag(clusters: u32) -> f32 {
    let points = scenes::grid(5, 25, 5, 0.1);
    // Clusters of one size, more and more of them: with clusters that shrink too the sag would not converge.
    let def = LevelsDef {
        finest_clusters: Some(clusters),
        radius: Some(0.4),
        max_levels: 1,
        ..LevelsDef::default()
    };
    let shape = Shape::from_points(&points, None, &def).unwrap();
    let mut scene = Scene::new(&shape, papers(1.0, 0.1));
    scene.world.set_gravity(Vec3::NEG_Y * 2.0).unwrap();
    for i in (0..points.len()).filter(|i| points[*i].y > 1.15) {
        scene.body_mut().pin(i).unwrap();
    }
    let foot = scene.body().bounds().0.y;
    let mut energy = 0.0;
    // To rest without waiting: stop all motion whenever it begins to slow down.
    for _ in 0..1500 {
        scene.run(1, STEP);
        let before = std::mem::replace(&mut energy, scene.body().kinetic_energy());
        if energy < before {
            scene.body_mut().set_velocity(Vec3::ZERO).unwrap();
            energy = 0.0;
        }
    }
    foot - scene.body().bounds().0.y
}

#[test]
fn the_sag_of_a_hanging_bar_converges_with_more_clusters() {
    let sags = [5, 10, 20, 40, 80, 160].map(sag);
    println!("sag with 5, 10, ... 160 clusters: {sags:.4?} m");
    let limit = sags[5];
    let away: Vec<f32> = sags[..5].iter().map(|s| (s - limit).abs()).collect();
    assert!(limit > 0.02, "no sag to speak of: {limit} m");
    // A cluster holds by those pins that it reaches, and which these are changes a little with every clustering.
    assert!(away.windows(2).all(|c| c[1] < c[0] || c[1] < 0.04 * limit), "{sags:?}");
    assert!(away[0] > 0.15 * limit && away[4] < 0.04 * limit, "{sags:?}");
}
