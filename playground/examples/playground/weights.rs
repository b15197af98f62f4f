//! Level weights under sliders.

/// Weights that add up to 1: what one slider took, the others give in proportion.
pub fn shared(weights: &[f32], moved: usize) -> Vec<f32> {
    let rest: f32 = weights.iter().sum::<f32>() - weights[moved];
    let left = 1.0 - weights[moved];
    let others = (weights.len() - 1).max(1) as f32;
    let share = |(level, weight): (usize, &f32)| match level {
        _ if weights.len() == 1 => 1.0,
        level if level == moved => *weight,
        _ if rest > 1e-6 => weight * left / rest,
        _ => left / others,
    };
    weights.iter().enumerate().map(share).collect()
}

#[cfg(test)]
mod tests {
    use super::shared;

    #[test]
    fn weights_add_up_to_one_whichever_slider_is_moved() {
        for (weights, moved) in [(vec![0.7, 0.5, 0.3], 1), (vec![1.0, 0.0, 0.0], 0), (vec![0.4, 0.0, 0.0], 0)]
        {
            let shared = shared(&weights, moved);
            assert!((shared.iter().sum::<f32>() - 1.0).abs() < 1e-6, "{shared:?}");
            assert_eq!(shared[moved], weights[moved]);
        }
        assert_eq!(shared(&[0.3], 0), [1.0]);
    }
}
