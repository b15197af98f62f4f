//! Reclustering as a stage: at the beginning of a step, before anything is matched, so that a whole step belongs to one set of weights.

use super::Pass;
use crate::body::Body;
use crate::fitting::Rigid;
use crate::matching::Moments;
use crate::plasticity::{Plastic, Plasticity};
use crate::recluster;

/// Replaces clusters that flowed too far, and lets others fade on.
pub(super) fn recluster(body: &mut Body, pass: Pass) {
    let Some(rule) = body.plasticity.filter(|rule| pass.first && rule.recluster > 0.0) else { return };
    if body.reclustered.is_none() {
        let worn = body.plastic.as_deref().is_some_and(|plastic| wears(plastic, &rule));
        if !worn || !recluster::can_replace(&body.shape) {
            return;
        }
        body.take_own_clusters();
    }
    body.turn_last();
    let Body { reclustered, plastic, x, origin, moments, fits, rigid, .. } = body;
    let (Some(own), Some(plastic)) = (reclustered, plastic) else { return };
    own.age = own.age.wrapping_add(1);
    if own.age % recluster::STRIDE != 0 {
        return;
    }
    own.mark(plastic, rule.recluster);
    if !own.is_fading() {
        return;
    }
    let any_free = own.fade(plastic, rule.fade);
    // Clusters are fitted eight at a time, and as long as any of them needs: free places must not hang on what was there.
    for c in (0..own.stages.len()).filter(|&c| any_free && own.is_free(c)) {
        (moments[c], rigid[c]) = (Moments::default(), Rigid::default());
    }
    let orphans = own.orphans();
    let found = own.new_clusters(plastic, &rule, (x, *origin, fits), &orphans, (pass.spread, pass.clock));
    pass.clock.count_clusters(found.len());
    if any_free || !found.is_empty() {
        own.take_in(plastic, found, rule.fade);
    }
    own.follow(plastic, true, pass.spread);
    body.touched();
}

fn wears(plastic: &Plastic, rule: &Plasticity) -> bool {
    plastic.dents.iter().any(|dent| dent.is_worn(rule.recluster))
}
