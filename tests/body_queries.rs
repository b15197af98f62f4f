//! Queries against bodies: the same as looking at every triangle of what is drawn.

mod scenes;

use std::sync::Arc;

use glam::{DVec3, Quat, Vec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wobble::{
    Body, BodyDef, BodyId, ColliderDef, ColliderShape, DragDef, Groups, Hit, LevelsDef, Material, Partner,
    Shape, SkinBuffers, Stiffness, World, WorldDef,
};

/// Sees bodies, not the ground.
const BODIES: Groups = Groups { group: 1, mask: 1 };

struct Random(ChaCha8Rng);

impl Random {
    fn new(seed: u64) -> Random {
        Random(ChaCha8Rng::seed_from_u64(seed))
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * (self.0.next_u32() >> 8) as f32 / (1 << 24) as f32
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn turn(&mut self) -> Quat {
        let v = self.vector(1.0);
        Quat::from_xyzw(v.x, v.y, v.z, self.between(0.1, 1.0)).normalize()
    }
}

/// A body's surface by other means: corners of its triangles.
type Drawn = Vec<[DVec3; 3]>;

/// The mesh of a body as it is read.
fn skin_of(body: &Body) -> Drawn {
    let skin = body.shape().skin().unwrap();
    let mut positions = vec![Vec3::ZERO; skin.vertex_count()];
    body.read_skin(1.0, &mut SkinBuffers { positions: Some(&mut positions), ..SkinBuffers::default() })
        .unwrap();
    skin.triangles().iter().map(|t| t.map(|v| positions[v as usize].as_dvec3())).collect()
}

const SIDE: usize = 7;

/// The sides of a cube of particles as it is, triangles between neighbours.
fn sides_of(body: &Body) -> Drawn {
    let mut at = vec![Vec3::ZERO; SIDE * SIDE * SIDE];
    body.read_positions(&mut at).unwrap();
    let mut drawn = Vec::new();
    for axis in 0..3 {
        for (layer, i, j) in
            (0..2).flat_map(|l| (1..SIDE).flat_map(move |i| (1..SIDE).map(move |j| (l, i, j))))
        {
            let corner = |i: usize, j: usize| {
                let mut place = [0; 3];
                (place[axis], place[(axis + 1) % 3], place[(axis + 2) % 3]) = (layer * (SIDE - 1), i, j);
                at[(place[0] * SIDE + place[1]) * SIDE + place[2]].as_dvec3()
            };
            let [a, b, c, d] = [corner(i - 1, j - 1), corner(i, j - 1), corner(i, j), corner(i - 1, j)];
            drawn.extend(if layer == 1 { [[a, b, c], [a, c, d]] } else { [[a, c, b], [a, d, c]] });
        }
    }
    drawn
}

fn cast(drawn: &Drawn, origin: DVec3, direction: DVec3) -> Option<f64> {
    let met = drawn.iter().filter_map(|&[a, b, c]| {
        let (ab, ac, s) = (b - a, c - a, origin - a);
        let (h, q) = (direction.cross(ac), s.cross(ab));
        let det = ab.dot(h);
        let (u, v, t) = (s.dot(h) / det, direction.dot(q) / det, ac.dot(q) / det);
        (u >= 0.0 && v >= 0.0 && u + v <= 1.0 && t >= 0.0).then_some(t)
    });
    met.min_by(f64::total_cmp)
}

/// Distance of a point from a surface, below 0 inside.
fn distance(drawn: &Drawn, at: DVec3) -> f64 {
    let away = drawn.iter().map(|&t| closest(t, at).distance(at)).fold(f64::INFINITY, f64::min);
    let angle: f64 = drawn.iter().map(|t| solid_angle(t.map(|c| c - at))).sum();
    if angle > 2.0 * std::f64::consts::PI { -away } else { away }
}

fn solid_angle([a, b, c]: [DVec3; 3]) -> f64 {
    let (la, lb, lc) = (a.length(), b.length(), c.length());
    let cosine = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
    2.0 * a.dot(b.cross(c)).atan2(cosine)
}

/// The point of a triangle nearest to another: within it, or on the nearest of its edges.
fn closest([a, b, c]: [DVec3; 3], p: DVec3) -> DVec3 {
    let normal = (b - a).cross(c - a).normalize_or_zero();
    let on = p - normal * normal.dot(p - a);
    let left_of = |a: DVec3, b: DVec3| (b - a).cross(on - a).dot(normal) >= 0.0;
    if normal != DVec3::ZERO && left_of(a, b) && left_of(b, c) && left_of(c, a) {
        return on;
    }
    let edge =
        |a: DVec3, b: DVec3| a + (b - a) * ((p - a).dot(b - a) / (b - a).length_squared()).clamp(0.0, 1.0);
    let edges = [edge(a, b), edge(b, c), edge(c, a)];
    edges.into_iter().min_by(|p1, p2| p1.distance(p).total_cmp(&p2.distance(p))).unwrap()
}

fn skinned(seed: u64) -> Arc<Shape> {
    let points = scenes::shell(600, 0.5, 0.0, seed);
    let mesh = scenes::spheres::sphere(12, 0.52);
    let particles = wobble::Particles { points: &points, ..wobble::Particles::default() };
    Shape::from_particles_and_mesh(&particles, &mesh.mesh(), &LevelsDef::default(), &mut |_| true).unwrap()
}

fn cube() -> Arc<Shape> {
    Shape::from_points(&scenes::grid(SIDE, SIDE, SIDE, 1.0 / 6.0), None, &LevelsDef::default()).unwrap()
}

/// Soft bodies of a shape that have just hit the ground, turned and squashed.
fn scene(shape: &Arc<Shape>, random: &mut Random) -> (World, Vec<BodyId>) {
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let groups = Groups { group: 2, mask: u32::MAX };
    world.add_collider(&ColliderDef { groups, ..ColliderDef::default() }).unwrap();
    let mut ids = Vec::new();
    for k in 0..5 {
        let position = Vec3::new(1.5 * k as f32, random.between(0.8, 1.2), random.between(-1.0, 1.0));
        let velocity = random.vector(2.0) - Vec3::Y * 5.0;
        let material = Material { stiffness: Stiffness::Hertz(6.0), ..Material::default() };
        let def = BodyDef { position, rotation: random.turn(), velocity, material, ..BodyDef::default() };
        ids.push(world.add_body(shape, &def).unwrap());
    }
    (0..12).for_each(|_| world.step(1.0 / 60.0).unwrap());
    (world, ids)
}

/// How far a squashed scene is from its rest shape, as a check that there is something to test.
fn squash(world: &World, ids: &[BodyId]) -> f32 {
    let height = |id: &BodyId| {
        let ys = world.body(*id).unwrap().raw_positions().iter().map(|p| p.y);
        ys.fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), y| (low.min(y), high.max(y)))
    };
    ids.iter().map(height).map(|(low, high)| high - low).fold(f32::INFINITY, f32::min)
}

