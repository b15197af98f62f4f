//! Queries against colliders: the same as looking at everything, and no panic whatever is asked.

use glam::{Quat, Vec3};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use wobble::{
    BodyDef, ColliderDef, ColliderId, ColliderShape, Groups, Indices, LevelsDef, Mesh, Partner, Shape, World,
    WorldDef,
};

const ALL: Groups = Groups { group: u32::MAX, mask: u32::MAX };

struct Random(ChaCha8Rng);

impl Random {
    fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1 << 24) as f32
    }

    fn between(&mut self, low: f32, high: f32) -> f32 {
        low + (high - low) * self.unit()
    }

    fn vector(&mut self, size: f32) -> Vec3 {
        Vec3::new(self.between(-size, size), self.between(-size, size), self.between(-size, size))
    }

    fn turn(&mut self) -> Quat {
        let v = self.vector(1.0);
        Quat::from_xyzw(v.x, v.y, v.z, self.between(0.1, 1.0)).normalize()
    }

    fn below(&mut self, count: u32) -> u32 {
        self.0.next_u32() % count
    }
}

fn world() -> World {
    World::new(&WorldDef { threads: 1, ..WorldDef::default() }).unwrap()
}

fn shape(random: &mut Random, kind: u32) -> Result<ColliderShape, wobble::Error> {
    let mut length = || random.between(0.2, 0.8);
    Ok(match kind {
        0 => ColliderShape::Sphere { radius: length() },
        1 => ColliderShape::Box { half_extents: Vec3::new(length(), length(), length()) },
        2 => ColliderShape::Capsule { half_height: length(), radius: length() },
        3 => ColliderShape::Cylinder { half_height: length(), radius: length() },
        4 => {
            let points: Vec<Vec3> = (0..12).map(|_| random.vector(0.8)).collect();
            return ColliderShape::hull(&points);
        }
        5 => {
            let points: Vec<Vec3> = (0..9).map(|_| random.vector(0.8)).collect();
            let indices: Vec<u32> = (0..9).collect();
            let mesh = Mesh { positions: &points, indices: Indices::U32(&indices), ..Mesh::default() };
            return ColliderShape::mesh(&mesh);
        }
        _ => {
            let heights: Vec<f32> = (0..20).map(|_| random.between(-0.2, 0.2)).collect();
            return ColliderShape::height_field(5, 4, [0.4, 0.3], &heights);
        }
    })
}

/// Colliders of all kinds but planes, and each in a world of its own.
fn scene(seed: u64, kinds: u32) -> (World, Vec<(ColliderId, World)>, Random) {
    let mut random = Random(ChaCha8Rng::seed_from_u64(seed));
    let mut all = world();
    let mut each = Vec::new();
    for k in 0..40 {
        let shape = shape(&mut random, k % kinds).unwrap();
        let (position, rotation) = (random.vector(5.0), random.turn());
        let def = ColliderDef { shape, position, rotation, ..ColliderDef::default() };
        let mut alone = world();
        alone.add_collider(&def).unwrap();
        each.push((all.add_collider(&def).unwrap(), alone));
    }
    (all, each, random)
}

/// Trees are built by a step; before, everything is looked at.
fn both_ways(seed: u64, kinds: u32, mut check: impl FnMut(&World, &[(ColliderId, World)], &mut Random)) {
    let (mut all, each, mut random) = scene(seed, kinds);
    check(&all, &each, &mut random);
    all.step(0.01).unwrap();
    check(&all, &each, &mut random);
}

