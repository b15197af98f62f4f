//! Contacts and bodies as wholes.
//!
//! A contact stops the particles that touch, and the pull of the clusters brings the rest to bear only in later substeps. Of a stiff body
//! of many particles so few touch that it would be through a thin one before they have stopped it. But the coarsest level pulls
//! all of a body along, within a quarter of a step by a certain share. By that share a contact acts on the body as a whole, too, as if it were rigid.
//!
//! Reads the motion of the coarsest level; what comes of it is owed (`drift.rs`), which costs nothing for particles. Contacts of a body share it
//! as they share a particle (`response.rs`). Two bodies are stopped as wholes, or bounce as their surfaces do, and no more but for
//! what gravity gives: by this, deformation that contacts caused cannot throw them apart.

use glam::{Mat3A, Quat, Vec3A, Vec4};

use crate::body::Body;
use crate::drift;
use crate::matching::Moments;

/// Share of an overlap that goes in a substep: what lies on a thing that yields is carried, and does not creep into it. With more of it
/// stacks tremble.
const LIFT: f32 = 0.05;
/// How many times what gravity gives both bodies in a substep that may be at most.
const BORNE: f32 = 3.0;

/// The share of a step over which the pull is looked at, if substeps are shorter: the more there are, the less it does in each, and
/// contacts would stop a body the less the more precisely it is looked at.
const AHEAD: f32 = 0.25;

/// A body as contacts use it.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Whole {
    /// The share of it that the pull brings to bear; 0 if there is nothing to be used.
    share: f32,
    pub(crate) origin: Vec3A,
    pub(crate) centre: Vec3A,
    velocity: Vec3A,
    omega: Vec3A,
    /// The speed that gravity and the like give it in the substep, m/s.
    gain: f32,
    inverse_mass: f32,
    /// What a turn that the coarsest level brings about acts against.
    pub(crate) inverse_inertia: Mat3A,
    /// How many contacts share it.
    pub(crate) contacts: f32,
}

impl Whole {
    /// Of a body in a substep of `h` seconds of a step of `dt`, in which gravity gives it `gain`. How many contacts share it is told
    /// once they are counted.
    pub(crate) fn of(body: &Body, gain: f32, (dt, h): (f32, f32)) -> Whole {
        let shape = body.tables();
        let Some((coarsest, gained)) = shape.levels().len().checked_sub(1).zip(body.gained) else {
            return Whole { inverse_inertia: at_rest(body), ..Whole::default() };
        };
        let (clusters, moments) = (shape.clusters(coarsest), &body.moments[shape.range(coarsest)]);
        let share =
            (body.strength(coarsest, h).stiffness * h.max(AHEAD * dt)).min(1.0) / clusters.len() as f32;
        let (mut mass, mut centre, mut velocity) = (0.0, Vec3A::ZERO, Vec3A::ZERO);
        for (cluster, moments) in clusters.iter().zip(moments) {
            mass += cluster.mass;
            centre += Vec3A::from_vec4(moments.centre) * cluster.mass;
            velocity += Vec3A::from_vec4(moments.velocity) * cluster.mass;
        }
        // Moments are of the beginning of the substep.
        let velocity = velocity / mass + Vec3A::from_vec4(gained.slip);
        let centre = Vec3A::from_vec4(body.origin) + centre / mass + velocity * h;
        let (turns, inertia) = match (moments, body.fits.last()) {
            ([whole], Some(fit)) => (fit.omega, inverse_inertia(whole, fit.rotation)),
            _ => (Vec4::ZERO, None),
        };
        Whole {
            share: if share.is_finite() && centre.is_finite() { share } else { 0.0 },
            origin: Vec3A::from_vec4(body.origin),
            centre,
            velocity,
            omega: Vec3A::from_vec4(turns + gained.spin),
            gain,
            inverse_mass: 1.0 / shape.mass(),
            inverse_inertia: inertia.unwrap_or_else(|| at_rest(body)),
            contacts: 0.0,
        }
    }

    /// How fast the impulse of one contact makes its point move, 1/kg.
    fn yielding(&self, point: Vec3A, normal: Vec3A) -> f32 {
        let arm = (point - self.centre).cross(normal);
        (self.inverse_mass + arm.dot(self.inverse_inertia * arm)) * self.contacts
    }
}

/// The contacts of two bodies that close, taken together.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Closing {
    pub(crate) contacts: u32,
    /// The sum of their normals.
    facing: Vec3A,
    /// The sum of their moments about the origin of the body whose particles they are.
    arms: Vec3A,
}

impl Closing {
    /// Adds one, `arm` from the origin.
    #[inline(always)]
    pub(crate) fn add(&mut self, arm: Vec3A, normal: Vec3A) {
        self.contacts += 1;
        self.facing += normal;
        self.arms += arm.cross(normal);
    }

    /// How fast `a` closes on `b` in the mean, m/s; 0 if there is nothing to be used of one. A ball that rolls closes before its middle and
    /// parts behind it.
    pub(crate) fn speed(&self, a: &Whole, b: &Whole) -> f32 {
        if self.contacts == 0 || a.share <= 0.0 || b.share <= 0.0 {
            return 0.0;
        }
        let moves = |whole: &Whole| {
            let arms = self.arms - (whole.centre - a.origin).cross(self.facing);
            whole.velocity.dot(self.facing) + whole.omega.dot(arms)
        };
        (moves(b) - moves(a)) / self.contacts as f32
    }
}

/// How fast two bodies are to part, m/s, where a contact is `depth` metres deep.
pub(crate) fn lift(a: &Whole, b: &Whole, depth: f32, h: f32) -> f32 {
    (LIFT * depth / h).min(BORNE * (a.gain + b.gain))
}

/// The impulse along the normal that a contact gives `a` as a whole, N s. Its particles meet at the speed `approach`, and the bodies, which
/// close, are to change their speed by `part`.
pub(crate) fn push(a: &Whole, b: &Whole, point: Vec3A, normal: Vec3A, approach: f32, part: f32) -> f32 {
    let (of_a, of_b) = (a.yielding(point, normal), b.yielding(point, normal));
    let pulled = approach / (of_a / a.share + of_b / b.share);
    pulled.min(part / (of_a + of_b))
}

/// A squashed body has another inertia than at rest. None for what is as thin as a strand, which has none about itself.
fn inverse_inertia(whole: &Moments, rotation: Vec4) -> Option<Mat3A> {
    let [x, y, z] = whole.columns().map(Vec3A::from_vec4);
    let turned = Mat3A::from_cols(x, y, z) * Mat3A::from_quat(Quat::from_vec4(rotation)).transpose();
    let stretch = (turned + turned.transpose()) * 0.5;
    let trace = stretch.x_axis.x + stretch.y_axis.y + stretch.z_axis.z;
    let inertia = Mat3A::from_diagonal(glam::Vec3::splat(trace)) - stretch;
    (inertia.determinant() > THICK * trace.powi(3)).then(|| inertia.inverse())
}

/// A cube's is 8/27.
const THICK: f32 = 1e-3;

fn at_rest(body: &Body) -> Mat3A {
    let rotation = body.fits.last().map_or(Vec4::W, |coarsest| coarsest.rotation);
    drift::turned(body.shape.inverse_inertia(), rotation)
}
