//! Inputs at the edges: degenerate clouds, refused values, builds that are stopped,
//! and whatever proptest thinks of.

use std::panic::catch_unwind;

use glam::Vec3;
use proptest::prelude::*;
use wobble::clustering::{Algorithm, Kernel, LevelsDef, build};
use wobble::error::Error;

use super::{ALGORITHMS, KERNELS, NESTINGS, built, check, counts, ordered, same, scenes};

#[test]
fn degenerate_clouds_give_clusters_without_a_panic_or_a_nan() {
    let mut stack = vec![Vec3::ZERO; 400];
    stack.extend(scenes::grid(5, 5, 5, 0.1));
    let clouds: [(&str, Vec<Vec3>); 9] = [
        ("no points", vec![]),
        ("one point", vec![Vec3::new(1.0, -2.0, 3.0)]),
        ("two points", vec![Vec3::ZERO, Vec3::X]),
        ("two points in one place", vec![Vec3::ONE; 2]),
        ("coincident", vec![Vec3::splat(0.1); 300]),
        ("collinear", scenes::strand(300, 0.01)),
        ("coplanar", scenes::sheet(20, 0.1)),
        ("half in one place", stack),
        ("far from the origin", scenes::grid(6, 6, 6, 64.0).iter().map(|p| *p + Vec3::splat(9e8)).collect()),
    ];
    for (name, points) in clouds {
        let points = ordered(points);
        for algorithm in ALGORITHMS {
            for nesting in NESTINGS {
                for particles_per_cluster in [1, 10] {
                    let def = LevelsDef { algorithm, nesting, particles_per_cluster, ..LevelsDef::default() };
                    let levels = catch_unwind(|| built(&points, &def)).unwrap_or_else(|_| panic!("{name}"));
                    check(&points, &def, &levels);
                    assert_eq!(levels.is_empty(), points.is_empty(), "{name}");
                    assert!(levels.last().is_none_or(|top| top.centres.len() == 1), "{name}");
                }
            }
        }
    }
}

#[test]
fn coincident_points_get_one_cluster_and_more_clusters_than_points_are_not_made() {
    assert_eq!(counts(&built(&[Vec3::ONE; 500], &LevelsDef::default())), [1]);
    let def = LevelsDef { finest_clusters: Some(1000), ..LevelsDef::default() };
    let levels = built(&ordered(scenes::grid(4, 4, 4, 1.0)), &def);
    assert_eq!(counts(&levels), [64, 8, 1]);
}

#[test]
fn levels_stop_at_the_number_asked_for() {
    let points = ordered(scenes::grid(11, 11, 11, 0.1));
    for (max_levels, expected) in [(1, vec![66]), (2, vec![66, 8]), (3, vec![66, 8, 1]), (9, vec![66, 8, 1])]
    {
        let def = LevelsDef { max_levels, ..LevelsDef::default() };
        assert_eq!(counts(&built(&points, &def)), expected);
    }
}

#[test]
fn refusals_name_the_field_and_the_value() {
    let points = ordered(scenes::grid(12, 12, 12, 0.1));
    let good = LevelsDef::default();
    let cases: [(LevelsDef, &str); 15] = [
        (LevelsDef { particles_per_cluster: 0, ..good.clone() }, "particles_per_cluster is 0;"),
        (LevelsDef { finest_clusters: Some(0), ..good.clone() }, "finest_clusters is 0;"),
        (LevelsDef { max_levels: 0, ..good.clone() }, "max_levels is 0;"),
        (LevelsDef { max_rounds: 0, ..good.clone() }, "max_rounds is 0;"),
        (LevelsDef { radius: Some(0.0), ..good.clone() }, "radius is 0;"),
        (LevelsDef { radius: Some(f32::NAN), ..good.clone() }, "radius is NaN;"),
        (LevelsDef { radius_growth: 1.0, ..good.clone() }, "radius_growth is 1;"),
        (LevelsDef { overlap: 0.5, ..good.clone() }, "overlap is 0.5;"),
        (LevelsDef { overlap: f32::INFINITY, ..good.clone() }, "overlap is inf;"),
        (LevelsDef { kernel: Kernel::Blend { beta: -1.0 }, ..good.clone() }, "kernel.beta is -1;"),
        (LevelsDef { kernel: Kernel::InvSq { epsilon: 0.0 }, ..good.clone() }, "kernel.epsilon is 0;"),
        (LevelsDef { kernel: Kernel::Fcm { m: 1.0 }, ..good.clone() }, "kernel.m is 1;"),
        (LevelsDef { kernel: Kernel::Fcm { m: f32::NAN }, ..good.clone() }, "kernel.m is NaN;"),
        (LevelsDef { radius: Some(90.0), finest_clusters: Some(1700), ..good.clone() }, "radius is 90;"),
        (LevelsDef { radius: Some(-3.0), ..good.clone() }, "radius is -3;"),
    ];
    for (def, expected) in cases {
        let refusal = build(&points, &vec![1.0; points.len()], &def, &mut |_| true).expect_err(expected);
        assert!(refusal.to_string().starts_with(expected), "{refusal}");
    }
    let refusal = build(&points, &[1.0; 3], &good, &mut |_| true).expect_err("too few masses");
    assert!(refusal.to_string().starts_with("masses has 3 elements;"), "{refusal}");
}

