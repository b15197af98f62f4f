//! What is painted on a shape: parts that are stiffer or softer, more or less damped, tougher or weaker, or pinned.
//!
//! Stiffness and damping are painted on particles but act by clusters: a cluster takes the mean of
//! its members, each with its share of the cluster's mass, and a coarser nested cluster the mean of
//! those below it. So the pulls of a cluster still sum to zero, and momentum is kept; what a map may
//! tell apart is as fine as the finest clusters.

use std::ops::RangeInclusive;

use glam::Vec3;

use crate::error::Error;
use crate::membership::{Entry, Membership};

/// What stiffness and damping are multiplied by.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Tuning {
    pub(crate) stiffness: f32,
    pub(crate) damping: f32,
}

/// What a shape is made from. Each list that is given has one value for each point.
///
/// ```
/// use glam::Vec3;
/// use wobble::{LevelsDef, Particles, Shape};
///
/// // A rod of ten particles: twice as stiff towards one end, pinned at the other.
/// let points: Vec<Vec3> = (0..10).map(|i| Vec3::X * i as f32 * 0.1).collect();
/// let stiffness: Vec<f32> = (0..10).map(|i| 1.0 + i as f32 / 9.0).collect();
/// let pin = [1.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0];
/// let rod = Particles { points: &points, stiffness: Some(&stiffness), pin: Some(&pin), ..Particles::default() };
/// let shape = Shape::from_particles(&rod, &LevelsDef::default(), &mut |_done| true)?;
/// assert_eq!(shape.pinned().len(), 2);
/// # Ok::<(), wobble::Error>(())
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct Particles<'a> {
    /// Where particles are, metres.
    pub points: &'a [Vec3],
    /// Masses, kg, from 1e-12 to 1e9; without them 1 kg is spread evenly.
    pub masses: Option<&'a [f32]>,
    /// What the material's stiffness is multiplied by, from 0 to 1e6; 1 without them.
    pub stiffness: Option<&'a [f32]>,
    /// What the material's damping is multiplied by, from 0 to 1e6; 1 without them.
    pub damping: Option<&'a [f32]>,
    /// From 0 to 1: a body starts with its particles of 0.5 and more pinned.
    pub pin: Option<&'a [f32]>,
    /// What the toughness of bodies that break is multiplied by, from 0.001 to 1e6; 1 without them.
    pub toughness: Option<&'a [f32]>,
}

impl Particles<'_> {
    pub(crate) fn check_maps(&self) -> Result<(), Error> {
        let (points, tuned) = (self.points.len(), 0.0..=MOST_TUNING);
        check_map("stiffness", self.stiffness, points, tuned.clone(), "from 0 to 1e6")?;
        check_map("damping", self.damping, points, tuned, "from 0 to 1e6")?;
        check_map("pin", self.pin, points, 0.0..=1.0, "from 0 to 1")?;
        check_map("toughness", self.toughness, points, TOUGHNESS, "from 0.001 to 1e6")
    }

    /// The multipliers of each particle in the order `order`; none where nothing is painted.
    pub(crate) fn tuning(&self, order: &[u32]) -> Vec<Tuning> {
        if self.stiffness.is_none() && self.damping.is_none() {
            return Vec::new();
        }
        let of = |map: Option<&[f32]>, i: u32| map.map_or(1.0, |map| map[i as usize]);
        order
            .iter()
            .map(|&i| Tuning { stiffness: of(self.stiffness, i), damping: of(self.damping, i) })
            .collect()
    }

    /// What multiplies the toughness of each particle in the order `order`; none where nothing is painted.
    pub(crate) fn toughness(&self, order: &[u32]) -> Vec<f32> {
        self.toughness.map_or(Vec::new(), |map| order.iter().map(|&i| map[i as usize]).collect())
    }

    /// The places in the order `order` of particles that are pinned.
    pub(crate) fn pinned(&self, order: &[u32]) -> Vec<u32> {
        let Some(pin) = self.pin else { return Vec::new() };
        (0..order.len() as u32).filter(|&i| pin[order[i as usize] as usize] >= PINNED).collect()
    }
}

/// The largest multiplier.
pub(crate) const MOST_TUNING: f32 = 1e6;

/// What toughness can be multiplied by.
pub(crate) const TOUGHNESS: RangeInclusive<f32> = 1e-3..=1e6;

/// Pinned from here on.
const PINNED: f32 = 0.5;

/// Refuses a map that does not have one value within `accepted` for each of `points` points.
pub(crate) fn check_map(
    field: &'static str,
    map: Option<&[f32]>,
    points: usize,
    accepted: RangeInclusive<f32>,
    wanted: &'static str,
) -> Result<(), Error> {
    let Some(map) = map else { return Ok(()) };
    if map.len() != points {
        return Err(Error::Length { field, got: map.len(), wanted: format!("{points}, one for each point") });
    }
    match map.iter().position(|v| !accepted.contains(v)) {
        None => Ok(()),
        Some(index) => Err(Error::Element { field, index, value: map[index].into(), wanted }),
    }
}

/// For each row of `members`, whose weights are shares of mass, the mean of what its members have.
pub(crate) fn means(members: &Membership, of: &[Tuning]) -> Vec<Tuning> {
    (0..members.rows()).map(|c| mean(members.row(c), of)).collect()
}

/// The mean of what members have, weighted by their shares of mass.
pub(crate) fn mean(members: &[Entry], of: &[Tuning]) -> Tuning {
    let (mut stiffness, mut damping, mut mass) = (0.0, 0.0, 0.0);
    for e in members {
        let (t, m) = (of[e.index as usize], f64::from(e.weight));
        stiffness += f64::from(t.stiffness) * m;
        damping += f64::from(t.damping) * m;
        mass += m;
    }
    Tuning { stiffness: (stiffness / mass) as f32, damping: (damping / mass) as f32 }
}
