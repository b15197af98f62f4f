//! The energy that deformation holds: the potential whose gradient is the pull to the goals.
//!
//! A substep of h seconds accelerates particle i by Σ_l k_l Σ_c w_ic (T_c r_i - x_i), where
//! k_l = α_l / h² is the strength of level l, w_ic the weight of the particle in cluster c, through
//! the levels between them where these are nested, and T_c the cluster's motion. So
//!
//! E = ½ Σ_l k_l Σ_c Σ_i m_i w_ic |x_i - T_c r_i|²
//!
//! is its potential: T_c minimises its own sum among all rigid motions, so the change of T_c with
//! x_i adds nothing to the gradient. The energy of the blended goal, |x_i - Σ w_ic T_c r_i|², would
//! not do: where clusters disagree it is smaller, and its gradient is not the force.
//!
//! Pinned particles have the mass that matching gives them (`shape/held.rs`), in this sum as in those that T_c comes from, so what
//! a host does by moving them is the change of E, too.
//!
//! Goals with a share β of a wider family of maps have the sum of both minima. Sums run in `f64`
//! over particles and clusters in spatial order.

use glam::{DMat3, DVec3, Quat};

use crate::body::Body;
use crate::error::{Error, within};
use crate::material::{Goals, Rotation};
use crate::math::rotation;
use crate::membership::Entry;
use crate::plasticity::AtRest;
use crate::shape::full;
use crate::shape::held::Matched;

/// A cluster's sums over its members, each with its share of mass.
#[derive(Clone, Copy)]
struct Sums {
    mass: f64,
    /// Σ m x / Σ m, metres.
    centre: DVec3,
    /// Σ m r / Σ m, metres.
    rest_centre: DVec3,
    /// Σ m p qᵀ, p and q being x and r about these centres.
    a: DMat3,
    /// Σ m q qᵀ.
    scatter: DMat3,
    /// Σ m |p|².
    size: f64,
}

fn outer(p: DVec3, q: DVec3) -> DMat3 {
    DMat3::from_cols(p * q.x, p * q.y, p * q.z)
}

impl Sums {
    /// Of a point.
    fn point(mass: f64, centre: DVec3, rest_centre: DVec3) -> Sums {
        Sums { mass, centre, rest_centre, a: DMat3::ZERO, scatter: DMat3::ZERO, size: 0.0 }
    }

    /// Of what has these sums, each told by its entry and the place of that, weighted by the entries over the mass of each part.
    fn of(members: &[Entry], part: impl Fn(&Entry, usize) -> Sums) -> Sums {
        let mut all = Sums::point(0.0, DVec3::ZERO, DVec3::ZERO);
        for (k, e) in members.iter().enumerate() {
            let (part, m) = (part(e, k), f64::from(e.weight));
            all.mass += m;
            all.centre += part.centre * m;
            all.rest_centre += part.rest_centre * m;
        }
        // Only where a body has replaced clusters: nobody is left in it.
        if all.mass <= 0.0 {
            return all;
        }
        all.centre /= all.mass;
        all.rest_centre /= all.mass;
        for (k, e) in members.iter().enumerate() {
            let (part, m) = (part(e, k), f64::from(e.weight));
            let (p, q) = (part.centre - all.centre, part.rest_centre - all.rest_centre);
            let share = if part.mass > 0.0 { m / part.mass } else { 0.0 };
            all.a += outer(p, q) * m + part.a * share;
            all.scatter += outer(q, q) * m + part.scatter * share;
            all.size += p.length_squared() * m + part.size * share;
        }
        all
    }

    /// Σ m |p - M q|².
    fn missed(&self, m: DMat3) -> f64 {
        let dot =
            |a: DMat3, b: DMat3| a.x_axis.dot(b.x_axis) + a.y_axis.dot(b.y_axis) + a.z_axis.dot(b.z_axis);
        (self.size - 2.0 * dot(m, self.a) + dot(m, m * self.scatter)).max(0.0)
    }

    /// Seen from a level whose rest space has it at `centre`, deformed by `m`.
    fn placed(&self, centre: DVec3, m: DMat3) -> Sums {
        let (a, scatter) = (self.a * m.transpose(), m * self.scatter * m.transpose());
        Sums { rest_centre: centre, a, scatter, ..*self }
    }

