//! Pictures of a stage: a GIF that moves, numbered PNG files, or stills for the report.

use std::fs::File;
use std::io::BufWriter;
use std::path::{Path, PathBuf};

use glam::Vec3;

use crate::Fault;
use crate::papers::Stage;
use crate::support::palette::Palette;
use crate::support::picture::Picture;
use crate::support::render::{Camera, Renderer, Splat};
use crate::support::solids::blocks;
use crate::support::tints::tints;

/// Linear colours of the bodies, over and over.
const COLOURS: [Vec3; 5] = [
    Vec3::new(0.85, 0.18, 0.10),
    Vec3::new(0.05, 0.38, 0.42),
    Vec3::new(0.88, 0.50, 0.06),
    Vec3::new(0.30, 0.45, 0.10),
    Vec3::new(0.42, 0.16, 0.42),
];

/// Draws stages of one scene.
pub struct Painter {
    renderer: Renderer,
    splats: Vec<Splat>,
}

impl Painter {
    pub fn new(stage: &Stage, width: usize) -> Result<Painter, wobble::Error> {
        let camera = Camera { eye: stage.eye, target: stage.target, opening: 0.62 };
        let reach = 1.2 * stage.eye.distance(stage.target).max(3.0);
        let mut renderer = Renderer::new(width, width * 9 / 16, &camera, reach);
        (renderer.blocks, renderer.ground) = blocks(&stage.world);
        let mut splats = Vec::new();
        for (k, (id, radius)) in stage.bodies.iter().zip(&stage.drawn).enumerate() {
            let colour = COLOURS[k % COLOURS.len()];
            let tints = tints(stage.world.body(*id)?.shape());
            splats.extend(tints.into_iter().map(|tint| Splat {
                centre: Vec3::ZERO,
                radius: *radius,
                colour: colour * tint,
            }));
        }
        Ok(Painter { renderer, splats })
    }

    pub fn draw(&mut self, stage: &Stage) -> Result<Picture, wobble::Error> {
        let mut splats = self.splats.iter_mut();
        for id in &stage.bodies {
            for (position, splat) in stage.world.body(*id)?.raw_positions().iter().zip(&mut splats) {
                splat.centre = position.truncate();
            }
        }
        Ok(self.renderer.draw(&self.splats))
    }
}

/// What a film is written as.
enum Kind {
    Gif,
    Png,
}

pub struct Film {
    file: PathBuf,
    kind: Kind,
    width: usize,
    painter: Option<Painter>,
    frames: Vec<Picture>,
    /// Hundredths of a second a frame.
    delay: u16,
}

impl Film {
    pub fn new(file: &Path, width: usize) -> Result<Film, Fault> {
        let kind = match file.extension().and_then(|kind| kind.to_str()) {
            Some("gif") => Kind::Gif,
            Some("png") => Kind::Png,
            _ => return Err(Fault::Usage(format!("--record is {file:?}; name a .gif or a .png file"))),
        };
        Ok(Film { file: file.into(), kind, width, painter: None, frames: Vec::new(), delay: 1 })
    }

    /// Takes a picture, the next one being `every` steps later.
    pub fn take(&mut self, stage: &Stage, every: u32) -> Result<(), Fault> {
        self.delay = (100.0 * stage.dt * every as f32).round().max(2.0) as u16;
        let painter = match &mut self.painter {
            Some(painter) => painter,
            none => none.insert(Painter::new(stage, self.width)?),
        };
        self.frames.push(painter.draw(stage)?);
        Ok(())
    }

    /// Writes the film; the file, or the first of them.
    pub fn finish(self) -> Result<PathBuf, Fault> {
        let told =
            |file: &Path, why: &dyn std::fmt::Display| Fault::Failed(format!("{}: {why}", file.display()));
        match self.kind {
            Kind::Gif => write_gif(&self.frames, self.delay, &self.file).map_err(|e| told(&self.file, &e))?,
            Kind::Png => {
                for (k, frame) in self.frames.iter().enumerate() {
                    let file = super::export::numbered(&self.file, k);
                    frame.write(&file).map_err(|e| told(&file, &e))?;
                }
                return Ok(super::export::numbered(&self.file, 0));
            }
        }
        Ok(self.file)
    }
}

/// A GIF that plays for ever: one palette, and only what changed from frame to frame.
fn write_gif(frames: &[Picture], delay: u16, file: &Path) -> Result<(), gif::EncodingError> {
    let palette = Palette::of(frames.iter().flat_map(|frame| &frame.pixels));
    let (width, height) = (frames[0].width as u16, frames[0].height as u16);
    let out = BufWriter::new(File::create(file)?);
    let mut encoder = gif::Encoder::new(out, width, height, &palette.colours.concat())?;
    encoder.set_repeat(gif::Repeat::Infinite)?;
    let mut shown = vec![Palette::TRANSPARENT; usize::from(width) * usize::from(height)];
    for frame in frames {
        let mut change = shown.clone();
        for ((shown, change), pixel) in shown.iter_mut().zip(&mut change).zip(&frame.pixels) {
            let index = palette.index(*pixel);
            *change = if index == *shown { Palette::TRANSPARENT } else { index };
            *shown = index;
        }
        encoder.write_frame(&gif::Frame {
            delay,
            dispose: gif::DisposalMethod::Keep,
            transparent: Some(Palette::TRANSPARENT),
            width,
            height,
            buffer: change.into(),
            ..gif::Frame::default()
        })?;
    }
    Ok(())
}
