use super::*;
use crate::body::BodyDef;
use crate::clustering::LevelsDef;

/// A cube of 5³ particles, 1 m wide, about the origin.
fn cube() -> Body {
    let at = |i: usize| Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32) * 0.25 - 0.5;
    let points: Vec<Vec3> = (0..125).map(at).collect();
    let shape = Shape::from_points(&points, None, &LevelsDef::default()).unwrap();
    Body::new(&shape, &BodyDef::default()).unwrap()
}

#[test]
fn the_surface_does_not_jump_where_other_particles_carry() {
    const STEP: f32 = 5e-4;
    let mut body = cube();
    let mut outside = Outside::default();
    outside.look(&body, 0.0);
    // Its clusters were not matched yet.
    body.rigid.iter_mut().for_each(|rigid| rigid.columns = [Vec4::X, Vec4::Y, Vec4::Z]);
    let side = Side::of(&body, &outside);
    let gap = |point: Vec3A| {
        let touching =
            Touching { place: 0, point, velocity: Vec3A::ZERO, slope: Vec3A::NEG_Y, skin: 0.0, early: 0.0 };
        let start = side.field.nearer(side.field.nearest(point), point);
        side.contact_at(&touching, point, side.walk(point, start, side.turn_about(start)).unwrap()).unwrap().1
    };
    let mut farthest = 0.0f32;
    for z in [-0.47, -0.3, -0.13, 0.0, 0.22, 0.4, 0.49] {
        let gaps: Vec<f32> = (-1040..1040).map(|i| gap(Vec3A::new(STEP * i as f32, 0.5, z))).collect();
        farthest = gaps.windows(2).map(|two| (two[1] - two[0]).abs()).fold(farthest, f32::max);
    }
    assert!(farthest < STEP, "{farthest} m over {STEP} m");
}