#[test]
fn the_closest_point_is_that_of_the_closest_collider() {
    both_ways(1, 7, |all, each, random| {
        for _ in 0..2000 {
            let point = random.vector(6.0);
            let found = all.closest_point(point, 3.0, ALL).unwrap();
            let singly =
                each.iter().filter_map(|(id, w)| Some((*id, w.closest_point(point, 3.0, ALL).unwrap()?)));
            let wanted = singly.min_by(|a, b| a.1.distance.total_cmp(&b.1.distance));
            let Some(hit) = found else {
                assert!(wanted.is_none(), "{wanted:?} was overlooked");
                continue;
            };
            let (id, wanted) = wanted.unwrap();
            assert_eq!((hit.what, hit.distance), (Partner::Collider(id), wanted.distance));
            assert!((hit.point.distance(point) - hit.distance.abs()).abs() < 1e-4, "{hit:?} from {point}");
            assert!(hit.normal.is_normalized());
            // On the surface, and further out along the normal.
            let on = all.closest_point(hit.point, 1.0, ALL).unwrap().unwrap().distance;
            assert!(on < 1e-4, "{hit:?} is {on} off the surface");
        }
    });
}

/// Distance of a point.
type Formula = Box<dyn Fn(Vec3) -> f32>;

#[test]
fn distances_to_simple_shapes_are_those_of_their_formulas() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(2));
    for _ in 0..500 {
        let (h, r) = (random.between(0.2, 2.0), random.between(0.2, 2.0));
        let half = Vec3::new(h, r, random.between(0.2, 2.0));
        let flat = |p: Vec3| glam::Vec2::new(p.x, p.z).length();
        let shapes: [(ColliderShape, Formula); 4] = [
            (ColliderShape::Sphere { radius: r }, Box::new(move |p: Vec3| p.length() - r)),
            (
                ColliderShape::Box { half_extents: half },
                Box::new(move |p: Vec3| {
                    let q = p.abs() - half;
                    q.max(Vec3::ZERO).length() + q.max_element().min(0.0)
                }),
            ),
            (
                ColliderShape::Capsule { half_height: h, radius: r },
                Box::new(move |p: Vec3| (p - Vec3::Y * p.y.clamp(-h, h)).length() - r),
            ),
            (
                ColliderShape::Cylinder { half_height: h, radius: r },
                Box::new(move |p: Vec3| {
                    let q = glam::Vec2::new(flat(p) - r, p.y.abs() - h);
                    q.max(glam::Vec2::ZERO).length() + q.max_element().min(0.0)
                }),
            ),
        ];
        for (shape, formula) in shapes {
            let mut world = world();
            world.add_collider(&ColliderDef { shape, ..ColliderDef::default() }).unwrap();
            let p = random.vector(3.0);
            let found = world.closest_point(p, 100.0, ALL).unwrap().unwrap();
            assert!((found.distance - formula(p)).abs() < 1e-4, "{} for {}", found.distance, formula(p));
        }
    }
}

#[test]
fn a_ray_stops_where_it_first_gets_near_enough() {
    // Height fields are open at their sides: a ray gets in there, and meets the ground from below.
    both_ways(3, 6, |all, _, random| {
        let mut hits = 0;
        for _ in 0..1000 {
            let (origin, direction) = (random.vector(6.0), random.vector(1.0).normalize());
            let found = all.cast_ray(origin, direction * 3.0, 10.0, ALL).unwrap();
            let end = found.map_or(10.0, |hit| hit.distance);
            // Steps as long as the way to the nearest surface cannot miss any.
            let mut along = 0.0;
            for _ in 0..1000 {
                let near = all.closest_point(origin + direction * along, 20.0, ALL).unwrap();
                let free = near.map_or(20.0, |hit| hit.distance);
                if free < 1e-3 || along > end {
                    break;
                }
                along += free;
            }
            match found {
                // A ray may graze what it does not meet.
                Some(hit) => {
                    hits += 1;
                    assert!(along < end + 2e-3, "passed {hit:?}: {along}");
                    let on = all.closest_point(hit.point, 1.0, ALL).unwrap().unwrap();
                    assert!(on.distance < 1e-3, "{hit:?} is {} off", on.distance);
                    assert!(
                        hit.distance == 0.0 || hit.normal.dot(direction) < 1e-3,
                        "{hit:?} along {direction}"
                    );
                }
                None => assert!(
                    along > 9.9 || grazes(all, origin, direction, along),
                    "stopped at {along} by nothing"
                ),
            }
        }
        assert!(hits > 100, "{hits}");
    });
}

