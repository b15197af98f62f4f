//! Weight moved from fine to coarse levels makes an impact more affine: MR's Falling Ball from a small height. What is
//! left of its shape in the end is judged in `papers.rs`.

mod scenes;
mod support;

use std::sync::Arc;

use glam::Vec3;
use support::{Scene, non_affine, papers, shape};
use wobble::{BodyDef, Nesting, Shape, Towards, Weighting};

const FINE: Weighting = Weighting::Gaussian { towards: Towards::Fine };
const COARSE: Weighting = Weighting::Gaussian { towards: Towards::Coarse };

/// From all weight on the finest level to all weight on the coarsest.
fn weightings() -> [Weighting; 5] {
    [
        Weighting::Manual(vec![1.0, 0.0, 0.0]),
        FINE,
        Weighting::Uniform,
        COARSE,
        Weighting::Manual(vec![0.0, 0.0, 1.0]),
    ]
}

/// The papers' ball where it is at hand, and one made here that always is.
fn balls() -> Vec<(&'static str, Vec<Vec3>)> {
    let papers = scenes::papers_particles("shell-5k").map(|points| ("the papers' ball", points));
    papers.into_iter().chain([("a random ball", scenes::shell_5098())]).collect()
}

/// A ball whose centre falls from `height`, before its first step.
fn falling(shape: &Arc<Shape>, weighting: &Weighting, height: f32) -> Scene {
    let def = BodyDef { position: Vec3::Y * height, material: papers(1.0, 0.1), ..BodyDef::default() };
    let mut scene = Scene::on_ground(shape, &def);
    scene.body_mut().set_weighting(weighting).unwrap();
    scene
}

#[test]
fn non_affine_deformation_at_impact_falls_as_weight_moves_to_coarse_levels() {
    for (ball, points) in balls() {
        for nesting in [Nesting::Nested, Nesting::Independent] {
            let shape = shape(&points, 50, nesting);
            let peaks = weightings().map(|weighting| {
                // A fall of 10 cm and the half second after. A hard fall flattens the finest level
                // alone so thoroughly that what is left is nearly affine again.
                let mut scene = falling(&shape, &weighting, 0.6);
                let mut peak = 0.0f64;
                for _ in 0..19 {
                    scene.run(1, 1.0 / 30.0);
                    peak = peak.max(non_affine(&scene.positions(), &points));
                }
                peak
            });
            println!("{ball}, {nesting:?}, non-affine from fine to coarse: {peaks:.4?}");
            assert!(peaks.windows(2).all(|p| p[1] < p[0]), "{ball}, {nesting:?}: {peaks:?}");
        }
    }
}
