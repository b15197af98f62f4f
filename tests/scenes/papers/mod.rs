//! The papers' scenes, once for all: tests assert their claims, `wobble run` plays them and judges, the
//! playground shows them.
//!
//! A host includes this file alone, by `#[path = ".../tests/scenes/papers/mod.rs"] mod papers;`. A scene is
//! data: words, and variants that each build a [`Stage`], a world about to be stepped. Short names of papers are those of
//! ARCHITECTURE.md.

// Each crate that includes this module uses some of it.
#![allow(dead_code, unused_imports)]

pub mod animals;
mod beams;
mod clusterings;
mod contacts;
mod cubes;
mod falling;
mod falling_animals;
pub mod play;
#[path = "../mod.rs"]
pub mod points;
mod sets;
mod stage;
mod toys;

use wobble::Error;

pub use stage::{Drive, Probe, Setup, Stage};

/// A scene of a paper.
pub struct Scene {
    /// What it is called on a command line: `"falling-ball"`.
    pub name: &'static str,
    /// A line for people.
    pub title: &'static str,
    /// The paper and its section, `"MR 5.2"`.
    pub paper: &'static str,
    /// What the paper says happens, in our words.
    pub claim: &'static str,
    /// What is compared. At least one.
    pub variants: &'static [Variant],
    /// Milliseconds a frame in MR's Table 2, the average of its multi-resolution runs.
    pub theirs: Option<f32>,
    /// Holds the paper's words against runs of all variants.
    pub judge: fn(&play::Runs) -> Vec<play::Finding>,
}

impl Scene {
    /// The variant of that name.
    pub fn variant(&self, name: &str) -> Option<&'static Variant> {
        self.variants.iter().find(|variant| variant.name == name)
    }
}

/// One way to play a scene: other weights of the levels, another material, other clusters.
pub struct Variant {
    /// Unique in its scene: `"gaussian-fine"`.
    pub name: &'static str,
    /// Milliseconds a frame in MR's Table 2, for a baseline that it timed by itself.
    pub theirs: Option<f32>,
    /// Makes the world, ready for the first step.
    pub build: fn(&Setup) -> Result<Stage, Error>,
}

/// A variant with no time of its own in the papers.
const fn variant(name: &'static str, build: fn(&Setup) -> Result<Stage, Error>) -> Variant {
    Variant { name, theirs: None, build }
}

/// A single level of so many clusters, as MR timed it.
const fn baseline(name: &'static str, ms: f32, build: fn(&Setup) -> Result<Stage, Error>) -> Variant {
    Variant { name, theirs: Some(ms), build }
}

/// Every scene, in the order of the papers.
pub fn all() -> &'static [Scene] {
    ALL
}

/// The scene of that name.
pub fn find(name: &str) -> Option<&'static Scene> {
    ALL.iter().find(|scene| scene.name == name)
}

static ALL: &[Scene] = &[
    falling::BALL,
    cubes::HOVERING,
    falling_animals::BUNNY,
    contacts::WALL,
    contacts::BUNNIES,
    falling::PLINKO,
    falling_animals::ARMADILLO,
    falling_animals::ARMADILLO_20K,
    cubes::STRETCHED,
    cubes::SPINNING,
    contacts::SHEET,
    clusterings::KERNELS,
    clusterings::CLUSTERINGS,
    beams::COMPRESSED,
    beams::TWISTED,
    beams::HANGING,
    toys::DUCK,
    toys::HUNDRED,
];
