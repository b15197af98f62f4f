//! Boxes along the axes.

use glam::Vec3A;

/// A box that holds something; empty if low is above high.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Bounds {
    pub(crate) low: Vec3A,
    pub(crate) high: Vec3A,
}

impl Default for Bounds {
    fn default() -> Self {
        Bounds::EMPTY
    }
}

impl Bounds {
    /// Around nothing.
    pub(crate) const EMPTY: Bounds = Bounds { low: Vec3A::INFINITY, high: Vec3A::NEG_INFINITY };

    /// Around points.
    pub(crate) fn of(points: impl IntoIterator<Item = Vec3A>) -> Bounds {
        let grow = |b: Bounds, p: Vec3A| Bounds { low: b.low.min(p), high: b.high.max(p) };
        points.into_iter().fold(Bounds::EMPTY, grow)
    }

    /// Around one point.
    #[inline(always)]
    pub(crate) fn at(point: Vec3A) -> Bounds {
        Bounds { low: point, high: point }
    }

    /// `reach` around a point.
    pub(crate) fn about(point: Vec3A, reach: Vec3A) -> Bounds {
        Bounds { low: point - reach, high: point + reach }
    }

    /// Around both.
    #[inline(always)]
    pub(crate) fn with(self, other: Bounds) -> Bounds {
        Bounds { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Larger by `reach` on every side.
    pub(crate) fn grown(self, reach: f32) -> Bounds {
        Bounds { low: self.low - Vec3A::splat(reach), high: self.high + Vec3A::splat(reach) }
    }

    /// False for the empty box and for one of numbers that are not finite.
    pub(crate) fn is_sound(&self) -> bool {
        self.low.is_finite() && self.high.is_finite()
    }

    /// Whether the two have a point in common.
    #[inline(always)]
    pub(crate) fn meets(&self, other: &Bounds) -> bool {
        (self.low.cmple(other.high) & other.low.cmple(self.high)).all()
    }

    /// Whether a point is inside.
    #[inline(always)]
    pub(crate) fn holds(&self, point: Vec3A) -> bool {
        (self.low.cmple(point) & point.cmple(self.high)).all()
    }

    /// The square of a point's distance; 0 inside.
    #[inline(always)]
    pub(crate) fn distance_squared(&self, point: Vec3A) -> f32 {
        (point - point.clamp(self.low, self.high)).length_squared()
    }

    /// Where a ray enters, as a multiple of its direction; none if it misses or enters beyond `most`.
    #[inline(always)]
    pub(crate) fn enter(&self, origin: Vec3A, inverse: Vec3A, most: f32) -> Option<f32> {
        let (a, b) = ((self.low - origin) * inverse, (self.high - origin) * inverse);
        let (mut first, mut last) = (0.0, most);
        for (a, b) in a.to_array().into_iter().zip(b.to_array()) {
            // 0 times infinity is no number: the ray does not follow this axis and lies in a face.
            if a.is_nan() || b.is_nan() {
                continue;
            }
            let (near, far) = if a < b { (a, b) } else { (b, a) };
            first = if near > first { near } else { first };
            last = if far < last { far } else { last };
        }
        (first <= last).then_some(first)
    }

    /// How far the box reaches down along a direction.
    pub(crate) fn lowest(&self, direction: Vec3A) -> f32 {
        let half = (self.high - self.low) * 0.5;
        direction.dot(self.centre()) - direction.abs().dot(half)
    }

    pub(crate) fn centre(&self) -> Vec3A {
        (self.low + self.high) * 0.5
    }
}
