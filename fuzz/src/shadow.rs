//! What must be alive by the calls made so far, and what must not.

use std::rc::Rc;

use wobble::capi::handles::{WobbleBody, WobbleCollider, WobbleShape, WobbleWorld};

use crate::driver::Driver;

/// What is known of a rest shape.
#[derive(Debug, PartialEq)]
pub struct ShapeInfo {
    /// Particles.
    pub particles: u32,
    /// Vertices of the mesh that bodies carry.
    pub vertices: u32,
    /// Indices of its triangles.
    pub indices: u32,
    /// Clusters of each level, finest first.
    pub clusters: Vec<u32>,
    /// What tells it from others.
    pub fingerprint: u64,
}

/// A shape with the references that the host holds.
pub struct ShapeShadow {
    pub handle: WobbleShape,
    pub references: u32,
    pub info: Rc<ShapeInfo>,
}

/// A body.
#[derive(Clone)]
pub struct BodyShadow {
    pub handle: WobbleBody,
    pub info: Rc<ShapeInfo>,
}

/// A world.
pub struct WorldShadow {
    pub handle: WobbleWorld,
    pub bodies: Vec<BodyShadow>,
    pub colliders: Vec<WobbleCollider>,
    /// Whether a step in the background was begun and not waited for.
    pub stepping: bool,
    /// Whether bodies may be in pieces.
    pub fragile: bool,
}

/// What kind of bytes the library gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Shape,
    Body,
    World,
}

/// Bytes that the library gave.
pub struct Saved {
    pub kind: Kind,
    pub bytes: Vec<u8>,
    /// The world, or the world of the body.
    pub world: WobbleWorld,
    /// The bodies in it, or the one body.
    pub bodies: Vec<BodyShadow>,
    pub colliders: Vec<WobbleCollider>,
    /// Whether bodies may be in pieces.
    pub fragile: bool,
    /// Of a shape.
    pub info: Option<Rc<ShapeInfo>>,
}

/// A handle of any kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Any {
    World(u64),
    Shape(u64),
    Body(u64),
    Collider(u64),
    Attachment(u64),
    Field(u64),
}

impl Any {
    /// Its bits.
    pub fn bits(self) -> u64 {
        match self {
            Any::World(bits) | Any::Shape(bits) | Any::Body(bits) => bits,
            Any::Collider(bits) | Any::Attachment(bits) | Any::Field(bits) => bits,
        }
    }
}

/// Everything alive, and what once was.
#[derive(Default)]
pub struct Shadow {
    pub worlds: Vec<WorldShadow>,
    pub shapes: Vec<ShapeShadow>,
    pub saved: Vec<Saved>,
    pub dead: Vec<Any>,
}

/// What a call does with the object that a handle names.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Reads a body: also while its world steps in the background.
    Read,
    /// Anything else that must wait for the step.
    Change,
    /// Deals with the step itself.
    Always,
}

impl Shadow {
    /// Takes a world out, with all that lives in it.
    pub fn bury_world(&mut self, at: usize) {
        let world = self.worlds.swap_remove(at);
        self.dead.push(Any::World(world.handle.bits));
        self.dead.extend(world.bodies.iter().map(|b| Any::Body(b.handle.bits)));
        self.dead.extend(world.colliders.iter().map(|p| Any::Collider(p.bits)));
    }

    /// Where a world is.
    pub fn world_at(&self, handle: WobbleWorld) -> Option<usize> {
        self.worlds.iter().position(|w| w.handle == handle)
    }

    /// Where a shape is.
    pub fn shape_at(&self, handle: WobbleShape) -> Option<usize> {
        self.shapes.iter().position(|s| s.handle == handle)
    }

    /// World and place of a body.
    pub fn body_at(&self, handle: WobbleBody) -> Option<(usize, usize)> {
        let find = |w: &WorldShadow| w.bodies.iter().position(|b| b.handle == handle);
        self.worlds.iter().enumerate().find_map(|(i, w)| Some((i, find(w)?)))
    }

    /// The shape of a live body.
    pub fn info_of(&self, handle: WobbleBody) -> Option<Rc<ShapeInfo>> {
        self.body_at(handle).map(|(w, b)| Rc::clone(&self.worlds[w].bodies[b].info))
    }

