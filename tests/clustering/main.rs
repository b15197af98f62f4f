//! Clusters and levels: the counts of MR's scenes, weights that share a point out
//! completely, and results that do not depend on threads.

mod edges;
#[path = "../scenes/mod.rs"]
mod scenes;

use glam::{DVec3, Vec3};
use wobble::clustering::{Algorithm, Clusters, Kernel, LevelsDef, Nesting, build};
use wobble::math::morton;

const ALGORITHMS: [Algorithm; 3] = [Algorithm::Random, Algorithm::KMeans, Algorithm::Fuzzy];
const NESTINGS: [Nesting; 2] = [Nesting::Nested, Nesting::Independent];
const KERNELS: [Kernel; 5] = [
    Kernel::Box,
    Kernel::Poly6,
    Kernel::Blend { beta: 0.5 },
    Kernel::InvSq { epsilon: 1e-4 },
    Kernel::Fcm { m: 2.0 },
];

fn ordered(points: Vec<Vec3>) -> Vec<Vec3> {
    morton::order(&points).into_iter().map(|i| points[i as usize]).collect()
}

fn built(points: &[Vec3], def: &LevelsDef) -> Vec<Clusters> {
    build(points, &vec![1.0; points.len()], def, &mut |_| true).expect("levels")
}

fn counts(levels: &[Clusters]) -> Vec<usize> {
    levels.iter().map(|clusters| clusters.centres.len()).collect()
}

fn per_cluster(particles_per_cluster: u32) -> LevelsDef {
    LevelsDef { particles_per_cluster, ..LevelsDef::default() }
}

/// What must hold of every result, however it came about.
fn check(points: &[Vec3], def: &LevelsDef, levels: &[Clusters]) {
    let mut below = points.len();
    for (l, clusters) in levels.iter().enumerate() {
        let rows = if def.nesting == Nesting::Nested { below } else { points.len() };
        let count = clusters.centres.len();
        assert_eq!(clusters.held_by.rows(), rows, "level {l}");
        assert_eq!(clusters.report.clusters, count);
        assert!(clusters.centres.iter().all(|c| c.is_finite()), "level {l}: {:?}", clusters.centres);
        assert!(clusters.report.radius.is_finite() && clusters.report.radius >= 0.0);
        assert!(l == 0 || count < levels[l - 1].centres.len(), "level {l} is not coarser");
        let mut holds = vec![false; count];
        for i in 0..rows {
            let row = clusters.held_by.row(i);
            assert!(!row.is_empty(), "level {l}: point {i} is in no cluster");
            assert!(row.windows(2).all(|pair| pair[0].index < pair[1].index), "level {l}: {row:?}");
            assert!(row.iter().all(|e| e.weight > 0.0 && e.weight <= 1.0), "level {l}: {row:?}");
            let sum: f64 = row.iter().map(|e| f64::from(e.weight)).sum();
            assert!((sum - 1.0).abs() < 1e-5, "level {l}: weights of point {i} sum to {sum}");
            row.iter().for_each(|e| holds[e.index as usize] = true);
        }
        assert!(holds.iter().all(|&h| h), "level {l}: a cluster holds nothing");
        let overlap = clusters.held_by.len() as f32 / rows as f32;
        assert!((clusters.report.overlap - overlap).abs() < 1e-4);
        below = count;
    }
    if let Some(top) = levels.last().filter(|top| top.centres.len() == 1) {
        assert!((0..top.held_by.rows()).all(|i| top.held_by.row(i)[0].weight == 1.0));
    }
}

/// Level counts of MR's scenes: particles, particles a cluster, clusters by level.
const SCENES: [(usize, u32, &[usize]); 5] = [
    (5098, 50, &[101, 12, 1]),
    (1331, 20, &[66, 8, 1]),
    (16_510, 50, &[330, 41, 5, 1]),
    (1000, 15, &[66, 8, 1]),
    (4131, 20, &[206, 25, 3, 1]),
];

#[test]
fn a_solid_ball_and_a_hollow_one_of_every_paper_size_get_the_papers_levels() {
    for (particles, n, expected) in SCENES {
        for inner in [0.0, 0.4] {
            let points = ordered(scenes::shell(particles, 0.5, inner, 7));
            for nesting in NESTINGS {
                if particles > 6000 && nesting == Nesting::Independent {
                    continue;
                }
                let def = LevelsDef { nesting, ..per_cluster(n) };
                let levels = built(&points, &def);
                assert_eq!(counts(&levels), expected, "{particles} particles, inner {inner}, {nesting:?}");
                let converged: Vec<bool> = levels.iter().map(|clusters| clusters.report.converged).collect();
                assert!(converged.iter().all(|&c| c), "{particles} particles, {nesting:?}: {converged:?}");
                check(&points, &def, &levels);
            }
        }
    }
}

