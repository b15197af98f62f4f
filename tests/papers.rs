//! The papers' scenes hold what the papers say of them, each side of a comparison measured in the same run;
//! they are the same on any number of threads and stay finite.

#[path = "scenes/papers/mod.rs"]
mod papers;

use papers::Setup;
use papers::play::{Runs, play_all};
use wobble::{Material, Stiffness, World};

/// Plays a scene with all its variants and holds the paper's words against it. `untrue` are those that are known
/// not to hold here: they must go on not to, or this list is wrong.
fn judge(name: &str, quick: bool, untrue: &[&str]) {
    let scene = papers::find(name).unwrap();
    let runs = play_all(scene, &Setup { threads: 1, quick }).unwrap();
    assert!(runs.iter().all(|run| run.finite), "{name} did not stay finite");
    let mut wrong = Vec::new();
    for finding in (scene.judge)(&Runs(runs.iter().collect())) {
        let verdict = if finding.holds { "holds" } else { "does not hold" };
        println!("{name}: {}: {}: {verdict}", finding.says, finding.measured);
        let known = untrue.iter().any(|start| finding.says.starts_with(start));
        if finding.holds == known {
            wrong.push(format!("{}: {}", finding.says, finding.measured));
        }
    }
    assert!(wrong.is_empty(), "{name}: not as expected: {wrong:#?}");
}

/// The same where the papers' own particles are at hand: what is told of them was measured with these alone.
fn judge_with(data: &str, name: &str, untrue: &[&str]) {
    if papers::points::papers_particles(data).is_some() {
        judge(name, false, untrue);
    }
}

#[test]
fn the_falling_ball() {
    // What touches the ground is braked here, so that nothing goes on trembling; see ARCHITECTURE.md.
    judge("falling-ball", false, &["12 clusters alone do not"]);
}

#[test]
fn the_hovering_cube() {
    judge_with("cube-1331", "hovering-cube", &[]);
}

#[test]
fn the_falling_bunny() {
    judge_with("bunny-16525", "falling-bunny", &[]);
}

#[test]
fn the_ball_and_the_wall() {
    // How fast two bodies part is a matter of their restitution here, 0 in this scene. With other particles it holds.
    let papers_own = papers::points::papers_particles_at_hand("sheet-1k").is_some();
    judge("ball-wall", false, if papers_own { &["a wall on its coarser levels"] } else { &[] });
}

/// The pull is as strong in each of them, so more substeps make stiffer bodies. Later on the wall tumbles.
#[test]
fn the_ball_neither_passes_the_wall_nor_leaves_it_faster_than_it_came_in_any_number_of_substeps() {
    for substeps in [4, 8, 16, 32] {
        for name in ["finest", "even", "coarse", "coarse-wall-coarse"] {
            let variant = papers::find("ball-wall").unwrap().variant(name).unwrap();
            let mut stage = (variant.build)(&Setup { threads: 1, quick: false }).unwrap();
            stage.world.set_substeps(substeps).unwrap();
            let energy =
                |world: &World| -> f32 { world.bodies().map(|(_, body)| body.kinetic_energy()).sum() };
            let before = energy(&stage.world);
            (0..45).for_each(|_| stage.world.step(stage.dt).unwrap());
            let [(ball, of_ball), (wall, of_wall)] = [0, 1].map(|k| {
                let body = stage.world.body(stage.bodies[k]).unwrap();
                (body.centre_of_mass(), body.momentum() / body.shape().mass())
            });
            let told =
                format!("{name}, {substeps} substeps: at {ball} and {wall}, {of_ball} and {of_wall} m/s");
            assert!(ball.x < wall.x - 0.4, "{told}");
            assert!(of_wall.x - of_ball.x < 2.5, "{told}");
            assert!(energy(&stage.world) < 0.9 * before, "{told}: {} J of {before}", energy(&stage.world));
        }
    }
}

#[test]
fn the_three_bunnies() {
    judge_with("bunny-4131", "three-bunnies", &[]);
}

#[test]
fn plinko() {
    // Colliders meet particles, whatever holds these.
    judge(
        "plinko",
        false,
        &["a single cluster travels straight through", "12 clusters alone go on vibrating"],
    );
}

#[test]
#[ignore = "long; the gate plays the other animals"]
fn the_armadillo() {
    judge("armadillo-20k", false, &[]);
}

#[test]
fn the_stretched_cube() {
    judge_with("cube-1331", "stretched-cube", &[]);
}

#[test]
fn the_spinning_cube() {
    judge_with("cube-1331", "spinning-cube", &[]);
}