    /// The worlds that do not step in the background.
    pub fn quiet_worlds(&self) -> Vec<WobbleWorld> {
        self.worlds.iter().filter(|w| !w.stepping).map(|w| w.handle).collect()
    }

    fn all(&self) -> Vec<Any> {
        let bodies = |w: &WorldShadow| w.bodies.iter().map(|b| Any::Body(b.handle.bits)).collect::<Vec<_>>();
        let colliders =
            |w: &WorldShadow| w.colliders.iter().map(|p| Any::Collider(p.bits)).collect::<Vec<_>>();
        let mut all: Vec<Any> = self.worlds.iter().map(|w| Any::World(w.handle.bits)).collect();
        all.extend(self.shapes.iter().map(|s| Any::Shape(s.handle.bits)));
        all.extend(self.worlds.iter().flat_map(bodies));
        all.extend(self.worlds.iter().flat_map(colliders));
        all
    }
}

impl Driver {
    /// Bits that name nothing of the kind that `is_kind` tells: null, stale, of another kind, made up.
    pub fn wrong(&mut self, is_kind: fn(&Any) -> bool) -> u64 {
        let all = self.shadow.all();
        let dead: Vec<Any> = self.shadow.dead.iter().copied().filter(is_kind).collect();
        let other: Vec<Any> = all.iter().copied().filter(|a| !is_kind(a)).collect();
        match self.dice.below(5) {
            0 => {}
            1 if !dead.is_empty() => return self.dead_bits(&dead),
            2 if !other.is_empty() => {
                self.bad();
                return self.dice.pick(&other).bits();
            }
            3 => {
                self.bad();
                return self.dice.bits();
            }
            4 if !all.is_empty() => {
                // May happen to be another live one.
                let bits = self.dice.pick(&all).bits() ^ 1 << self.dice.below(64);
                let live = all.iter().any(|a| a.bits() == bits && is_kind(a));
                if live {
                    self.unsure()
                } else {
                    self.bad()
                }
                return bits;
            }
            _ => {}
        }
        self.bad();
        0
    }

    fn dead_bits(&mut self, dead: &[Any]) -> u64 {
        self.bad();
        self.dice.pick(dead).bits()
    }

    /// A world, or in bad cases none.
    pub fn world(&mut self, for_use: Use) -> WobbleWorld {
        if self.shadow.worlds.is_empty() || self.spoil() {
            return WobbleWorld { bits: self.wrong(|a| matches!(a, Any::World(_))) };
        }
        let at = self.dice.index(self.shadow.worlds.len());
        let world = &self.shadow.worlds[at];
        let (handle, busy) = (world.handle, world.stepping && for_use != Use::Always);
        if busy {
            self.bad();
        }
        handle
    }

    /// A shape.
    pub fn shape(&mut self) -> WobbleShape {
        if self.shadow.shapes.is_empty() || self.spoil() {
            return WobbleShape { bits: self.wrong(|a| matches!(a, Any::Shape(_))) };
        }
        let at = self.dice.index(self.shadow.shapes.len());
        self.shadow.shapes[at].handle
    }

    /// A body.
    pub fn body(&mut self, for_use: Use) -> WobbleBody {
        let bodies = self.shadow.worlds.iter().flat_map(|w| w.bodies.iter().map(|b| (b.handle, w.stepping)));
        let bodies: Vec<(WobbleBody, bool)> = bodies.collect();
        if bodies.is_empty() || self.spoil() {
            return WobbleBody { bits: self.wrong(|a| matches!(a, Any::Body(_))) };
        }
        let (handle, stepping) = self.dice.pick(&bodies);
        if stepping && for_use == Use::Change {
            self.bad();
        }
        handle
    }

    /// A collider.
    pub fn collider(&mut self) -> WobbleCollider {
        let colliders = self.shadow.worlds.iter().flat_map(|w| w.colliders.iter().map(|p| (*p, w.stepping)));
        let colliders: Vec<(WobbleCollider, bool)> = colliders.collect();
        if colliders.is_empty() || self.spoil() {
            return WobbleCollider { bits: self.wrong(|a| matches!(a, Any::Collider(_))) };
        }
        let (handle, stepping) = self.dice.pick(&colliders);
        if stepping {
            self.bad();
        }
        handle
    }
}
