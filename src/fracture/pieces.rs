//! From torn tables to shapes: one for each piece that no finest cluster connects to another.
//!
//! A piece keeps its particles in the order they had, about its own centre of mass, and all that is painted on them. It
//! remembers which shape it is a part of: its surface is made from that of the whole, its mesh from the torn one's. How long
//! building took is left out of its reports, so that snapshots of pieces have the same bytes every time.

use std::sync::Arc;

use glam::{DVec3, Vec3};

use super::tear::{Table, Tables};
use crate::clustering::{LevelReport, Nesting, Workers};
use crate::membership::{Entry, Membership};
use crate::shape::{Parts, Shape};

/// Which part of another shape a shape is.
#[derive(Clone, Debug)]
pub(crate) struct PartOf {
    /// Unbroken.
    pub(crate) whole: Arc<Shape>,
    /// Its particles, ascending, as the whole counts them in spatial order.
    pub(crate) particles: Vec<u32>,
    /// For each finest cluster, which one of the whole it comes from.
    pub(crate) clusters: Vec<u32>,
}

/// A shape and where it comes from in the shape that was torn.
pub(crate) struct Piece {
    pub(crate) shape: Arc<Shape>,
    /// Its particles, in spatial order of the torn shape.
    pub(crate) particles: Vec<u32>,
    /// For each cluster of all levels the one it comes from, counted across levels.
    pub(crate) origin: Vec<u32>,
    /// Where its origin lies in the rest space of the torn shape, metres.
    pub(crate) centre: Vec3,
    /// Whether its particles fly freely.
    pub(crate) is_debris: bool,
}

/// The pieces of a torn shape, the largest first. Those of fewer than `smallest` particles become one piece of
/// debris, the last.
pub(crate) fn pieces(shape: &Arc<Shape>, tables: &Tables, smallest: usize) -> Vec<Piece> {
    let (part, count) = tables.components();
    let mut particles: Vec<Vec<u32>> = vec![Vec::new(); count as usize];
    for (i, row) in
        tables.levels.iter().take(1).flat_map(|finest| (0..finest.rows()).map(|i| (i, finest.row(i))))
    {
        let label = row.clone().next().map_or(0, |e| part[e.index as usize]);
        particles[label as usize].push(i as u32);
    }
    let sound = |label: &u32| count == 1 || particles[*label as usize].len() >= smallest;
    let (mut large, small): (Vec<u32>, Vec<u32>) = (0..count).partition(sound);
    large.sort_by_key(|&label| std::cmp::Reverse(particles[label as usize].len()));
    let mut found: Vec<Piece> = Vec::with_capacity(large.len() + 1);
    for label in large {
        let list = std::mem::take(&mut particles[label as usize]);
        found.push(connected(shape, tables, list));
    }
    let mut dust: Vec<u32> =
        small.iter().flat_map(|&label| particles[label as usize].iter().copied()).collect();
    if !dust.is_empty() {
        dust.sort_unstable();
        found.push(debris(shape, dust));
    }
    found
}

fn connected(shape: &Arc<Shape>, tables: &Tables, particles: Vec<u32>) -> Piece {
    let nested = tables.nesting == Nesting::Nested;
    let mut origin = Vec::new();
    let mut levels: Vec<(Membership, LevelReport)> = Vec::new();
    // Which members of the level at hand belong to the piece, in order.
    let mut members = particles.clone();
    for (l, table) in tables.levels.iter().enumerate() {
        let (held_by, clusters) = restricted(table, &members);
        let single = clusters.len() == 1 && levels.last().is_some_and(|(_, below)| below.clusters == 1);
        if single && nested {
            break;
        }
        let report = LevelReport { clusters: clusters.len(), seconds: 0.0, ..*shape.levels()[l].report() };
        let first = shape.range(l).start as u32;
        origin.extend(clusters.iter().map(|&c| first + table.origin[c as usize]));
        levels.push((held_by, report));
        if nested {
            members = clusters;
        }
    }
    assembled(shape, particles, levels, origin, false)
}