/// Whether the way goes on freely a little further on.
fn grazes(world: &World, origin: Vec3, direction: Vec3, along: f32) -> bool {
    (0..200).all(|k| {
        let at = origin + direction * (along + k as f32 * 2e-3);
        world.closest_point(at, 20.0, ALL).unwrap().is_none_or(|hit| hit.distance > -1e-3)
    })
}

#[test]
fn a_ray_meets_a_height_field_where_it_meets_its_triangles() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(7));
    let heights: Vec<f32> = (0..30).map(|_| random.between(-0.3, 0.3)).collect();
    let mut field = world();
    let shape = ColliderShape::height_field(6, 5, [0.5, 0.4], &heights).unwrap();
    field.add_collider(&ColliderDef { shape, ..ColliderDef::default() }).unwrap();
    let at = |i: usize| Vec3::new(((i % 6) as f32 - 2.5) * 0.5, heights[i], ((i / 6) as f32 - 2.0) * 0.4);
    let points: Vec<Vec3> = (0..30).map(at).collect();
    let cell = |c: u32| {
        let a = c / 5 * 6 + c % 5;
        [a, a + 6, a + 1, a + 1, a + 6, a + 7]
    };
    let indices: Vec<u32> = (0..20).flat_map(cell).collect();
    let mesh = Mesh { positions: &points, indices: Indices::U32(&indices), ..Mesh::default() };
    let mut triangles = world();
    let shape = ColliderShape::mesh(&mesh).unwrap();
    triangles.add_collider(&ColliderDef { shape, ..ColliderDef::default() }).unwrap();
    let mut hits = 0;
    for _ in 0..2000 {
        let (origin, direction) = (random.vector(1.5) + Vec3::Y * 2.0, random.vector(1.0) - Vec3::Y);
        let [a, b] = [&field, &triangles].map(|w| w.cast_ray(origin, direction, 10.0, ALL).unwrap());
        assert_eq!(a.map(|hit| (hit.distance, hit.normal)), b.map(|hit| (hit.distance, hit.normal)));
        hits += usize::from(a.is_some());
    }
    assert!(hits > 200, "{hits}");
}

#[test]
fn a_sphere_overlaps_what_is_nearer_than_its_radius() {
    both_ways(4, 7, |all, each, random| {
        for _ in 0..500 {
            let (centre, radius) = (random.vector(6.0), random.between(0.0, 3.0));
            let found = all.overlap_sphere(centre, radius, ALL).unwrap();
            let near = |w: &World| w.closest_point(centre, radius, ALL).unwrap().is_some();
            let wanted: Vec<Partner> =
                each.iter().filter(|(_, w)| near(w)).map(|(id, _)| Partner::Collider(*id)).collect();
            assert_eq!(found, wanted);
        }
    });
}

