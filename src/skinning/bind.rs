//! Which finest clusters carry each vertex, and how much of it.
//!
//! Reads rest positions of vertices and of cluster centres; writes shares. The weight of a cluster
//! at distance d is (1 - (d/ρ)²)². ρ² lies between the square of the distance of the nearest centre, by the share
//! [`NARROWING`], and that of the nearest one that is not among the [`INFLUENCES`] nearest, or of one cluster radius beyond the
//! nearest if that is less. So a cluster has no weight left where another takes its place: weights are continuous in space, and
//! no vertex is out of reach. They depend on a vertex's welded place alone, so vertices that were split
//! there never part.

use std::sync::Arc;

use glam::{DVec3, Vec3, Vec4};

use super::{INFLUENCES, Skin, SkinParts, WHOLE, normals};
use crate::clustering::LevelsDef;
use crate::clustering::cloud::Cloud;
use crate::clustering::grid::{Candidates, Grid};
use crate::error::Error;
use crate::math::morton;
use crate::mesh::{Mesh, Welded};
use crate::painting::Particles;
use crate::shape::Shape;

/// Vertices nearer to each other than this share of the mesh's size are one to the physics.
const WELDING: f32 = 1e-6;

/// ```
/// use glam::Vec3;
/// use wobble::{LevelsDef, Particles, Shape, Solid};
///
/// let at = |i: usize| Vec3::new((i % 5) as f32, (i / 5 % 5) as f32, (i / 25) as f32) * 0.1 - 0.2;
/// let points: Vec<Vec3> = (0..125).map(at).collect();
/// let particles = Particles { points: &points, ..Particles::default() };
/// let mesh = Solid::cuboid(Vec3::splat(0.4))?.mesh(8)?;
/// let shape = Shape::from_particles_and_mesh(&particles, &mesh.as_mesh(), &LevelsDef::default(), &mut |_| true)?;
/// assert_eq!(shape.skin().map(|skin| skin.vertex_count()), Some(mesh.positions.len()));
/// # Ok::<(), wobble::Error>(())
/// ```
impl Shape {
    /// A shape as [`Shape::from_particles`] makes it, with a mesh that bodies carry, given where the
    /// particles are. The maps of the mesh are not looked at: what is painted comes with the particles.
    pub fn from_particles_and_mesh(
        particles: &Particles,
        mesh: &Mesh,
        def: &LevelsDef,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Arc<Shape>, Error> {
        mesh.check()?;
        let mut shape = Shape::built(particles, def, progress)?;
        mesh.ensure_room()?;
        shape.bind(mesh, &Welded::new(mesh, WELDING))?;
        Ok(Arc::new(shape))
    }

    /// Lets bodies carry a mesh that was checked, given where the points were.
    pub(crate) fn bind(&mut self, mesh: &Mesh, welded: &Welded) -> Result<(), Error> {
        let Some(finest) = self.levels().first() else {
            let wanted = "at least 1, to carry the mesh".to_string();
            return Err(Error::Length { field: "points", got: 0, wanted });
        };
        mesh.ensure_room()?;
        let centre = self.centre().as_dvec3();
        let about = |p: &Vec3| (p.as_dvec3() - centre).as_vec3();
        let clusters: Vec<Vec3> = self.clusters(0).iter().map(|c| c.centre.truncate()).collect();
        let places: Vec<Vec3> = welded.positions.iter().map(about).collect();
        let shares = shares(&places, &clusters, finest.report().radius);
        let skin = Skin::assembled(SkinParts {
            rest: mesh.positions.iter().map(about).collect(),
            normals: normals::of(mesh, welded),
            tangents: mesh.tangents.map_or(Vec::new(), |all| all.iter().map(|t| unit_tangent(*t)).collect()),
            triangles: mesh.indices.triangles().collect(),
            influences: welded.place_of.iter().map(|&place| shares[place as usize]).collect(),
        });
        self.set_skin(skin);
        Ok(())
    }
}

/// A caller's tangent at unit length; w is 1 or -1.
fn unit_tangent(tangent: Vec4) -> Vec4 {
    let side = if tangent.w < 0.0 { -1.0 } else { 1.0 };
    tangent.truncate().normalize_or(Vec3::X).extend(side)
}

/// Spares about every second influence, those with little weight: each costs as much as any other. More makes the
/// mesh crooked where clusters meet.
const NARROWING: f64 = 0.35;

/// The shares of every place.
fn shares(places: &[Vec3], clusters: &[Vec3], radius: f32) -> Vec<[(u32, u16); INFLUENCES]> {
    let all: Vec<DVec3> = clusters.iter().chain(places).map(|p| p.as_dvec3()).collect();
    let cloud = Cloud::new(&all, Vec::new());
    let (centres, places) = cloud.points.split_at(clusters.len());
    let radius = f64::from(cloud.length_inside(radius.into()));
    let mut out = vec![[(0, 0); INFLUENCES]; places.len()];
    let (mut left, mut reach) = (morton::order(places), (radius as f32).max(NEAREST));
    while !left.is_empty() {
        let sorted: Vec<Vec3> = left.iter().map(|&i| places[i as usize]).collect();
        let mut unsettled = Vec::new();
        Candidates::default().each(&Grid::new(centres, reach), &sorted, &mut |i, at, around| {
            let mut near = nearest(at, around, reach);
            // All centres lie within the cloud, whose diagonal is shorter than this.
            if near.len() <= INFLUENCES && reach < WIDEST {
                unsettled.push(left[i]);
            } else {
                out[left[i] as usize] = quantised(weights(&mut near, radius));
            }
        });
        (left, reach) = (unsettled, reach * 2.0);
    }
    out
}

/// Where the search for centres begins at least, in a cloud that lies within 1 of the origin.
const NEAREST: f32 = 1e-4;
/// Wider than such a cloud.
const WIDEST: f32 = 4.0;

/// Distances and numbers of the centres within reach, nearest first, one more than have influence.
fn nearest(at: Vec3, around: &[(u32, Vec3)], reach: f32) -> Vec<(f64, u32)> {
    let distance = |c: Vec3| (c.as_dvec3() - at.as_dvec3()).length();
    let mut near: Vec<(f64, u32)> = around.iter().map(|&(i, c)| (distance(c), i)).collect();
    near.retain(|(d, _)| *d <= f64::from(reach));
    near.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
    near.truncate(INFLUENCES + 1);
    near
}

/// Weights of the nearest centres, not yet normalised, largest first; the first is above 0.
fn weights(near: &mut Vec<(f64, u32)>, radius: f64) -> Vec<(f64, u32)> {
    let beyond = near.get(INFLUENCES).map_or(f64::INFINITY, |(d, _)| *d);
    near.truncate(INFLUENCES);
    let (nearest, widest) = (near[0].0, beyond.min(near[0].0 + radius));
    let reach = (NARROWING * nearest * nearest + (1.0 - NARROWING) * widest * widest).sqrt();
    let weight = |d: f64| {
        let from_rim = (1.0 - (d / reach) * (d / reach)).max(0.0);
        if reach > 0.0 { from_rim * from_rim } else { 0.0 }
    };
    let mut found: Vec<(f64, u32)> = near.iter().map(|&(d, i)| (weight(d), i)).collect();
    if found[0].0 <= 0.0 {
        found[0].0 = 1.0;
    }
    found
}

/// As shares that sum up to [`WHOLE`]; the largest takes what rounding leaves.
fn quantised(weights: Vec<(f64, u32)>) -> [(u32, u16); INFLUENCES] {
    let sum: f64 = weights.iter().map(|(w, _)| w).sum();
    let mut shares = [(weights[0].1, 0); INFLUENCES];
    let mut left = WHOLE;
    for (share, &(w, cluster)) in shares.iter_mut().zip(&weights).skip(1) {
        *share = (cluster, (w / sum * f64::from(WHOLE)) as u16);
        left -= u32::from(share.1);
    }
    shares[0].1 = left as u16;
    shares
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A slightly irregular grid of centres, so that nothing is equally near by design.
    fn centres() -> Vec<Vec3> {
        let bend = |i: u32| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / (1 << 24) as f32;
        let at = |i: u32| Vec3::new((i % 6) as f32, (i / 6 % 6) as f32, (i / 36) as f32);
        (0..216).map(|i| at(i) + 0.3 * Vec3::new(bend(3 * i), bend(3 * i + 1), bend(3 * i + 2))).collect()
    }

    fn weight_of(shares: &[(u32, u16); INFLUENCES], cluster: u32) -> f64 {
        shares.iter().filter(|(c, _)| *c == cluster).map(|(_, s)| f64::from(*s) / f64::from(WHOLE)).sum()
    }

    #[test]
    fn shares_sum_up_and_the_nearest_centre_has_the_most() {
        let centres = centres();
        let places: Vec<Vec3> = (0..500).map(|i| Vec3::new(0.01, 0.013, 0.007) * i as f32).collect();
        for (place, shares) in places.iter().zip(self::shares(&places, &centres, 1.5)) {
            assert_eq!(shares.iter().map(|(_, s)| u32::from(*s)).sum::<u32>(), WHOLE);
            assert!(shares.windows(2).all(|w| w[0].1 >= w[1].1), "{shares:?}");
            let nearest = (0..216u32).min_by(|&a, &b| {
                let d = |i: u32| centres[i as usize].distance_squared(*place);
                d(a).total_cmp(&d(b))
            });
            assert_eq!(Some(shares[0].0), nearest);
        }
    }

    #[test]
    fn weights_change_little_over_a_little_way_also_where_influences_change() {
        let centres = centres();
        let step = 1e-3;
        let places: Vec<Vec3> = (0..6000).map(|i| Vec3::new(0.6, 0.9, 0.3) * (step * i as f32)).collect();
        let shares = shares(&places, &centres, 1.5);
        let (mut changes, mut steepest) = (0, 0.0f64);
        for pair in shares.windows(2) {
            let names = |s: &[(u32, u16); INFLUENCES]| s.map(|(c, _)| c);
            changes += usize::from(names(&pair[0]) != names(&pair[1]));
            for (cluster, _) in pair[0].iter().chain(&pair[1]) {
                steepest =
                    steepest.max((weight_of(&pair[0], *cluster) - weight_of(&pair[1], *cluster)).abs());
            }
        }
        assert!(changes > 50, "the path must cross borders: {changes}");
        let moved = f64::from(step) * 1.122;
        // Rounding to 16 bits adds 8/65535; centres are 1 apart.
        assert!(steepest < 3.0 * moved + 2e-4, "{steepest} over a way of {moved}");
    }

    #[test]
    fn a_place_far_from_all_centres_and_one_on_a_centre_are_bound() {
        let centres = centres();
        let places = [Vec3::splat(500.0), centres[7]];
        for shares in shares(&places, &centres, 1.5) {
            assert_eq!(shares.iter().map(|(_, s)| u32::from(*s)).sum::<u32>(), WHOLE);
        }
        assert_eq!(shares(&[Vec3::ONE], &[Vec3::ONE], 0.0)[0][0], (0, 65535));
    }
}
