//! Shapes as files: the same to the last bit, and no file does harm.

mod scenes;
mod support;

use std::sync::Arc;

use glam::Vec3;
use support::files::{Mutations, forged, numbers, payload, refuses_all_damage};
use support::{papers, shape, some_turn};
use wobble::{
    Algorithm, Amount, BodyDef, Error, Goals, Kernel, LevelsDef, Material, Nesting, Plane, SamplingDef,
    Shape, StrainLimit, World, WorldDef,
};

/// Panics unless the shape comes back with every number as it was.
fn comes_back(shape: &Shape) -> Arc<Shape> {
    let file = shape.to_bytes();
    let loaded = Shape::from_bytes(&file).unwrap();
    assert_eq!(numbers(shape), numbers(&loaded));
    assert!(loaded.levels().iter().all(|level| level.report().seconds == 0.0));
    assert_eq!(shape.fingerprint(), loaded.fingerprint());
    assert!(loaded.to_bytes() == file);
    loaded
}

#[test]
fn shapes_of_every_algorithm_and_nesting_come_back_bit_for_bit() {
    let points = scenes::shell(400, 0.5, 0.3, 7);
    let masses: Vec<f32> = (0..400).map(|i| 0.001 + (i % 7) as f32 * 0.01).collect();
    for algorithm in [Algorithm::Random, Algorithm::KMeans, Algorithm::Fuzzy] {
        for nesting in [Nesting::Nested, Nesting::Independent] {
            for kernel in [Kernel::InvSq { epsilon: 1e-4 }, Kernel::Poly6] {
                let def = LevelsDef { algorithm, nesting, kernel, ..LevelsDef::default() };
                comes_back(&Shape::from_points(&points, None, &def).unwrap());
                comes_back(&Shape::from_points(&points, Some(&masses), &def).unwrap());
            }
        }
    }
}

#[test]
fn shapes_of_few_or_flat_or_far_particles_come_back() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let clouds = [
            vec![],
            vec![Vec3::new(3.0, 4.0, 5.0)],
            vec![Vec3::ONE; 30],
            scenes::sheet(12, 0.1),
            scenes::strand(50, 0.1),
            scenes::grid(3, 3, 3, 5e8),
            scenes::grid(4, 4, 4, 1e-20),
        ];
        clouds.iter().for_each(|points| drop(comes_back(&shape(points, 5, nesting))));
    }
    let far = [Vec3::splat(-1e9), Vec3::splat(1e9)];
    let uneven = Shape::from_points(&far, Some(&[1e9, 1e-12]), &LevelsDef::default()).unwrap();
    comes_back(&uneven);
}

#[test]
fn the_same_input_bakes_the_same_bytes_in_every_run_and_on_any_number_of_threads() {
    // Enough particles for building to be spread over threads.
    let points = scenes::shell(4500, 0.5, 0.3, 7);
    let ball = scenes::spheres::sphere(8, 0.5);
    let sampling = SamplingDef { amount: Amount::Count(5000), ..SamplingDef::default() };
    let bake = |threads| {
        let levels = LevelsDef { threads, ..LevelsDef::default() };
        let cloud = Shape::from_points(&points, None, &levels).unwrap();
        let mesh = Shape::from_mesh(&ball.mesh(), &sampling, &levels, &mut |_| true).unwrap();
        [cloud.to_bytes(), mesh.to_bytes()]
    };
    let first = bake(1);
    for threads in [1, 1, 2, 3, 8, 0] {
        assert!(bake(threads) == first, "on {threads} threads");
    }
}

#[test]
fn fingerprints_tell_shapes_apart_and_not_how_long_building_took() {
    let points = scenes::grid(5, 5, 5, 0.1);
    let build = |points: &[Vec3], nesting| shape(points, 15, nesting).fingerprint();
    let first = build(&points, Nesting::Nested);
    assert_eq!(first, build(&points, Nesting::Nested));
    assert_ne!(first, build(&points, Nesting::Independent));
    let mut moved = points.clone();
    moved[7].x += 1e-3;
    assert_ne!(first, build(&moved, Nesting::Nested));
    let mut swapped = points.clone();
    swapped.swap(3, 90);
    assert_ne!(first, build(&swapped, Nesting::Nested));
}

/// A world with a body of `shape` that falls on the ground.
fn falling(shape: &Arc<Shape>, material: Material) -> World {
    let mut world = World::new(&WorldDef { threads: 2, substeps: 2, ..WorldDef::default() }).unwrap();
    world.add_plane(&Plane::default()).unwrap();
    let (position, velocity) = (Vec3::new(0.0, 0.4, 0.0), Vec3::new(1.0, -4.0, 0.0));
    world
        .add_body(
            shape,
            &BodyDef { position, velocity, rotation: some_turn(0.7), material, ..BodyDef::default() },
        )
        .unwrap();
    world
}

#[test]
fn a_body_of_a_loaded_shape_steps_to_the_same_bits() {
    let strain = Some(StrainLimit { gamma: 0.05, ..StrainLimit::default() });
    let quadratic = Material { goals: Goals::Quadratic { beta: 0.5 }, ..Material::default() };
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let built = shape(&scenes::grid(6, 6, 6, 0.1), 15, nesting);
        let loaded = Shape::from_bytes(&built.to_bytes()).unwrap();
        for material in [Material::default(), Material { strain, ..papers(0.5, 0.0) }, quadratic] {
            let (mut a, mut b) = (falling(&built, material), falling(&loaded, material));
            for _ in 0..40 {
                a.step(1.0 / 60.0).unwrap();
                b.step(1.0 / 60.0).unwrap();
            }
            assert_eq!(a.state_hash(), b.state_hash(), "{nesting:?}, {material:?}");
        }
    }
}

