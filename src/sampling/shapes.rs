//! Shapes from meshes: the way from vertices and triangles to a body, from end to end.

use std::sync::Arc;

use glam::Vec3;

use super::features::Features;
use super::maps::Maps;
use super::room::Room;
use super::search::{self, Search};
use super::surface::MeshSurface;
use super::{Amount, SamplingDef};
use crate::clustering::{LevelsDef, Workers};
use crate::error::Error;
use crate::headroom;
use crate::mesh::{Mesh, Welded};
use crate::painting::Particles;
use crate::shape::{Shape, is_mass};

/// The share of the progress at which sampling has ended and clustering begins.
const SAMPLED: f32 = 0.25;

/// What is thinner than this share of the spacing has no inside.
const FLAT: f64 = 1e-4;

/// Particles of a mesh.
pub(crate) struct Sampled {
    /// Where they are, in the space of the mesh, metres.
    pub(crate) points: Vec<Vec3>,
    /// Their masses, kg.
    pub(crate) masses: Vec<f32>,
    maps: Maps,
}

/// ```
/// use glam::Vec3;
/// use wobble::{Amount, Indices, LevelsDef, Mesh, SamplingDef, Shape};
///
/// let corners = [Vec3::ZERO, Vec3::X, Vec3::Y, Vec3::Z];
/// let faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
/// let tetrahedron = Mesh { positions: &corners, indices: Indices::U16(&faces), ..Mesh::default() };
///
/// let sampling = SamplingDef { amount: Amount::Count(200), density: 300.0, ..SamplingDef::default() };
/// let shape = Shape::from_mesh(&tetrahedron, &sampling, &LevelsDef::default(), &mut |_done| true)?;
/// assert!((shape.mass() - 50.0).abs() < 1.0, "a sixth of a cubic metre");
/// # Ok::<(), wobble::Error>(())
/// ```
impl Shape {
    /// A shape that fills a mesh: particles by `sampling`, clusters by `levels`. `progress` is told the
    /// fraction done, 0 to 1, and returns false to cancel. What is painted on vertices is carried over to
    /// particles, and bodies carry the mesh: see [`Body::read_skin`](crate::Body::read_skin). The shape's
    /// origin is its centre of mass, which lay at [`Shape::centre`] in the mesh.
    ///
    /// Holes, open pieces, pieces that cross, triangles that face the wrong way or come twice are fine.
    /// A flat sheet becomes one layer of particles, a thin strand a row of them.
    pub fn from_mesh(
        mesh: &Mesh,
        sampling: &SamplingDef,
        levels: &LevelsDef,
        progress: &mut dyn FnMut(f32) -> bool,
    ) -> Result<Arc<Shape>, Error> {
        mesh.check()?;
        sampling.check()?;
        levels.check()?;
        mesh.ensure_room()?;
        let welded = Welded::new(mesh, sampling.weld);
        let sampled = sampled(mesh, &welded, sampling, levels.threads, &mut |done| progress(done * SAMPLED))?;
        check_levels(levels, sampled.points.len())?;
        let particles = Particles {
            points: &sampled.points,
            masses: Some(&sampled.masses),
            stiffness: sampled.maps.stiffness.as_deref(),
            damping: sampled.maps.damping.as_deref(),
            pin: sampled.maps.pin.as_deref(),
            toughness: sampled.maps.toughness.as_deref(),
        };
        let mut clustered = |done| progress(SAMPLED + done * (1.0 - SAMPLED));
        let mut shape = Shape::built(&particles, levels, &mut clustered)?;
        shape.bind(mesh, &welded)?;
        Ok(Arc::new(shape))
    }
}

/// Refuses more clusters than there are particles.
fn check_levels(levels: &LevelsDef, particles: usize) -> Result<(), Error> {
    match levels.finest_clusters {
        Some(clusters) if clusters as usize > particles => {
            let why = format!(
                "{clusters} clusters of the finest level are more than its {particles} particles; \
                 ask for more particles or fewer clusters"
            );
            Err(Error::Unsuitable { what: "mesh", why })
        }
        _ => Ok(()),
    }
}

/// Fills a mesh with particles.
pub(crate) fn sampled(
    mesh: &Mesh,
    welded: &Welded,
    def: &SamplingDef,
    threads: u32,
    progress: &mut dyn FnMut(f32) -> bool,
) -> Result<Sampled, Error> {
    let surface = MeshSurface::new(welded)?;
    let mut tries = 0.0;
    let mut tick = || {
        tries += 1.0;
        // Nobody knows how many tries there will be; this share never quite arrives.
        if progress(0.9 * tries / (tries + 3.0)) { Ok(()) } else { Err(Error::Cancelled) }
    };
    let workers = Workers::new(threads, usize::MAX);
    let wanted = match def.amount {
        Amount::Count(count) => count as usize,
        Amount::Spacing(_) => 0,
    };
    if def.fill {
        headroom::ensure(Room::bytes_to_look(wanted), "finding the inside of a mesh")?;
    }
    let room = def.fill.then(|| Room::new(&surface, wanted, &workers));
    if let Some(room) = room.as_ref().filter(|_| !def.surface)
        && room.volume() < FLAT * surface.area_local()
    {
        let why = "it has no inside; ask for particles on the surface, too".into();
        return Err(Error::Unsuitable { what: "mesh", why });
    }
    let search = Search { surface: &surface, features: Features::of(&surface), room, def, workers: &workers };
    let found = search.points(&mut tick)?;
    search::enough(&found, &surface, def)?;
    let points: Vec<Vec3> = found.points.iter().map(|&p| surface.frame.outside(p)).collect();
    let maps = Maps::carried(mesh, welded, &surface, &points, &workers);
    let area = surface.area_local();
    let volume = match &search.room {
        Some(room) if room.volume() > FLAT * area * found.spacing => room.volume(),
        _ => area * thickness(def, &surface, found.spacing),
    };
    let masses = masses(def, &surface, volume, points.len(), maps.density.as_deref())?;
    Ok(Sampled { points, masses, maps })
}

/// Thickness of what has no inside, local.
fn thickness(def: &SamplingDef, surface: &MeshSurface, spacing: f64) -> f64 {
    def.thickness.map_or(spacing, |metres| f64::from(metres) / surface.frame.metres(1.0))
}

/// Shares out density times volume, which is local.
fn masses(
    def: &SamplingDef,
    surface: &MeshSurface,
    volume: f64,
    count: usize,
    painted: Option<&[f32]>,
) -> Result<Vec<f32>, Error> {
    let metre = surface.frame.metres(1.0);
    let each = f64::from(def.density) * volume * metre * metre * metre / count as f64;
    let masses: Vec<f32> =
        (0..count).map(|i| (each * painted.map_or(1.0, |painted| f64::from(painted[i]))) as f32).collect();
    match masses.iter().find(|m| !is_mass(**m)) {
        None => Ok(masses),
        Some(mass) => {
            let why = format!(
                "a particle would weigh {mass:e} kg, which is not from 1e-12 to 1e9 kg; \
                 give another density, or scale the mesh to metres"
            );
            Err(Error::Unsuitable { what: "mesh", why })
        }
    }
}