#[test]
fn the_sphere_on_a_sheet() {
    judge("sphere-sheet", false, &[]);
    judge("sphere-sheet", true, &[]);
}

/// The pull of the coarsest level does the less in a substep the more there are.
#[test]
fn the_sphere_does_not_pass_the_sheet_in_more_substeps_either() {
    let variant = papers::find("sphere-sheet").unwrap().variant("surfaces").unwrap();
    let mut stage = (variant.build)(&Setup { threads: 2, quick: false }).unwrap();
    stage.world.set_substeps(16).unwrap();
    for id in stage.bodies.clone() {
        let material = Material { stiffness: Stiffness::Hertz(24.0), ..Material::default() };
        stage.world.body_mut(id).unwrap().set_material(material).unwrap();
    }
    (0..120).for_each(|_| stage.world.step(stage.dt).unwrap());
    let [ball, sheet] = [0, 1].map(|k| stage.world.body(stage.bodies[k]).unwrap());
    let middle = ball.centre_of_mass();
    let beneath = |x: &&glam::Vec4| x.truncate().with_y(middle.y).distance(middle) < 0.3;
    let highest = sheet.raw_positions().iter().filter(beneath).map(|x| x.y).fold(f32::NEG_INFINITY, f32::max);
    // Its radius is 0.5.
    assert!(highest < middle.y - 0.25, "the sheet at {highest}, the middle of the sphere at {middle}");
}

#[test]
fn kernels() {
    judge("kernels", false, &[]);
}

#[test]
fn clusterings() {
    judge("clusterings", false, &[]);
}

#[test]
fn the_compressed_beam() {
    judge_with("beam", "compressed-beam", &[]);
}

#[test]
fn the_twisted_beam() {
    judge_with("beam", "twisted-beam", &[]);
}

#[test]
fn the_hanging_bars() {
    judge_with("beam", "hanging-bars", &[]);
}

#[test]
fn the_squashed_duck() {
    judge("squashed-duck", false, &[]);
}

#[test]
fn a_hundred_bodies() {
    judge("hundred-bodies", true, &[]);
}

#[test]
#[ignore = "long; the gate plays a quarter of them"]
fn a_hundred_bodies_all_of_them() {
    judge("hundred-bodies", false, &[]);
}

#[test]
#[ignore = "long; the gate plays the other animals"]
fn the_whole_armadillo() {
    judge("armadillo", false, &[]);
}

#[test]
fn every_scene_is_the_same_on_one_thread_and_two() {
    for scene in papers::all() {
        for variant in scene.variants {
            let [mut one, mut two] =
                [1, 2].map(|threads| (variant.build)(&Setup { threads, quick: true }).unwrap());
            for step in 0..60 {
                one.step().unwrap();
                two.step().unwrap();
                let same = one.world.state_hash() == two.world.state_hash();
                assert!(same, "{} {} differs at step {step}", scene.name, variant.name);
            }
        }
    }
}

#[test]
fn no_scene_produces_a_nan_in_1200_steps() {
    all_stay_finite(1200);
}

#[test]
#[ignore = "long; the gate plays a third of it"]
fn no_scene_produces_a_nan_in_3600_steps() {
    all_stay_finite(3600);
}

fn all_stay_finite(steps: usize) {
    for scene in papers::all() {
        // The first and the last differ most; the report plays all of them to their end.
        let ends = [scene.variants.first(), scene.variants.last()];
        for variant in ends.into_iter().flatten() {
            let mut stage = (variant.build)(&Setup { threads: 1, quick: true }).unwrap();
            for _ in 0..steps {
                stage.step().unwrap();
                assert!(stage.world.newly_frozen().is_empty(), "{} {}", scene.name, variant.name);
            }
            let finite =
                stage.world.bodies().all(|(_, body)| body.raw_positions().iter().all(|x| x.is_finite()));
            assert!(finite, "{} {}", scene.name, variant.name);
        }
    }
}

#[test]
fn names_are_unique_and_stand_ins_have_the_papers_numbers() {
    let mut names: Vec<&str> = papers::all().iter().map(|scene| scene.name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), papers::all().len());
    for scene in papers::all() {
        let mut variants: Vec<&str> = scene.variants.iter().map(|variant| variant.name).collect();
        variants.sort_unstable();
        variants.dedup();
        assert_eq!(variants.len(), scene.variants.len(), "{}", scene.name);
    }
    assert_eq!(papers::animals::bunny(16_510).len(), 16_510);
    assert_eq!(papers::animals::bunny(4131).len(), 4131);
    assert_eq!(papers::animals::armadillo(124_631).len(), 124_631);
}
