//! Cutting and breaking: clusters torn in two, coarse levels let go across the crack, pieces as shapes of their own.
//!
//! ```text
//! strain      which cluster breaks first, and along which plane       (Crack, body/breaking.rs)
//! tear        clusters that a plane crosses are split by it            (tear.rs)
//! release     coarse clusters that hold together what is torn, too     (tear.rs)
//! pieces      what no finest cluster connects becomes shapes           (pieces.rs)
//! ```
//!
//! A host's plane, a blade and a fracture differ in where they reach only. Particles are neither added nor lost: they
//! change clusters. All of it runs on one thread, in ascending order, so the bits do not depend on threads. A step
//! in which something tears allocates, and the one after it, which finds the pieces' surfaces; others do not.

pub(crate) mod pieces;
pub(crate) mod sections;
pub(crate) mod tear;

use glam::{Vec3, Vec3A, Vec4};

use crate::error::{Error, finite, within};
use sections::Sections;

/// How a body breaks.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::Fracture;
///
/// let brittle = Fracture { toughness: 0.05, ..Fracture::default() };
/// world.body_mut(id)?.set_fracture(Some(brittle))?;
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fracture {
    /// The stretch beyond 1 at which a cluster breaks, 0.001 to 100: with 0.3 at 1.3 times its length. What is painted
    /// multiplies it; see [`Body::paint_toughness`](crate::Body::paint_toughness). Default 0.3.
    pub toughness: f32,
    /// Pieces of fewer particles fall into single ones, which are debris: one body whose particles fly freely. 1 to 1000;
    /// default 4.
    pub smallest: u32,
}

impl Default for Fracture {
    fn default() -> Self {
        Fracture { toughness: 0.3, smallest: 4 }
    }
}

/// ```
/// use wobble::Fracture;
///
/// assert!(Fracture { toughness: 0.0, ..Fracture::default() }.check().is_err());
/// ```
impl Fracture {
    /// Refuses what is out of range, naming the field and the value.
    pub fn check(&self) -> Result<(), Error> {
        within("toughness", self.toughness, 1e-3, 100.0, "from 0.001 to 100")?;
        within("smallest", self.smallest as f32, 1.0, 1000.0, "from 1 to 1000")
    }
}

/// What a host cuts with, in world space.
///
/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use glam::Vec3;
/// use wobble::Knife;
///
/// // A stroke that goes in by 0.2 m: the cube still hangs together.
/// let edge = [Vec3::new(0.0, 1.5, -1.0), Vec3::new(0.0, 1.5, 1.0)];
/// let stroke = Knife::Blade { from: edge, to: edge.map(|end| end - Vec3::Y * 0.45) };
/// assert_eq!(world.cut(id, &stroke)?, 1);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Knife {
    /// A plane without end.
    Plane {
        /// A point of it, metres.
        point: Vec3,
        /// Square to it; of any length above 1e-6.
        normal: Vec3,
    },
    /// The area that a straight edge sweeps on its way from one place to another.
    Blade {
        /// Both ends of the edge before, metres.
        from: [Vec3; 2],
        /// And after.
        to: [Vec3; 2],
    },
}

/// How far a cut reaches in its plane.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reach {
    Everywhere,
    Disc {
        centre: Vec3A,
        radius: f32,
    },
    /// The corners in order.
    Quad([Vec3A; 4]),
}

/// A plane, normal·x = offset, as far as it reaches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cut {
    pub(crate) normal: Vec3A,
    pub(crate) offset: f32,
    pub(crate) reach: Reach,
}

impl Knife {
    /// Refuses what has no direction.
    pub(crate) fn cut(&self) -> Result<Cut, Error> {
        let unit = |field, v: Vec3A| {
            let wanted = "above 1e-6, and finite";
            let length = v.length();
            let sound = length > 1e-6 && length.is_finite();
            sound.then(|| v / length).ok_or(Error::Value { field, value: length.into(), wanted })
        };
        match *self {
            Knife::Plane { point, normal } => {
                finite("point", point)?;
                finite("normal", normal)?;
                let normal = unit("normal (length)", normal.into())?;
                Ok(Cut { normal, offset: normal.dot(point.into()), reach: Reach::Everywhere })
            }
            Knife::Blade { from, to } => {
                for point in from.into_iter().chain(to) {
                    finite("blade", point)?;
                }
                let corners = [from[0], from[1], to[1], to[0]].map(Vec3A::from);
                let [a, b, c, d] = corners;
                let across = (c - a).cross(d - b) * 0.5;
                // The square root of the area: a length that tells whether the blade swept anything.
                let normal =
                    unit("blade (area swept, square root)", across / across.length().sqrt().max(1e-30))?;
                let middle = (a + b + c + d) * 0.25;
                Ok(Cut { normal, offset: normal.dot(middle), reach: Reach::Quad(corners) })
            }
        }
    }
}

