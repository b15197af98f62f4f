//! Letters: one font, drawn once into a texture at the sizes that the panel uses.

use fontdue::{Font, FontSettings};
use glam::Vec2;
use miniquad::{RenderingBackend, TextureId};

/// Ubuntu Light, under the Ubuntu font licence.
const FILE: &[u8] = epaint_default_fonts::UBUNTU_LIGHT;
const FIRST: char = ' ';
const LAST: char = '~';
const SHEET: [usize; 2] = [1024, 512];

/// Sizes, in points of the panel.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Size {
    Small,
    Normal,
    Large,
}

impl Size {
    const ALL: [Size; 3] = [Size::Small, Size::Normal, Size::Large];

    pub fn points(self) -> f32 {
        [12.0, 14.0, 17.0][self as usize]
    }
}

#[derive(Clone, Copy, Default)]
pub struct Glyph {
    /// From the pen on the base line to the corner at the upper left; y downwards.
    pub offset: Vec2,
    pub size: Vec2,
    /// Corners in the texture, 0 to 1.
    pub from: Vec2,
    pub to: Vec2,
    /// How far the pen moves on.
    pub advance: f32,
}

/// The letters of all sizes in one texture, which also has a white spot for plain areas.
pub struct Letters {
    pub texture: TextureId,
    /// Where the white spot is.
    pub white: Vec2,
    glyphs: [Vec<Glyph>; 3],
}

impl Letters {
    /// Letters for a screen with `scale` pixels to a point.
    pub fn new(gpu: &mut dyn RenderingBackend, scale: f32) -> Result<Letters, String> {
        let font = Font::from_bytes(FILE, FontSettings::default())?;
        let mut sheet = Sheet::new();
        let glyphs = Size::ALL.map(|size| {
            (FIRST..=LAST).map(|letter| sheet.add(&font, letter, size.points() * scale, scale)).collect()
        });
        let [width, height] = SHEET.map(|side| side as u16);
        let texture = gpu.new_texture_from_rgba8(width, height, &sheet.pixels);
        Ok(Letters { texture, white: Vec2::splat(1.5) / extent(), glyphs })
    }

    /// The glyph of a letter; that of a question mark where there is none.
    pub fn glyph(&self, size: Size, letter: char) -> Glyph {
        let letter = if (FIRST..=LAST).contains(&letter) { letter } else { '?' };
        self.glyphs[size as usize][letter as usize - FIRST as usize]
    }

    /// How wide a line is, in points.
    pub fn width(&self, size: Size, line: &str) -> f32 {
        line.chars().map(|letter| self.glyph(size, letter).advance).sum()
    }

    /// Breaks a text into lines of at most `width` points, at spaces.
    pub fn wrapped(&self, size: Size, text: &str, width: f32) -> Vec<String> {
        let mut lines = vec![String::new()];
        for word in text.split_whitespace() {
            let line = lines.last_mut().expect("there is always a line");
            let longer = if line.is_empty() { word.to_string() } else { format!("{line} {word}") };
            if line.is_empty() || self.width(size, &longer) <= width {
                *line = longer;
            } else {
                lines.push(word.into());
            }
        }
        lines
    }
}

fn extent() -> Vec2 {
    Vec2::new(SHEET[0] as f32, SHEET[1] as f32)
}

/// The texture while it is filled, row by row.
struct Sheet {
    pixels: Vec<u8>,
    pen: [usize; 2],
    /// Height of the row so far.
    row: usize,
}

impl Sheet {
    fn new() -> Sheet {
        let mut sheet = Sheet { pixels: vec![0; SHEET[0] * SHEET[1] * 4], pen: [4, 0], row: 4 };
        (0..9).for_each(|i| sheet.set(i % 3, i / 3, 255));
        sheet
    }

    fn set(&mut self, x: usize, y: usize, cover: u8) {
        let at = (y * SHEET[0] + x) * 4;
        self.pixels[at..at + 4].copy_from_slice(&[255, 255, 255, cover]);
    }

    fn add(&mut self, font: &Font, letter: char, pixels: f32, scale: f32) -> Glyph {
        let (metrics, cover) = font.rasterize(letter, pixels);
        let (width, height) = (metrics.width, metrics.height);
        if self.pen[0] + width + 1 > SHEET[0] {
            self.pen = [0, self.pen[1] + self.row + 1];
            self.row = 0;
        }
        if self.pen[1] + height > SHEET[1] {
            return Glyph { advance: metrics.advance_width / scale, ..Glyph::default() };
        }
        for (i, cover) in cover.iter().enumerate() {
            self.set(self.pen[0] + i % width, self.pen[1] + i / width, *cover);
        }
        let from = Vec2::new(self.pen[0] as f32, self.pen[1] as f32);
        let size = Vec2::new(width as f32, height as f32);
        self.pen[0] += width + 1;
        self.row = self.row.max(height);
        Glyph {
            offset: Vec2::new(metrics.xmin as f32, -(metrics.ymin as f32) - height as f32) / scale,
            size: size / scale,
            from: from / extent(),
            to: (from + size) / extent(),
            advance: metrics.advance_width / scale,
        }
    }
}