fn drawn(world: &World, ids: &[BodyId], draw: fn(&Body) -> Drawn) -> Vec<Drawn> {
    ids.iter().map(|id| draw(world.body(*id).unwrap())).collect()
}

/// A ray that may well hit something.
fn ray(random: &mut Random) -> (Vec3, Vec3) {
    let target = Vec3::new(random.between(-0.5, 6.5), random.between(0.0, 1.0), random.between(-1.5, 1.5));
    let origin = target + random.vector(1.0).normalize() * 6.0;
    (origin, (target - origin).normalize())
}

fn check_hit(world: &World, hit: &Hit) {
    let Partner::Body(id) = hit.what else { panic!("{hit:?} is no body") };
    let body = world.body(id).unwrap();
    assert!(hit.normal.is_normalized());
    let particle = hit.particle.unwrap();
    let away = |i: usize| body.position(i).unwrap().distance(hit.point);
    let nearest = (0..body.shape().particle_count()).map(away).fold(f32::INFINITY, f32::min);
    assert_eq!(away(particle as usize), nearest);
    let place = body.shape().place()[particle as usize] as usize;
    let holders = body.shape().levels()[0].held_by().row(place);
    let most = holders.iter().map(|e| e.weight).fold(0.0, f32::max);
    assert!(holders.iter().any(|e| Some(e.index) == hit.cluster && e.weight == most));
}

