//! The outside of a body at the beginning of a step, as its contacts are looked for.
//!
//! Reads positions and velocities of surface particles and how the coarsest cluster is turned; writes boxes, and what is asked of each
//! particle side by side: contacts of a heap are found as fast as memory comes.

use glam::{Mat3A, Quat, Vec3A, Vec4};

use super::bounds::Bounds;
use super::proxies;
use crate::body::Body;

/// Surface particles in a block that is looked at or left out as a whole.
pub(crate) const BLOCK: usize = 64;
/// What a contact may be found early by, spacings of the coarser body: forces change velocities during the step.
pub(crate) const EARLY: f32 = 0.04;
/// Sizes at rest that a body may span or go in a step. Beyond it has gone wild, and would take with it what
/// it touches until it is frozen.
const WILD: f32 = 1000.0;

/// A surface particle.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Point {
    pub(crate) at: Vec3A,
    pub(crate) velocity: Vec3A,
}

impl Point {
    /// Positions before the step are those that the clusters' motions fit.
    fn of(body: &Body, particle: u32) -> Point {
        let [at, velocity] = [&body.previous, &body.v].map(|of| Vec3A::from_vec4(of[particle as usize]));
        Point { at, velocity }
    }

    /// A box of the way of the next `time` seconds.
    #[inline(always)]
    pub(crate) fn way(&self, time: f32) -> Bounds {
        Bounds::at(self.at).with(Bounds::at(self.at + self.velocity * time))
    }

    /// The same in a frame that is turned `back`.
    #[inline(always)]
    fn way_within(&self, back: Mat3A, time: f32) -> Bounds {
        let from = back * self.at;
        Bounds::at(from).with(Bounds::at(from + back * self.velocity * time))
    }
}

/// The outside of a body.
#[derive(Debug, Default)]
pub(crate) struct Outside {
    /// Its surface particles, in their order.
    pub(crate) points: Vec<Point>,
    /// How the world is turned as the whole body sees it.
    back: Mat3A,
    /// Where it may be during the step, as the body sees it: of one that lies askew much less than a box along the
    /// world's axes.
    bounds: Bounds,
}

impl Outside {
    /// Looks at a body that has neighbours.
    pub(crate) fn look(&mut self, body: &Body, time: f32) {
        let coarsest = body.fits.last().map_or(Vec4::W, |fit| fit.rotation);
        self.back = Mat3A::from_quat(Quat::from_vec4(coarsest)).transpose();
        self.points.clear();
        self.points.extend(body.shape.field().surface.iter().map(|s| Point::of(body, s.particle)));
        let ways = self.points.iter().map(|point| point.way_within(self.back, time));
        self.bounds = ways.fold(Bounds::default(), Bounds::with).grown(margin(body));
    }

    /// Whether two cannot touch.
    pub(crate) fn is_apart(&self, other: &Outside) -> bool {
        self.is_beside(other) || other.is_beside(self)
    }

    /// Whether another is beyond a side of this one's box.
    fn is_beside(&self, other: &Outside) -> bool {
        let turn = self.back * other.back.transpose();
        let Bounds { low, high } = other.bounds;
        let (middle, half) = (turn * ((low + high) * 0.5), (high - low) * 0.5);
        let half = turn.x_axis.abs() * half.x + turn.y_axis.abs() * half.y + turn.z_axis.abs() * half.z;
        let there = Bounds { low: middle - half, high: middle + half };
        there.low.cmpgt(self.bounds.high).any() || self.bounds.low.cmpgt(there.high).any()
    }

    /// Whether a particle of another comes within `margin` in the next `time` seconds.
    #[inline(always)]
    pub(crate) fn is_near(&self, point: &Point, time: f32, margin: f32) -> bool {
        point.way_within(self.back, time).grown(margin).meets(&self.bounds)
    }
}

/// Boxes of a body's surface, a block of particles each, and of all of it over the next `time` seconds;
/// an empty one for a body that has gone wild.
pub(crate) fn boxes(body: &Body, time: f32, blocks: &mut Vec<Bounds>) -> Bounds {
    let field = body.shape.field();
    blocks.clear();
    blocks.extend(field.surface.chunks(BLOCK).map(|block| {
        block.iter().fold(Bounds::default(), |sum, s| sum.with(Point::of(body, s.particle).way(time)))
    }));
    let all = blocks.iter().fold(Bounds::default(), |sum, block| sum.with(*block));
    if (all.high - all.low).max_element() > WILD * field.size() {
        return Bounds::default();
    }
    all.grown(margin(body))
}

/// How far from its surface particles a body may begin, metres, with what contacts are found early by.
fn margin(body: &Body) -> f32 {
    let field = body.shape.field();
    let proxies = if body.touch.proxies { proxies::reach(&body.shape) } else { 0.0 };
    EARLY * field.spacing + field.skin + body.radius + proxies
}