#[test]
fn a_box_overlaps_what_reaches_into_it() {
    const SIDE: usize = 12;
    both_ways(5, 7, |all, each, random| {
        let (mut meeting, mut apart) = (0, 0);
        for _ in 0..40 {
            let (centre, turn) = (random.vector(5.0), random.turn());
            let half =
                Vec3::new(random.between(0.1, 1.5), random.between(0.1, 1.5), random.between(0.1, 1.5));
            let found = all.overlap_box(centre, half, turn, ALL).unwrap();
            let spacing = 2.0 * half.max_element() / (SIDE - 1) as f32;
            for (id, alone) in each {
                let mut least = f32::INFINITY;
                for k in 0..SIDE * SIDE * SIDE {
                    let at = |n: usize| (n % SIDE) as f32 * 2.0 / (SIDE - 1) as f32 - 1.0;
                    let p = centre + turn * (half * Vec3::new(at(k), at(k / SIDE), at(k / SIDE / SIDE)));
                    let near = alone.closest_point(p, least.clamp(0.0, 100.0), ALL).unwrap();
                    least = near.map_or(least, |hit| hit.distance.min(least));
                    if least <= 0.0 || k == 0 && least > 6.0 {
                        break;
                    }
                }
                let told = found.contains(&Partner::Collider(*id));
                if told {
                    meeting += 1;
                    // Distances to a height field are to its surface, not to its open sides.
                    let open =
                        matches!(alone.colliders().next().unwrap().1.shape(), ColliderShape::HeightField(_));
                    assert!(least <= spacing || open, "told to overlap, though {least} m off");
                } else {
                    apart += 1;
                    assert!(least > -1e-4, "overlooked, though {least} m deep");
                }
            }
        }
        assert!(meeting > 20 && apart > 20, "{meeting} and {apart}");
    });
}

#[test]
fn a_box_finds_a_height_field_through_its_open_side() {
    let mut world = world();
    let shape = ColliderShape::height_field(2, 2, [2.0, 2.0], &[0.0, 4.0, 0.0, 4.0]).unwrap();
    world.add_collider(&ColliderDef { shape, ..ColliderDef::default() }).unwrap();
    // A slope from 0 at x = -1 to 4 at x = 1. Beside it, at its side and not as high as it is there.
    let find = |x: f32, y: f32, z: f32, half: Vec3| {
        world.overlap_box(Vec3::new(x, y, z), half, Quat::IDENTITY, ALL).unwrap().len()
    };
    let beam = Vec3::new(0.1, 0.1, 2.0);
    assert_eq!((find(0.5, 2.0, 2.5, beam), find(0.5, 3.5, 2.5, beam), find(0.5, 2.0, 3.5, beam)), (1, 0, 0));
    assert_eq!((find(1.5, 2.0, 0.0, Vec3::splat(0.6)), find(-1.5, 2.0, 0.0, Vec3::splat(0.6))), (1, 0));
}

#[test]
fn groups_hide_colliders_from_queries() {
    let mut world = world();
    let groups = Groups { group: 4, mask: 2 };
    world.add_collider(&ColliderDef { groups, ..ColliderDef::default() }).unwrap();
    let see = |groups| world.closest_point(Vec3::Y, 2.0, groups).unwrap().is_some();
    assert!(see(Groups { group: 2, mask: 4 }) && !see(Groups::default()));
    let down = |most| world.cast_ray(Vec3::Y, Vec3::NEG_Y, most, ALL).unwrap().map(|hit| hit.distance);
    assert_eq!((down(2.0), down(0.5)), (Some(1.0), None));
}

/// A number of any size, now and then zero or as large as is taken.
fn wild(random: &mut Random) -> f32 {
    let sign = if random.below(2) == 0 { -1.0 } else { 1.0 };
    let size = [0.0, 1e-30, 1e-6, 1e-3, 1.0, 1e3, 1e6, 1e9][random.below(8) as usize];
    sign * size * [1.0, random.unit()][random.below(2) as usize]
}

fn wild_vector(random: &mut Random) -> Vec3 {
    Vec3::new(wild(random), wild(random), wild(random))
}