#[test]
fn no_damage_to_a_file_goes_unseen() {
    for nesting in [Nesting::Nested, Nesting::Independent] {
        let file = shape(&scenes::grid(3, 3, 2, 0.1), 5, nesting).to_bytes();
        refuses_all_damage(&file, |bytes| Shape::from_bytes(bytes).is_ok());
    }
}

#[test]
fn a_file_of_another_kind_or_format_is_refused_in_words_that_help() {
    let mut file = shape(&scenes::grid(2, 2, 2, 0.1), 5, Nesting::Nested).to_bytes();
    file[8] = 2;
    let error = Shape::from_bytes(&file).unwrap_err();
    assert_eq!(error, Error::Version { what: "shape file", got: 2, wanted: 3 });
    assert_eq!(error.to_string(), "this shape file is of format 2, this library reads 3; make it anew");
    file[0] = b'X';
    assert!(matches!(Shape::from_bytes(&file), Err(Error::Corrupt { what: "shape file", .. })));
    assert!(Shape::from_bytes(&[]).is_err());
}

/// A file for 8 particles in one cluster, as words: nesting is a byte, so words begin at 1.
/// Rest positions 2 to 25, masses 26 to 33, order 34 to 41, one level 42.
fn with_word(file: &[u8], word: usize, value: u32) -> Result<Arc<Shape>, Error> {
    let mut bytes = payload(file).to_vec();
    let at = 1 + 4 * (word - 1);
    bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
    Shape::from_bytes(&forged(file, &bytes))
}

#[test]
fn lies_under_a_valid_checksum_are_refused_by_name() {
    let file = support::single_cluster(&scenes::grid(2, 2, 2, 0.1), None).to_bytes();
    assert!(Shape::from_bytes(&forged(&file, payload(&file))).is_ok());
    for (word, value, told) in [
        (1, u32::MAX, "promises 4294967295 particles"),
        (1, 7, ""),
        (2, f32::NAN.to_bits(), "rest position 0"),
        (9, 3e9f32.to_bits(), "rest position 2"),
        (26, 0, "mass 0"),
        (27, f32::INFINITY.to_bits(), "mass 1"),
        (34, 8, "particle 8"),
        (35, u32::MAX, "particle 4294967295"),
        (42, 0, "0 levels for 8 particles"),
        (42, 1000, "1000 levels"),
        (43, 0, "level 0 has 0 clusters"),
        (43, 9, "level 0 has 9 clusters"),
        (43, 2, "cluster 1 has no mass"),
        (44, f32::NAN.to_bits(), "the report of level 0"),
    ] {
        let error = with_word(&file, word, value).unwrap_err();
        let Error::Corrupt { what: "shape file", why } = &error else { panic!("{error}") };
        assert!(why.contains(told), "word {word} = {value}: {error}");
    }
    // Behind the odd byte of the report: the number of memberships, 9 starts, 8 memberships, the centre.
    let table = |word: usize, value: u32| {
        let mut bytes = payload(&file).to_vec();
        let at = bytes.len() - 4 * (9 + 16 + 3) + 4 * word;
        bytes[at..at + 4].copy_from_slice(&value.to_le_bytes());
        Shape::from_bytes(&forged(&file, &bytes)).unwrap_err().to_string()
    };
    assert!(table(0, 1).contains("rows do not cut"));
    assert!(table(4, u32::MAX).contains("rows do not cut"));
    assert!(table(8, 7).contains("rows do not cut"));
    assert!(table(3, 4).contains("row 2 does not ascend"));
    assert!(table(9, 1).contains("row 0 names 1, but there are only 1"));
    assert!(table(10, (-1.0f32).to_bits()).contains("a weight in row 0 is -1"));
    assert!(table(12, f32::NAN.to_bits()).contains("a weight in row 1 is NaN"));
    assert!(table(12, 0.5f32.to_bits()).contains("row 1 of level 0 sums up to 0.5"));
    assert!(table(25, f32::NAN.to_bits()).contains("the centre of mass lay at"));
}

/// How many are tried: most are refused at once.
const FORGERIES: usize = 20_000;

#[test]
fn forged_files_are_refused_or_step_without_harm() {
    let files = [Nesting::Nested, Nesting::Independent]
        .map(|nesting| shape(&scenes::grid(4, 4, 4, 0.1), 5, nesting).to_bytes());
    let mut forgeries: Vec<_> = (0..).zip(&files).map(|(seed, file)| Mutations::of(file, seed)).collect();
    let (mut tried, mut accepted) = (0, 0);
    while tried < FORGERIES {
        for file in forgeries.iter_mut().filter_map(Iterator::next) {
            tried += 1;
            let Ok(shape) = Shape::from_bytes(&file) else { continue };
            accepted += 1;
            if accepted % 16 == 0 {
                let goals = if accepted % 32 == 0 { Goals::Quadratic { beta: 0.5 } } else { Goals::Rigid };
                let strain = Some(StrainLimit { gamma: 0.01, ..StrainLimit::default() });
                let mut world = falling(&shape, Material { strain, goals, ..Material::default() });
                (0..3).for_each(|_| world.step(1.0 / 60.0).unwrap());
            }
        }
    }
    assert!(accepted > 20 && accepted < tried, "{accepted} of {tried} accepted");
}