#[test]
fn a_ray_meets_the_mesh_of_a_body_where_it_is_drawn() {
    let mut random = Random::new(1);
    let (world, ids) = scene(&skinned(1), &mut random);
    assert!(squash(&world, &ids) < 0.85, "{}", squash(&world, &ids));
    let drawn = drawn(&world, &ids, skin_of);
    let mut hits = 0;
    for _ in 0..2000 {
        let (origin, direction) = ray(&mut random);
        let each = drawn.iter().zip(&ids).filter_map(|(drawn, id)| {
            let inside = distance(drawn, origin.as_dvec3()) < 0.0;
            let met = if inside { Some(0.0) } else { cast(drawn, origin.as_dvec3(), direction.as_dvec3()) };
            Some((met.filter(|t| *t <= 20.0)?, *id))
        });
        let wanted = each.min_by(|a, b| a.0.total_cmp(&b.0));
        let found = world.cast_ray(origin, direction * 2.0, 20.0, BODIES).unwrap();
        assert_eq!(found.map(|hit| hit.what), wanted.map(|(_, id)| Partner::Body(id)));
        if let (Some(hit), Some((t, _))) = (found, wanted) {
            hits += 1;
            assert!((f64::from(hit.distance) - t).abs() < 1e-4, "{hit:?} instead of {t}");
            assert!(t == 0.0 || hit.normal.dot(direction) <= 0.0);
            check_hit(&world, &hit);
        }
    }
    assert!(hits > 300, "{hits}");
}

#[test]
fn a_ray_meets_a_body_without_a_mesh_within_half_a_spacing_of_its_outer_particles() {
    let mut random = Random::new(2);
    let shape = cube();
    let (world, ids) = scene(&shape, &mut random);
    let drawn = drawn(&world, &ids, sides_of);
    let (mut hits, mut missed, mut worst, mut sum) = (0, 0, 0.0f64, 0.0);
    for _ in 0..2000 {
        let (origin, direction) = ray(&mut random);
        let found = world.cast_ray(origin, direction, 20.0, BODIES).unwrap();
        let wanted = drawn.iter().filter_map(|d| cast(d, origin.as_dvec3(), direction.as_dvec3()));
        let wanted = wanted.min_by(f64::total_cmp);
        let Some(hit) = found else {
            missed += usize::from(wanted.is_some());
            continue;
        };
        hits += 1;
        check_hit(&world, &hit);
        let body = ids.iter().position(|id| hit.what == Partner::Body(*id)).unwrap();
        let off = distance(&drawn[body], hit.point.as_dvec3()).abs();
        (worst, sum) = (worst.max(off), sum + off);
    }
    let spacing = f64::from(shape.spacing());
    println!("worst {}, mean {} spacings, {missed} missed", worst / spacing, sum / hits as f64 / spacing);
    assert!(worst < 0.5 * spacing, "{worst} of {spacing}");
    // Rays that graze an edge may pass it.
    assert!(hits > 300 && missed * 50 < hits, "{hits} and {missed}");
}

#[test]
fn the_closest_point_of_a_mesh_is_the_closest_of_all_its_triangles_and_inside_is_below_zero() {
    let mut random = Random::new(3);
    let (world, ids) = scene(&skinned(3), &mut random);
    let drawn = drawn(&world, &ids, skin_of);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..400 {
        let at = Vec3::new(random.between(-1.0, 7.0), random.between(-0.2, 1.5), random.between(-1.5, 1.5));
        let wanted = drawn.iter().map(|d| distance(d, at.as_dvec3())).fold(f64::INFINITY, f64::min);
        let found = world.closest_point(at, 0.5, BODIES).unwrap();
        if wanted > 0.5 {
            assert_eq!(found, None, "{wanted}");
            continue;
        }
        let hit = found.unwrap();
        assert!((f64::from(hit.distance) - wanted).abs() < 1e-4, "{hit:?} instead of {wanted}");
        let there = hit.point - hit.normal * hit.distance.abs() * if wanted < 0.0 { 1.0 } else { -1.0 };
        assert!(there.distance(at) < 1e-3, "{hit:?} from {at}");
        *(if wanted < 0.0 { &mut inside } else { &mut outside }) += 1;
        check_hit(&world, &hit);
    }
    assert!(inside > 20 && outside > 20, "{inside} and {outside}");
}

