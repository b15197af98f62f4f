//! One substep, stage by stage: the only module that calls the stages.
//!
//! ```text
//! recluster   clusters that flowed too far are replaced, once a step      (reclustering: recluster)
//! match       sums over every cluster's members, then its rotation       (matching, fitting)
//! goals       what each finest cluster pulls its particles with           (goals)
//! last        deformation beyond the yield becomes lasting                (lasting: plasticity)
//! integrate   blend the pulls, gain velocity, move, meet colliders        (fields, goals, settle, integrate, collide)
//! contacts    bodies that touch push each other apart                     (touching: between, response)
//! strain      rounds of position corrections where clusters are overdrawn (strain)
//! ```
//!
//! Small bodies go through each stage in batches on one thread; a large one is spread over
//! all threads, block by block. Blocks only gather, so neither choice changes a bit.

pub(crate) mod bodies;
mod lasting;
mod limit;
mod moving;
mod reclustering;
pub(crate) mod sharing;
pub(crate) mod support;
pub(crate) mod touching;

use glam::{Vec3, Vec3A, Vec4};

use crate::body::{Body, Freshness};
use crate::collide::colliders::{Colliders, Meets};
use crate::contact::by_level;
use crate::fields;
use crate::fitting::Wanted;
use crate::goals::{self, Linear, Strengths};
use crate::landing::{self, Brake, Landing};
use crate::lanes;
use crate::matching::{DRIFT, OfChildren, OfParticles, Particles, SPIN, STILL};
use crate::material::{DampingForm, Goals, Material, Rotation};
use crate::parallel::{Spread, chunks};
use crate::plasticity::AtRest;
use crate::profile::{Clock, Stage};
use crate::recluster::Reclustered;
use crate::settle;
use crate::shape::held::Matched;
use crate::slots::Slot;

/// Particles in a block: their state fills half of a first-level cache.
pub(crate) const PARTICLES: usize = 256;
/// Particles in a run, neighbours in space: colliders are met run by run.
const RUN: usize = 32;
/// Clusters in a block; a multiple of the eight that are fitted together.
const CLUSTERS: usize = 64;

/// What is the same for all bodies in a substep.
#[derive(Clone, Copy)]
pub(crate) struct Pass<'a> {
    /// Length of the substep, s.
    pub(crate) h: f32,
    /// Length of the whole step, s.
    pub(crate) dt: f32,
    pub(crate) gravity: Vec3,
    pub(crate) colliders: &'a Colliders,
    pub(crate) fields: &'a [fields::Placed],
    /// First substep of a step: remember where particles were.
    pub(crate) first: bool,
    pub(crate) spread: Spread<'a>,
    pub(crate) clock: &'a Clock,
}

impl<'a> Pass<'a> {
    /// How a body meets colliders; none if there are none.
    fn meets(&self, body: &Body) -> Option<Meets<'a>> {
        let Body { surface, groups, radius, .. } = *body;
        let (colliders, h) = (self.colliders, self.h);
        (!colliders.is_empty()).then_some(Meets { colliders, h, surface, groups, radius })
    }

    /// The velocity that gravity and forces on the whole of a body give it in the substep, m/s.
    fn gain(&self, body: &Body) -> Vec3 {
        (self.gravity * body.material.gravity_scale + body.acceleration) * self.h
    }
}

/// Moves those bodies in `slots` that are `chosen` by one substep, a stage at a time.
fn move_bodies(pass: Pass, slots: &mut [Slot], chosen: impl Fn(&Body) -> bool) {
    let mut each = |stage: Stage, work: fn(&mut Body, Pass)| {
        pass.clock.time(stage, || {
            slots.iter_mut().filter_map(Slot::active_mut).filter(|b| chosen(b)).for_each(|b| work(b, pass));
        });
    };
    each(Stage::Recluster, reclustering::recluster);
    each(Stage::Match, match_clusters);
    each(Stage::Contacts, support::carry);
    each(Stage::Goals, find_pulls);
    each(Stage::Plasticity, lasting::flow);
    each(Stage::Integrate, fields::blow);
    each(Stage::Integrate, moving::move_particles);
}

