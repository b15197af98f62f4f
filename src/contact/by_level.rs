//! What a body stands on carries it at several levels, from the coarsest down, each by that level's own motion.
//!
//! A contact that holds the particles alone that touch carries the whole body with their springs, each of its own mass: they yield in
//! proportion to the number of layers above them. So an impulse at a contact goes to the clusters that hold the particle, by their
//! weights, and changes their rigid motion; with it go all their members.
//!
//! For a level, contact i closes at u_i, by the rigid motions of its clusters and what coarser levels took before. It is to lose r_i of
//! that, and gets the impulse λ_i = r_i / D_i, where D_i = Σ_c w_ic N_c k_ic is a bound on the row sum of the level's contact matrix (mass splitting): N_c is
//! how many contacts share cluster c, and k_ic how fast a unit impulse of i makes it move. All impulses together give the energy E / 2 to
//! clusters at rest, and Σ λ_i r_i is at least E. So they are multiplied by Σ λ_i r_i / E, which takes the most energy away that impulses
//! in these proportions can. Since r_i is at most u_i, kinetic energy never rises. An impulse and what it does to a cluster have the
//! same momentum and the same angular momentum.
//!
//! Reads moments and fits; writes what each cluster gains. Contacts and clusters are taken in their order, on one thread.

use std::ops::Range;

use glam::{Mat3A, Vec3, Vec3A, Vec4};

use super::holds::Rows;
use crate::fitting::{Fit, Rigid};
use crate::goals::{Pull, scatter_matrix};
use crate::matching::Moments;
use crate::shape::RestCluster;

/// The inertia that a squashed cluster keeps, as the third power of a share of what it has at rest; with less of it, it tells no turn.
const THIN: f32 = 1e-5;
/// The share of the whole inertia that is added where a direction is missing, as a strand's about itself is.
const LEAST: f32 = 1e-3;

/// What contacts gave a cluster in this substep.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Gain {
    /// m/s.
    pub(crate) velocity: Vec3A,
    /// rad/s.
    pub(crate) omega: Vec3A,
}

impl Gain {
    /// Adds it to the pull of a cluster whose centre is there.
    #[inline]
    pub(crate) fn add_to(&self, pull: &mut Pull, rigid: &Rigid, centre: Vec4) {
        let turned = |v: Vec4| self.omega.cross(Vec3A::from_vec4(v));
        let [a, b, c] = rigid.columns.map(turned);
        // The shift less the centre is -R r̄.
        let shift = self.velocity + turned(rigid.shift - centre);
        pull.rows[0] += Vec4::new(a.x, b.x, c.x, shift.x);
        pull.rows[1] += Vec4::new(a.y, b.y, c.y, shift.y);
        pull.rows[2] += Vec4::new(a.z, b.z, c.z, shift.z);
    }
}

/// Adds to the pulls of the clusters `all` what they gained; `gains` is of all clusters of the body, or empty.
pub(crate) fn add_gains(
    gains: &[Gain],
    all: Range<usize>,
    moments: &[Moments],
    rigid: &[Rigid],
    pulls: &mut [Pull],
) {
    if let Some(gains) = gains.get(all.clone()) {
        for ((gain, pull), c) in
            gains.iter().zip(pulls).zip(all).filter(|((gain, _), _)| **gain != Gain::default())
        {
            gain.add_to(pull, &rigid[c], moments[c].centre);
        }
    }
}

/// A cluster that holds particles in contact.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Held {
    /// About the body's origin, metres.
    centre: Vec3A,
    velocity: Vec3A,
    omega: Vec3A,
    inverse_mass: f32,
    /// From a turning impulse to the angular velocity that its members get.
    turning: Mat3A,
    /// From an angular velocity to twice the energy that it gives its members.
    inertia: Mat3A,
    /// How many contacts share it.
    crowd: f32,
    /// What it gets from them, N s, and about its centre, N m s.
    push: Vec3A,
    twist: Vec3A,
}

impl Held {
    pub(crate) fn of(
        cluster: &RestCluster,
        scatter: &[f32; 6],
        moments: &Moments,
        fit: &Fit,
        rigid: &Rigid,
    ) -> Held {
        let [x, y, z] = rigid.columns.map(Vec3A::from_vec4);
        let goal = Mat3A::from_cols(x, y, z);
        let [x, y, z] = moments.columns().map(Vec3A::from_vec4);
        // Σ m d (M q)ᵀ, d being where a member is from the centre and M q where the goal has it.
        let levers = Mat3A::from_cols(x, y, z) * goal.transpose();
        let inertia = about(&(goal * scatter_matrix(scatter) * goal.transpose()));
        Held {
            centre: Vec3A::from_vec4(moments.centre),
            velocity: Vec3A::from_vec4(moments.velocity),
            omega: Vec3A::from_vec4(fit.omega),
            inverse_mass: cluster.inverse_mass,
            turning: inverse(about(&levers).transpose(), &inertia),
            inertia,
            ..Held::default()
        }
    }

    /// How fast a unit impulse at a place makes it move, in terms of energy, 1/kg.
    #[inline(always)]
    fn yielding(&self, at: Vec3A, normal: Vec3A) -> f32 {
        let turned = self.turning * (at - self.centre).cross(normal);
        self.inverse_mass + turned.dot(self.inertia * turned)
    }

    /// Gets an impulse at a place.
    #[inline(always)]
    fn take(&mut self, at: Vec3A, push: Vec3A) {
        self.push += push;
        self.twist += (at - self.centre).cross(push);
    }

