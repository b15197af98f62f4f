//! `wobble run`: plays scenes of the papers without a window, and holds the papers' words against them.

mod export;
mod film;
mod player;
mod report;
mod svg;
mod tell;

use std::path::{Path, PathBuf};

use crate::Fault;
use crate::papers::play::Runs;
use crate::papers::{self, Scene, Setup, Variant};

/// What to play, and what to make of it.
#[derive(Default)]
pub struct Run {
    pub scene: Option<String>,
    pub variants: Vec<String>,
    pub all: bool,
    pub list: bool,
    pub quick: bool,
    pub threads: Option<u32>,
    pub record: Option<PathBuf>,
    pub export: Option<PathBuf>,
    pub width: Option<usize>,
    pub fps: Option<u32>,
    pub out: Option<PathBuf>,
}

impl Run {
    fn setup(&self) -> Setup {
        Setup { threads: self.threads.unwrap_or(1), quick: self.quick }
    }
}

pub fn run(options: &Run) -> Result<(), Fault> {
    if options.list {
        tell::list();
        return Ok(());
    }
    if options.all {
        return report::run(options);
    }
    let name = options.scene.as_deref().ok_or_else(|| {
        Fault::Usage("name a scene, or give --all; `wobble run --list` tells which there are".into())
    })?;
    let scene = papers::find(name).ok_or_else(|| {
        let names: Vec<&str> = papers::all().iter().map(|scene| scene.name).collect();
        Fault::Usage(format!("there is no scene {name:?}; there are {}", names.join(", ")))
    })?;
    let variants = chosen(scene, &options.variants)?;
    tell::scene(scene);
    let mut runs = Vec::new();
    for variant in &variants {
        let mut reel = player::Reel::new(options, &file_of(&variants, variant))?;
        let played = player::play(variant, &options.setup(), &mut |stage| reel.take(stage))?;
        tell::run(&played);
        reel.finish()?;
        runs.push(played.run);
    }
    if !runs.iter().all(|run| run.finite) {
        return Err(Fault::Failed(format!("{name}: a body did not stay finite and was frozen")));
    }
    let complete = runs.len() == scene.variants.len();
    tell::verdict(scene, &Runs(runs.iter().collect()), complete, options.quick);
    Ok(())
}

/// The variants named, or all.
fn chosen(scene: &'static Scene, names: &[String]) -> Result<Vec<&'static Variant>, Fault> {
    if names.is_empty() {
        return Ok(scene.variants.iter().collect());
    }
    let find = |name: &String| {
        scene.variant(name).ok_or_else(|| {
            let all: Vec<&str> = scene.variants.iter().map(|variant| variant.name).collect();
            Fault::Usage(format!("{} has no variant {name:?}; it has {}", scene.name, all.join(", ")))
        })
    };
    names.iter().map(find).collect()
}

/// Where something of a variant is written, from what the user named: with the variant's name if there are several.
fn file_of<'a>(variants: &'a [&Variant], variant: &'a Variant) -> impl Fn(&Path) -> PathBuf + 'a {
    let several = variants.len() > 1;
    move |file| {
        let stem = file.file_stem().unwrap_or_default().to_string_lossy();
        let kind = file.extension().unwrap_or_default().to_string_lossy();
        let name = if several { format!("{stem}-{}.{kind}", variant.name) } else { format!("{stem}.{kind}") };
        file.with_file_name(name)
    }
}