    /// The rotation of the cluster about what lasts of its deformation; from the stretch if its A_rr⁻¹ is
    /// given.
    fn turn(&self, lasting: DMat3, inverse: Option<DMat3>) -> DMat3 {
        let wanted = match inverse {
            None => self.a * lasting.transpose(),
            Some(inverse) => self.a * inverse * lasting.inverse(),
        };
        let q = rotation::closest_surely(wanted.to_cols_array_2d(), [0.0, 0.0, 0.0, 1.0]);
        DMat3::from_quat(Quat::from_array(q).as_dquat().normalize())
    }
}

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// let body = world.body_mut(id)?;
/// assert!(body.elastic_energy(1.0 / 240.0)? < 1e-6, "at rest in itself");
/// body.deform(|p| p * glam::Vec3::new(1.2, 1.0, 1.0))?;
/// assert!(body.elastic_energy(1.0 / 240.0)? > 1.0, "joules, for substeps of that length");
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Energy of the deformation, joules, as substeps of `h` seconds feel it: the potential of the
    /// pull to the goals. Above 0 and up to 10; a world's steps take `dt` over its substeps.
    ///
    /// With [`Stiffness::Hertz`] it does not depend on `h` up to where that bounds the stiffness,
    /// α ≤ 2; with [`Stiffness::PerStep`] it goes with 1/h². In free flight without damping it and
    /// the kinetic energy sum up to a constant, velocities being those of half a substep before
    /// the positions. Exact for [`Rotation::Momentum`] with rigid or quadratic goals;
    /// [`Rotation::Stretch`] and the unit volume of linear goals are no potential's gradient, and
    /// the energy is then that of the distance to the goals.
    ///
    /// Takes about as long as four substeps on one thread, with quadratic goals twenty; allocates.
    ///
    /// [`Stiffness::Hertz`]: crate::Stiffness::Hertz
    /// [`Stiffness::PerStep`]: crate::Stiffness::PerStep
    pub fn elastic_energy(&self, h: f32) -> Result<f32, Error> {
        within("h", h, f32::MIN_POSITIVE, 10.0, "above 0 and at most 10 seconds")?;
        let held = self.held_now();
        let matched = Matched::of(self.tables(), held.as_deref());
        let (mut energy, mut below) = (0.0, Vec::new());
        let mut goals = Vec::new();
        for l in 0..self.shape().levels().len() {
            let strengths = self.strengths(l, h);
            let sums = self.sums(matched, l, &below);
            for (c, sums) in sums.iter().enumerate() {
                let k = f64::from(strengths.of(c).stiffness) / f64::from(h);
                if sums.mass == 0.0 {
                    continue;
                }
                let (missed, turn) = self.missed(matched, self.tables().range(l).start + c, sums);
                energy += 0.5 * k * missed;
                goals.push((0.5 * k, turn, *sums));
            }
            below = sums;
        }
        if let (Some(quadratic), Goals::Quadratic { beta }) = (&self.quadratic, self.material().goals) {
            let away = |i: usize, c: usize| {
                let (_, turn, sums) = &goals[c];
                let at = |v: &glam::Vec4| v.truncate().as_dvec3();
                let q = at(&self.shape().rest()[i]) - sums.rest_centre;
                at(&self.x[i]) - sums.centre - *turn * q
            };
            let met = quadratic.met(self.shape(), away);
            energy -= f64::from(beta) * goals.iter().zip(met).map(|((k, ..), met)| k * met).sum::<f64>();
        }
        Ok(energy.max(0.0) as f32)
    }

    /// The sums of a level's clusters, `below` being those of the level below.
    fn sums(&self, matched: Matched, level: usize, below: &[Sums]) -> Vec<Sums> {
        let shape = self.tables();
        let members = matched.members(level);
        let at = |v: glam::Vec4| v.truncate().as_dvec3();
        let particle = |e: &Entry| {
            let i = e.index as usize;
            Sums::point(shape.masses()[i].into(), at(self.x[i]), at(shape.rest()[i]))
        };
        let child = |i: usize| match &self.plastic {
            None => below[i],
            Some(plastic) => {
                let frame = plastic.frames[shape.range(level - 1).start + i];
                below[i].placed(at(frame.centre), frame.stretch.as_dmat3())
            }
        };
        let apart = |e: &Entry, k: usize| match &self.reclustered {
            Some(own) => Sums { rest_centre: particle(e).rest_centre + at(own.apart[k]), ..particle(e) },
            None => particle(e),
        };
        let sums = |c: usize| match shape.sums_children(level) {
            true => Sums::of(members.row(c), |e, _| child(e.index as usize)),
            false => Sums::of(members.row(c), |e, k| apart(e, members.starts()[c] as usize + k)),
        };
        (0..members.rows()).map(sums).collect()
    }

    /// Σ m |x - T r|² over cluster `c`, counted across levels, and its goal. What quadratic
    /// goals meet better is not taken off.
    fn missed(&self, matched: Matched, c: usize, sums: &Sums) -> (f64, DMat3) {
        let dent = self.plastic.as_ref().and_then(|plastic| plastic.dents.get(c));
        let lasting = dent.map_or(DMat3::IDENTITY, |dent| dent.fp.as_dmat3());
        let undented = self.plastic.as_deref().filter(|_| dent.is_none());
        let inverse = AtRest::of(matched, undented).inverse[c];
        let inverse = || DMat3::from_cols_array_2d(&full(inverse.map(f64::from)));
        let stretch = self.material().rotation == Rotation::Stretch;
        let turn = sums.turn(lasting, stretch.then(inverse)) * lasting;
        let rigid = sums.missed(turn);
        let Goals::Linear { beta } = self.material().goals else { return (rigid, turn) };
        let inverse = inverse();
        let f = sums.a * inverse + turn * (DMat3::IDENTITY - sums.scatter * inverse);
        let volume = f.determinant();
        let linear = if volume > 0.0 { f * (1.0 / libm::cbrt(volume)).clamp(0.8, 1.25) } else { turn };
        let beta = f64::from(beta);
        (rigid * (1.0 - beta) + sums.missed(linear) * beta, turn)
    }
}
