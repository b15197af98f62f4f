//! The load that a body carries from end to end, and what each section has to bear of it.
//!
//! Coarse clusters pull at every particle as its place in them asks, whatever lies between. So the finest clusters stretch
//! where a body is gripped, not where it is thin, and their stretch alone does not tell where it breaks. The load does.
//! Along the direction n in which the whole is stretched most, the matter beyond a section is in balance with what crosses
//! it, so the section at s carries T(s) = -Σ m n·a over all particles with n·r > s, a being what the clusters of
//! all levels pull with. Its matter has λ(s) kg a metre. The mean of T/λ over the body is E ε (the virial theorem): ε is the strain that the
//! clusters of a level have in the mean, as in RC, and E = Σ w ⟨(n·(r - r̄))²⟩ sums over levels. Hence T/(λ E) is the strain of a section by
//! its load: RC's for an even bar that is evenly loaded, more where it is thin.
//!
//! Runs once a step, on one thread, in ascending order.

use glam::{Vec3A, Vec4};

use super::Body;
use crate::fracture::Overstretched;
use crate::fracture::sections::{Section, Sections};
use crate::goals::{self, Strength, scatter_matrix};
use crate::membership::{Entry, Membership};
use crate::plasticity::{self, AtRest, Dent, Undented};

/// A whole that is stretched by less than this share of its toughness is not looked at: sections thinner than a tenth are
/// left to the stretch of their clusters.
const FAINT: f32 = 0.1;
/// How far from a grip, in clusters that share particles, strain is the grip's own (Saint-Venant's principle).
const RINGS: usize = 3;

impl Body {
    /// Whether coarse levels hold the body, so that loads pass by its finest clusters.
    fn has_coarse_hold(&self) -> bool {
        self.weights.iter().zip(&self.tuning).skip(1).any(|(weight, tuning)| weight * tuning.stiffness > 0.0)
    }

    /// Before a step: notes which finest clusters are near to where something grips the body, be it pins, forces on
    /// single particles, or attachments, which hold the particles `attached`.
    pub(crate) fn note_grips(&mut self, attached: impl Iterator<Item = u32>) {
        let mut near = std::mem::take(&mut self.breaking.near_grip);
        let mut marks = std::mem::take(&mut self.breaking.marks);
        near.clear();
        let pushed = self.accelerations.iter().map(|a| *a != Vec4::ZERO);
        let pushed = (0..).zip(pushed).filter(|(_, is)| *is).map(|(i, _)| i);
        let pinned = self.pins.iter().map(|pin| pin.particle);
        let mut gripped = attached.chain(pushed).chain(pinned).peekable();
        if let (Some(finest), true) =
            (self.tables().levels().first(), self.has_coarse_hold() && gripped.peek().is_some())
        {
            near.resize(finest.cluster_count(), false);
            for i in gripped {
                finest.held_by().row(i as usize).iter().for_each(|e| near[e.index as usize] = true);
            }
            for _ in 1..RINGS {
                widen(&mut near, finest.held_by(), &mut marks);
            }
        }
        (self.breaking.near_grip, self.breaking.marks) = (near, marks);
    }

    /// In the first substep of a step, when pulls are found: notes the clusters of the section that its load would stretch
    /// furthest, if that is beyond their toughness.
    pub(crate) fn note_load(&mut self, h: f32) {
        let Some(axis) = self.pulled_along() else { return };
        let mut sections = std::mem::take(&mut self.breaking.sections);
        if self.find_sections(axis, h, &mut sections) {
            self.note_weakest(axis, &sections);
        }
        self.breaking.sections = sections;
    }

    /// The direction in which the whole is stretched most, rest space; none if that is little, or no cluster holds the whole,
    /// or matter has flowed so far that its rest places tell no sections.
    fn pulled_along(&self) -> Option<Vec3A> {
        let told = !self.shape.is_debris() && self.quadratic.is_none() && self.reclustered.is_none();
        let rule = self.breaking.rule.filter(|_| told)?;
        let coarsest = self.shape.levels().len().checked_sub(1).filter(|l| *l > 0)?;
        let c = self.shape.range(coarsest).start;
        if self.shape.range(coarsest).len() > 1 || !self.has_coarse_hold() {
            return None;
        }
        let weakest = self.toughness_map().iter().fold(1.0f32, |least, t| least.min(*t));
        let at_rest = AtRest::of(self.matched(), self.plastic.as_deref());
        let rest = Undented { scatter: &at_rest.scatter[c], inverse: &at_rest.inverse[c] };
        let elastic = Dent::default().elastic(&self.moments[c], &rest, self.fits[c].rotation);
        plasticity::largest_stretch(elastic, 1.0 + FAINT * rule.toughness * weakest).map(|(_, axis)| axis)
    }

