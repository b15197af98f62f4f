//! Matter that flows far: RC's beams with and without new clusters, and what must hold with them.

mod scenes;
mod support;

use std::sync::{Arc, OnceLock};

use glam::{Quat, Vec3};
use scenes::beams;
use support::is_finite;
use wobble::{
    Amount, Body, BodyDef, BodyId, Error, Fracture, Goals, Knife, LevelsDef, Material, Nesting, Plane,
    Plasticity, SamplingDef, Shape, SkinBuffers, StrainLimit, World, WorldDef,
};

/// Steps after which a beam that was let go is looked at again.
const AT_REST: usize = beams::PUSHED + 150;

/// What became of a beam: along its principal axes, its twist and its kinetic energy, when it is let go and later.
struct Fate {
    sizes: [[f32; 3]; 2],
    twist: [f32; 2],
    energy: [f32; 2],
    frozen: bool,
    made: u32,
}

impl Fate {
    /// How much its sizes changed after it was let go.
    fn distorted(&self) -> f32 {
        let [before, after] = self.sizes;
        (0..3).map(|k| (after[k] / before[k] - 1.0).abs()).fold(0.0, f32::max)
    }
}

/// RC's scene with a beam of one level, as theirs.
fn fate(points: &[Vec3], twisted: bool, recluster: f32) -> Fate {
    let shape = beams::shape(points, beams::CLUSTERS, 1);
    let (mut world, id) = beams::world(&shape, beams::flowing(recluster), 1);
    let (mut sizes, mut twist, mut energy, mut made) = ([[0.0; 3]; 2], [0.0; 2], [0.0; 2], 0);
    for step in 0..=AT_REST {
        if step == beams::PUSHED || step == AT_REST {
            let (k, body) = (usize::from(step == AT_REST), world.body(id).unwrap());
            (sizes[k], twist[k]) = (beams::sizes(body), beams::twisted(points, body));
            energy[k] = body.kinetic_energy();
        }
        beams::step(&mut world, id, twisted, step);
        made += world.profile().new_clusters;
    }
    Fate { sizes, twist, energy, frozen: world.body(id).unwrap().is_frozen(), made }
}

/// The papers' particles and, whether they are at hand or not, a beam made by rule.
fn both_beams() -> Vec<Vec<Vec3>> {
    scenes::papers_particles("beam").into_iter().chain([beams::by_rule()]).collect()
}

#[test]
fn a_compressed_beam_that_flows_keeps_its_new_form_only_with_new_clusters() {
    for points in both_beams() {
        let (plain, new) = (fate(&points, false, 0.0), fate(&points, false, beams::WORN));
        for (name, fate) in [("without", &plain), ("with", &new)] {
            let Fate { sizes, energy, frozen, made, .. } = fate;
            println!(
                "{name}: {sizes:?}, {:.3} distorted, {energy:?} J, frozen {frozen}, {made} new",
                fate.distorted()
            );
        }
        assert!(!new.frozen && new.made > 50, "{} new", new.made);
        assert!(new.distorted() < 0.1 && new.energy[1] < 1e-2, "{}", new.distorted());
        assert!(new.sizes[1].iter().all(|size| (0.03..0.5).contains(size)), "{:?}", new.sizes);
        let volume = |sizes: [f32; 3]| sizes[0] * sizes[1] * sizes[2];
        let kept = volume(new.sizes[1]) / (0.582 * 0.12 * 0.12);
        assert!((0.6..1.4).contains(&kept), "{kept} of the volume");
        let wild = plain.frozen || plain.distorted() > 2.0 * new.distorted() && plain.distorted() > 0.1;
        assert!(wild, "{} without new clusters", plain.distorted());
    }
}

#[test]
fn a_twisted_beam_that_flows_keeps_its_twist_only_with_new_clusters() {
    for points in both_beams() {
        let (plain, new) = (fate(&points, true, 0.0), fate(&points, true, beams::WORN));
        for (name, Fate { sizes, twist, energy, made, .. }) in [("without", &plain), ("with", &new)] {
            println!("{name}: twisted by {twist:?}, {sizes:?}, {energy:?} J, {made} new");
        }
        assert!(!new.frozen && new.made > 10 && new.sizes[1][0] < 1.0, "{:?}", new.sizes);
        assert!(new.twist[0] > 0.5 && new.twist[1] > 0.3 * new.twist[0], "{:?}", new.twist);
        assert!(plain.frozen || plain.twist[1] < 0.15 * plain.twist[0], "{:?}", plain.twist);
    }
}

/// A beam small enough for tests that run it often.
fn small() -> &'static Arc<Shape> {
    static SHAPE: OnceLock<Arc<Shape>> = OnceLock::new();
    SHAPE.get_or_init(|| beams::shape(&scenes::grid(31, 7, 7, 2.0 / 30.0), 75, 16))
}