/// Strain-limits those bodies in `slots` that are `chosen`, after contacts.
fn limit_strain(pass: Pass, slots: &mut [Slot], chosen: impl Fn(&Body) -> bool) {
    pass.clock.time(Stage::Strain, || {
        let bodies = slots.iter_mut().filter_map(Slot::active_mut).filter(|b| chosen(b));
        bodies.for_each(|body| limit::limit_strain(body, pass));
    });
}

/// Spreads a pass over few clusters not at all.
fn spread_over(pass: Pass, clusters: usize) -> Spread {
    if clusters >= 4 * CLUSTERS { pass.spread } else { Spread::Here }
}

/// How much of the clusters' motion is needed, for damping or because something carries the body.
fn motion(body: &Body, pass: Pass) -> u8 {
    match body.material.damping_form {
        _ if body.grip.is_any() => SPIN,
        _ if body.material.k_d(pass.h) <= 0.0 => STILL,
        DampingForm::Paper => DRIFT,
        DampingForm::Rigid => SPIN,
    }
}

fn match_clusters(body: &mut Body, pass: Pass) {
    match motion(body, pass) {
        STILL => match_with::<STILL>(body, pass),
        DRIFT => match_with::<DRIFT>(body, pass),
        _ => match_with::<SPIN>(body, pass),
    }
    if let Some(quadratic) = &mut body.quadratic {
        quadratic.sum(&body.shape, body.origin, &body.x, &body.moments, pass.spread);
    }
}

/// Moments and fits of every cluster of every level.
fn match_with<const MOTION: u8>(body: &mut Body, pass: Pass) {
    if body.freshness == Freshness::Stale {
        body.move_origin();
        match_finest::<MOTION>(body, pass.spread, |_| true);
    }
    let Body { shape, reclustered, held, origin, x, v, moments, plastic, .. } = body;
    let shape = Reclustered::tables(shape, reclustered);
    let matched = Matched::of(shape, held.as_deref());
    for l in 1..shape.levels().len() {
        let (range, members) = (shape.range(l), matched.members(l));
        let (below, here) = moments.split_at_mut(range.start);
        let here = &mut here[..range.len()];
        let nested = shape.sums_children(l);
        if let (Some(plastic), true) = (plastic.as_deref_mut(), nested) {
            plastic.look_from_above(shape.range(l - 1), below);
        }
        let plastic = plastic.as_deref();
        let clusters = AtRest::of(matched, plastic).part(range.clone()).clusters;
        let children = nested.then(|| match plastic {
            None => (matched.clusters(l - 1), &below[shape.range(l - 1)]),
            Some(p) => (&p.placed[shape.range(l - 1)], &p.seen[shape.range(l - 1)]),
        });
        let spread = if children.is_some() { spread_over(pass, range.len()) } else { pass.spread };
        spread.for_blocks(chunks(here, block_for(range.len())), |block, out| {
            let first = block * block_for(range.len());
            let Some((rest, moments)) = children else {
                let rest = shape.rest();
                let particles =
                    Particles { table: members, clusters, rest, apart: &[], origin: *origin, x, v };
                return lanes::run(OfParticles::<_, MOTION> { particles, first, out, wanted: |_| true });
            };
            lanes::run(OfChildren::<MOTION> {
                table: members,
                clusters,
                child_rest: rest,
                children: moments,
                first,
                out,
            });
        });
    }
    fit_coarse(body, pass);
}

/// Whether all positions and velocities are: what is not shows in their sum.
fn are_finite(x: &[Vec4], v: &[Vec4]) -> bool {
    x.iter().chain(v).fold(Vec4::ZERO, |sum, v| sum + *v).is_finite()
}

/// Few clusters make small blocks, so that all threads get some.
fn block_for(clusters: usize) -> usize {
    if clusters >= 4 * CLUSTERS { CLUSTERS } else { (clusters / 8).max(1) }
}

fn wanted<'a>(
    material: &Material,
    inverse: &'a [[f32; 6]],
    scatter: &'a [[f32; 6]],
    motion: u8,
) -> Wanted<'a> {
    Wanted {
        stretch: (material.rotation == Rotation::Stretch).then_some(inverse),
        spin: (motion >= SPIN).then_some(scatter),
    }
}

