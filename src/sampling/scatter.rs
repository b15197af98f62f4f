//! Blue noise: points in random places that keep their distance.
//!
//! On the surface darts are thrown, at sharp corners first, then along sharp edges, then anywhere by area,
//! so that a box keeps its outline. Inside, Bridson, "Fast Poisson disk sampling in arbitrary dimensions",
//! 2007 (RC 2.3.1), starts from the points on the surface, so that every part is reached. One seeded
//! generator makes all choices, in a fixed order.

use glam::{Vec3A, vec3a};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::features::Features;
use super::repair::normal;
use super::room::Room;
use super::spacer::{Neighbours, Spacer};
use super::surface::MeshSurface;

/// Darts for each point that fits on the surface: what is still free then is less than a hundredth.
const DARTS: f64 = 24.0;

/// Points that fit on an area, times the square of their distance: the saturation of random packing.
const PER_AREA: f64 = 0.7;

/// Darts for each distance along an edge.
const DARTS_ALONG: f64 = 12.0;

/// Tries about each point before it is given up (Bridson's k).
const TRIES: u32 = 30;

/// Numbers for random choices, with the same bits everywhere.
pub(super) struct Dice(ChaCha8Rng);

impl Dice {
    pub(super) fn new(seed: u64) -> Dice {
        Dice(ChaCha8Rng::seed_from_u64(seed))
    }

    /// From 0 to 1, 1 excluded.
    pub(super) fn unit(&mut self) -> f32 {
        (self.0.next_u32() >> 8) as f32 / (1u32 << 24) as f32
    }

    fn below(&mut self, count: usize) -> usize {
        ((u64::from(self.0.next_u32()) * count as u64) >> 32) as usize
    }
}

/// Points on a surface, `distance` apart.
pub(super) fn on_surface(
    surface: &MeshSurface,
    features: &Features,
    distance: f32,
    dice: &mut Dice,
) -> Spacer {
    let fitting = PER_AREA * surface.area_local() / f64::from(distance).powi(2);
    let mut spacer = Spacer::new(distance, fitting as usize);
    for &corner in &features.corners {
        spacer.try_add(corner);
    }
    let lengths = running_sum(features.edges.iter().map(|[a, b]| f64::from(a.distance(*b))));
    let length = lengths.last().copied().unwrap_or(0.0);
    for _ in 0..(DARTS_ALONG * length / f64::from(distance)).ceil() as u64 {
        let [a, b] = features.edges[pick(&lengths, dice)];
        spacer.try_add(a + (b - a) * dice.unit());
    }
    let triangles: Vec<[Vec3A; 3]> = surface.triangles().collect();
    let areas = running_sum(triangles.iter().map(|t| normal(*t).length()));
    for _ in 0..(DARTS * fitting).ceil() as u64 {
        let [a, b, c] = triangles[pick(&areas, dice)];
        let (u, v) = (dice.unit(), dice.unit());
        let (u, v) = if u + v > 1.0 { (1.0 - u, 1.0 - v) } else { (u, v) };
        spacer.try_add(a + (b - a) * u + (c - a) * v);
    }
    spacer
}

/// Adds points inside to those of `spacer`, `distance` apart and `margin` away from the surface.
pub(super) fn inside(
    room: &Room,
    seeds: &[Vec3A],
    margin: f32,
    distance: f32,
    spacer: &mut Spacer,
    dice: &mut Dice,
) {
    let mut active: Vec<Vec3A> = spacer.points.clone();
    let mut around = Neighbours::default();
    let mut grow = |spacer: &mut Spacer, active: &mut Vec<Vec3A>| {
        while !active.is_empty() {
            let at = active.swap_remove(dice.below(active.len()));
            // Nobody further away is near to what is tried.
            around.gather(spacer, at, 3.0 * distance);
            while let Some(found) = (0..TRIES).find_map(|_| {
                let to = at + shell(dice) * distance;
                (around.leave_free(to, distance) && room.has(to, margin)).then_some(to)
            }) {
                spacer.add(found);
                around.add(found);
                active.push(found);
            }
        }
    };
    grow(spacer, &mut active);
    for &seed in seeds {
        if spacer.is_free(seed) && room.has(seed, margin) {
            spacer.add(seed);
            active.push(seed);
            grow(spacer, &mut active);
        }
    }
}

/// A vector from 1 to 2 long, by volume.
fn shell(dice: &mut Dice) -> Vec3A {
    loop {
        let at = vec3a(dice.unit(), dice.unit(), dice.unit()) * 4.0 - 2.0;
        if (1.0..4.0).contains(&at.length_squared()) {
            return at;
        }
    }
}

fn running_sum(parts: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    let add = |part| {
        sum += part;
        sum
    };
    parts.map(add).collect()
}

/// The index of a part, more likely the larger it is.
fn pick(sums: &[f64], dice: &mut Dice) -> usize {
    let fine = f64::from(dice.0.next_u32()) / f64::from(u32::MAX);
    let at = fine * sums[sums.len() - 1];
    sums.partition_point(|&sum| sum < at).min(sums.len() - 1)
}
