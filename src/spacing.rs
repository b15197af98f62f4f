//! How far apart a shape's particles are: what a particle's size can be taken from.

use glam::Vec4;

use crate::membership::Membership;

/// Clusters that are looked at; the mean over more changes little.
const SAMPLES: usize = 64;

/// The mean distance of a particle to its nearest neighbour, metres, over some of the finest clusters
/// spread over the shape; 0 if no cluster has two particles in different places. Particles in one place
/// are left out.
pub(crate) fn of(rest: &[Vec4], members: &Membership) -> f32 {
    let (mut sum, mut count) = (0.0, 0);
    let every = members.rows().div_ceil(SAMPLES).max(1);
    for c in (0..members.rows()).step_by(every) {
        let row = members.row(c);
        // A large cluster has more than enough in its first particles.
        let row = &row[..row.len().min(SAMPLES)];
        for e in row {
            let here = rest[e.index as usize];
            let others = row.iter().map(|o| (rest[o.index as usize] - here).length_squared());
            let apart = others.map(|square| if square > 0.0 { square } else { f32::INFINITY });
            let nearest = apart.fold(f32::INFINITY, f32::min);
            if nearest.is_finite() {
                sum += f64::from(nearest).sqrt();
                count += 1;
            }
        }
    }
    if count > 0 { (sum / f64::from(count)) as f32 } else { 0.0 }
}
