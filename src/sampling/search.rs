//! As many particles as asked for: the spacing at which that many fit.
//!
//! Reads a surface and a definition; writes points. Counts fall as the spacing grows, nearly as its cube,
//! so a few tries between ever closer bounds find it; of blue noise a few particles tell how many will fit, and one
//! try is enough mostly. A lattice in a box gains a whole layer at a time;
//! shifted against the box it gains them one by one, so shifts are tried, too.

use glam::{DVec3, Vec3A, vec3a};

use super::features::Features;
use super::lattice::Lattice;
use super::room::Room;
use super::scatter::{self, Dice};
use super::surface::MeshSurface;
use super::{Amount, FEWEST, Pattern, SamplingDef};
use crate::clustering::Workers;
use crate::error::Error;
use crate::headroom;
use crate::membership::MOST_PARTICLES;

/// Near enough to the number asked for.
const NEAR: f64 = 0.02;
/// What a count must keep to.
const ALLOWED: f64 = 0.05;
/// Tries at one shift of the lattice, and shifts.
const TRIES: usize = 14;
const SHIFTS: usize = 9;

/// Distance of points on the surface over the cube root of the volume for each particle of a lattice:
/// as many to a layer of that thickness.
const ON_SURFACE: f64 = 0.835;

/// How far particles inside keep away from the surface, in cube roots of the volume for each.
const MARGIN: f64 = 0.6;

/// The same by which blue noise has fewer particles inside, as measured.
const BLUE_MARGIN: f64 = 0.47;

/// Points in the local coordinates of a surface.
pub(super) struct Points {
    pub(super) points: Vec<Vec3A>,
    /// How many of them, the first ones, are on the surface.
    on_surface: usize,
    /// The spacing they were made with.
    pub(super) spacing: f64,
}

/// Points on the surface and inside over those that would fill it.
#[derive(Clone, Copy)]
struct Yield {
    on_surface: f64,
    inside: f64,
}

/// So many particles are first tried with fewer, to learn how many fit.
const MANY: usize = 4000;
/// How many fewer.
const FEWER: usize = 8;

/// What is to be filled, and how.
pub(super) struct Search<'a> {
    pub(super) surface: &'a MeshSurface,
    pub(super) features: Features,
    pub(super) room: Option<Room<'a>>,
    pub(super) def: &'a SamplingDef,
    pub(super) workers: &'a Workers,
}

/// Bytes that a particle takes at most while places are sought: in the best try so far and in the present one.
const SOUGHT: f64 = 256.0;

fn ensure_room(particles: f64) -> Result<(), Error> {
    headroom::ensure((particles * SOUGHT) as usize, "filling a mesh with particles")
}

