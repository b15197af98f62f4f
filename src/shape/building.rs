//! From particles to a shape: checked, put in order, clustered.

use glam::{Vec3, Vec4};

use super::assembly::ensure_assembly;
use super::{Parts, Shape};
use crate::clustering::{self, Clusters, LevelsDef, Nesting, Workers};
use crate::error::{Error, LARGEST, is_ordinary};
use crate::headroom;
use crate::math::morton;
use crate::membership;
use crate::painting::Particles;

impl Shape {
    /// What `from_particles` makes, before it is shared.
    pub(crate) fn built(
        particles: &Particles,
        def: &LevelsDef,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Shape, Error> {
        let Particles { points, masses, .. } = *particles;
        check_points(points, masses)?;
        particles.check_maps()?;
        headroom::ensure(points.len() * POINT_BYTES, "building a shape")?;
        let order = morton::order(points);
        let each = 1.0 / points.len().max(1) as f32;
        let masses: Vec<f32> = order.iter().map(|&i| masses.map_or(each, |m| m[i as usize])).collect();
        let sorted: Vec<Vec3> = order.iter().map(|&i| points[i as usize]).collect();
        let centre = centre_of_mass(&sorted, &masses);
        let rest: Vec<Vec3> = sorted.iter().map(|p| (p.as_dvec3() - centre).as_vec3()).collect();
        let mut found = clustering::build(&rest, &masses, def, progress)?;
        let tables = found.iter().map(|level| (level.held_by.len(), level.report.clusters));
        let workers = Workers::new(def.threads, points.len());
        ensure_assembly(points.len(), tables)?;
        let even = evened_out(&mut found, def.nesting);
        let order: Vec<u32> = even.iter().map(|&i| order[i as usize]).collect();
        let masses: Vec<f32> = even.iter().map(|&i| masses[i as usize]).collect();
        let rest: Vec<Vec4> = even.iter().map(|&i| rest[i as usize].extend(1.0)).collect();
        let levels = found.into_iter().map(|Clusters { mut held_by, report, .. }| {
            held_by.complete_rows();
            held_by.shrink();
            (held_by, report)
        });
        let levels = levels.collect();
        let (tuning, pinned) = (particles.tuning(&order), particles.pinned(&order));
        let toughness = particles.toughness(&order);
        let (nesting, centre) = (def.nesting, centre.as_vec3());
        let parts =
            Parts { rest, masses, order, nesting, levels, tuning, toughness, pinned, centre, skin: None };
        Ok(Shape::assembled(parts, &workers))
    }
}

/// Bytes that a particle takes at most while levels are found, memberships not counted: its place and mass in several
/// precisions, its key in the order, its owners in the rounds of clustering.
const POINT_BYTES: usize = 400;

/// Brings particles held by equally many clusters together within short runs, so that the loop
/// over a particle's clusters ends where the processor expects it. Returns the new order.
fn evened_out(found: &mut [Clusters], nesting: Nesting) -> Vec<u32> {
    let Some(finest) = found.first() else { return Vec::new() };
    let mut order: Vec<u32> = (0..finest.held_by.rows() as u32).collect();
    let levels = if nesting == Nesting::Nested { 1 } else { found.len() };
    for run in order.chunks_mut(RUN) {
        run.sort_by_key(|&i| found[..levels].iter().map(|l| l.held_by.row(i as usize).len()).sum::<usize>());
    }
    for level in &mut found[..levels] {
        level.held_by = level.held_by.reordered(&order);
    }
    order
}

/// Particles in a run: few enough to stay neighbours in memory.
const RUN: usize = 64;

fn check_points(points: &[Vec3], masses: Option<&[f32]>) -> Result<(), Error> {
    membership::countable("points", points.len())?;
    for (index, p) in points.iter().enumerate() {
        if let Some(c) = p.to_array().into_iter().find(|c| !is_ordinary(*c)) {
            let wanted = "finite and at most 1e9 in size";
            return Err(Error::Element { field: "points", index, value: c.into(), wanted });
        }
    }
    let Some(masses) = masses else { return Ok(()) };
    if masses.len() != points.len() {
        let wanted = format!("{}, one for each point", points.len());
        return Err(Error::Length { field: "masses", got: masses.len(), wanted });
    }
    match masses.iter().position(|m| !is_mass(*m)) {
        None => Ok(()),
        Some(index) => {
            let wanted = "from 1e-12 to 1e9 kg (pin a particle to make it immovable)";
            Err(Error::Element { field: "masses", index, value: masses[index].into(), wanted })
        }
    }
}

/// Whether a particle may have this mass, kg.
pub(crate) fn is_mass(mass: f32) -> bool {
    (SMALLEST_MASS..=LARGEST).contains(&mass)
}

/// Lighter particles would vanish beside others in single precision.
const SMALLEST_MASS: f32 = 1e-12;

fn centre_of_mass(points: &[Vec3], masses: &[f32]) -> glam::DVec3 {
    let mass: f64 = masses.iter().map(|&m| f64::from(m)).sum();
    let sum = points.iter().zip(masses).fold(glam::DVec3::ZERO, |s, (p, &m)| s + p.as_dvec3() * f64::from(m));
    if mass > 0.0 { sum / mass } else { sum }
}