#[test]
fn the_largest_paper_scene_gets_its_six_levels() {
    let points = ordered(scenes::box_cloud(124_631, Vec3::new(1.0, 1.4, 0.8), 3));
    let def = LevelsDef { finest_clusters: Some(8192), ..LevelsDef::default() };
    let levels = built(&points, &def);
    assert_eq!(counts(&levels), [8192, 1024, 128, 16, 2, 1]);
    assert!(levels.iter().all(|clusters| clusters.report.converged));
    assert!((levels[0].report.overlap / def.overlap - 1.0).abs() < 0.1, "{}", levels[0].report.overlap);
    assert!(levels[1..].iter().all(|clusters| clusters.report.overlap < 4.5));
    check(&points, &def, &levels);
}

#[test]
fn the_papers_own_particles_get_the_papers_levels() {
    let files: [(&str, u32, &[usize]); 6] = [
        ("shell-5k", 50, &[101, 12, 1]),
        ("cube-1331", 20, &[66, 8, 1]),
        ("bunny-16525", 50, &[330, 41, 5, 1]),
        ("shell-1k", 15, &[66, 8, 1]),
        ("sheet-1k", 15, &[66, 8, 1]),
        ("bunny-4131", 20, &[206, 25, 3, 1]),
    ];
    for (name, n, expected) in files {
        let Some(points) = scenes::papers_particles(name) else { continue };
        let points = ordered(points);
        let levels = built(&points, &per_cluster(n));
        assert_eq!(counts(&levels), expected, "{name}");
        assert!(levels.iter().all(|clusters| clusters.report.converged), "{name}");
        check(&points, &per_cluster(n), &levels);
    }
}

#[test]
fn weights_share_every_point_out_for_all_kernels_algorithms_and_nestings() {
    let points = ordered(scenes::grid(9, 9, 9, 0.1));
    for algorithm in ALGORITHMS {
        for kernel in KERNELS {
            for nesting in NESTINGS {
                let def = LevelsDef { algorithm, kernel, nesting, ..per_cluster(15) };
                let levels = built(&points, &def);
                check(&points, &def, &levels);
                assert_eq!(levels.last().map(|top| top.centres.len()), Some(1));
                if algorithm != Algorithm::Random {
                    assert_eq!(counts(&levels), [48, 6, 1], "{algorithm:?} {kernel:?} {nesting:?}");
                }
            }
        }
    }
}

/// Memberships and weighted means in double precision and without a grid: what a
/// further round would find from `centres`.
fn one_round(points: &[Vec3], clusters: &Clusters, epsilon: f64) -> (Vec<Vec<u32>>, Vec<DVec3>) {
    let square = f64::from(clusters.report.radius).powi(2);
    let mut sums = vec![(DVec3::ZERO, 0.0); clusters.centres.len()];
    let mut rows = Vec::new();
    for point in points {
        let distance = |c: &Vec3| (c.as_dvec3() - point.as_dvec3()).length_squared() / square;
        let row: Vec<(u32, f64)> = clusters
            .centres
            .iter()
            .map(distance)
            .enumerate()
            .filter(|&(_, x)| x <= 1.0)
            .map(|(c, x)| (c as u32, 1.0 / (x + epsilon)))
            .collect();
        let total: f64 = row.iter().map(|&(_, w)| w).sum();
        for &(c, w) in &row {
            sums[c as usize].0 += point.as_dvec3() * (w / total);
            sums[c as usize].1 += w / total;
        }
        rows.push(row.into_iter().map(|(c, _)| c).collect());
    }
    (rows, sums.into_iter().map(|(sum, mass)| sum / mass).collect())
}

#[test]
fn a_further_round_changes_no_membership_and_moves_no_centre_by_a_thousandth_of_the_radius() {
    for points in [scenes::grid(14, 14, 14, 0.1), scenes::shell(4000, 0.5, 0.4, 1), scenes::sheet(40, 0.1)] {
        let points = ordered(points);
        for nesting in NESTINGS {
            let def = LevelsDef { nesting, ..LevelsDef::default() };
            let levels = built(&points, &def);
            let radius = levels[0].report.radius;
            assert!(levels[0].report.converged);
            let (rows, means) = one_round(&points, &levels[0], 1e-4);
            let held: Vec<Vec<u32>> = (0..points.len())
                .map(|i| levels[0].held_by.row(i).iter().map(|e| e.index).collect())
                .collect();
            // Outside coordinates are rounded: points upon a border may differ.
            let differ = rows.iter().zip(&held).filter(|(a, b)| a != b).count();
            assert!(differ * 1000 <= points.len(), "{differ} of {} points", points.len());
            for (centre, mean) in levels[0].centres.iter().zip(&means) {
                let way = centre.as_dvec3().distance(*mean) as f32;
                assert!(way <= 1.01e-3 * radius, "a centre would move {way} of a radius of {radius}");
            }
        }
    }
}