#[test]
fn progress_rises_from_nothing_to_all_and_can_stop_the_build_anywhere() {
    let points = ordered(scenes::grid(11, 11, 11, 0.1));
    let masses = vec![1.0; points.len()];
    for algorithm in ALGORITHMS {
        let def = LevelsDef { algorithm, ..LevelsDef::default() };
        let mut shares = Vec::new();
        let mut note = |share: f32| {
            shares.push(share);
            true
        };
        build(&points, &masses, &def, &mut note).expect("levels");
        assert!(shares.len() > 5 && shares.windows(2).all(|pair| pair[0] <= pair[1]), "{shares:?}");
        assert!(shares[0] < 0.2 && shares.last() == Some(&1.0), "{shares:?}");
        for stop in [1, 2, shares.len() / 2, shares.len()] {
            let mut calls = 0;
            let mut until = |_| {
                calls += 1;
                calls < stop
            };
            assert_eq!(build(&points, &masses, &def, &mut until).err(), Some(Error::Cancelled));
            assert_eq!(calls, stop, "it went on after it was told to stop");
        }
    }
}

#[test]
fn too_few_rounds_end_the_build_and_are_reported() {
    let points = ordered(scenes::grid(14, 14, 14, 0.1));
    for algorithm in [Algorithm::KMeans, Algorithm::Fuzzy] {
        let def = LevelsDef { algorithm, max_rounds: 2, ..LevelsDef::default() };
        let levels = built(&points, &def);
        check(&points, &def, &levels);
        assert!(!levels[0].report.converged, "{algorithm:?} converged in two rounds");
    }
}

fn cloud() -> impl Strategy<Value = Vec<Vec3>> {
    let coordinate = prop_oneof![4 => -1.0f32..1.0, 1 => Just(0.0f32), 1 => -1e3f32..1e3, 1 => Just(0.5f32)];
    let point = (coordinate.clone(), coordinate.clone(), coordinate).prop_map(|(x, y, z)| Vec3::new(x, y, z));
    (prop::collection::vec(point, 0..160), -20i32..20)
        .prop_map(|(points, power)| points.into_iter().map(|p| p * 2f32.powi(power)).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, ..ProptestConfig::default() })]

    #[test]
    fn any_cloud_is_shared_out_completely(
        points in cloud(),
        algorithm in prop::sample::select(ALGORITHMS.to_vec()),
        kernel in prop::sample::select(KERNELS.to_vec()),
        nesting in prop::sample::select(NESTINGS.to_vec()),
        particles_per_cluster in 1u32..30,
        overlap in 1.0f32..12.0,
        radius in prop::option::of(1e-3f32..10.0),
        seed in any::<u64>(),
    ) {
        let points = ordered(points);
        let def = LevelsDef {
            algorithm, kernel, nesting, particles_per_cluster, overlap, radius, seed, ..LevelsDef::default()
        };
        let levels = built(&points, &def);
        check(&points, &def, &levels);
        prop_assert!(levels.last().is_none_or(|top| top.centres.len() == 1));
        prop_assert!(same(&levels, &built(&points, &def)), "a second build differs");
    }
}
