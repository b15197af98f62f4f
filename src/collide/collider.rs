//! Colliders: what the host puts in the way of bodies.

/// Names a collider of a world; of no use to another world or after removal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ColliderId {
    pub(crate) world: u32,
    pub(crate) index: u32,
    pub(crate) generation: u32,
}
