//! `wobble run --all`: plays every scene and writes `report.md` and `report.html`, the latter a single file with all
//! pictures in it.

mod page;

use std::fs;
use std::path::Path;

use super::film::Painter;
use super::player::{self, Played};
use super::tell;
use crate::Fault;
use crate::papers::play::{Finding, Runs};
use crate::papers::{self, Scene, Stage};
use crate::support::picture::Picture;

/// When pictures are taken, as shares of the scene.
const MOMENTS: [f32; 4] = [0.0, 0.1, 0.3, 1.0];

/// A scene that was played.
pub struct Chapter {
    pub scene: &'static Scene,
    pub variants: Vec<Entry>,
    pub findings: Vec<Finding>,
}

/// A variant, and the name of the file with its pictures.
pub struct Entry {
    pub played: Played,
    pub file: String,
}

pub fn run(options: &super::Run) -> Result<(), Fault> {
    if options.record.is_some() || options.export.is_some() || !options.variants.is_empty() {
        return Err(Fault::Usage(
            "--all makes its own pictures; leave out --record, --export and --variant".into(),
        ));
    }
    if let Some(scene) = &options.scene {
        return Err(Fault::Usage(format!("--all plays every scene; leave out {scene:?}")));
    }
    let folder = options.out.clone().unwrap_or_else(|| "wobble-report".into());
    let failed = |why: std::io::Error| Fault::Failed(format!("{}: {why}", folder.display()));
    fs::create_dir_all(&folder).map_err(failed)?;
    let mut chapters = Vec::new();
    for scene in papers::all() {
        chapters.push(chapter(scene, options, &folder)?);
    }
    let read = |entry: &Entry| fs::read(folder.join(&entry.file)).map_err(failed);
    let html = page::html(&chapters, options, &read)?;
    fs::write(folder.join("report.html"), html).map_err(failed)?;
    fs::write(folder.join("report.md"), page::markdown(&chapters, options)).map_err(failed)?;
    println!("\nwritten  {}", folder.join("report.md").display());
    println!("written  {}", folder.join("report.html").display());
    Ok(())
}

fn chapter(scene: &'static Scene, options: &super::Run, folder: &Path) -> Result<Chapter, Fault> {
    println!("\n## {}", scene.name);
    tell::scene(scene);
    let mut variants = Vec::new();
    for variant in scene.variants {
        let mut strip = Strip { painter: None, pictures: Vec::new(), width: options.width.unwrap_or(280) };
        let played = player::play(variant, &options.setup(), &mut |stage| strip.take(stage))?;
        tell::run(&played);
        let file = format!("{}-{}.png", scene.name, variant.name);
        let told = |why: &dyn std::fmt::Display| Fault::Failed(format!("{file}: {why}"));
        Picture::sheet(&strip.pictures, MOMENTS.len()).write(&folder.join(&file)).map_err(|e| told(&e))?;
        variants.push(Entry { played, file });
    }
    let runs = Runs(variants.iter().map(|entry| &entry.played.run).collect());
    tell::verdict(scene, &runs, true, options.quick);
    let findings = (scene.judge)(&runs);
    Ok(Chapter { scene, variants, findings })
}

/// Pictures of a scene at its moments.
struct Strip {
    painter: Option<Painter>,
    pictures: Vec<Picture>,
    width: usize,
}

impl Strip {
    fn take(&mut self, stage: &Stage) -> Result<(), Fault> {
        let due = MOMENTS.get(self.pictures.len()).map(|share| (share * stage.steps() as f32) as u32);
        if due != Some(stage.done) {
            return Ok(());
        }
        let painter = match &mut self.painter {
            Some(painter) => painter,
            none => none.insert(Painter::new(stage, self.width)?),
        };
        self.pictures.push(painter.draw(stage)?);
        Ok(())
    }
}