#[test]
fn the_closest_point_of_a_body_without_a_mesh_is_within_half_a_spacing() {
    let mut random = Random::new(4);
    let shape = cube();
    let (world, ids) = scene(&shape, &mut random);
    let drawn = drawn(&world, &ids, sides_of);
    let mut worst = 0.0f64;
    for _ in 0..400 {
        let at = Vec3::new(random.between(-1.0, 7.0), random.between(-0.2, 1.5), random.between(-1.5, 1.5));
        let wanted = drawn.iter().map(|d| distance(d, at.as_dvec3())).fold(f64::INFINITY, f64::min);
        let hit = world.closest_point(at, 20.0, BODIES).unwrap().unwrap();
        worst = worst.max((f64::from(hit.distance) - wanted).abs());
    }
    println!("worst {} spacings", worst / f64::from(shape.spacing()));
    assert!(worst < 0.5 * f64::from(shape.spacing()), "{worst}");
}

#[test]
fn spheres_and_boxes_find_the_bodies_that_reach_into_them() {
    let mut random = Random::new(5);
    let (world, ids) = scene(&skinned(5), &mut random);
    let drawn = drawn(&world, &ids, skin_of);
    let (mut meeting, mut apart) = (0, 0);
    for _ in 0..150 {
        let at = Vec3::new(random.between(-1.0, 7.0), random.between(-0.2, 1.5), random.between(-1.5, 1.5));
        let radius = random.between(0.0, 0.6);
        let found = world.overlap_sphere(at, radius, BODIES).unwrap();
        let near = |d: &Drawn| distance(d, at.as_dvec3()) <= f64::from(radius);
        let wanted: Vec<Partner> =
            drawn.iter().zip(&ids).filter(|(d, _)| near(d)).map(|(_, id)| Partner::Body(*id)).collect();
        assert_eq!(found, wanted);
        let (half, turn) = (Vec3::splat(0.6) + random.vector(0.5), random.turn());
        let found = world.overlap_box(at, half, turn, BODIES).unwrap();
        for (drawn, id) in drawn.iter().zip(&ids) {
            let reaches = |p: DVec3| {
                let local = turn.inverse().as_dquat() * (p - at.as_dvec3());
                local.abs().cmple(half.as_dvec3()).all()
            };
            // Points of the surface, and the middle of the box within the body.
            let sampled = drawn
                .iter()
                .any(|&[a, b, c]| reaches(a) || reaches((a + b + c) / 3.0) || reaches((a + b) / 2.0));
            let told = found.contains(&Partner::Body(*id));
            if sampled || distance(drawn, at.as_dvec3()) < 0.0 {
                meeting += 1;
                assert!(told, "overlooked");
            } else if told {
                let least = drawn.iter().flatten().map(|&p| {
                    let local = (turn.inverse().as_dquat() * (p - at.as_dvec3())).abs() - half.as_dvec3();
                    local.max(DVec3::ZERO).length()
                });
                // No further from a vertex than triangles are wide.
                assert!(least.fold(f64::INFINITY, f64::min) < 0.15);
            } else {
                apart += 1;
            }
        }
    }
    assert!(meeting > 50 && apart > 50, "{meeting} and {apart}");
}

#[test]
fn a_body_is_found_where_it_went() {
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    for shape in [skinned(6), cube()] {
        let id = world.add_body(&shape, &BodyDef::default()).unwrap();
        let down = |world: &World, x: f32| {
            world
                .cast_ray(Vec3::new(x, 50.0, 0.0), Vec3::NEG_Y, 100.0, BODIES)
                .unwrap()
                .map(|hit| hit.point.y)
        };
        let top = down(&world, 0.0).unwrap();
        assert!((0.45..0.55).contains(&top), "{top}");
        world.body_mut(id).unwrap().teleport(Vec3::new(9.0, 2.0, 0.0), Quat::IDENTITY).unwrap();
        assert!(down(&world, 0.0).is_none());
        assert!((down(&world, 9.0).unwrap() - top - 2.0).abs() < 1e-3);
        world.step(1.0 / 60.0).unwrap();
        let fallen = down(&world, 9.0).unwrap() - top - 2.0;
        assert!((-0.01..-0.001).contains(&fallen), "{fallen}");
        world.body_mut(id).unwrap().set_enabled(false);
        assert!(down(&world, 9.0).is_none());
        world.remove_body(id).unwrap();
    }
}

