//! A body at rest: how long it has been, whether it sleeps, and what a host may do about it.

use glam::{Vec3A, Vec4};

use super::Body;
use crate::collide::bounds::Bounds;

/// No island.
pub(crate) const ALONE: u32 = u32::MAX;

/// What a body knows about its rest.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rest {
    /// Whether it may fall asleep by itself.
    pub(crate) allowed: bool,
    pub(crate) asleep: bool,
    /// The lowest place of a body in the island that it fell asleep with. It stays until the next step
    /// when the body is woken, so that the step wakes the island.
    pub(crate) island: u32,
    /// How long it has been slow, s.
    pub(crate) calm: f32,
    /// Around a body that sleeps, as far as its particles reach.
    pub(crate) bounds: Bounds,
}

impl Default for Rest {
    fn default() -> Self {
        Rest { allowed: true, asleep: false, island: ALONE, calm: 0.0, bounds: Bounds::EMPTY }
    }
}

/// How much further than the whole body a single particle may move.
const LOOSE: f32 = 4.0;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// let body = world.body_mut(id)?;
/// body.set_can_sleep(true);
/// body.put_to_sleep();
/// assert!(body.can_sleep() && body.is_sleeping());
/// body.wake();
/// assert!(!body.is_sleeping());
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// Whether the body may fall asleep once it is at rest.
    pub fn can_sleep(&self) -> bool {
        self.rest.allowed
    }

    /// Lets the body fall asleep once it is at rest, or keeps it awake. Bodies whose weight a host
    /// hands on to rigid bodies of its own are best kept awake: one that sleeps pushes nothing.
    pub fn set_can_sleep(&mut self, can_sleep: bool) {
        self.rest.allowed = can_sleep;
        if !can_sleep {
            self.wake();
        }
    }

    /// Whether the body sleeps: steps pass over it, and it stays where it is.
    pub fn is_sleeping(&self) -> bool {
        self.rest.asleep
    }

    /// Wakes the body; the next step wakes those that fell asleep with it. A body that is awake begins
    /// to count its time at rest anew.
    pub fn wake(&mut self) {
        (self.rest.asleep, self.rest.calm) = (false, 0.0);
    }

    /// Puts the body to sleep where it is, whatever it does: its velocities and the forces on it are gone.
    /// Whatever is awake and touches it or is joined to it wakes it again.
    pub fn put_to_sleep(&mut self) {
        if !self.rest.asleep && self.takes_part() {
            self.fall_asleep(ALONE);
        }
    }

    /// Stops the body where it is. Moments and fits stay as the last match left them: others that come
    /// near look at them.
    pub(crate) fn fall_asleep(&mut self, island: u32) {
        for v in &mut self.v {
            *v = Vec4::W * v.w;
        }
        self.previous.copy_from_slice(&self.x);
        self.forget_forces();
        let bounds = self.reach();
        self.rest = Rest { asleep: true, island, bounds, ..self.rest };
        self.touched();
    }

    /// The box around what the particles keep free for themselves.
    pub(crate) fn reach(&self) -> Bounds {
        Bounds::of(self.x.iter().map(|x| Vec3A::from_vec4(*x))).grown(self.radius)
    }

    /// To be called whenever a host changed positions or velocities.
    pub(crate) fn disturbed(&mut self) {
        self.touched();
        self.wake();
    }

    /// Whether the body as a whole has moved by no more than `way`, metres, in the last step, and no particle by
    /// much more. Velocities would not do: what presses a particle gives it some that its contacts take back. A
    /// body that moves is found out by its first particles.
    pub(crate) fn has_stayed(&self, way: f32) -> bool {
        let (mut sum, square) = (0.0, way * way);
        for ((x, from), mass) in self.x.iter().zip(&self.previous).zip(self.shape.masses()) {
            let own = Vec3A::from_vec4(*x - *from).length_squared();
            if own > square * (LOOSE * LOOSE) {
                return false;
            }
            sum += own * mass;
        }
        sum <= square * self.shape.mass()
    }
}