fn wild_shape(random: &mut Random) -> Result<ColliderShape, wobble::Error> {
    let flat = [Vec3::ONE, Vec3::new(1.0, 0.0, 1.0), Vec3::new(1.0, 1e-7, 1.0), Vec3::X];
    let flat = flat[random.below(4) as usize];
    let count = 3 + random.below(10);
    let scale = [1e-5, 1.0, 1e6, 1e9][random.below(4) as usize];
    let point = |random: &mut Random| match random.below(6) {
        0 => wild_vector(random),
        1 => (random.vector(2.0) * flat).round() * scale * 0.4,
        _ => random.vector(1.0) * flat * scale,
    };
    match random.below(9) {
        0 => Ok(ColliderShape::Plane { normal: wild_vector(random), offset: wild(random) }),
        1 => Ok(ColliderShape::Sphere { radius: wild(random) }),
        2 => Ok(ColliderShape::Box { half_extents: wild_vector(random).abs() }),
        3 => Ok(ColliderShape::Capsule { half_height: wild(random).abs(), radius: wild(random).abs() }),
        4 => Ok(ColliderShape::Cylinder { half_height: wild(random).abs(), radius: wild(random).abs() }),
        5 | 6 => {
            let points: Vec<Vec3> = (0..count).map(|_| point(random)).collect();
            ColliderShape::hull(&points)
        }
        7 => {
            let points: Vec<Vec3> = (0..count).map(|_| point(random)).collect();
            let indices: Vec<u32> = (0..3 + 3 * random.below(12)).map(|_| random.below(count)).collect();
            ColliderShape::mesh(&Mesh {
                positions: &points,
                indices: Indices::U32(&indices),
                ..Mesh::default()
            })
        }
        _ => {
            let heights: Vec<f32> = (0..12).map(|_| wild(random)).collect();
            ColliderShape::height_field(4, 3, [wild(random).abs(), random.unit()], &heights)
        }
    }
}

#[test]
fn a_hundred_thousand_strange_colliders_and_rays_do_no_harm() {
    let mut random = Random(ChaCha8Rng::seed_from_u64(6));
    let points: Vec<Vec3> =
        (0..27).map(|i| Vec3::new((i % 3) as f32, (i / 3 % 3) as f32, (i / 9) as f32)).collect();
    let body = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
    let (mut made, mut refused, mut hits) = (0, 0, 0);
    for _ in 0..2000 {
        let mut world = world();
        for _ in 0..50 {
            let def = |shape, random: &mut Random| ColliderDef {
                shape,
                position: wild_vector(random),
                rotation: random.turn(),
                velocity: [Vec3::ZERO, wild_vector(random)][random.below(2) as usize],
                ..ColliderDef::default()
            };
            let added =
                wild_shape(&mut random).and_then(|shape| world.add_collider(&def(shape, &mut random)));
            *(if added.is_ok() { &mut made } else { &mut refused }) += 1;
        }
        let position = random.vector(3.0);
        let fast = [1.0, 1e3][random.below(2) as usize];
        let velocity = random.vector(fast);
        let id = world.add_body(
            &body,
            &BodyDef { position, velocity, radius: random.unit() * 0.1, ..BodyDef::default() },
        );
        if random.below(2) == 0 {
            world.step(0.02).unwrap();
        }
        let finite = |v: Vec3| assert!(v.is_finite(), "{v}");
        world.body(id.unwrap()).unwrap().raw_positions().iter().for_each(|p| finite(p.truncate()));
        world.colliders().for_each(|(_, c)| finite(c.impulse() + c.torque_impulse()));
        for _ in 0..50 {
            let (at, direction) = (wild_vector(&mut random), wild_vector(&mut random));
            let most = wild(&mut random).abs();
            for hit in [world.cast_ray(at, direction, most, ALL), world.closest_point(at, most, ALL)]
                .into_iter()
                .flatten()
                .flatten()
            {
                hits += 1;
                assert!(
                    hit.distance <= most.max(0.0) && hit.point.is_finite() && hit.normal.is_finite(),
                    "{hit:?}"
                );
            }
        }
        let (at, radius) = (wild_vector(&mut random), wild(&mut random).abs());
        world.overlap_sphere(at, radius, ALL).unwrap();
        let half = Vec3::new(random.unit(), random.unit(), random.unit());
        let (at, turn) = (wild_vector(&mut random), random.turn());
        world.overlap_box(at, half, turn, ALL).unwrap();
    }
    println!("{made} colliders made, {refused} refused, {hits} hits");
    assert!(made > 30_000 && refused > 10_000 && hits > 10_000);
}