#[test]
fn the_chosen_radius_is_the_smallest_that_gives_the_overlap() {
    for algorithm in [Algorithm::KMeans, Algorithm::Fuzzy] {
        for points in [scenes::grid(14, 14, 14, 0.1), scenes::shell(4000, 0.5, 0.0, 5)] {
            let points = ordered(points);
            for overlap in [3.0, 5.0, 8.0] {
                let def = LevelsDef { algorithm, overlap, max_levels: 1, ..LevelsDef::default() };
                let chosen = built(&points, &def)[0].report.clone();
                assert!(chosen.overlap > 0.94 * overlap, "{algorithm:?}: {} of {overlap}", chosen.overlap);
                let radius = chosen.radius * 0.93;
                let smaller = built(&points, &LevelsDef { radius: Some(radius), ..def })[0].report.clone();
                let leaves_orphans = smaller.radius > radius * 1.0001;
                assert!(
                    leaves_orphans || smaller.overlap < 0.93 * overlap,
                    "{chosen:?}, smaller: {smaller:?}"
                );
                // Only orphans justify more overlap than was asked for.
                assert!(leaves_orphans || chosen.overlap < 1.06 * overlap, "{chosen:?}");
            }
        }
    }
}

#[test]
fn a_given_radius_is_used_and_grows_by_level() {
    let points = ordered(scenes::grid(12, 12, 12, 0.1));
    let def = LevelsDef { radius: Some(0.3), radius_growth: 2.2, ..per_cluster(15) };
    for algorithm in ALGORITHMS {
        let levels = built(&points, &LevelsDef { algorithm, ..def.clone() });
        check(&points, &def, &levels);
        assert!((levels[0].report.radius - 0.3).abs() < 1e-5, "{algorithm:?}: {:?}", levels[0].report);
        assert!((levels[1].report.radius - 0.66).abs() < 1e-5, "{algorithm:?}: {:?}", levels[1].report);
    }
}

#[test]
fn a_single_cluster_is_as_wide_as_asked_for_and_at_least_as_its_points() {
    let points = ordered(scenes::grid(3, 3, 3, 1.0));
    for (asked, wanted) in [(None, f32::sqrt(3.0)), (Some(1.0), f32::sqrt(3.0)), (Some(2.5), 2.5)] {
        let def = LevelsDef { radius: asked, finest_clusters: Some(1), ..LevelsDef::default() };
        let levels = built(&points, &def);
        check(&points, &def, &levels);
        assert!((levels[0].report.radius - wanted).abs() < 1e-5, "{asked:?}: {:?}", levels[0].report);
    }
}

#[test]
fn a_radius_too_small_grows_until_nothing_is_out_of_reach_and_clusters_stay_as_many() {
    let points = ordered(scenes::grid(11, 11, 11, 0.1));
    for algorithm in [Algorithm::KMeans, Algorithm::Fuzzy] {
        let def = LevelsDef { algorithm, radius: Some(0.01), ..LevelsDef::default() };
        let levels = built(&points, &def);
        assert_eq!(counts(&levels), [66, 8, 1]);
        let report = &levels[0].report;
        assert!(report.converged && report.radius > 0.1 && report.radius < 0.3, "{report:?}");
        for (i, point) in points.iter().enumerate() {
            for entry in levels[0].held_by.row(i) {
                let distance = levels[0].centres[entry.index as usize].distance(*point);
                assert!(distance <= report.radius * 1.0001, "{algorithm:?}: point {i} is {distance} away");
            }
        }
    }
}

#[test]
fn random_centres_are_particles_out_of_each_others_reach() {
    let points = ordered(scenes::grid(11, 11, 11, 0.1));
    let def = LevelsDef { algorithm: Algorithm::Random, ..LevelsDef::default() };
    let levels = built(&points, &def);
    let finest = &levels[0];
    assert!(finest.centres.len().abs_diff(66) <= 6, "{} instead of about 66", finest.centres.len());
    for (i, centre) in finest.centres.iter().enumerate() {
        assert!(points.iter().any(|p| p.distance(*centre) < 1e-6));
        let others = finest.centres[..i].iter();
        assert!(others.map(|o| o.distance(*centre)).all(|d| d > finest.report.radius * 0.9999));
    }
    let other_seed = built(&points, &LevelsDef { seed: 1, ..def });
    assert_ne!(finest.centres, other_seed[0].centres, "the seed makes no difference");
}

