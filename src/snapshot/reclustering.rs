//! Clusters of a body's own. Weights and what clusters are at rest follow from what is written.

use glam::Vec4;

use crate::bytes::{Reader, Writer};
use crate::clustering::Nesting;
use crate::error::Error;
use crate::membership::{Entry, Membership};
use crate::recluster::{Reclustered, Stage};
use crate::shape::Shape;

pub(super) fn write(out: &mut Writer, own: &Reclustered) {
    for stage in &own.stages {
        let (kind, share) = match *stage {
            Stage::Free => (0, 0.0),
            Stage::Whole => (1, 1.0),
            Stage::Leaving(left) => (2, left),
            Stage::Coming(there) => (3, there),
        };
        out.u8(kind);
        out.f32(share);
    }
    out.u32(own.age);
    let levels = own.tables.levels();
    let held_by = levels[0].held_by();
    for i in 0..held_by.rows() {
        let first = held_by.starts()[i] as usize;
        out.u32(held_by.row(i).len() as u32);
        for (k, e) in (first..).zip(held_by.row(i)) {
            out.u32(e.index);
            out.f32(own.raw[k]);
            out.vec3(own.apart_held[k].truncate());
        }
    }
    for c in (0..own.stages.len()).filter(|_| levels.len() > 1) {
        let row = levels[1].held_by().row(c);
        out.u32(row.len() as u32);
        for e in row {
            out.u32(e.index);
            out.f32(e.weight);
        }
    }
}

/// What was written, weights yet to be worked out.
pub(super) fn read(from: &mut Reader, shape: &Shape) -> Result<Reclustered, Error> {
    let able = shape.nesting() == Nesting::Nested && !shape.levels().is_empty();
    from.ensure(able, || "its shape has no clusters that can be replaced".into())?;
    let mut own = Reclustered::new(shape);
    for c in 0..own.stages.len() {
        let (kind, share) = (from.u8()?, from.f32()?);
        own.stages[c] = match kind {
            0 => Stage::Free,
            1 => Stage::Whole,
            2 => Stage::Leaving(share),
            _ => Stage::Coming(share),
        };
        from.ensure(kind < 4 && own.stages[c].is_sound(), || format!("cluster {c} fades by {share}"))?;
    }
    own.age = from.u32()?;
    let held_by = read_finest(from, &mut own, shape.particle_count())?;
    let mut held = vec![false; own.stages.len()];
    held_by.entries().iter().for_each(|e| held[e.index as usize] = true);
    let even = own.stages.iter().zip(held).all(|(stage, held)| (*stage != Stage::Free) == held);
    from.ensure(even, || "a cluster that is there holds nobody".into())?;
    own.set_rows(held_by);
    if let Some(above) = shape.levels().get(1) {
        let parents = read_parents(from, &own, above.cluster_count())?;
        own.tables.set_held_by(1, parents, |_| 0.0);
    }
    Ok(own)
}

fn read_finest(from: &mut Reader, own: &mut Reclustered, particles: usize) -> Result<Membership, Error> {
    let mut held_by = Membership::with_capacity(particles, 0);
    (own.raw, own.apart_held) = (Vec::new(), Vec::new());
    for i in 0..particles {
        let row = read_row(from, own.stages.len(), |from| {
            let raw = from.f32()?;
            own.raw.push(raw);
            own.apart_held.push(from.vec3()?.extend(0.0));
            Ok(raw)
        })?;
        let sound = own.apart_held[own.apart_held.len() - row.len()..].iter().all(|d: &Vec4| d.is_finite());
        let there = row.iter().all(|e| e.weight > 0.0 && own.stages[e.index as usize] != Stage::Free);
        from.ensure(sound && there && !row.is_empty(), || {
            format!("particle {i} is held by nobody who is there")
        })?;
        held_by.push_row(row);
    }
    Ok(held_by)
}

fn read_parents(from: &mut Reader, own: &Reclustered, above: usize) -> Result<Membership, Error> {
    let mut held_by = Membership::with_capacity(own.stages.len(), 0);
    for (c, stage) in own.stages.iter().enumerate() {
        let row = read_row(from, above, |from| from.f32())?;
        let sum: f32 = row.iter().map(|e| e.weight).sum();
        let sound = if *stage == Stage::Free { row.is_empty() } else { (sum - 1.0).abs() <= 1e-3 };
        from.ensure(sound, || format!("cluster {c} is held by {sum} of the level above"))?;
        held_by.push_row(row);
    }
    Ok(held_by)
}

/// Entries that ascend below `columns`, with finite weights of 0 or more.
fn read_row(
    from: &mut Reader,
    columns: usize,
    mut weight: impl FnMut(&mut Reader) -> Result<f32, Error>,
) -> Result<Vec<Entry>, Error> {
    let count = from.count("clusters", 8)?;
    let mut row: Vec<Entry> = Vec::with_capacity(count.min(columns));
    for _ in 0..count {
        let entry = Entry { index: from.u32()?, weight: weight(from)? };
        let ascends = row.last().is_none_or(|last| last.index < entry.index);
        let sound = (entry.index as usize) < columns && (0.0..=1e30).contains(&entry.weight);
        from.ensure(ascends && sound, || format!("a cluster holds by {} where it cannot", entry.weight))?;
        row.push(entry);
    }
    Ok(row)
}