fn flowing() -> Plasticity {
    Plasticity { fade: 12, ..beams::flowing(1.25) }
}

/// The small beam after so many steps under the force, and how many clusters are new.
fn squeezed(steps: usize, threads: u32) -> (World, BodyId, u32) {
    let (mut world, id) = beams::world(small(), flowing(), threads);
    let mut made = 0;
    for _ in 0..steps {
        beams::compress(&mut world, id, 100.0);
        made += world.profile().new_clusters;
    }
    (world, id, made)
}

#[test]
fn new_clusters_come_and_go_the_same_on_any_number_of_threads() {
    // Large enough to be spread over threads.
    let large = beams::shape(&beams::by_rule(), beams::CLUSTERS, 16);
    let hashes = [1, 2, 3].map(|threads| {
        let (mut world, id) = beams::world(&large, flowing(), threads);
        let mut step = |_| {
            beams::compress(&mut world, id, 100.0);
            (world.state_hash(), world.profile().new_clusters)
        };
        (0..60).map(&mut step).collect::<Vec<_>>()
    });
    assert!(hashes[0].iter().map(|(_, new)| new).sum::<u32>() > 20);
    assert!(hashes[0] == hashes[1] && hashes[0] == hashes[2]);
}

#[test]
fn a_snapshot_amid_fading_goes_on_bit_for_bit() {
    for strain in [None, Some(StrainLimit::default())] {
        let (mut world, id) = beams::world(small(), flowing(), 1);
        let material = Material { strain, ..*world.body(id).unwrap().material() };
        world.body_mut(id).unwrap().set_material(material).unwrap();
        (0..45).for_each(|_| beams::compress(&mut world, id, 100.0));
        let snapshot = world.snapshot();
        let mut other = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
        other.restore(&snapshot, &[small().clone()]).unwrap();
        let there = other.bodies().next().unwrap().0;
        let mut copy =
            World::new(&WorldDef { gravity: Vec3::ZERO, threads: 1, ..WorldDef::default() }).unwrap();
        let copied = copy.add_body(small(), &BodyDef::default()).unwrap();
        copy.body_mut(copied).unwrap().restore(&world.body(id).unwrap().snapshot()).unwrap();
        let mut made = 0;
        for _ in 0..40 {
            beams::compress(&mut world, id, 100.0);
            beams::compress(&mut other, there, 100.0);
            beams::compress(&mut copy, copied, 100.0);
            made += world.profile().new_clusters;
            assert_eq!(world.state_hash(), other.state_hash());
            let same = world.body(id).unwrap().raw_positions() == copy.body(copied).unwrap().raw_positions();
            assert!(same, "a body's own snapshot leads elsewhere");
        }
        assert!(made > 0);
        world.restore(&snapshot, &[]).unwrap();
        assert_eq!(world.snapshot(), snapshot);
    }
}

#[test]
fn a_snapshot_with_a_broken_table_is_refused() {
    let (world, id, _) = squeezed(60, 1);
    let good = world.body(id).unwrap().snapshot();
    let mut fresh = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let other = fresh.add_body(small(), &BodyDef::default()).unwrap();
    for at in (16..good.len()).step_by(good.len() / 500) {
        let mut bad = good.clone();
        bad[at] ^= 0x55;
        assert!(fresh.body_mut(other).unwrap().restore(&bad).is_err());
    }
    fresh.body_mut(other).unwrap().restore(&good).unwrap();
}

#[test]
fn a_copy_goes_on_as_the_body_does() {
    let (mut world, id, _) = squeezed(50, 1);
    let copy = world.body(id).unwrap().clone();
    (0..20).for_each(|_| beams::compress(&mut world, id, 100.0));
    let ahead = world.state_hash();
    world.body_mut(id).unwrap().clone_from(&copy);
    (0..20).for_each(|_| beams::compress(&mut world, id, 100.0));
    assert_eq!(world.state_hash(), ahead);
}