#[test]
fn outliers_get_clusters_of_their_own_and_the_others_keep_their_size() {
    let mut points = scenes::grid(11, 11, 11, 0.1);
    let radius = built(&ordered(points.clone()), &LevelsDef::default())[0].report.radius;
    points.extend([Vec3::new(50.0, 0.0, 0.0), Vec3::new(0.0, -80.0, 0.0)]);
    let points = ordered(points);
    let levels = built(&points, &LevelsDef::default());
    check(&points, &LevelsDef::default(), &levels);
    let report = &levels[0].report;
    assert_eq!(report.clusters, 66);
    assert!(report.radius < 1.3 * radius, "{} instead of about {radius}", report.radius);
}

#[test]
fn heavier_points_pull_centres_towards_them() {
    let points = ordered(scenes::strand(101, 0.1));
    let masses: Vec<f32> = points.iter().map(|p| if p.x > 0.0 { 9.0 } else { 1.0 }).collect();
    let levels = build(&points, &masses, &per_cluster(10), &mut |_| true).expect("levels");
    let top = levels.last().expect("a top level");
    let mass: f32 = masses.iter().sum();
    let expected: f32 = points.iter().zip(&masses).map(|(p, m)| p.x * m).sum::<f32>() / mass;
    assert!((top.centres[0].x - expected).abs() < 1e-4, "{} instead of {expected}", top.centres[0].x);
}

fn same(a: &[Clusters], b: &[Clusters]) -> bool {
    let bits = |clusters: &Clusters| -> Vec<[u32; 3]> {
        clusters.centres.iter().map(|c| c.to_array().map(f32::to_bits)).collect()
    };
    let report = |clusters: &Clusters| {
        let r = &clusters.report;
        (r.clusters, r.radius.to_bits(), r.rounds, r.converged, r.memberships_per_particle.to_bits())
    };
    let alike = |(a, b): (&Clusters, &Clusters)| {
        bits(a) == bits(b) && a.held_by == b.held_by && report(a) == report(b)
    };
    a.len() == b.len() && a.iter().zip(b).all(alike)
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let points = ordered(scenes::shell(6000, 0.5, 0.1, 11));
    for algorithm in ALGORITHMS {
        for nesting in NESTINGS {
            let def = LevelsDef { algorithm, nesting, max_rounds: 40, ..LevelsDef::default() };
            let alone = built(&points, &LevelsDef { threads: 1, ..def.clone() });
            for threads in [2, 3, 8] {
                let together = built(&points, &LevelsDef { threads, ..def.clone() });
                assert!(same(&alone, &together), "{algorithm:?}, {nesting:?}, {threads} threads");
            }
        }
    }
}

#[test]
fn the_result_is_the_same_wherever_the_body_is_and_however_large() {
    let points = ordered(scenes::grid(10, 10, 10, 0.125));
    let levels = built(&points, &LevelsDef::default());
    for (scale, shift) in [(1024.0, 0.0), (1.0 / 1024.0, 0.0), (2f32.powi(-60), 0.0), (1.0, 4096.0)] {
        let moved: Vec<Vec3> = points.iter().map(|p| *p * scale + Vec3::splat(shift)).collect();
        let elsewhere = built(&moved, &LevelsDef::default());
        assert_eq!(counts(&elsewhere), counts(&levels));
        for (here, there) in levels.iter().zip(&elsewhere) {
            assert_eq!(here.held_by, there.held_by, "scale {scale}, shift {shift}");
            let ratio = there.report.radius / (here.report.radius * scale);
            assert!((ratio - 1.0).abs() < 1e-5, "scale {scale}, shift {shift}: {ratio}");
        }
    }
}

#[test]
fn memberships_per_particle_count_clusters_through_all_levels() {
    let points = ordered(scenes::grid(9, 9, 9, 0.1));
    let levels = built(&points, &LevelsDef::default());
    let mut holders: Vec<Vec<u32>> = (0..points.len() as u32).map(|i| vec![i]).collect();
    for clusters in &levels {
        for holders in &mut holders {
            let rows = holders.iter().flat_map(|&h| clusters.held_by.row(h as usize));
            let set: std::collections::BTreeSet<u32> = rows.map(|e| e.index).collect();
            *holders = set.into_iter().collect();
        }
        let mean = holders.iter().map(Vec::len).sum::<usize>() as f32 / points.len() as f32;
        assert!((clusters.report.memberships_per_particle - mean).abs() < 1e-4);
    }
    assert_eq!(levels.last().map(|top| top.report.memberships_per_particle), Some(1.0));
}
