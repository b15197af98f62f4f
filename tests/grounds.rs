//! Every kind of ground is the same ground: what lies on it is let go of alike, whatever the ground is made
//! of, however high it is and however it is turned.

mod scenes;
mod support;

use glam::{Quat, Vec3};
use scenes::meshes::{Triangles, sheet};
use scenes::worlds::{DT, cube};
use wobble::{
    BodyDef, BodyId, ColliderDef, ColliderShape, Groups, Indices, Mesh, Partner, Surface, World, WorldDef,
};

/// Metres along the ground's normal.
const HEIGHTS: [f32; 6] = [0.0, 0.1, -0.7, 3.3, 47.1, 300.3];
/// Half the size of grounds that end, metres.
const HALF: Vec3 = Vec3::new(3.0, 0.5, 3.0);

/// A ground, and where its top is in its own frame, metres.
struct Ground {
    name: &'static str,
    shape: ColliderShape,
    top: f32,
}

fn corners() -> Vec<Vec3> {
    let sign = |i: usize, bit: usize| if i >> bit & 1 == 1 { 1.0 } else { -1.0 };
    (0..8).map(|i| HALF * Vec3::new(sign(i, 0), sign(i, 1), sign(i, 2))).collect()
}

fn grounds() -> Vec<Ground> {
    let quads = [[2, 6, 7, 3], [0, 1, 5, 4], [1, 3, 7, 5], [0, 4, 6, 2], [4, 5, 7, 6], [0, 2, 3, 1]];
    let indices: Vec<u32> = quads.iter().flat_map(|&[a, b, c, d]| [a, b, c, a, c, d]).collect();
    let positions = corners();
    let closed = Mesh { positions: &positions, indices: Indices::U32(&indices), ..Mesh::default() };
    let open: Triangles = sheet(6.0, 6.0, 5, 5);
    let field = ColliderShape::height_field(13, 13, [0.5, 0.5], &[0.25; 169]);
    let ground = |name, shape, top| Ground { name, shape, top };
    vec![
        ground("plane", ColliderShape::Plane { normal: Vec3::Y, offset: 0.0 }, 0.0),
        ground("box", ColliderShape::Box { half_extents: HALF }, HALF.y),
        ground("cylinder", ColliderShape::Cylinder { half_height: HALF.y, radius: 4.0 }, HALF.y),
        ground("closed mesh", ColliderShape::mesh(&closed).unwrap(), HALF.y),
        ground("open mesh", ColliderShape::mesh(&open.mesh()).unwrap(), 0.0),
        ground("surface of a closed mesh", ColliderShape::surface(&closed).unwrap(), HALF.y),
        ground("hull", ColliderShape::hull(&positions).unwrap(), HALF.y),
        ground("height field", field.unwrap(), 0.25),
    ]
}

/// A world with a ground whose top is at a height along the turned upright.
struct Scene {
    world: World,
    turn: Quat,
    height: f32,
    name: String,
}

impl Scene {
    fn new(ground: &Ground, turn: Quat, height: f32) -> Scene {
        let gravity = turn * Vec3::NEG_Y * 9.81;
        let def = WorldDef { gravity, threads: 1, ..WorldDef::default() };
        let mut world = World::new(&def).unwrap();
        let position = turn * Vec3::Y * (height - ground.top);
        let shape = ground.shape.clone();
        let def = ColliderDef { shape, position, rotation: turn, ..ColliderDef::default() };
        world.add_collider(&def).unwrap();
        Scene { world, turn, height, name: format!("{} {turn} at {height}", ground.name) }
    }

    /// A point of the world, from one above the top.
    fn point(&self, local: Vec3) -> Vec3 {
        self.turn * (local + Vec3::Y * self.height)
    }

    /// A cube that lies on the ground.
    fn cube(&mut self) -> BodyId {
        let (position, rotation) = (self.point(Vec3::Y * 0.5), self.turn);
        let def = BodyDef { position, rotation, ..BodyDef::default() };
        self.world.add_body(&cube(5), &def).unwrap()
    }

    fn centre(&self, id: BodyId) -> f32 {
        let up = self.turn * Vec3::Y;
        self.world.body(id).unwrap().centre_of_mass().dot(up) - self.height
    }

    /// The highest that its centre comes to in these steps, metres above the top.
    fn highest(&mut self, id: BodyId, steps: usize) -> f32 {
        (0..steps).fold(f32::NEG_INFINITY, |most, _| {
            self.world.step(DT).unwrap();
            most.max(self.centre(id))
        })
    }
}

/// Calls `each` with every kind of ground, upright and tilted, at all heights.
fn everywhere(mut each: impl FnMut(&Ground, Scene)) {
    for ground in grounds() {
        for turn in [Quat::IDENTITY, Quat::from_euler(glam::EulerRot::XYZ, 0.4, 0.9, -0.3)] {
            for height in HEIGHTS {
                each(&ground, Scene::new(&ground, turn, height));
            }
        }
    }
}

fn assert_same(found: &[(String, f32)], tolerance: f32) {
    let wanted = found[0].1;
    found.iter().for_each(|(name, value)| println!("{value:8.4} {name}"));
    for (name, value) in found {
        assert!(
            (value / wanted - 1.0).abs() < tolerance,
            "{name}: {value} m, and {wanted} m on {}",
            found[0].0
        );
    }
}

