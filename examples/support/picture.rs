//! Pictures, and PNG files small enough to put into a README: 255 colours chosen
//! for the frames at hand, and only what changed from one frame to the next.

use std::fs::File;
use std::io::BufWriter;
use std::path::Path;

use glam::Vec3;
use png::{BitDepth, BlendOp, ColorType, Compression, Encoder, EncodingError, Filter};

use super::palette::Palette;

/// Rows of red, green and blue bytes from the top.
#[derive(Clone)]
pub struct Picture {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 3]>,
}

impl Picture {
    pub fn new(width: usize, height: usize) -> Picture {
        Picture { width, height, pixels: vec![[0; 3]; width * height] }
    }

    /// Sets a pixel to a linear colour. The square root stands in for the sRGB
    /// curve: it is close, and exact on every platform.
    pub fn set(&mut self, x: usize, y: usize, colour: Vec3) {
        let encoded = colour.to_array().map(|c| (c.clamp(0.0, 1.0).sqrt() * 255.0 + 0.5) as u8);
        self.pixels[y * self.width + x] = encoded;
    }

    /// Half as wide and half as high: each pixel is the mean of four.
    pub fn halved(&self) -> Picture {
        let mut half = Picture::new(self.width / 2, self.height / 2);
        for (index, pixel) in half.pixels.iter_mut().enumerate() {
            let corner = index / half.width * 2 * self.width + index % half.width * 2;
            let four = [corner, corner + 1, corner + self.width, corner + self.width + 1];
            let mean =
                |channel: usize| four.iter().map(|at| u32::from(self.pixels[*at][channel])).sum::<u32>() / 4;
            *pixel = [0, 1, 2].map(|channel| mean(channel) as u8);
        }
        half
    }

    /// Pictures of one size side by side, `columns` to a row, with a thin gap.
    pub fn sheet(pictures: &[Picture], columns: usize) -> Picture {
        const GAP: usize = 4;
        let (width, height) = (pictures[0].width, pictures[0].height);
        let rows = pictures.len().div_ceil(columns);
        let mut sheet = Picture::new(columns * (width + GAP) - GAP, rows * (height + GAP) - GAP);
        sheet.pixels.fill([255; 3]);
        for (index, picture) in pictures.iter().enumerate() {
            let corner = (index / columns) * (height + GAP) * sheet.width + (index % columns) * (width + GAP);
            for (y, row) in picture.pixels.chunks_exact(width).enumerate() {
                let start = corner + y * sheet.width;
                sheet.pixels[start..start + width].copy_from_slice(row);
            }
        }
        sheet
    }

    /// Writes a still PNG.
    pub fn write(&self, file: &Path) -> Result<(), EncodingError> {
        write_animation(std::slice::from_ref(self), 1, file)
    }
}

/// Writes an animated PNG that plays for ever; a single frame makes a still one.
pub fn write_animation(frames: &[Picture], per_second: u16, file: &Path) -> Result<(), EncodingError> {
    let palette = Palette::of(frames.iter().flat_map(|frame| &frame.pixels));
    let (width, height) = (frames[0].width, frames[0].height);
    let mut encoder = Encoder::new(BufWriter::new(File::create(file)?), width as u32, height as u32);
    encoder.set_color(ColorType::Indexed);
    encoder.set_depth(BitDepth::Eight);
    encoder.set_compression(Compression::High);
    encoder.set_filter(Filter::NoFilter);
    encoder.set_palette(palette.colours.concat());
    if frames.len() > 1 {
        encoder.set_trns(transparency(palette.colours.len()));
        encoder.set_animated(frames.len() as u32, 0)?;
        encoder.set_frame_delay(1, per_second)?;
        encoder.set_blend_op(BlendOp::Over)?;
    }
    let mut writer = encoder.write_header()?;
    let mut shown = vec![Palette::TRANSPARENT; width * height];
    let mut change = shown.clone();
    for frame in frames {
        for ((shown, change), pixel) in shown.iter_mut().zip(&mut change).zip(&frame.pixels) {
            let index = palette.index(*pixel);
            *change = if index == *shown { Palette::TRANSPARENT } else { index };
            *shown = index;
        }
        writer.write_image_data(&change)?;
    }
    writer.finish()
}

/// One opacity a colour: only [`Palette::TRANSPARENT`] is clear.
fn transparency(colours: usize) -> Vec<u8> {
    let mut opacity = vec![255; colours];
    opacity[usize::from(Palette::TRANSPARENT)] = 0;
    opacity
}
