//! Particles of the scenes: the papers' own where they are at hand, and as many in a like shape otherwise.
//!
//! Quick sets are always made here, so that tests start from the same points everywhere.

use glam::{Vec3, vec3};

use super::points::{self, papers_particles_at_hand};
use super::{Setup, animals};

/// The hollow ball of MR's Falling Ball and Plinko, 1 m wide: 5,098.
pub fn large_shell(setup: &Setup) -> Vec<Vec3> {
    if setup.quick { points::shell(600, 0.5, 0.3, 1) } else { at_hand("shell-5k", points::shell_5098) }
}

/// The hollow ball of MR's Ball Colliding Into Wall, 1 m wide: 1,000.
pub fn small_shell(setup: &Setup) -> Vec<Vec3> {
    if setup.quick {
        points::shell(400, 0.5, 0.3, 2)
    } else {
        at_hand("shell-1k", || points::shell(1000, 0.5, 0.3, 2))
    }
}

/// The cube of MR's Hovering Cube, 1 m wide: 1,331.
pub fn cube(setup: &Setup) -> Vec<Vec3> {
    if setup.quick { points::grid(7, 7, 7, 1.0 / 6.0) } else { at_hand("cube-1331", points::cube_1331) }
}

/// The bunny of MR's Falling Bunny, about 1.85 m high: 16,510 in the paper, 16,525 in its data.
pub fn large_bunny(setup: &Setup) -> Vec<Vec3> {
    if setup.quick { animals::bunny(700) } else { at_hand("bunny-16525", || animals::bunny(16_510)) }
}

/// The bunny of MR's Three Bunnies Collide, about 1.85 m high: 4,131.
pub fn small_bunny(setup: &Setup) -> Vec<Vec3> {
    if setup.quick { animals::bunny(500) } else { at_hand("bunny-4131", || animals::bunny(4131)) }
}

/// MR's armadillo, 2 m high: 124,631. The data beside the repository have one of 20,115, which is another scene.
pub fn large_armadillo(setup: &Setup) -> Vec<Vec3> {
    animals::armadillo(if setup.quick { 1500 } else { 124_631 })
}

/// An armadillo of 20,115, 2 m high.
pub fn armadillo(setup: &Setup) -> Vec<Vec3> {
    if setup.quick {
        return animals::armadillo(900);
    }
    let mut points = at_hand("armadillo-20k", || animals::armadillo(20_115));
    let (low, high) = bounds(&points);
    points.iter_mut().for_each(|p| *p *= 2.0 / (high.y - low.y));
    points
}

/// The wall of MR's Ball Colliding Into Wall, 0.2 by 2 by 3 m, thin along x: 1,000.
pub fn wall(setup: &Setup) -> Vec<Vec3> {
    if setup.quick {
        return points::box_cloud(400, vec3(0.2, 2.0, 3.0), 3);
    }
    // Thin along z and 1 m long as it comes.
    let papers = at_hand("sheet-1k", || points::box_cloud(1000, vec3(1.0, 0.667, 0.067), 3));
    papers.into_iter().map(|p| vec3(p.z, p.y, p.x) * 3.0).collect()
}

/// The sheet of CC, 3 by 0.2 by 2 m, thin along y: 20,335.
pub fn sheet(setup: &Setup) -> Vec<Vec3> {
    if setup.quick {
        return points::box_grid(vec3(3.0, 0.2, 2.0), 0.2);
    }
    let papers = at_hand("sheet-20k", || points::box_cloud(20_335, vec3(1.0, 0.667, 0.067), 4));
    papers.into_iter().map(|p| vec3(p.x, p.z, p.y) * 3.0).collect()
}

/// RC's beam, 2 by 0.4 by 0.4 m along x: 5,317.
pub fn beam(setup: &Setup) -> Vec<Vec3> {
    if setup.quick {
        return points::box_grid(vec3(2.0, 0.4, 0.4), 0.1);
    }
    at_hand("beam", || points::box_cloud(5317, vec3(2.0, 0.4, 0.4), 5))
}

/// A duck, about 1 m long.
pub fn duck(setup: &Setup) -> Vec<Vec3> {
    animals::duck(if setup.quick { 400 } else { 2000 })
}

/// The papers' points, or others, about the middle of their box.
fn at_hand(name: &str, stand_in: impl Fn() -> Vec<Vec3>) -> Vec<Vec3> {
    let mut points = papers_particles_at_hand(name).unwrap_or_else(stand_in);
    let (low, high) = bounds(&points);
    points.iter_mut().for_each(|p| *p -= (low + high) * 0.5);
    points
}

/// Lowest and highest corner of the box about points.
pub fn bounds(points: &[Vec3]) -> (Vec3, Vec3) {
    points.iter().fold((Vec3::MAX, Vec3::MIN), |(low, high), p| (low.min(*p), high.max(*p)))
}