/// The rows of some members, and the clusters in them, ascending.
fn restricted(table: &Table, members: &[u32]) -> (Membership, Vec<u32>) {
    let rows = || members.iter().map(|&i| table.row(i as usize));
    let mut number = vec![None; table.origin.len()];
    let mut entries = 0;
    rows().flatten().for_each(|e| {
        number[e.index as usize] = Some(0);
        entries += 1;
    });
    let clusters: Vec<u32> = (0..).zip(&number).filter(|(_, n)| n.is_some()).map(|(c, _)| c).collect();
    (0..).zip(&clusters).for_each(|(new, &old)| number[old as usize] = Some(new));
    let mut held_by = Membership::with_capacity(members.len(), entries);
    let mut named: Vec<Entry> = Vec::new();
    for row in rows() {
        named.clear();
        named.extend(row.filter_map(|e| Some(Entry { index: number[e.index as usize]?, weight: e.weight })));
        if !named.is_sorted_by_key(|e| e.index) {
            named.sort_unstable_by_key(|e| e.index);
        }
        held_by.push_row(named.iter().copied());
    }
    held_by.complete_rows();
    (held_by, clusters)
}

/// Particles that nothing holds: each has a cluster to itself, which pulls at nothing.
fn debris(shape: &Arc<Shape>, particles: Vec<u32>) -> Piece {
    let mut held_by = Membership::with_capacity(particles.len(), particles.len());
    (0..particles.len() as u32).for_each(|index| held_by.push_row([Entry { index, weight: 1.0 }]));
    let report =
        LevelReport { clusters: particles.len(), radius: 0.0, seconds: 0.0, ..*shape.levels()[0].report() };
    let largest = |&i: &u32| shape.holder(i as usize).unwrap_or(0);
    let origin = particles.iter().map(largest).collect();
    assembled(shape, particles, vec![(held_by, report)], origin, true)
}

fn assembled(
    torn: &Arc<Shape>,
    particles: Vec<u32>,
    levels: Vec<(Membership, LevelReport)>,
    origin: Vec<u32>,
    is_debris: bool,
) -> Piece {
    let at = |i: &u32| *i as usize;
    let centre =
        if particles.len() == torn.particle_count() { DVec3::ZERO } else { centre_of(torn, &particles) };
    let rest = particles.iter().map(|i| {
        let r = torn.rest()[at(i)].truncate().as_dvec3() - centre;
        r.as_vec3().extend(1.0)
    });
    let mut own = vec![None; torn.particle_count()];
    (0..).zip(&particles).for_each(|(k, i)| own[at(i)] = Some(k));
    let mut order = vec![0; particles.len()];
    let by_name = torn.place().iter().filter_map(|i| own[at(i)]);
    (0..).zip(by_name).for_each(|(name, k): (u32, usize)| order[k] = name);
    let (tuning, pinned) = (torn.tuning(), torn.pinned());
    let parts = Parts {
        rest: rest.collect(),
        masses: particles.iter().map(|i| torn.masses()[at(i)]).collect(),
        order,
        nesting: torn.nesting(),
        tuning: if tuning.is_empty() {
            Vec::new()
        } else {
            particles.iter().map(|i| tuning[at(i)]).collect()
        },
        toughness: match torn.toughness() {
            [] => Vec::new(),
            all => particles.iter().map(|i| all[at(i)]).collect(),
        },
        pinned: pinned.iter().filter_map(|i| Some(particles.binary_search(i).ok()? as u32)).collect(),
        centre: (torn.centre().as_dvec3() + centre).as_vec3(),
        skin: None,
        levels,
    };
    let mut shape = Shape::assembled(parts, &Workers::new(1, 0));
    let clusters = origin[..shape.range(0).len()].to_vec();
    let own = PartOf { whole: Arc::clone(torn), particles, clusters };
    shape.take_skin(&own);
    shape.set_part_of(part_of(torn, &own));
    let particles = own.particles;
    Piece { shape: Arc::new(shape), particles, origin, centre: centre.as_vec3(), is_debris }
}

/// What a part of a torn shape is of its whole.
fn part_of(torn: &Arc<Shape>, own: &PartOf) -> PartOf {
    let PartOf { particles, clusters, .. } = own;
    match torn.part_of() {
        None => own.clone(),
        Some(PartOf { whole, particles: of, clusters: from }) => PartOf {
            whole: Arc::clone(whole),
            particles: particles.iter().map(|&i| of[i as usize]).collect(),
            clusters: clusters.iter().map(|&c| from[c as usize]).collect(),
        },
    }
}

fn centre_of(shape: &Shape, particles: &[u32]) -> DVec3 {
    let (mut sum, mut mass) = (DVec3::ZERO, 0.0);
    for &i in particles {
        let m = f64::from(shape.masses()[i as usize]);
        sum += shape.rest()[i as usize].truncate().as_dvec3() * m;
        mass += m;
    }
    sum / mass
}