/// Moments and fits of those finest clusters that are `stale`.
fn match_finest<const MOTION: u8>(body: &mut Body, spread: Spread, stale: impl Fn(usize) -> bool + Sync) {
    let Body { shape, reclustered, held, material, origin, x, v, moments, fits, rigid, plastic, .. } = body;
    let (shape, apart) = (Reclustered::tables(shape, reclustered), Reclustered::apart(reclustered));
    let stale = |c: usize| stale(c) && !reclustered.as_ref().is_some_and(|own| own.is_free(c));
    let range = shape.range(0);
    let matched = Matched::of(shape, held.as_deref());
    let (members, clusters) = (matched.members(0), matched.clusters(0));
    let at_rest = AtRest::of(matched, plastic.as_deref());
    let work = (
        chunks(&mut moments[range.clone()], CLUSTERS),
        chunks(&mut fits[range.clone()], CLUSTERS),
        chunks(&mut rigid[range], CLUSTERS),
    );
    spread.for_blocks(work, |block, (moments, fits, rigid)| {
        let first = block * CLUSTERS;
        let here = first..first + moments.len();
        let particles =
            Particles { table: members, clusters, rest: shape.rest(), apart, origin: *origin, x, v };
        lanes::run(OfParticles::<_, MOTION> { particles, first, out: moments, wanted: &stale });
        let at_rest = at_rest.part(here);
        let wanted = wanted(material, at_rest.inverse, at_rest.scatter, MOTION);
        at_rest.fit_where(moments, wanted, |c| stale(first + c), fits, rigid);
    });
}

/// Fits of all levels but the finest.
fn fit_coarse(body: &mut Body, pass: Pass) {
    let motion = motion(body, pass);
    let Body { shape, reclustered, held, material, moments, fits, rigid, plastic, .. } = body;
    let shape = Reclustered::tables(shape, reclustered);
    let from = shape.range(0).end;
    let at_rest = AtRest::of(Matched::of(shape, held.as_deref()), plastic.as_deref());
    let spread = spread_over(pass, fits.len() - from);
    let work = (chunks(&mut fits[from..], CLUSTERS), chunks(&mut rigid[from..], CLUSTERS));
    spread.for_blocks(work, |block, (fits, rigid)| {
        let first = from + block * CLUSTERS;
        let here = first..first + fits.len();
        let at_rest = at_rest.part(here.clone());
        let wanted = wanted(material, at_rest.inverse, at_rest.scatter, motion);
        at_rest.fit_where(&moments[here], wanted, |_| true, fits, rigid);
    });
}

/// What every cluster pulls with; nested levels hand their pulls down, coarsest first.
fn find_pulls(body: &mut Body, pass: Pass) {
    find_holds(body, pass);
    find_brakes(body, pass);
    body.swelling = body.next_swelling(pass.h);
    let turn = -Vec3A::from_vec4(body.drift.spin);
    if let (Some(mut quadratic), Goals::Quadratic { beta }) = (body.quadratic.take(), body.material.goals) {
        let strengths = |l: usize| body.strengths(l, pass.h);
        quadratic.find_pulls(
            &body.shape,
            beta,
            strengths,
            turn,
            &body.moments,
            &body.fits,
            &body.rigid,
            body.support.gains(),
            pass.spread,
        );
        body.quadratic = Some(quadratic);
        return soften_landing(body, pass);
    }
    let mut pulls = std::mem::take(&mut body.pulls);
    for l in (0..body.shape.levels().len()).rev() {
        let strengths = body.strengths(l, pass.h);
        let Body { reclustered, held, shape, material, moments, fits, rigid, plastic, support, .. } = &*body;
        let gains = support.gains();
        let shape = Reclustered::tables(shape, reclustered);
        let plastic = plastic.as_deref();
        let range = shape.range(l);
        let (here, above) = pulls[range.start..].split_at_mut(range.len());
        let parents = (shape.sums_children(l + 1) && l + 1 < shape.levels().len())
            .then(|| (shape.levels()[l + 1].held_by(), &above[..shape.range(l + 1).len()]));
        spread_over(pass, range.len()).for_blocks(chunks(here, CLUSTERS), |block, out| {
            let first = block * CLUSTERS;
            let all = range.start + first..range.start + first + out.len();
            let linear = match material.goals {
                Goals::Linear { beta } => {
                    // Goals of dented clusters are about rest positions before they were dented.
                    let undented = plastic.filter(|p| all.start >= p.dents.len());
                    let AtRest { scatter, inverse, .. } =
                        AtRest::of(Matched::of(shape, held.as_deref()), undented).part(all.clone());
                    Some(Linear { beta, scatter, inverse, bent: plastic.is_some() })
                }
                _ => None,
            };
            goals::own(
                strengths.from(first),
                linear,
                &moments[all.clone()],
                &fits[all.clone()],
                &rigid[all.clone()],
                out,
            );
            if range.end == rigid.len() {
                goals::add_turn(turn, &rigid[all.clone()], out);
            }
            by_level::add_gains(gains, all.clone(), moments, rigid, out);
            match (parents, plastic) {
                (None, _) => (),
                (Some((held_by, parents)), None) => goals::add_parents(held_by, first, parents, out),
                (Some((held_by, parents)), Some(p)) => {
                    let all = range.start + first..range.start + first + out.len();
                    let (frames, rest) = (&p.frames[all.clone()], &p.clusters[all]);
                    goals::add_placed_parents(held_by, first, parents, frames, rest, out);
                }
            }
        });
    }
    body.pulls = pulls;
    soften_landing(body, pass);
}