#[test]
fn a_ray_from_inside_meets_a_body_at_once_and_the_nearer_of_body_and_collider_counts() {
    let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
    let body = world.add_body(&skinned(7), &BodyDef::default()).unwrap();
    let shape = ColliderShape::Sphere { radius: 0.5 };
    let position = Vec3::X * 2.0;
    let ball = world.add_collider(&ColliderDef { shape, position, ..ColliderDef::default() }).unwrap();
    let cast = |x: f32, way: f32| {
        let hit = world.cast_ray(Vec3::X * x, Vec3::X * way, 10.0, Groups::default()).unwrap().unwrap();
        (hit.what, hit.distance)
    };
    assert_eq!(cast(0.1, 1.0), (Partner::Body(body), 0.0));
    assert_eq!(cast(5.0, -1.0), (Partner::Collider(ball), 2.5));
    assert_eq!(cast(-5.0, 1.0).0, Partner::Body(body));
    let all = world.overlap_sphere(Vec3::X, 0.6, Groups::default()).unwrap();
    assert_eq!(all, [Partner::Body(body), Partner::Collider(ball)]);
    let hidden = Groups { group: 1, mask: 4 };
    assert_eq!(world.cast_ray(Vec3::X * -5.0, Vec3::X, 10.0, hidden).unwrap(), None);
}

#[test]
fn what_was_picked_can_be_dragged() {
    let mut world = World::new(&WorldDef { gravity: Vec3::ZERO, threads: 1, ..WorldDef::default() }).unwrap();
    let id = world.add_body(&cube(), &BodyDef::default()).unwrap();
    let hit = world.cast_ray(Vec3::new(0.3, 0.2, 5.0), Vec3::NEG_Z, 10.0, BODIES).unwrap().unwrap();
    let drag = world.drag(id, &DragDef { point: hit.point, radius: 0.2, ..DragDef::default() }).unwrap();
    world.move_attachment(drag, hit.point + Vec3::Z, Quat::IDENTITY).unwrap();
    (0..120).for_each(|_| world.step(1.0 / 60.0).unwrap());
    let picked = world.body(id).unwrap().position(hit.particle.unwrap() as usize).unwrap();
    assert!(picked.distance(hit.point + Vec3::Z) < 0.2, "{picked}");
}

#[test]
fn sheets_and_strands_can_be_picked_and_points_be_overlapped() {
    let single = |points: &[Vec3]| Shape::from_points(points, None, &LevelsDef::default()).unwrap();
    let sets = [
        (single(&scenes::sheet(9, 0.1)), true),
        (single(&scenes::strand(30, 0.1)), true),
        (single(&[Vec3::ZERO]), false),
        (single(&[Vec3::ZERO; 7]), false),
    ];
    for (shape, wide) in sets {
        let mut world = World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap();
        let id =
            world.add_body(&shape, &BodyDef { rotation: Quat::from_rotation_x(0.7), ..BodyDef::default() });
        let hit = world.cast_ray(Vec3::new(0.03, 0.01, 5.0), Vec3::NEG_Z, 10.0, BODIES).unwrap();
        assert_eq!(hit.is_some(), wide);
        let across = Quat::from_rotation_x(0.7) * Vec3::Y;
        assert!(hit.is_none_or(|hit| hit.point.dot(across).abs() < 0.501 * shape.spacing()), "{hit:?}");
        let near = world.closest_point(Vec3::Y, 10.0, BODIES).unwrap().unwrap();
        assert!((near.distance - 1.0).abs() < 0.35, "{near:?}");
        assert_eq!(world.overlap_sphere(Vec3::Y * 0.1, 0.12, BODIES).unwrap(), [Partner::Body(id.unwrap())]);
        assert_eq!(world.overlap_box(Vec3::Y, Vec3::splat(0.2), Quat::IDENTITY, BODIES).unwrap(), []);
    }
    let mut world = World::new(&WorldDef::default()).unwrap();
    world.add_body(&single(&[]), &BodyDef::default()).unwrap();
    assert_eq!(world.closest_point(Vec3::ZERO, 1e9, BODIES).unwrap(), None);
    assert_eq!(world.cast_ray(Vec3::ZERO, Vec3::X, 1e9, BODIES).unwrap(), None);
}
