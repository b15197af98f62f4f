//! What several scales cost beside the finest alone.

use wobble::{Material, Shape};

use crate::harness::{Bench, Limit};
use crate::scene::{Body, Levels, Motion, Scene, Shapes, strained};

/// All rows of this file.
pub fn run(bench: &mut Bench, shapes: &mut Shapes) {
    for body in Body::ALL {
        let name = body.name();
        if bench.wants(&[&format!("core.nested_over_finest.{name}")]) {
            nested(bench, shapes, body);
        }
        let independent_rows = ["core.independent_over_finest", "core.independent_memberships_ratio"];
        if independent_rows.iter().any(|row| bench.wants(&[&format!("{row}.{name}")])) {
            independent(bench, shapes, body);
        }
    }
}

fn nested(bench: &mut Bench, shapes: &mut Shapes, body: Body) {
    let nested = shapes.get(body, Levels::Nested).shape;
    let finest = shapes.get(body, Levels::Finest).shape;
    assert_eq!(
        nested.levels()[0].held_by().len(),
        finest.levels()[0].held_by().len(),
        "the finest levels differ, so their costs cannot be compared"
    );
    let mut all = Scene::new(&nested, Material::default(), 1, Motion::Lively);
    let mut one = Scene::new(&finest, Material::default(), 1, Motion::Lively);
    let mut all_limited = Scene::new(&nested, strained(), 1, Motion::Lively);
    let mut one_limited = Scene::new(&finest, strained(), 1, Motion::Lively);
    let best =
        bench.race(&mut [&mut || all.step(), &mut || one.step(), &mut || all_limited.step(), &mut || {
            one_limited.step()
        }]);
    let (plain, limited) = (best[0] / best[1], best[2] / best[3]);
    let row = format!("core.nested_over_finest.{}", body.name());
    bench.row(row.as_str(), plain.max(limited), Limit::AtMost(1.10));
    bench.tell(format!("{row}.plain"), plain);
    bench.tell(format!("{row}.strain"), limited);
}

fn independent(bench: &mut Bench, shapes: &mut Shapes, body: Body) {
    let independent = shapes.get(body, Levels::Independent).shape;
    let finest = shapes.get(body, Levels::Finest).shape;
    let mut all = Scene::new(&independent, Material::default(), 1, Motion::Lively);
    let mut one = Scene::new(&finest, Material::default(), 1, Motion::Lively);
    let best = bench.race(&mut [&mut || all.step(), &mut || one.step()]);
    let ratio = memberships(&independent) / memberships(&finest);
    bench.tell(format!("core.independent_memberships_ratio.{}", body.name()), ratio);
    let row = format!("core.independent_over_finest.{}", body.name());
    bench.row(row, best[0] / best[1], Limit::AtMost(ratio));
}

fn memberships(shape: &Shape) -> f64 {
    shape.levels().iter().map(|level| level.held_by().len()).sum::<usize>() as f64
}