impl Search<'_> {
    /// Points by the amount asked for; `tick` is called between tries.
    pub(super) fn points(&self, tick: &mut dyn FnMut() -> Result<(), Error>) -> Result<Points, Error> {
        match self.def.amount {
            Amount::Count(count) => {
                ensure_room(f64::from(count))?;
                Ok(self.centred(self.by_count(count as usize, tick)?))
            }
            Amount::Spacing(metres) => {
                let spacing = f64::from(metres) / self.surface.frame.metres(1.0);
                let expected: f64 = self.expected(spacing).iter().sum();
                if expected > 1.1 * MOST_PARTICLES as f64 {
                    let why = format!(
                        "a spacing of {metres} m makes about {expected:.1e} particles of it, more than {MOST_PARTICLES}; \
                         ask for a larger spacing"
                    );
                    return Err(Error::Unsuitable { what: "mesh", why });
                }
                ensure_room(expected)?;
                tick()?;
                Ok(self.centred(self.spaced(spacing, Vec3A::splat(0.5))))
            }
        }
    }

    fn by_count(&self, wanted: usize, tick: &mut dyn FnMut() -> Result<(), Error>) -> Result<Points, Error> {
        let mut dice = Dice::new(self.def.seed);
        let mut best: Option<Points> = None;
        let off = |points: &Points| (points.points.len() as f64 / wanted as f64 - 1.0).abs();
        let shifts = if self.def.pattern == Pattern::BlueNoise { 1 } else { SHIFTS };
        let mut guess = self.guess(wanted, self.usual());
        if self.def.pattern == Pattern::BlueNoise && wanted >= MANY {
            tick()?;
            let few = self.spaced(self.guess(wanted / FEWER, self.usual()), Vec3A::splat(0.5));
            guess = self.guess(wanted, self.yielded(&few));
        }
        let mut spacing = guess;
        for shift in 0..shifts {
            let shift =
                if shift == 0 { Vec3A::splat(0.5) } else { vec3a(dice.unit(), dice.unit(), dice.unit()) };
            let (mut low, mut high) = (0.0, f64::INFINITY);
            for _ in 0..TRIES {
                tick()?;
                let found = self.spaced(spacing, shift);
                let ratio = found.points.len() as f64 / wanted as f64;
                *(if ratio > 1.0 { &mut low } else { &mut high }) = spacing;
                let towards = self.guess(wanted, self.yielded(&found));
                if best.as_ref().is_none_or(|best| off(&found) < off(best)) {
                    best = Some(found);
                }
                if best.as_ref().is_some_and(|best| off(best) <= NEAR) || high / low < 1.0 + 1e-5 {
                    break;
                }
                spacing = between(towards, low, high).clamp(guess / 16.0, guess * 16.0);
            }
            if best.as_ref().is_some_and(|best| off(best) <= ALLOWED) {
                break;
            }
        }
        best.ok_or(Error::Cancelled)
    }

    /// Points at one spacing. A lattice has a point `shift` cells off the middle of the box about the surface.
    fn spaced(&self, spacing: f64, shift: Vec3A) -> Points {
        let mut dice = Dice::new(self.def.seed);
        let pitch = self.pitch(spacing);
        let apart = if self.def.pattern == Pattern::BlueNoise { spacing } else { ON_SURFACE * pitch };
        let mut spacer = match self.def.surface {
            true => scatter::on_surface(self.surface, &self.features, apart as f32, &mut dice),
            false => super::spacer::Spacer::new(apart as f32, 1024),
        };
        let on_surface = spacer.points.len();
        if let Some(room) = &self.room {
            let margin = self.margin(spacing);
            let is_centred = self.def.pattern == Pattern::BodyCentred;
            let blue = self.def.pattern == Pattern::BlueNoise;
            let side = if is_centred { 2.0 / 3f64.sqrt() * spacing } else { spacing } as f32;
            let middle = (self.surface.low + self.surface.high) * 0.5;
            let lattice = Lattice {
                side: if blue { 2.0 * side } else { side },
                is_centred,
                origin: middle + shift * side,
            };
            let found = || lattice.inside(room, (self.surface.low, self.surface.high), margin, self.workers);
            if blue {
                // From the surface every part is reached.
                let seeds = if self.def.surface { Vec::new() } else { found() };
                scatter::inside(room, &seeds, margin, spacing as f32, &mut spacer, &mut dice);
            } else {
                spacer.points.extend(found());
            }
        }
        Points { points: spacer.points, on_surface, spacing }
    }

    /// Points whose middle is that of the volume, as far as a lattice has room to be moved: it may end on one
    /// side of a box up to a spacing further from the wall than on the other.
    fn centred(&self, mut found: Points) -> Points {
        let (room, count) = (self.room.as_ref(), found.points.len() - found.on_surface);
        let Some(centre) = room.and_then(Room::centre) else { return found };
        if self.def.pattern == Pattern::BlueNoise || count == 0 {
            return found;
        }
        let sum: DVec3 = found.points.iter().map(|p| p.as_dvec3() - centre).sum();
        let (inside, margin) = (&mut found.points[found.on_surface..], self.margin(found.spacing));
        for share in [1.0, 0.5, 0.25] {
            let shift = (sum * (-share / count as f64)).as_vec3a();
            if room.is_some_and(|room| inside.iter().all(|p| room.has(*p + shift, margin))) {
                inside.iter_mut().for_each(|p| *p += shift);
                break;
            }
        }
        found
    }

    /// How far particles inside keep away from the surface.
    fn margin(&self, spacing: f64) -> f32 {
        if self.def.surface { (MARGIN * self.pitch(spacing)) as f32 } else { 0.0 }
    }

    /// The cube root of the volume that a particle inside takes at a spacing.
    fn pitch(&self, spacing: f64) -> f64 {
        match self.def.pattern {
            Pattern::Grid => spacing,
            // Two particles in a cube of side 2/√3.
            Pattern::BodyCentred => spacing * 0.916_486,
            // Random packing saturates at 0.73 particles in the cube of their distance.
            Pattern::BlueNoise => spacing * 1.11,
        }
    }

    /// About how many particles a spacing gives, on the surface and inside.
    fn expected(&self, spacing: f64) -> [f64; 2] {
        let pitch = self.pitch(spacing);
        let (area, volume) = (self.surface.area_local(), self.room.as_ref().map_or(0.0, Room::volume));
        // Random points fill some of the margin: they are nearer to those of the surface than a lattice is.
        let margin = if self.def.pattern == Pattern::BlueNoise { BLUE_MARGIN } else { MARGIN };
        let (on_surface, covered) =
            if self.def.surface { (area / (pitch * pitch), margin * pitch * area) } else { (0.0, 0.0) };
        [on_surface, (volume - covered).max(0.0) / pitch.powi(3)]
    }

    /// How many fit mostly. Darts and tries are too few to fill up what random packing could.
    fn usual(&self) -> Yield {
        match self.def.pattern {
            Pattern::BlueNoise => Yield { on_surface: 0.753, inside: 0.785 },
            _ => Yield { on_surface: 1.0, inside: 1.0 },
        }
    }

    /// What points that were found tell about how many fit.
    fn yielded(&self, found: &Points) -> Yield {
        let [on_surface, inside] = self.expected(found.spacing);
        let over = |found: usize, expected: f64| {
            if found > 0 && expected > 0.0 { Some((found as f64 / expected).clamp(1e-3, 1e3)) } else { None }
        };
        let usual = self.usual();
        let is_inside = found.points.len() - found.on_surface;
        Yield {
            on_surface: over(found.on_surface, on_surface).unwrap_or(usual.on_surface),
            inside: over(is_inside, inside).unwrap_or(usual.inside),
        }
    }

    /// The spacing that should give `wanted` particles.
    fn guess(&self, wanted: usize, yielded: Yield) -> f64 {
        let (mut low, mut high) = (1e-6, 4.0);
        for _ in 0..60 {
            let middle = f64::sqrt(low * high);
            let [on_surface, inside] = self.expected(middle);
            let count = on_surface * yielded.on_surface + inside * yielded.inside;
            *(if count > wanted as f64 { &mut low } else { &mut high }) = middle;
        }
        f64::sqrt(low * high)
    }
}

