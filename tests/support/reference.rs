//! Shape matching written down a second time, plainly and in `f64`: every cluster sums over its
//! particles directly, rotations come from nalgebra's SVD.

use glam::{DMat3, DVec3};
use nalgebra::Matrix3;
use wobble::{Body, Nesting, Rotation, Shape};

/// For each particle (spatial order), the clusters of `level` that hold it, directly or through
/// the levels below, with their weights.
pub fn composed(shape: &Shape, level: usize) -> Vec<Vec<(usize, f64)>> {
    let rows = |l: usize, i: usize| {
        shape.levels()[l].held_by().row(i).iter().map(|e| (e.index as usize, f64::from(e.weight)))
    };
    (0..shape.particle_count())
        .map(|i| {
            if shape.nesting() == Nesting::Independent {
                return rows(level, i).collect();
            }
            let mut held = vec![(i, 1.0)];
            for l in 0..=level {
                let next = held.iter().flat_map(|&(m, share)| rows(l, m).map(move |(c, w)| (c, share * w)));
                held = next.collect();
            }
            held
        })
        .collect()
}

/// A cluster's placement: x = R (r - rest centre) + centre.
#[derive(Clone, Copy, Debug)]
pub struct Placement {
    pub rotation: DMat3,
    pub centre: DVec3,
    pub rest_centre: DVec3,
    pub mass: f64,
}

impl Placement {
    pub fn goal(&self, rest: DVec3) -> DVec3 {
        self.rotation * (rest - self.rest_centre) + self.centre
    }
}

/// Fits every cluster of `level` to the present positions.
pub fn placements(body: &Body, level: usize, rotation: Rotation) -> Vec<Placement> {
    let shape = body.shape();
    let held = composed(shape, level);
    let mut members = vec![Vec::new(); shape.levels()[level].cluster_count()];
    for (i, row) in held.iter().enumerate() {
        let (x, r) = (body.raw_positions()[i].truncate(), shape.rest()[i].truncate());
        for &(c, w) in row {
            members[c].push((w * f64::from(shape.masses()[i]), x.as_dvec3(), r.as_dvec3()));
        }
    }
    members.iter().map(|m| placement(m, rotation)).collect()
}

/// The best rigid placement of (mass, position, rest position) triples.
pub fn placement(members: &[(f64, DVec3, DVec3)], by: Rotation) -> Placement {
    let mass: f64 = members.iter().map(|m| m.0).sum();
    let centre = members.iter().map(|m| m.1 * m.0).sum::<DVec3>() / mass;
    let rest_centre = members.iter().map(|m| m.2 * m.0).sum::<DVec3>() / mass;
    let (mut a, mut s) = (Matrix3::zeros(), Matrix3::zeros());
    for (m, x, r) in members {
        let p = nalgebra::Vector3::from((*x - centre).to_array());
        let q = nalgebra::Vector3::from((*r - rest_centre).to_array());
        a += p * q.transpose() * *m;
        s += q * q.transpose() * *m;
    }
    if by == Rotation::Stretch {
        a *= s.pseudo_inverse(1e-9 * s.trace()).expect("a positive threshold");
    }
    Placement { rotation: closest(a), centre, rest_centre, mass }
}

/// U Vᵀ with the smallest direction flipped where it would mirror.
fn closest(a: Matrix3<f64>) -> DMat3 {
    let svd = a.svd(true, true);
    let (mut u, v_t) = (svd.u.unwrap(), svd.v_t.unwrap());
    if (u * v_t).determinant() < 0.0 {
        let smallest = svd.singular_values.imin();
        u.column_mut(smallest).neg_mut();
    }
    let r = u * v_t;
    DMat3::from_cols_slice(r.as_slice())
}

/// Where every particle (spatial order) is drawn to.
pub fn goals(body: &Body, rotation: Rotation) -> Vec<DVec3> {
    let shape = body.shape();
    let mut goals = vec![DVec3::ZERO; shape.particle_count()];
    for (level, weight) in body.level_weights().iter().enumerate() {
        let fits = placements(body, level, rotation);
        for (i, row) in composed(shape, level).iter().enumerate() {
            let rest = shape.rest()[i].truncate().as_dvec3();
            goals[i] += row.iter().map(|&(c, w)| fits[c].goal(rest) * w).sum::<DVec3>() * f64::from(*weight);
        }
    }
    goals
}

/// The largest distance of a particle from the goal that one of its finest clusters has for it,
/// over that cluster's width: what strain limiting bounds.
pub fn largest_strain(body: &Body, rotation: Rotation) -> f64 {
    let shape = body.shape();
    let fits = placements(body, 0, rotation);
    let mut worst = 0.0f64;
    for (i, x) in body.raw_positions().iter().enumerate() {
        let (x, rest) = (x.truncate().as_dvec3(), shape.rest()[i].truncate().as_dvec3());
        for e in shape.levels()[0].held_by().row(i) {
            let c = e.index as usize;
            let width = f64::from(shape.clusters(0)[c].width);
            worst = worst.max((x - fits[c].goal(rest)).length() / width);
        }
    }
    worst
}