    /// What it gets makes of it.
    fn gain(&self) -> Gain {
        Gain { velocity: self.push * self.inverse_mass, omega: self.turning * self.twist }
    }

    /// Twice the energy that what it gets would give it at rest, joules.
    fn energy(&self) -> f32 {
        let Gain { velocity, omega } = self.gain();
        self.push.dot(velocity) + omega.dot(self.inertia * omega)
    }
}

/// tr(m) I - m.
fn about(m: &Mat3A) -> Mat3A {
    Mat3A::from_diagonal(Vec3::splat(trace(m))) - *m
}

fn trace(m: &Mat3A) -> f32 {
    m.x_axis.x + m.y_axis.y + m.z_axis.z
}

/// From a turning impulse to an angular velocity: the inverse of `levers`, or of the inertia at `rest` where those of a cluster that is
/// squashed or inside out tell nothing.
fn inverse(levers: Mat3A, rest: &Mat3A) -> Mat3A {
    let size = trace(rest);
    let inverse = if trace(&levers) > 0.0 && levers.determinant() > THIN * size * size * size {
        levers.inverse()
    } else {
        (*rest + Mat3A::from_diagonal(Vec3::splat(LEAST * size))).inverse()
    };
    if size > 0.0 && inverse.is_finite() { inverse } else { Mat3A::ZERO }
}

/// A particle in contact with something that does not yield.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Contact {
    /// Where it is, metres, about the body's origin.
    pub(crate) at: Vec3A,
    /// Out of what it touches.
    pub(crate) normal: Vec3A,
    /// Velocity of what it touches there, m/s.
    pub(crate) against: Vec3A,
    /// How far away it still is, metres; below 0 inside.
    pub(crate) gap: f32,
    /// The velocity that it gains in this substep from what acts on all of the body and from coarser levels, m/s.
    pub(crate) gained: Vec3A,
    /// The impulse along the normal that all levels gave it, N s.
    pub(crate) carried: f32,
    /// How fast it closes in the present level, m/s.
    pub(crate) closing: f32,
    /// What it is to lose of that, and the impulse for it, N s.
    pub(crate) asked: f32,
    pub(crate) impulse: f32,
}

/// What a level takes of the speed at which contacts close.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Taking {
    /// How much of a level this is, 0 to 1.
    pub(crate) share: f32,
    /// The most that it takes in a substep, m/s.
    pub(crate) most: f32,
}

/// How many times what gravity gives in a substep a body closes at most, in the mean of its contacts, that lies and does not land.
const LYING: f32 = 2.0;

/// How much of what gravity gives is carried: all of it where the body lies, and ever less the faster it lands: springs are to bring
/// that back. Of the coarsest level that acts, once it is measured.
pub(crate) fn calmness(contacts: &[Contact], gravity: f32) -> f32 {
    let mean = contacts.iter().map(|contact| contact.closing.max(0.0)).sum::<f32>() / contacts.len() as f32;
    if mean > LYING * gravity { LYING * gravity / mean } else { 1.0 }
}

/// How fast contacts close in a level: by the motion of the clusters that hold them, and what they gained so far.
pub(crate) fn measure(contacts: &mut [Contact], rows: &Rows, held: &[Held], h: f32) {
    for (k, contact) in contacts.iter_mut().enumerate() {
        let mut velocity = contact.gained - contact.against;
        for e in rows.row(k) {
            let held = &held[e.index as usize];
            velocity += (held.velocity + held.omega.cross(contact.at - held.centre)) * e.weight;
        }
        contact.closing = -contact.normal.dot(velocity) - contact.gap.max(0.0) / h;
    }
}

/// Lets the contacts of a level that was measured act on the clusters that hold them, and tells `gains` what these get, in the order of the
/// body's shape.
pub(crate) fn act(
    contacts: &mut [Contact],
    rows: &Rows,
    held: &mut [Held],
    gains: &mut [Gain],
    taking: Taking,
) {
    for (k, contact) in contacts.iter_mut().enumerate() {
        contact.asked = contact.closing.min(taking.most).max(0.0) * taking.share;
        if contact.asked > 0.0 {
            rows.row(k).iter().for_each(|e| held[e.index as usize].crowd += e.weight);
        }
    }
    let mut work = 0.0;
    for (k, contact) in contacts.iter_mut().enumerate() {
        let yielding = |held: &Held| held.crowd * held.yielding(contact.at, contact.normal);
        let sum: f32 = rows.row(k).iter().map(|e| e.weight * yielding(&held[e.index as usize])).sum();
        let impulse = contact.asked / sum;
        contact.impulse = if impulse.is_finite() { impulse } else { 0.0 };
        work += contact.impulse * contact.asked;
        for e in rows.row(k) {
            held[e.index as usize].take(contact.at, contact.normal * (e.weight * contact.impulse));
        }
    }
    let energy: f32 = held.iter().map(Held::energy).sum();
    let scale = if energy > 0.0 && energy.is_finite() { (work / energy).max(1.0) } else { 1.0 };
    for (held, &c) in held.iter_mut().zip(&rows.clusters) {
        (held.push, held.twist) = (held.push * scale, held.twist * scale);
        gains[c as usize] = held.gain();
    }
    for (k, contact) in contacts.iter_mut().enumerate() {
        contact.carried += contact.impulse * scale;
        for e in rows.row(k) {
            let Gain { velocity, omega } = gains[rows.clusters[e.index as usize] as usize];
            let arm = contact.at - held[e.index as usize].centre;
            contact.gained += (velocity + omega.cross(arm)) * e.weight;
        }
    }
}

#[cfg(test)]
mod tests;
