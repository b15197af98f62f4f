//! Contacts between bodies: what a heap costs over the same bodies apart, and as it grows; and bodies asleep.

use std::sync::Arc;

use glam::{Quat, Vec3};
use wobble::{BodyDef, LevelsDef, Plane, Shape, World, WorldDef};

use crate::harness::{Bench, Limit, seconds};
use crate::points;

const DT: f32 = 1.0 / 60.0;

/// All rows of this file.
pub fn run(bench: &mut Bench) {
    if bench.wants(&["collide.heap_over_apart", "collide.heap_over_apart.collapsing"]) {
        let count = bench.size(1000, 8);
        let (mut heap, mut towers) = (heap(bench, count), bodies(bench, count, 1.02));
        let mut apart = bodies(bench, count, 4.0);
        let contestants: &mut [&mut dyn FnMut() -> f64] =
            &mut [&mut || step(&mut heap), &mut || step(&mut apart), &mut || step(&mut towers)];
        let best = bench.race_for(20.0, contestants);
        assert_eq!(apart.profile().contact_count, 0, "bodies apart touch");
        bench.row("collide.heap_over_apart", best[0] / best[1], Limit::AtMost(2.5));
        bench.tell("collide.heap_over_apart.collapsing", best[2] / best[1]);
        for (name, world) in [("contacts", &heap), ("collapsing.contacts", &towers)] {
            let contacts = f64::from(world.profile().contact_count) / count as f64;
            bench.tell(format!("collide.heap_over_apart.{name}"), contacts);
        }
    }
    if bench.wants(&["collide.growth"]) {
        let (few, many) = bench.size((100, 2000), (8, 27));
        let (mut small, mut large) = (bodies(bench, few, 1.02), bodies(bench, many, 1.02));
        let moments = [&mut small, &mut large].map(|world| world.snapshot());
        let best = bench.race(&mut [&mut || step_from(&mut small, &moments[0]), &mut || {
            step_from(&mut large, &moments[1])
        }]);
        for (name, world, count) in [("few", &small, few), ("many", &large, many)] {
            let contacts = f64::from(world.profile().contact_count) / count as f64;
            bench.tell(format!("collide.growth.contacts.{name}"), contacts);
        }
        let growth = best[1] / many as f64 / (best[0] / few as f64);
        bench.row("collide.growth", growth, Limit::AtMost(1.5));
    }
    if bench.wants(&["collide.pegs_growth"]) {
        pegs(bench);
    }
    if bench.wants(&["collide.sleep_share", "collide.sleep_share.one_awake"]) {
        sleep(bench);
    }
}

/// A body that lies on pegs: ten thousand of them over a hundred.
fn pegs(bench: &mut Bench) {
    let shape = points::worlds::cube(6);
    let [mut few, mut many] = bench.size([10, 100], [4, 8]).map(|across| {
        let mut world = points::worlds::pegs(across, 1);
        let def = BodyDef { position: Vec3::Y, ..BodyDef::default() };
        world.add_body(&shape, &def).expect("the definition is sound");
        (0..bench.size(90, 2)).for_each(|_| world.step(DT).expect("bodies stay finite"));
        world
    });
    let best = bench.race(&mut [&mut || step(&mut few), &mut || step(&mut many)]);
    bench.tell("collide.pegs_us", best[0] * 1e6);
    bench.row("collide.pegs_growth", best[1] / best[0], Limit::AtMost(1.5));
}

/// Bodies on the ground, asleep over awake; and with one among them that is awake.
fn sleep(bench: &mut Bench) {
    let count = bench.size(1000, 8);
    let mut awake = bodies(bench, count, 4.0);
    let mut asleep = bodies(bench, count, 4.0);
    asleep.set_sleeping(true, 0.02).expect("the speed is sound");
    let rested = (0..1200).any(|_| {
        step(&mut asleep);
        asleep.statistics().sleeping == count
    });
    assert!(rested, "bodies do not come to rest");
    let mut stirred = bodies(bench, count, 4.0);
    stirred.restore(&asleep.snapshot(), &[]).expect("the snapshot is sound");
    let (id, _) = stirred.bodies().nth(count / 2).expect("there are so many");
    stirred.body_mut(id).expect("it is there").set_can_sleep(false);
    let best =
        bench.race(&mut [&mut || step(&mut awake), &mut || step(&mut asleep), &mut || step(&mut stirred)]);
    assert_eq!((asleep.statistics().sleeping, stirred.statistics().sleeping), (count, count - 1));
    bench.row("collide.sleep_share", best[1] / best[0], Limit::AtMost(0.02));
    bench.tell("collide.sleep_share.one_awake", best[2] / best[0]);
}

fn step(world: &mut World) -> f64 {
    seconds(|| world.step(DT).expect("bodies stay finite"))
}

/// The second step from a moment: heaps of any size are then as old when they are measured.
fn step_from(world: &mut World, moment: &[u8]) -> f64 {
    world.restore(moment, &[]).expect("the snapshot is sound");
    step(world);
    step(world)
}

/// The towers that `bodies` makes after ten seconds: they have fallen over and lie in a heap.
fn heap(bench: &Bench, count: usize) -> World {
    let all_threads = WorldDef { sleeping: false, ..WorldDef::default() };
    let mut heap = World::new(&all_threads).expect("the definition is sound");
    let mut towers = bodies(bench, count, 1.02);
    heap.restore(&towers.snapshot(), &[cube()]).expect("the snapshot is sound");
    (0..bench.size(540, 2)).for_each(|_| heap.step(DT).expect("bodies stay finite"));
    towers.restore(&heap.snapshot(), &[]).expect("the snapshot is sound");
    towers
}

fn cube() -> Arc<Shape> {
    Shape::from_points(&points::grid(5, 5, 5, 0.25), None, &LevelsDef::default()).expect("a grid is sound")
}

/// Cubes of 125 particles, as many along each side as give `count`, `distance` widths from one to the
/// next, after a second on the ground.
fn bodies(bench: &Bench, count: usize, distance: f32) -> World {
    let shape = cube();
    let def = WorldDef { threads: 1, sleeping: false, ..WorldDef::default() };
    let mut world = World::new(&def).expect("the definition is sound");
    world.add_plane(&Plane::default()).expect("the ground is sound");
    let side = (1..).find(|n| n * n * n >= count).expect("there is one");
    // Those apart all lie on the ground, so that both touch something.
    let flat = distance > 2.0;
    let across = if flat { (1..).find(|n| n * n >= count).expect("there is one") } else { side };
    for i in 0..count {
        let at = [i % across, i / across % across, i / across / across].map(|k| k as f32 * distance);
        let position = Vec3::new(at[0], 0.55 + at[2], at[1]);
        let rotation = Quat::from_rotation_y(0.02 * (i % 5) as f32);
        let def = BodyDef { position, rotation, ..BodyDef::default() };
        world.add_body(&shape, &def).expect("the definition is sound");
    }
    (0..bench.size(60, 2)).for_each(|_| world.step(DT).expect("bodies stay finite"));
    world
}