#[test]
fn a_reset_gives_the_first_clusters_and_the_first_form_back() {
    let run = |world: &mut World, id| {
        (0..70)
            .map(|_| {
                beams::compress(world, id, 100.0);
                world.state_hash()
            })
            .collect::<Vec<_>>()
    };
    let (mut world, id) = beams::world(small(), flowing(), 1);
    world.body_mut(id).unwrap().reset();
    let (first, bytes) = (run(&mut world, id), world.body(id).unwrap().bytes());
    assert!(world.body(id).unwrap().bytes() >= bytes);
    world.body_mut(id).unwrap().teleport(Vec3::ZERO, Quat::IDENTITY).unwrap();
    let kept = beams::sizes(world.body(id).unwrap());
    world.body_mut(id).unwrap().reset();
    let body = world.body(id).unwrap();
    assert!(kept[0] < 0.95 * beams::sizes(body)[0], "teleporting keeps the form: {kept:?}");
    assert_eq!(body.lasting_strain(), 0.0);
    let at = body.centre_of_mass();
    let off = |(x, r): (&glam::Vec4, &glam::Vec4)| (x.truncate() - at - r.truncate()).length();
    assert!(body.raw_positions().iter().zip(body.shape().rest()).map(off).fold(0.0, f32::max) < 1e-5);
    world.body_mut(id).unwrap().teleport(Vec3::ZERO, Quat::IDENTITY).unwrap();
    assert_eq!(run(&mut world, id), first, "and goes on as it did at first");
}

#[test]
fn a_body_that_wears_no_cluster_keeps_its_bits() {
    let run = |recluster: f32| {
        let (mut world, id) = beams::world(small(), Plasticity { recluster, ..beams::flowing(0.0) }, 1);
        (0..30).for_each(|_| beams::compress(&mut world, id, 5.0));
        (world.state_hash(), world.profile().new_clusters)
    };
    assert_eq!(run(0.0), run(900.0));
}

#[test]
fn a_body_with_new_clusters_can_be_cut_and_mended() {
    let (mut world, id, made) = squeezed(80, 1);
    assert!(made > 10, "{made}");
    let before = beams::sizes(world.body(id).unwrap());
    let point = world.body(id).unwrap().centre_of_mass();
    let count = world.cut(id, &Knife::Plane { point, normal: Vec3::X }).unwrap();
    assert_eq!(count, 2);
    let masses: f32 = world.bodies().map(|(_, body)| body.shape().mass()).sum();
    assert!((masses - 1.0).abs() < 1e-4, "{masses} kg");
    (0..60).for_each(|_| world.step(beams::DT).unwrap());
    for (_, body) in world.bodies() {
        let half = beams::sizes(body);
        assert!(is_finite(body) && !body.is_frozen() && half[0] < 0.8 * before[0], "{half:?} of {before:?}");
        assert!(half[1] < 1.3 * before[1] && half[1] > 0.7 * before[1], "{half:?} of {before:?}");
    }
    world.reset_body(id).unwrap();
    assert_eq!(world.bodies().count(), 1);
    assert_eq!(world.body(id).unwrap().shape().particle_count(), small().particle_count());
}

#[test]
fn a_body_with_new_clusters_can_break() {
    let (mut world, id, _) = squeezed(80, 1);
    world.body_mut(id).unwrap().set_fracture(Some(Fracture { toughness: 0.1, smallest: 4 })).unwrap();
    world.body_mut(id).unwrap().deform(|p| p * Vec3::new(1.5, 1.0, 1.0)).unwrap();
    (0..60).for_each(|_| world.step(beams::DT).unwrap());
    let particles: usize = world.bodies().map(|(_, body)| body.shape().particle_count()).sum();
    assert_eq!(particles, small().particle_count());
    assert!(world.bodies().count() > 1 && world.bodies().all(|(_, body)| is_finite(body)));
}

#[test]
fn a_mesh_follows_the_particles_whatever_clusters_there_are() {
    let mesh = scenes::meshes::cuboid(Vec3::new(2.0, 0.4, 0.4), 8);
    let sampling = SamplingDef { amount: Amount::Count(1500), ..SamplingDef::default() };
    let shape = Shape::from_mesh(&mesh.mesh(), &sampling, &LevelsDef::default(), &mut |_| true).unwrap();
    let (mut world, id) = beams::world(&shape, flowing(), 1);
    let count = shape.skin().unwrap().vertex_count();
    let read = |body: &Body| {
        let mut at = vec![Vec3::ZERO; count];
        let mut out = SkinBuffers { positions: Some(&mut at), ..SkinBuffers::default() };
        body.read_skin(1.0, &mut out).unwrap();
        at
    };
    let (mut before, mut made) = (read(world.body(id).unwrap()), 0);
    for _ in 0..100 {
        beams::compress(&mut world, id, 100.0);
        made += world.profile().new_clusters;
        let body = world.body(id).unwrap();
        let after = read(body);
        let fastest = body.raw_velocities().iter().map(|v| v.truncate().length()).fold(0.0, f32::max);
        let jump = before.iter().zip(&after).map(|(a, b)| a.distance(*b)).fold(0.0, f32::max);
        assert!(jump < 3.0 * fastest * beams::DT + 0.01, "vertices jump by {jump} m at {fastest} m/s");
        before = after;
    }
    // Every vertex is where the particle that was next to it has gone.
    let (body, rest) = (world.body(id).unwrap(), shape.skin().unwrap().rest());
    let strayed = |(v, r): (&Vec3, &glam::Vec4)| {
        let near =
            |a: &&glam::Vec4, b: &&glam::Vec4| a.distance_squared(*r).total_cmp(&b.distance_squared(*r));
        let next = shape.rest().iter().min_by(near).unwrap();
        let i = shape.rest().iter().position(|p| p == next).unwrap();
        body.raw_positions()[i].truncate().distance(*v)
    };
    let worst = before.iter().zip(rest).map(strayed).fold(0.0, f32::max);
    assert!(made > 10 && worst < 3.0 * shape.spacing(), "{worst} m of {} with {made} new", shape.spacing());
}

