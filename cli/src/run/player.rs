//! Plays a variant while somebody watches: the bar, energies, pictures and files.

use std::path::{Path, PathBuf};
use std::time::Instant;

use super::export::Export;
use super::film::Film;
use crate::papers::play::{self, Run};
use crate::papers::{Setup, Stage, Variant};
use crate::{Fault, bar};

/// A run, and what the player saw besides.
pub struct Played {
    pub run: Run,
    pub particles: usize,
    pub bodies: usize,
    pub steps: u32,
    /// Name of the scene's own number.
    pub probe: Option<&'static str>,
    /// Kinetic and elastic energy of all bodies, J: at first, in the end, and the most of both together.
    pub first: [f32; 2],
    pub last: [f32; 2],
    pub most: f32,
    /// Of building and of all steps.
    pub build_seconds: f32,
    pub seconds: f32,
}

/// Plays a variant to its end. `watch` sees the stage before the first step and after each.
pub fn play(
    variant: &Variant,
    setup: &Setup,
    watch: &mut dyn FnMut(&Stage) -> Result<(), Fault>,
) -> Result<Played, Fault> {
    let start = Instant::now();
    let mut began = None;
    let mut fault = None;
    let (mut first, mut last, mut most) = (None, [0.0; 2], 0.0f32);
    let (mut particles, mut bodies, mut steps, mut probe, mut shown) = (0, 0, 0, None, None);
    let run = play::play(variant, setup, &mut |stage| {
        began.get_or_insert_with(Instant::now);
        (steps, probe) = (stage.steps(), stage.probe.map(|probe| probe.name));
        // Energies take as long as a step: ten times a second is enough.
        let every = ((0.1 / stage.dt) as u32).max(1);
        if stage.done.is_multiple_of(every) || stage.done == steps {
            last = energies(stage)?;
            first.get_or_insert(last);
            most = most.max(last[0] + last[1]);
        }
        let there = stage.world.statistics();
        (particles, bodies) = (there.particles, there.bodies);
        bar::show(stage.done as f32 / steps.max(1) as f32, &mut shown);
        if fault.is_none() {
            fault = watch(stage).err();
        }
        Ok(())
    })?;
    bar::clear(shown.is_some());
    if let Some(fault) = fault {
        return Err(fault);
    }
    let began = began.unwrap_or(start);
    Ok(Played {
        run,
        particles,
        bodies,
        steps,
        probe,
        first: first.unwrap_or_default(),
        last,
        most,
        build_seconds: (began - start).as_secs_f32(),
        seconds: began.elapsed().as_secs_f32(),
    })
}

fn energies(stage: &Stage) -> Result<[f32; 2], wobble::Error> {
    let h = stage.dt / stage.world.substeps() as f32;
    stage.world.bodies().try_fold([0.0; 2], |[kinetic, elastic], (_, body)| {
        Ok([kinetic + body.kinetic_energy(), elastic + body.elastic_energy(h)?])
    })
}

/// Takes down what the user asked for: a film, a file of positions, both or nothing.
pub struct Reel {
    film: Option<Film>,
    export: Option<Export>,
    fps: u32,
    written: Vec<PathBuf>,
}

impl Reel {
    pub fn new(options: &super::Run, file: &dyn Fn(&Path) -> PathBuf) -> Result<Reel, Fault> {
        let width = options.width.unwrap_or(480);
        let film = options.record.as_deref().map(|f| Film::new(&file(f), width)).transpose()?;
        let export = options.export.as_deref().map(|f| Export::new(&file(f))).transpose()?;
        Ok(Reel { film, export, fps: options.fps.unwrap_or(15), written: Vec::new() })
    }

    pub fn take(&mut self, stage: &Stage) -> Result<(), Fault> {
        let every = ((1.0 / (self.fps as f32 * stage.dt)).round() as u32).max(1);
        if !stage.done.is_multiple_of(every) {
            return Ok(());
        }
        if let Some(film) = &mut self.film {
            film.take(stage, every)?;
        }
        if let Some(export) = &mut self.export {
            export.take(stage)?;
        }
        Ok(())
    }

    pub fn finish(mut self) -> Result<(), Fault> {
        self.written.extend(self.film.map(Film::finish).transpose()?);
        self.written.extend(self.export.map(Export::finish).transpose()?);
        self.written.iter().for_each(|file| println!("  written            {}", file.display()));
        Ok(())
    }
}