#[test]
fn a_cube_that_is_pushed_up_rises_alike_from_every_kind_of_ground() {
    let mut found = Vec::new();
    everywhere(|_, mut scene| {
        let id = scene.cube();
        (0..60).for_each(|_| scene.world.step(DT).unwrap());
        let up = scene.turn * Vec3::Y * 5.9;
        scene.world.body_mut(id).unwrap().apply_impulse(up).unwrap();
        let before = scene.centre(id);
        found.push((scene.name.clone(), scene.highest(id, 60) - before));
    });
    assert_same(&found, 0.02);
}

#[test]
fn a_cube_that_is_thrown_down_bounces_alike_from_every_kind_of_ground() {
    let mut found = Vec::new();
    everywhere(|_, mut scene| {
        let id = scene.cube();
        let (up, above) = (scene.turn * Vec3::Y, scene.point(Vec3::Y));
        let body = scene.world.body_mut(id).unwrap();
        body.set_surface(Surface { restitution: 0.8, ..Surface::default() }).unwrap();
        body.teleport(above, scene.turn).unwrap();
        body.set_velocity(up * -5.0).unwrap();
        (0..12).for_each(|_| scene.world.step(DT).unwrap());
        found.push((scene.name.clone(), scene.highest(id, 60)));
    });
    // The skin of surfaces brings the impact on another part of a substep, which on planes, too, is worth as much.
    assert_same(&found, 0.06);
}

#[test]
fn a_crushed_cube_that_is_released_jumps_and_recovers_alike_on_every_kind_of_ground() {
    let (mut jumps, mut ends) = (Vec::new(), Vec::new());
    everywhere(|_, mut scene| {
        let id = scene.cube();
        (0..60).for_each(|_| scene.world.step(DT).unwrap());
        let (up, height) = (scene.turn * Vec3::Y, scene.height);
        let crushed = |p: Vec3| p - up * (0.2 * (p.dot(up) - height).max(0.0));
        scene.world.body_mut(id).unwrap().deform(crushed).unwrap();
        jumps.push((scene.name.clone(), scene.highest(id, 60)));
        (0..600).for_each(|_| scene.world.step(DT).unwrap());
        assert!(scene.world.body(id).unwrap().is_sleeping(), "{}: it comes to rest", scene.name);
        ends.push((scene.name.clone(), scene.centre(id)));
    });
    assert_same(&jumps, 0.02);
    assert_same(&ends, 0.02);
    assert!((ends[0].1 - 0.5).abs() < 0.02, "it is itself again: {}", ends[0].1);
}

#[test]
fn a_ray_straight_down_on_an_edge_between_triangles_meets_them() {
    everywhere(|ground, scene| {
        if scene.turn != Quat::IDENTITY {
            return;
        }
        let lines = [-1.8, -0.6, 0.6, 1.8].into_iter().chain((-5..=5).map(|k| k as f32 * 0.5));
        for (x, z) in lines.clone().flat_map(|x| lines.clone().map(move |z| (x, z))) {
            let origin = scene.point(Vec3::new(x, 1.0, z));
            let hit = scene.world.cast_ray(origin, Vec3::NEG_Y, 2.0, Groups::default()).unwrap();
            assert!(hit.is_some_and(|hit| (hit.distance - 1.0).abs() < 1e-4), "{} at {x}, {z}", ground.name);
        }
    });
}

/// Points on the top of a ground, and directions that lead away from it.
fn leaving() -> impl Iterator<Item = (Vec3, Vec3)> {
    let place =
        |k: i32| Vec3::new(((k * 37) % 101) as f32 * 0.05 - 2.5, 0.0, ((k * 53) % 97) as f32 * 0.05 - 2.4);
    let lean = |k: i32| Vec3::new((k % 5 - 2) as f32, 1.0, (k % 7 - 3) as f32).normalize();
    (0..100).map(move |k| (place(k), lean(k)))
}

#[test]
fn a_ray_that_leaves_the_top_of_the_ground_meets_nothing() {
    everywhere(|_, scene| {
        for (place, lean) in leaving() {
            for direction in [scene.turn * Vec3::Y, scene.turn * lean] {
                let hit = scene.world.cast_ray(scene.point(place), direction, 1e4, Groups::default());
                assert_eq!(hit.unwrap(), None, "{} from {place} along {direction}", scene.name);
            }
        }
    });
}

#[test]
fn a_ray_that_comes_down_meets_the_top_of_the_ground() {
    everywhere(|ground, scene| {
        let two_sided = matches!(&ground.shape, ColliderShape::Mesh(mesh) if !mesh.is_solid());
        for (place, lean) in leaving() {
            for (height, direction) in [(2.0, Vec3::NEG_Y), (0.2, -lean), (0.0, Vec3::NEG_Y), (0.0, -lean)] {
                let origin = scene.point(place - direction * height);
                let hit =
                    scene.world.cast_ray(origin, scene.turn * direction, 1e4, Groups::default()).unwrap();
                if two_sided && height == 0.0 {
                    let met_again = hit.is_some_and(|hit| hit.distance < HALF.y);
                    assert!(!met_again, "{}: it leaves by the other side", scene.name);
                    continue;
                }
                let hit = hit.unwrap_or_else(|| panic!("{} from {place}", scene.name));
                assert!(matches!(hit.what, Partner::Collider(_)));
                assert!((hit.distance - height).abs() < 2e-3, "{}: {hit:?} from {height}", scene.name);
                assert!(hit.normal.distance(scene.turn * Vec3::Y) < 1e-3, "{}: {hit:?}", scene.name);
            }
        }
    });
}