impl Cut {
    /// How far a point is beyond the plane.
    pub(crate) fn height(&self, point: Vec3A) -> f32 {
        self.normal.dot(point) - self.offset
    }

    /// Whether the foot of a point lies where the cut reaches, or within `margin` of it.
    pub(crate) fn reaches(&self, point: Vec3A, margin: f32) -> bool {
        match self.reach {
            Reach::Everywhere => true,
            Reach::Disc { centre, radius } => {
                let from = point - centre;
                (from - self.normal * self.normal.dot(from)).length_squared() <= radius * radius
            }
            Reach::Quad(corners) => (0..4).all(|k| {
                let (from, to) = (corners[k], corners[(k + 1) % 4]);
                let inwards = self.normal.cross(to - from).normalize_or_zero();
                inwards.dot(point - from) >= -margin
            }),
        }
    }
}

/// A finest cluster that is stretched beyond its toughness.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Overstretched {
    /// Stretch beyond 1 over the toughness; 0 for one that is not.
    pub(crate) severity: f32,
    pub(crate) cluster: u32,
    /// Direction of the largest stretch, rest space.
    pub(crate) normal: Vec3A,
    /// Where along it the cluster breaks, metres.
    pub(crate) offset: f32,
}

/// What a body that can break remembers.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Breaking {
    pub(crate) rule: Option<Fracture>,
    /// What multiplies the toughness of each particle, in spatial order; empty where the shape's own map holds.
    pub(crate) painted: Vec<f32>,
    /// The last planes it broke along, rest space: cracks go on along them. Oldest first.
    pub(crate) cracks: Vec<Vec4>,
    /// For each finest cluster, seconds until it may break again; empty before the first break.
    pub(crate) relaxing: Vec<f32>,
    /// For each finest cluster, how far it was stretched in the substeps of this step.
    pub(crate) worst: Vec<Overstretched>,
    /// For each finest cluster, whether something grips the body near it; empty if nothing does.
    pub(crate) near_grip: Vec<bool>,
    /// What the load of the whole does to its sections.
    pub(crate) sections: Sections,
    /// Scratch for each particle.
    pub(crate) marks: Vec<bool>,
}

/// Cracks that are remembered.
const CRACKS: usize = 32;
/// How long what was torn relaxes before it can break again, s.
pub(crate) const RELAXING: f32 = 0.05;

impl Breaking {
    /// The plane, normal and offset, along which a cluster at `centre` that is `width` wide breaks: that of a crack which
    /// comes near it, or the one that was found.
    pub(crate) fn plane(&self, found: &Overstretched, centre: Vec3A, width: f32) -> Vec4 {
        let normal = found.normal;
        let near = |crack: &&Vec4| {
            let other = Vec3A::from_vec4(**crack);
            normal.dot(other).abs() > 0.8 && (other.dot(centre) - crack.w).abs() < 0.5 * width
        };
        let known = self.cracks.iter().rev().find(near);
        known.copied().unwrap_or(normal.extend(found.offset))
    }

    /// Whether a cluster was torn a moment ago.
    pub(crate) fn is_relaxing(&self, cluster: usize) -> bool {
        self.relaxing.get(cluster).is_some_and(|left| *left > 0.0)
    }

    /// Keeps what is worse than what is known of its cluster.
    pub(crate) fn note(&mut self, found: Overstretched) {
        let worst = &mut self.worst[found.cluster as usize];
        if found.severity > worst.severity {
            *worst = found;
        }
    }

    /// Remembers a plane.
    pub(crate) fn remember(&mut self, plane: Vec4) {
        if !self.cracks.contains(&plane) {
            if self.cracks.len() == CRACKS {
                self.cracks.remove(0);
            }
            self.cracks.push(plane);
        }
    }

    /// Heap bytes held.
    pub(crate) fn bytes(&self) -> usize {
        (self.painted.capacity() + self.relaxing.capacity()) * 4
            + self.cracks.capacity() * size_of::<Vec4>()
            + self.worst.capacity() * size_of::<Overstretched>()
            + self.near_grip.capacity()
            + self.marks.capacity()
            + self.sections.bytes()
    }
}
