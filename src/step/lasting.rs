//! Deformation that lasts, as a stage: dents flow in every substep, coarser levels follow once a step.
//!
//! Runs when the pulls are found and before particles move: what a substep pulls with, and so its
//! momentum, belongs to one state of the dents.

use super::Pass;
use crate::body::Body;
use crate::recluster::Reclustered;
use crate::shape::held::Matched;

/// Notes what breaks at the end of the step; lets a body keep what deforms it beyond its yield, and forget some of
/// what it kept.
pub(super) fn flow(body: &mut Body, pass: Pass) {
    if body.breaking.rule.is_some() {
        body.note_stretches();
        if pass.first {
            body.note_load(pass.h);
        }
    }
    let Body { shape, reclustered, held, plastic, plasticity, flows, moments, fits, .. } = body;
    let shape = Reclustered::tables(shape, reclustered);
    let rest = Matched::of(shape, held.as_deref());
    let (Some(plastic), Some(rule)) = (plastic, plasticity) else { return };
    let state = (&moments[..], &fits[..]);
    for (l, flow) in flows.iter().enumerate() {
        let (range, share) = (shape.range(l), (rule.flow * flow * pass.h).min(1.0));
        if share > 0.0 && range.end <= plastic.dents.len() {
            plastic.flow(rest, rule, range, share, state, pass.spread);
        }
    }
    if pass.first && rule.recovery > 0.0 {
        plastic.recover(rest, (rule.recovery * pass.dt).min(1.0));
    }
    if pass.first && !plastic.frames.is_empty() && (rule.recovery > 0.0 || plastic.has_flowed()) {
        plastic.embed((shape, rest), flows, state, pass.spread);
    }
}