/// What holds the members of every cluster where something is painted, coarsest level first.
fn find_holds(body: &mut Body, pass: Pass) {
    if body.holds.is_empty() {
        return;
    }
    let mut holds = std::mem::take(&mut body.holds);
    let shape = body.tables();
    for l in (0..shape.levels().len()).rev() {
        let (here, above) = holds[shape.range(l).start..].split_at_mut(shape.range(l).len());
        let nested = l + 1 < shape.levels().len() && shape.sums_children(l + 1);
        let parents = nested.then(|| (shape.levels()[l + 1].held_by(), &*above));
        goals::find_holds(Strengths { brakes: &[], ..body.strengths(l, pass.h) }, parents, here);
    }
    body.holds = holds;
}

/// What the contacts of every finest cluster add to its damping, and where something is painted to
/// what holds its members.
fn find_brakes(body: &mut Body, pass: Pass) {
    if !body.grip.is_any() {
        return;
    }
    let total = body.total_strength(pass.h).damping;
    let painted = body.tables().painted().iter().map(|painted| painted.damping).fold(1.0, f32::max);
    let Body { shape, moments, holds, brakes, .. } = body;
    for (c, brake) in brakes.iter_mut().enumerate() {
        let damping = match holds.get(c) {
            None => total,
            Some(hold) if shape.sums_children(1) => hold.damping,
            // Other levels hold its members, too, and each as it is painted.
            Some(_) => (total * painted).min(1.0),
        };
        *brake = settle::brake(1.0 - damping, &moments[c]);
        holds.get_mut(c).into_iter().for_each(|hold| hold.damping += *brake);
    }
}

/// Takes off speed of compression while the body touches something.
fn soften_landing(body: &mut Body, pass: Pass) {
    if !body.grip.is_any() {
        body.landing = Landing::default();
        return;
    }
    let (total, gain) = (body.total_strength(pass.h), pass.gain(body));
    let Body { shape, reclustered, material, moments, pulls, quadratic, landing, grip, .. } = body;
    let shape = Reclustered::tables(shape, reclustered);
    let (clusters, moments) = (shape.clusters(0), &moments[shape.range(0)]);
    let velocity = landing::velocity(clusters, moments);
    if let Some(push) = landing.push(velocity) {
        let share = landing::share(total.stiffness * pass.h, grip.get(), material.rebound);
        let share = share.min(1.0 - total.damping);
        let brake = Brake::of(push, clusters, moments);
        for (c, m) in moments.iter().enumerate() {
            let change = brake.change(share, m);
            match quadratic {
                Some(quadratic) => quadratic.add_to_pull(c, change),
                None => pulls[c].add(change),
            }
        }
    }
    *landing = Landing::of(velocity, gain.into());
}
