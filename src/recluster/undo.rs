//! Back to the clusters of the shape, with what has lasted: before a body is cut or breaks.
//!
//! Pieces are torn out of a shape, so clusters of a body's own have no place in them. Each cluster of the shape gets
//! the Fp and the frame that fit best where its members have come to lie in the rest space of the level above, or with one level
//! alone where they are. Those that are worn are then replaced again, by the pieces.

use glam::{DMat3, DVec3, Mat3A, Quat, Vec3A, Vec4};

use super::Reclustered;
use super::place::outer;
use crate::body::Body;
use crate::math::{rotation, symmetric};
use crate::plasticity::{Dent, Frame, Plastic};

/// The largest stretch of a dent over its smallest: a cluster beyond is all but flat.
const WORST: f64 = 8.0;

impl Body {
    /// Gives the body the clusters of its shape back.
    pub(crate) fn give_up_clusters(&mut self) {
        self.forget_heavy_pins();
        let Some(own) = self.reclustered.take() else { return };
        let Some(before) = self.plastic.take() else { return };
        let finest = self.shape.range(0);
        let (mut placed, hardened) = own.placed(&before);
        if before.frames.is_empty() {
            // Rest spaces of clusters do not hang together where there is no level above: it keeps the form that it has.
            placed = self.x.iter().map(|x| (*x - self.origin).truncate().as_dvec3()).collect();
        }
        let mut plastic = Plastic::new(&self.shape);
        let coarse = before.frames.into_iter().skip(own.stages.len());
        plastic.frames.iter_mut().skip(finest.len()).zip(coarse).for_each(|(frame, before)| *frame = before);
        self.lay_out(0);
        for c in finest {
            let (dent, frame) = self.best_dent(c, &placed, &hardened);
            self.fits[c].rotation = self.rotation_of(c, &dent);
            plastic.dents[c] = dent;
            plastic.frames.get_mut(c).into_iter().for_each(|place| *place = frame);
        }
        plastic.recall(&self.shape);
        self.plastic = Some(Box::new(plastic));
        self.touched();
    }

    /// What carries the members of a cluster of the shape to where they are `placed`.
    fn best_dent(&self, c: usize, placed: &[DVec3], hardened: &[f32]) -> (Dent, Frame) {
        let members = self.shape.levels()[0].members().row(c);
        let rest = |i: u32| self.shape.rest()[i as usize].truncate().as_dvec3();
        let (mut mass, mut from, mut to, mut hard) = (0.0, DVec3::ZERO, DVec3::ZERO, 0.0);
        for e in members {
            let m = f64::from(e.weight);
            (mass, from, to) = (mass + m, from + rest(e.index) * m, to + placed[e.index as usize] * m);
            hard += f64::from(hardened[e.index as usize]) * m;
        }
        let (from, to) = (from / mass, to / mass);
        let mut a = DMat3::ZERO;
        for e in members {
            a += outer(placed[e.index as usize] - to, rest(e.index) - from) * f64::from(e.weight);
        }
        let turn = Vec4::from(rotation::closest_surely(a.to_cols_array_2d(), Vec4::W.to_array()));
        let turn = turn.normalize_or(Vec4::W);
        let r = Mat3A::from_quat(Quat::from_vec4(turn));
        let columns = [a.x_axis, a.y_axis, a.z_axis].map(|v| v.as_vec3().extend(0.0));
        let f =
            crate::goals::gradient(&columns, &self.shape.scatter()[c], &self.shape.inverse_scatter()[c], r);
        let fp = stretch(f.as_dmat3()).unwrap_or(Mat3A::IDENTITY);
        let dent = Dent { fp, hardened: (hard / mass) as f32, ..Dent::default() };
        (dent, Frame { turn, centre: to.as_vec3().extend(0.0), stretch: r * fp })
    }

    /// How such a cluster is turned in the world.
    fn rotation_of(&self, c: usize, dent: &Dent) -> Vec4 {
        let members = self.shape.levels()[0].members().row(c);
        let cluster = &self.shape.clusters(0)[c];
        let x = |i: u32| self.x[i as usize].truncate().as_dvec3();
        let middle =
            members.iter().map(|e| x(e.index) * f64::from(e.weight)).sum::<DVec3>() / f64::from(cluster.mass);
        let mut a = DMat3::ZERO;
        for e in members {
            let q = Vec3A::from_vec4(self.shape.rest()[e.index as usize] - cluster.centre);
            a += outer(x(e.index) - middle, (dent.fp * q).as_dvec3()) * f64::from(e.weight);
        }
        Vec4::from(rotation::closest_surely(a.to_cols_array_2d(), self.fits[c].rotation.to_array()))
    }
}

impl Reclustered {
    /// For each particle, where it lies in the rest space of the level above, and how hard its clusters are.
    fn placed(&self, plastic: &Plastic) -> (Vec<DVec3>, Vec<f32>) {
        let one = |i: usize| {
            let (row, first) = self.row(i);
            let (mut place, mut hard) = (Vec3A::ZERO, 0.0);
            for (e, apart) in row.iter().zip(&self.apart_held[first..]) {
                let p = Vec3A::from_vec4(self.tables.rest()[i] + *apart);
                let (linear, shift) = plastic.map_of(e.index as usize);
                place += (linear * p + shift) * e.weight;
                hard += plastic.dents[e.index as usize].hardened * e.weight;
            }
            (place.as_dvec3(), hard)
        };
        (0..self.tables.particle_count()).map(one).unzip()
    }
}

/// The stretch of a deformation at unit volume, no flatter than it may be.
fn stretch(f: DMat3) -> Option<Mat3A> {
    let (values, axes) = symmetric::eigen((f.transpose() * f).to_cols_array_2d());
    let largest = values[0].max(0.0).sqrt();
    let bounded = values.map(|v| v.max(0.0).sqrt().max(largest / WORST));
    let unit = 1.0 / libm::cbrt(bounded[0] * bounded[1] * bounded[2]);
    let axes = DMat3::from_cols_array_2d(&axes);
    let fp = axes * DMat3::from_diagonal(DVec3::from(bounded) * unit) * axes.transpose();
    fp.is_finite().then(|| Mat3A::from(fp.as_mat3()))
}