#[test]
fn every_way_to_set_a_body_up_goes_well_with_new_clusters() {
    let ball = support::shape(&scenes::grid(9, 9, 9, 0.1), 15, Nesting::Nested);
    for (goals, strain) in [
        (Goals::Rigid, None),
        (Goals::Linear { beta: 0.3 }, Some(StrainLimit::default())),
        (Goals::Linear { beta: 0.6 }, None),
    ] {
        let mut world = World::new(&WorldDef { threads: 2, ..WorldDef::default() }).unwrap();
        world.add_plane(&Plane::default()).unwrap();
        let material = Material { goals, strain, volume_stiffness: 2.0, ..Material::default() };
        let def =
            BodyDef { position: Vec3::Y * 0.6, velocity: Vec3::Y * -9.0, material, ..BodyDef::default() };
        let id = world.add_body(&ball, &def).unwrap();
        let above = BodyDef { position: Vec3::Y * 2.0, velocity: Vec3::Y * -12.0, ..def };
        world.add_body(&ball, &above).unwrap();
        let rule =
            Plasticity { recovery: 0.2, hardening: 0.1, fade: 8, recluster: 1.1, ..beams::flowing(0.0) };
        world.body_mut(id).unwrap().set_plasticity(Some(rule)).unwrap();
        let mut made = 0;
        for _ in 0..200 {
            world.step(beams::DT).unwrap();
            made += world.profile().new_clusters;
        }
        let body = world.body(id).unwrap();
        assert!(made > 0 && is_finite(body) && !body.is_frozen(), "{goals:?}: {made} made");
        assert!(beams::sizes(body)[0] < 2.0, "{:?}", beams::sizes(body));
        assert!(body.elastic_energy(beams::DT / 4.0).unwrap().is_finite() && body.volume().is_finite());
    }
}

#[test]
fn a_body_amid_fading_falls_asleep_and_goes_on_when_it_wakes() {
    let (mut world, id, _) = squeezed(40, 1);
    world.body_mut(id).unwrap().put_to_sleep();
    let asleep = world.snapshot();
    (0..10).for_each(|_| world.step(beams::DT).unwrap());
    assert!(world.body(id).unwrap().is_sleeping());
    let mut other = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    other.restore(&asleep, &[small().clone()]).unwrap();
    let there = other.bodies().next().unwrap().0;
    for (world, id) in [(&mut world, id), (&mut other, there)] {
        world.body_mut(id).unwrap().wake();
        (0..60).for_each(|_| world.step(beams::DT).unwrap());
        assert!(is_finite(world.body(id).unwrap()));
    }
    assert_eq!(world.state_hash(), other.state_hash());
}

#[test]
fn what_cannot_be_is_refused() {
    let (mut world, id) = beams::world(small(), beams::flowing(0.0), 1);
    let good = Plasticity { recluster: 1.5, ..Plasticity::default() };
    for wrong in [
        Plasticity { recluster: 1.0, ..good },
        Plasticity { recluster: -1.5, ..good },
        Plasticity { recluster: f32::NAN, ..good },
        Plasticity { recluster: 1e4, ..good },
        Plasticity { fade: 0, ..good },
        Plasticity { fade: 2000, ..good },
        Plasticity { most_new_clusters: 0, ..good },
    ] {
        let refused = world.body_mut(id).unwrap().set_plasticity(Some(wrong));
        assert!(matches!(refused, Err(Error::Value { .. })), "{wrong:?}");
    }
    let independent = support::shape(&scenes::grid(8, 8, 8, 0.1), 20, Nesting::Independent);
    let other = world.add_body(&independent, &BodyDef::default()).unwrap();
    assert!(matches!(world.body_mut(other).unwrap().set_plasticity(Some(good)), Err(Error::Value { .. })));
    world.body_mut(other).unwrap().set_plasticity(Some(Plasticity::default())).unwrap();
}
