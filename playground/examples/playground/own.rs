//! Scenes of the playground's own, with skinned meshes, beside those of the papers.

use std::sync::Arc;

use glam::{Quat, Vec3, vec3};
use wobble::{
    Amount, BodyDef, ColliderDef, ColliderShape, Error, LevelsDef, Preset, SamplingDef, Shape, Solid,
};

use crate::papers::{Scene, Setup, Stage, Variant};

const BEARS: Scene = Scene {
    name: "gummy-bears",
    title: "Gummy bears fall on a step",
    paper: "",
    claim: "Pull one by an ear. Then move weight between the levels: the coarse ones hold the bear together, the \
            fine ones let its limbs swing.",
    theirs: None,
    judge: |_| Vec::new(),
    variants: &[
        preset("gummy", |setup| bears(setup, "gummy")),
        preset("jelly", |setup| bears(setup, "jelly")),
        preset("rubber", |setup| bears(setup, "rubber")),
        preset("flesh", |setup| bears(setup, "flesh")),
        preset("foam", |setup| bears(setup, "foam")),
        preset("water-balloon", |setup| bears(setup, "water balloon")),
    ],
};

const SHAPES: Scene = Scene {
    name: "shapes",
    title: "A ball, a box, a ring and a capsule in a heap",
    paper: "",
    claim: "Bodies of different shapes and materials touch each other and lie in a heap.",
    theirs: None,
    judge: |_| Vec::new(),
    variants: &[preset("mixed", shapes)],
};

/// All that can be played, this file's first.
pub fn scenes() -> Vec<&'static Scene> {
    [&BEARS, &SHAPES].into_iter().chain(crate::papers::all()).collect()
}

const fn preset(name: &'static str, build: fn(&Setup) -> Result<Stage, Error>) -> Variant {
    Variant { name, theirs: None, build }
}

/// A floor under a world that steps as hosts' worlds do by default.
fn floor(setup: &Setup) -> Result<Stage, Error> {
    let mut stage = Stage::on_ground(setup, 1.0 / 60.0, 8.0)?;
    stage.world.set_substeps(4)?;
    Ok(stage)
}

fn filled(solid: &Solid, setup: &Setup, particles: u32) -> Result<Arc<Shape>, Error> {
    let particles = if setup.quick { particles / 3 } else { particles };
    let sampling = SamplingDef { amount: Amount::Count(particles), ..SamplingDef::default() };
    Shape::from_solid(solid, 40, &sampling, &LevelsDef::default(), &mut |_| true)
}

fn drop_body(
    stage: &mut Stage,
    shape: &Arc<Shape>,
    name: &str,
    position: Vec3,
    rotation: Quat,
) -> Result<(), Error> {
    let Preset { material, weighting } = Preset::named(name).expect("one of Material::NAMES");
    stage.add(shape, &BodyDef { position, rotation, material, ..BodyDef::default() }, &weighting)?;
    Ok(())
}

fn bears(setup: &Setup, name: &str) -> Result<Stage, Error> {
    let mut stage = floor(setup)?;
    let step = ColliderDef {
        shape: ColliderShape::Box { half_extents: vec3(0.7, 0.2, 0.6) },
        position: vec3(-0.75, 0.2, -0.1),
        ..ColliderDef::default()
    };
    stage.world.add_collider(&step)?;
    let post = ColliderDef {
        shape: ColliderShape::Capsule { half_height: 0.25, radius: 0.14 },
        position: vec3(0.85, 0.25, 0.1),
        ..ColliderDef::default()
    };
    stage.world.add_collider(&post)?;
    let bear = filled(&Solid::gummy_bear(1.0)?, setup, 1200)?;
    let places = [
        (vec3(-0.75, 1.15, 0.0), Quat::from_rotation_y(0.5)),
        (vec3(0.45, 1.0, 0.35), Quat::from_rotation_y(-0.4) * Quat::from_rotation_z(0.5)),
        (vec3(-0.25, 2.3, 0.1), Quat::from_rotation_x(-1.2)),
        (vec3(0.9, 2.1, -0.1), Quat::from_rotation_z(-0.8) * Quat::from_rotation_y(0.6)),
    ];
    for (position, rotation) in places {
        let facing_us = Quat::from_rotation_y(std::f32::consts::PI);
        drop_body(&mut stage, &bear, name, position, rotation * facing_us)?;
    }
    Ok(stage.seen(vec3(1.3, 1.75, 4.5), vec3(0.2, 0.5, 0.0)))
}

fn shapes(setup: &Setup) -> Result<Stage, Error> {
    let mut stage = floor(setup)?;
    let turned = Quat::from_rotation_z(0.5) * Quat::from_rotation_x(0.4);
    let solids = [
        (Solid::ball(0.35)?, "water balloon", vec3(-0.5, 0.9, 0.0)),
        (Solid::cuboid(Vec3::splat(0.6))?, "jelly", vec3(0.4, 0.9, 0.1)),
        (Solid::torus(0.38, 0.15)?, "gummy", vec3(-0.2, 1.9, 0.1)),
        (Solid::capsule(0.2, 0.9)?, "rubber", vec3(0.35, 2.4, 0.0)),
        (Solid::cylinder(0.3, 0.5)?, "flesh", vec3(-0.1, 3.1, -0.1)),
    ];
    for (solid, name, position) in solids {
        let shape = filled(&solid, setup, 1000)?;
        drop_body(&mut stage, &shape, name, position, turned)?;
    }
    Ok(stage.seen(vec3(1.2, 1.7, 4.0), vec3(0.0, 0.65, 0.0)))
}
