//! How a body breaks, and how a piece of it becomes a body.

use std::sync::Arc;

use glam::{DVec3, Vec3, Vec3A, Vec4};

use super::Body;
use crate::error::{Error, within};
use crate::fracture::pieces::Piece;
use crate::fracture::tear::WHOLE;
use crate::fracture::{Cut, Fracture, Overstretched, RELAXING, Reach};
use crate::membership::Entry;
use crate::painting::TOUGHNESS;
use crate::plasticity::{self, Dent, Frame, Plastic, Undented};
use crate::shape::Shape;
use crate::shape::held::Matched;

/// ```
/// # mod doc { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/doc.rs")); }
/// # let (mut world, id) = doc::scene()?;
/// use wobble::Fracture;
///
/// let body = world.body_mut(id)?;
/// body.set_fracture(Some(Fracture { toughness: 0.1, ..Fracture::default() }))?; // breaks at 1.1 times its length
/// // Tough but for the middle: it breaks there.
/// let middle = |i: usize| if (2..4).contains(&(i % 6)) { 0.2 } else { 1.0 };
/// body.paint_toughness(Some(&(0..216).map(middle).collect::<Vec<f32>>()))?;
/// assert!(body.fracture().is_some());
/// # Ok::<(), wobble::Error>(())
/// ```
impl Body {
    /// How the body breaks, if it does.
    pub fn fracture(&self) -> Option<Fracture> {
        self.breaking.rule
    }

    /// Lets the body break, or not. Finds its surface and what divides its mesh, so that a step in which it
    /// breaks need not.
    pub fn set_fracture(&mut self, fracture: Option<Fracture>) -> Result<(), Error> {
        if let Some(fracture) = fracture {
            fracture.check()?;
            self.shape.field();
            self.shape.carriers();
        }
        if fracture != self.breaking.rule {
            self.wake();
        }
        self.breaking.rule = fracture;
        Ok(())
    }

    /// Multiplies the toughness about each particle, in creation order, 0.001 to 1e6; a cluster has the mean of its members.
    /// Without a map it is what the shape has painted, or the same everywhere.
    pub fn paint_toughness(&mut self, map: Option<&[f32]>) -> Result<(), Error> {
        let Some(map) = map else {
            self.breaking.painted = Vec::new();
            return Ok(());
        };
        let count = self.shape.particle_count();
        if map.len() != count {
            let wanted = format!("{count}, one for each particle");
            return Err(Error::Length { field: "toughness", got: map.len(), wanted });
        }
        let wanted = "from 0.001 to 1e6";
        let (least, most) = (*TOUGHNESS.start(), *TOUGHNESS.end());
        map.iter().try_for_each(|t| within("toughness", *t, least, most, wanted))?;
        self.breaking.painted = self.shape.order().iter().map(|&i| map[i as usize]).collect();
        self.wake();
        Ok(())
    }

    /// In a substep, when clusters are matched: notes how far each is stretched beyond its toughness. Near a grip the stretch is
    /// the grip's own, and the load alone counts.
    pub(crate) fn note_stretches(&mut self) {
        let Some(rule) = self.breaking.rule.filter(|_| !self.shape.is_debris()) else { return };
        let mut worst = std::mem::take(&mut self.breaking.worst);
        worst.resize(self.finest_count(), Overstretched::default());
        let tables = self.matched();
        for (c, worst) in worst.iter_mut().enumerate() {
            let grips = self.breaking.near_grip.get(c).copied().unwrap_or(false);
            if grips || self.breaking.is_relaxing(c) {
                continue;
            }
            let toughness = rule.toughness * self.painted_toughness(c);
            let rest = Undented { scatter: &tables.scatter()[c], inverse: &tables.inverse_scatter()[c] };
            let dent = self.plastic.as_ref().map_or(Dent::default(), |plastic| plastic.dents[c]);
            let elastic = dent.elastic(&self.moments[c], &rest, self.fits[c].rotation);
            let Some((stretch, axis)) = plasticity::largest_stretch(elastic, 1.0 + toughness) else {
                continue;
            };
            let severity = (stretch - 1.0) / toughness;
            if severity > worst.severity {
                let normal = (dent.fp * axis).normalize_or(axis);
                let offset = normal.dot(Vec3A::from_vec4(tables.clusters(0)[c].centre));
                *worst = Overstretched { severity, cluster: c as u32, normal, offset };
            }
        }
        self.breaking.worst = worst;
    }

