//! Brightness by cluster, so that pictures show what holds a body together.

use wobble::Shape;

/// A brightness for each particle, in spatial order: one for each finest cluster,
/// taken from the one that holds the particle most.
pub fn tints(shape: &Shape) -> Vec<f32> {
    let held_by = shape.levels()[0].held_by();
    let holder = |particle: usize| {
        held_by
            .row(particle)
            .iter()
            .max_by(|a, b| a.weight.total_cmp(&b.weight))
            .map_or(0, |entry| entry.index)
    };
    // Multiples of the golden ratio spread evenly and differ between neighbours.
    let tint = |cluster: u32| 0.5 + 0.8 * (cluster as f32 * 0.618_034).fract();
    (0..shape.particle_count()).map(|particle| tint(holder(particle))).collect()
}