    /// Finds the strain of all sections square to `axis`; says whether there are some.
    fn find_sections(&self, axis: Vec3A, h: f32, out: &mut Sections) -> bool {
        let along = |r: &Vec4| axis.dot(Vec3A::from_vec4(*r));
        let rest = self.shape.rest();
        let (low, high) = rest.iter().map(along).fold((f32::MAX, f32::MIN), |(l, h), s| (l.min(s), h.max(s)));
        let (width, modulus) = (self.shape.spacing(), self.modulus(axis, h));
        let count = (high - low) / width + 2.0;
        // Matter that fills next to nothing of its length has no sections to speak of.
        if !(count <= rest.len() as f32 + 16.0 && modulus > 0.0) {
            return false;
        }
        (out.low, out.width) = (low, width);
        out.list.clear();
        out.list.resize(count as usize + 1, Section::default());
        self.sum_pulls(axis, h, out);
        let mut beyond = 0.0;
        for section in out.list.iter_mut().rev() {
            let (own, carried) = (section.pull, -(beyond + 0.5 * section.pull));
            section.pull = if section.mass > 0.0 { carried * width / (section.mass * modulus) } else { 0.0 };
            beyond += own;
        }
        true
    }

    /// E: what a metre of even matter would pull with along `axis`, for each level by its weight, m².
    fn modulus(&self, axis: Vec3A, h: f32) -> f32 {
        let total = self.total_strength(h).stiffness;
        let of_level = |l: usize| {
            let range = self.shape.range(l);
            let spread = |s: &[f32; 6]| axis.dot(scatter_matrix(s) * axis);
            let spread: f32 = self.matched().scatter()[range.clone()].iter().map(spread).sum();
            let mass: f32 = self.shape.all_clusters()[range].iter().map(|c| c.mass).sum();
            self.strength(l, h).stiffness * spread / (mass * total)
        };
        (0..self.shape.levels().len()).map(of_level).sum()
    }

    /// Shares the pull and the mass of each particle between the two sections next to it.
    fn sum_pulls(&self, axis: Vec3A, h: f32, out: &mut Sections) {
        let total = self.total_strength(h);
        let coarsest = self.fits.last().map_or(Vec4::W, |fit| fit.rotation);
        let world = glam::Mat3A::from_quat(glam::Quat::from_vec4(coarsest)) * axis;
        let held_by = self.shape.blended_from();
        // Pins weigh in the balance what they do in the match, or what pulls at them would sum to something.
        let pin = self.matched().factor();
        let particles = self.shape.rest().iter().zip(self.shape.masses()).zip(self.x.iter().zip(&self.v));
        for (i, ((rest, mass), (x, v))) in particles.enumerate() {
            let row = held_by.row(i);
            let wish = |e: &Entry| {
                let [a, b, c, _] = self.pulls[e.index as usize].rows;
                (a * world.x + b * world.y + c * world.z).dot(*rest) * e.weight
            };
            let hold = match &self.holds[..] {
                [] => total,
                holds => goals::held(row, holds, Strength::default()),
            };
            let wished: f32 = row.iter().map(wish).sum();
            let at = world.dot(Vec3A::from_vec4(*x - self.origin));
            let pull = wished - hold.stiffness * at - hold.damping * world.dot(Vec3A::from_vec4(*v));
            let place = (axis.dot(Vec3A::from_vec4(*rest)) - out.low) / out.width;
            let (k, share) = (place as usize, place - place.floor());
            for (section, share) in out.list[k..k + 2].iter_mut().zip([1.0 - share, share]) {
                section.mass += mass * share;
                section.pull += mass * share * pull * if x.w == 0.0 { pin } else { 1.0 } / total.stiffness;
            }
        }
    }

    /// Notes the clusters that the weakest section crosses.
    fn note_weakest(&mut self, axis: Vec3A, sections: &Sections) {
        let Some(rule) = self.breaking.rule else { return };
        let mut weakest = (1.0, None);
        let reach = |body: &Body, c: usize| {
            let cluster = &body.shape.clusters(0)[c];
            let (at, half) = (axis.dot(Vec3A::from_vec4(cluster.centre)), 0.5 * cluster.width);
            (at - half, at + half)
        };
        let count = self.shape.clusters(0).len();
        for c in (0..count).filter(|&c| !self.breaking.is_relaxing(c)) {
            let (low, high) = reach(self, c);
            let (strain, at) = sections.worst(low, high);
            let severity = strain / (rule.toughness * self.painted_toughness(c));
            if severity > weakest.0 {
                weakest = (severity, Some((strain, at)));
            }
        }
        let Some((strain, at)) = weakest.1 else { return };
        self.breaking.worst.resize(count, Overstretched::default());
        for c in 0..count {
            let (low, high) = reach(self, c);
            let severity = strain / (rule.toughness * self.painted_toughness(c));
            if (low..=high).contains(&at) && severity > 1.0 && !self.breaking.is_relaxing(c) {
                self.breaking.note(Overstretched { severity, cluster: c as u32, normal: axis, offset: at });
            }
        }
    }
}

/// Marks the clusters that share particles with marked ones; `particles` is scratch.
fn widen(marked: &mut [bool], held_by: &Membership, particles: &mut Vec<bool>) {
    particles.clear();
    let any = |i: usize| held_by.row(i).iter().any(|e| marked[e.index as usize]);
    particles.extend((0..held_by.rows()).map(any));
    for (i, _) in particles.iter().enumerate().filter(|(_, is)| **is) {
        held_by.row(i).iter().for_each(|e| marked[e.index as usize] = true);
    }
}