    /// At the end of a step of `dt` seconds: the clusters that were overstretched in it. Counts down how long
    /// torn ones relax.
    pub(crate) fn take_overstretched(&mut self, dt: f32, mut found: impl FnMut(Overstretched)) {
        self.breaking.relaxing.iter_mut().for_each(|left| *left = (*left - dt).max(0.0));
        let worst = self.breaking.worst.iter_mut().map(std::mem::take);
        worst.filter(|worst| worst.severity > 0.0 && !self.frozen).for_each(&mut found);
    }

    /// What multiplies the toughness of each particle; empty if nothing is painted.
    pub(crate) fn toughness_map(&self) -> &[f32] {
        match &self.breaking.painted[..] {
            [] => self.shape.toughness(),
            own => own,
        }
    }

    pub(crate) fn painted_toughness(&self, c: usize) -> f32 {
        let painted = self.toughness_map();
        if painted.is_empty() {
            return 1.0;
        }
        let members = self.tables().levels()[0].members().row(c);
        let sum: f32 = members.iter().map(|e| painted[e.index as usize] * e.weight).sum();
        sum * self.tables().clusters(0)[c].inverse_mass
    }

    /// The plane along which an overstretched cluster breaks, as far as the cluster reaches, in rest space.
    pub(crate) fn crack(&mut self, found: &Overstretched) -> Cut {
        let cluster = &self.tables().clusters(0)[found.cluster as usize];
        let (centre, radius) = (Vec3A::from_vec4(cluster.centre), cluster.width);
        let plane = self.breaking.plane(found, centre, radius);
        self.breaking.remember(plane);
        Cut { normal: Vec3A::from_vec4(plane), offset: plane.w, reach: Reach::Disc { centre, radius } }
    }

    /// Lets a cluster relax before it may break again.
    pub(crate) fn relax(&mut self, cluster: u32) {
        self.breaking.relaxing.resize(self.finest_count(), 0.0);
        self.breaking.relaxing[cluster as usize] = RELAXING;
    }

    /// For each finest cluster the first of the cuts that crosses it, particles being at `at`, or [`WHOLE`].
    pub(crate) fn crossed(&self, cuts: &[Cut], at: &[Vec4]) -> Vec<u32> {
        let Some(finest) = self.shape.levels().first() else { return Vec::new() };
        let margin = self.shape.spacing();
        let place = |e: &Entry| Vec3A::from_vec4(at[e.index as usize]);
        let first = |c: usize| {
            let members = finest.members().row(c);
            let sum: Vec3A = members.iter().map(|e| place(e) * e.weight).sum();
            let centre = sum * self.shape.clusters(0)[c].inverse_mass;
            let crosses = |cut: &Cut| {
                let heights = members.iter().map(|e| cut.height(place(e)));
                let (low, high) =
                    heights.fold((f32::INFINITY, f32::NEG_INFINITY), |(l, h), d| (l.min(d), h.max(d)));
                low < 0.0 && high >= 0.0
            };
            let found = cuts.iter().position(|cut| cut.reaches(centre, margin) && crosses(cut));
            found.map_or(WHOLE, |k| k as u32)
        };
        (0..finest.cluster_count()).map(first).collect()
    }

    /// The body that a piece of this one is.
    pub(crate) fn piece(&self, piece: &Piece, torn: &[u32]) -> Body {
        let mut body = Body::blank(&piece.shape);
        let levels = piece.shape.levels().len();
        body.use_material(self.material);
        self.hand_on_levels(&mut body, levels);
        let pick = |from: &[Vec4]| -> Vec<Vec4> {
            if from.is_empty() {
                Vec::new()
            } else {
                piece.particles.iter().map(|&i| from[i as usize]).collect()
            }
        };
        (body.x, body.v, body.previous) = (pick(&self.x), pick(&self.v), pick(&self.previous));
        body.accelerations = pick(&self.accelerations);
        body.acceleration = self.acceleration;
        for pin in &self.pins {
            if let Ok(particle) = piece.particles.binary_search(&pin.particle) {
                body.pins.push(super::Pin { particle: particle as u32, ..*pin });
            }
        }
        for (fit, &from) in body.fits.iter_mut().zip(&piece.origin) {
            *fit = self.fits[from as usize];
        }
        (body.swelling, body.enabled, body.frozen) = (self.swelling, self.enabled, self.frozen);
        body.rest.allowed = self.rest.allowed;
        (body.surface, body.groups, body.radius, body.touch) =
            (self.surface, self.groups, self.radius, self.touch);
        body.plasticity = self.plasticity;
        body.plastic = self.plastic.as_ref().map(|plastic| Box::new(plastic.of_piece(piece)));
        self.hand_on_breaking(&mut body, piece, torn);
        body.family = self.family;
        body.touched();
        body
    }