/// A spacing about `towards` between `low`, which gives too many if it is not 0, and `high`, which gives
/// too few if it is finite.
fn between(towards: f64, low: f64, high: f64) -> f64 {
    match (low > 0.0, high.is_finite()) {
        (true, true) => {
            let (inner, outer) = (low * libm::pow(high / low, 0.1), high * libm::pow(low / high, 0.1));
            if (inner..=outer).contains(&towards) { towards } else { (low * high).sqrt() }
        }
        (true, false) => towards.max(low * (1.0 + LEAST_STEP)),
        _ => towards.min(high * (1.0 - LEAST_STEP)),
    }
}

/// How much a spacing is changed at least, as a share.
const LEAST_STEP: f64 = 2e-3;

/// Refuses fewer points than a body needs, telling why there are so few.
pub(super) fn enough(found: &Points, surface: &MeshSurface, def: &SamplingDef) -> Result<(), Error> {
    if found.points.len() >= FEWEST {
        return Ok(());
    }
    let size = surface.frame.metres(f64::from((surface.high - surface.low).max_element()));
    let spacing = surface.frame.metres(found.spacing);
    let advice =
        if def.surface { "ask for a smaller spacing" } else { "ask for particles on the surface, too" };
    let why = format!(
        "only {} particles fit it, {size:.3} m wide, at a spacing of {spacing:.3} m; {advice}",
        found.points.len()
    );
    Err(Error::Unsuitable { what: "mesh", why })
}
