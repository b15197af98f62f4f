//! The planes that cut the finest clusters' collision spheres (CC 3.4).
//!
//! Reads a shape; found when they are first asked for, since no step needs them. A cluster that was torn is also cut by the
//! plane that parts its members from those it had in the whole: that of the crack, seen from this side.

use glam::{Vec3, Vec4};

use super::{Shape, full};
use crate::math::symmetric;

/// Planes nearer to the centre than this share of the radius cut a proxy (CC 3.4).
const PLANE_REACH: f32 = 0.5;

/// Planes of all finest clusters as (normal, a): inside is where normal·r + a < 0.
#[derive(Debug)]
pub(super) struct Planes {
    /// Where each cluster's begin, and one more at the end.
    starts: Vec<u32>,
    list: Vec<Vec4>,
}

impl Planes {
    /// Planes normal to the eigenvectors of A_rr that bound a cluster's members and pass close to its
    /// centre.
    pub(super) fn of(shape: &Shape) -> Planes {
        let mut planes = Planes { starts: vec![0], list: Vec::new() };
        let Some(finest) = shape.levels().first() else { return planes };
        let near = PLANE_REACH * finest.report().radius;
        for (c, cluster) in shape.clusters(0).iter().enumerate() {
            let (_, vectors) = symmetric::eigen(full(shape.scatter()[c].map(f64::from)));
            for vector in vectors {
                let normal = Vec3::from(vector.map(|v| v as f32));
                let along = |i: u32| normal.dot((shape.rest()[i as usize] - cluster.centre).truncate());
                let reaches = finest.members().row(c).iter().map(|e| along(e.index));
                let (low, high) = reaches.fold((0.0f32, 0.0f32), |(l, h), d| (l.min(d), h.max(d)));
                let at_centre = normal.dot(cluster.centre.truncate());
                if high < near {
                    planes.list.push(normal.extend(-(at_centre + high)));
                }
                if -low < near {
                    planes.list.push((-normal).extend(at_centre + low));
                }
            }
            planes.list.extend(crack(shape, c));
            planes.starts.push(planes.list.len() as u32);
        }
        planes.list.shrink_to_fit();
        planes
    }

    /// None for a cluster that is not there.
    pub(super) fn of_cluster(&self, cluster: usize) -> &[Vec4] {
        match self.starts.get(cluster..).and_then(|from| from.get(..2)) {
            Some(&[from, to]) => &self.list[from as usize..to as usize],
            _ => &[],
        }
    }

    /// Heap bytes held.
    pub(super) fn bytes(&self) -> usize {
        self.starts.capacity() * 4 + self.list.capacity() * size_of::<Vec4>()
    }
}

/// The plane that cuts a torn cluster off: square to the way from its members to those it lost, and through the outermost
/// of its own.
fn crack(shape: &Shape, c: usize) -> Option<Vec4> {
    let part = shape.part_of().filter(|_| !shape.is_debris())?;
    let members = || shape.levels()[0].members().row(c).iter().map(|e| e.index as usize);
    let before = part.whole.levels()[0].members().row(part.clusters[c] as usize).iter();
    let lost = before.filter(|e| members().all(|i| part.particles[i] != e.index));
    let mean = |(sum, count): (Vec3, f32)| (count > 0.0).then(|| sum / count);
    let add = |(sum, count): (Vec3, f32), at: Vec3| (sum + at, count + 1.0);
    let own = mean(members().map(|i| shape.rest()[i].truncate()).fold((Vec3::ZERO, 0.0), add))?;
    let shift = (part.whole.rest()[part.particles[0] as usize] - shape.rest()[0]).truncate();
    let there = lost.map(|e| part.whole.rest()[e.index as usize].truncate() - shift);
    let normal = (mean(there.fold((Vec3::ZERO, 0.0), add))? - own).try_normalize()?;
    let reach = members().map(|i| normal.dot(shape.rest()[i].truncate())).fold(f32::NEG_INFINITY, f32::max);
    Some(normal.extend(-reach))
}