    /// Level weights and multipliers; levels that a piece lacks give their weight to its coarsest.
    fn hand_on_levels(&self, body: &mut Body, levels: usize) {
        body.weights.copy_from_slice(&self.weights[..levels]);
        if let Some(coarsest) = body.weights.last_mut() {
            *coarsest += self.weights[levels..].iter().sum::<f32>();
        }
        body.tuning.copy_from_slice(&self.tuning[..levels]);
        body.flows.copy_from_slice(&self.flows[..levels]);
    }

    fn hand_on_breaking(&self, body: &mut Body, piece: &Piece, torn: &[u32]) {
        let centre = Vec3A::from(piece.centre);
        let moved =
            |plane: &Vec4| Vec3A::from_vec4(*plane).extend(plane.w - Vec3A::from_vec4(*plane).dot(centre));
        body.breaking.rule = self.breaking.rule;
        body.breaking.cracks = self.breaking.cracks.iter().map(moved).collect();
        if !self.breaking.painted.is_empty() {
            body.breaking.painted =
                piece.particles.iter().map(|&i| self.breaking.painted[i as usize]).collect();
        }
        let relaxing = |&from: &u32| match torn.get(from as usize) {
            Some(&WHOLE) | None => self.breaking.relaxing.get(from as usize).copied().unwrap_or(0.0),
            Some(_) => RELAXING,
        };
        let finest = piece.shape.clusters(0).len();
        body.breaking.relaxing = piece.origin[..finest].iter().map(relaxing).collect();
    }

    /// This body unbroken: of the whole shape, about `centre`, with all that is set for it.
    pub(crate) fn mended(&self, whole: &Arc<Shape>, centre: DVec3) -> Body {
        let mut body = Body::blank(whole);
        let levels = whole.levels().len();
        let own = self.weights.len();
        body.use_material(self.material);
        body.weights[..own].copy_from_slice(&self.weights);
        body.weights[own..].fill(0.0);
        body.tuning[..own].copy_from_slice(&self.tuning);
        body.flows[..own].copy_from_slice(&self.flows);
        if let Some(before) = &self.unbroken {
            (body.weights, body.tuning) = (before.weights.clone(), before.tuning.clone());
            (body.flows, body.breaking.painted) = (before.flows.clone(), before.painted.clone());
        }
        debug_assert_eq!(body.weights.len(), levels);
        (body.surface, body.groups, body.radius, body.touch) =
            (self.surface, self.groups, self.radius, self.touch);
        (body.enabled, body.rest.allowed) = (self.enabled, self.rest.allowed);
        (body.plasticity, body.breaking.rule) = (self.plasticity, self.breaking.rule);
        body.plastic = self.plasticity.map(|_| Box::new(Plastic::new(whole)));
        body.put(centre.as_vec3(), glam::Quat::IDENTITY);
        body.pin_painted();
        body
    }
}

/// What a body had before it broke, to be mended with.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Unbroken {
    pub(crate) weights: Vec<f32>,
    pub(crate) tuning: Vec<crate::painting::Tuning>,
    pub(crate) flows: Vec<f32>,
    pub(crate) painted: Vec<f32>,
}

impl Plastic {
    /// What has lasted, of a piece.
    fn of_piece(&self, piece: &Piece) -> Plastic {
        let mut plastic = Plastic::new(&piece.shape);
        for (dent, &from) in plastic.dents.iter_mut().zip(&piece.origin) {
            *dent = self.dents.get(from as usize).copied().unwrap_or_default();
        }
        let shift: Vec4 = Vec3::extend(piece.centre, 0.0);
        for (frame, &from) in plastic.frames.iter_mut().zip(&piece.origin) {
            if let Some(before) = self.frames.get(from as usize) {
                *frame = Frame { centre: before.centre - shift, ..*before };
            }
        }
        // Where a cluster was parted, its centre is another one; its frame still carries each particle to where it did.
        for (cluster, &from) in plastic.clusters.iter_mut().zip(&piece.origin) {
            if let Some(before) = self.clusters.get(from as usize) {
                cluster.centre = before.centre - shift;
            }
        }
        plastic.weigh(&piece.shape, Matched::of(&piece.shape, None), true);
        plastic
    }
}
