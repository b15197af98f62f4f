//! What is painted on vertices, carried over to particles.
//!
//! A particle takes the value at the point of the surface closest to it, between the corners of the
//! triangle there. Vertices at one place share the mean of their values.

use glam::Vec3;

use super::surface::MeshSurface;
use crate::clustering::Workers;
use crate::mesh::{Mesh, Welded};

/// For each particle what is painted; empty where nothing is.
pub(super) struct Maps {
    pub(super) stiffness: Option<Vec<f32>>,
    pub(super) damping: Option<Vec<f32>>,
    pub(super) pin: Option<Vec<f32>>,
    pub(super) density: Option<Vec<f32>>,
    pub(super) toughness: Option<Vec<f32>>,
}

impl Maps {
    pub(super) fn carried(
        mesh: &Mesh,
        welded: &Welded,
        surface: &MeshSurface,
        points: &[Vec3],
        workers: &Workers,
    ) -> Maps {
        let all = [mesh.stiffness, mesh.damping, mesh.pin, mesh.density, mesh.toughness];
        let mut sources =
            vec![([0; 3], [0.0; 3]); if all.iter().any(Option::is_some) { points.len() } else { 0 }];
        workers.each(&mut sources, |i, source| {
            let closest = surface.closest(points[i]);
            *source = (closest.corners, closest.shares);
        });
        let carry = |map: Option<&[f32]>| {
            let means = means(map?, welded);
            // Rounding must not carry a value out of the range that vertices keep to.
            let value = |(corners, shares): &([u32; 3], [f32; 3])| {
                let values = corners.map(|p| means[p as usize]);
                let mixed: f32 = values.iter().zip(shares).map(|(v, share)| v * share).sum();
                let (low, high) =
                    (values[0].min(values[1]).min(values[2]), values[0].max(values[1]).max(values[2]));
                mixed.clamp(low, high)
            };
            Some(sources.iter().map(value).collect())
        };
        let [stiffness, damping, pin, density, toughness] = all.map(carry);
        Maps { stiffness, damping, pin, density, toughness }
    }
}

/// The mean value of the vertices at each place.
fn means(map: &[f32], welded: &Welded) -> Vec<f32> {
    let mut sums = vec![(0.0f64, 0.0f64); welded.positions.len()];
    for (&place, &value) in welded.place_of.iter().zip(map) {
        let (sum, count) = &mut sums[place as usize];
        *sum += f64::from(value);
        *count += 1.0;
    }
    sums.into_iter().map(|(sum, count)| (sum / count) as f32).collect()
}
