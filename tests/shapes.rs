//! What a shape and a step tell about themselves: collision planes, order, stage times.

mod scenes;

use glam::Vec3;
use wobble::{BodyDef, LevelsDef, Shape, StrainLimit, World, WorldDef};

#[test]
fn the_planes_of_a_sheet_bound_its_clusters_from_both_sides() {
    // One layer: every cluster is flat, so planes above and below pass through all its members.
    let shape = Shape::from_points(&scenes::grid(20, 1, 20, 0.1), None, &LevelsDef::default()).unwrap();
    let level = &shape.levels()[0];
    for c in 0..level.cluster_count() {
        let planes = shape.planes(c);
        let facing = |up: Vec3| planes.iter().any(|p| p.truncate().dot(up) > 0.999);
        assert!(facing(Vec3::Y) && facing(Vec3::NEG_Y), "cluster {c} has {planes:?}");
        for (plane, member) in planes.iter().flat_map(|p| level.members().row(c).iter().map(move |e| (p, e)))
        {
            let outside = plane.dot(shape.rest()[member.index as usize]);
            assert!(outside < 1e-5, "a member of cluster {c} is {outside} m beyond a plane");
        }
    }
}

#[test]
fn order_and_place_undo_each_other_and_keep_the_points() {
    let points = scenes::shell(700, 0.5, 0.4, 3);
    let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
    let centre = points.iter().sum::<Vec3>() / points.len() as f32;
    for (i, &caller) in shape.order().iter().enumerate() {
        assert_eq!(shape.place()[caller as usize] as usize, i);
        let rest = shape.rest()[i].truncate();
        assert!((rest + centre - points[caller as usize]).length() < 1e-5);
    }
}

#[test]
fn every_stage_of_a_step_is_timed_and_on_one_thread_lies_within_it() {
    let shape = Shape::from_points(&scenes::grid(16, 16, 16, 0.1), None, &LevelsDef::default()).unwrap();
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let mut def = BodyDef::default();
    def.material.strain = Some(StrainLimit::default());
    world.add_body(&shape, &def).unwrap();
    world.step(1.0 / 60.0).unwrap();
    let told = world.profile();
    let stages = [told.matching, told.goals, told.integrate, told.strain];
    assert!(stages.iter().all(|seconds| *seconds > 0.0), "{told:?}");
    let sum: f32 = stages.iter().sum();
    // That they are most of it is the row `core.stages_over_step` of the benchmark.
    assert!(sum <= 1.01 * told.total, "{told:?}");
    assert_eq!(told.substeps, 4);
}

#[test]
fn a_shape_remembers_where_its_centre_lay() {
    let points = [Vec3::new(1.0, 2.0, 3.0), Vec3::new(3.0, 2.0, 3.0)];
    let shape = Shape::from_points(&points, Some(&[3.0, 1.0]), &LevelsDef::default()).unwrap();
    assert_eq!(shape.centre(), Vec3::new(1.5, 2.0, 3.0));
    assert_eq!(Shape::from_bytes(&shape.to_bytes()).unwrap().centre(), shape.centre());
}
