//! Flat areas, lines and letters: what the panel is drawn with, gathered as quadrilaterals.

use glam::{Vec2, vec2};

use crate::text::{Letters, Size};

/// A colour as the screen takes it, with its opacity.
pub type Colour = [f32; 4];

/// A corner of a quadrilateral, as the GPU reads it.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct Corner {
    at: Vec2,
    place: Vec2,
    colour: Colour,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Area {
    pub from: Vec2,
    pub to: Vec2,
}

impl Area {
    pub fn new(from: Vec2, size: Vec2) -> Area {
        Area { from, to: from + size }
    }

    pub fn size(&self) -> Vec2 {
        self.to - self.from
    }

    pub fn middle(&self) -> Vec2 {
        (self.from + self.to) * 0.5
    }

    pub fn holds(&self, point: Vec2) -> bool {
        point.cmpge(self.from).all() && point.cmplt(self.to).all()
    }

    pub fn shrunk(&self, by: f32) -> Area {
        Area { from: self.from + by, to: self.to - by }
    }

    /// The `part`th of `parts` columns with gaps between them.
    pub fn column(&self, part: usize, parts: usize, gap: f32) -> Area {
        let width = (self.size().x - gap * (parts - 1) as f32) / parts as f32;
        let left = self.from.x + (width + gap) * part as f32;
        Area { from: vec2(left, self.from.y), to: vec2(left + width, self.to.y) }
    }
}

/// Quadrilaterals of one layer, in points from the upper left of the window.
#[derive(Default)]
pub struct Layer {
    pub corners: Vec<Corner>,
}

impl Layer {
    pub fn quad(&mut self, letters: &Letters, corners: [Vec2; 4], colour: Colour) {
        self.corners.extend(corners.map(|at| Corner { at, place: letters.white, colour }));
    }

    pub fn area(&mut self, letters: &Letters, area: Area, colour: Colour) {
        let Area { from, to } = area;
        self.quad(letters, [from, vec2(to.x, from.y), to, vec2(from.x, to.y)], colour);
    }

    /// An area with corners taken off, which reads as round.
    pub fn rounded(&mut self, letters: &Letters, area: Area, colour: Colour) {
        let Area { from, to } = area;
        let r = 3.0_f32.min(area.size().min_element() * 0.5);
        let k = r * 0.3;
        let inner = Area { from: from + vec2(0.0, r), to: to - vec2(0.0, r) };
        self.area(letters, inner, colour);
        for (edge, middle) in [(from.y, from.y + r), (to.y, to.y - r)] {
            let bend = edge + (middle - edge) * 0.3;
            let (left, right) = (from.x, to.x);
            let upper =
                [vec2(left + r, edge), vec2(right - r, edge), vec2(right - k, bend), vec2(left + k, bend)];
            let lower =
                [vec2(left + k, bend), vec2(right - k, bend), vec2(right, middle), vec2(left, middle)];
            self.quad(letters, upper, colour);
            self.quad(letters, lower, colour);
        }
    }

    /// A line of text whose upper left is at `at`; returns where it ends.
    pub fn text(&mut self, letters: &Letters, at: Vec2, size: Size, line: &str, colour: Colour) -> f32 {
        let mut pen = vec2(at.x, at.y + size.points());
        for letter in line.chars() {
            let glyph = letters.glyph(size, letter);
            // On whole points, or letters blur.
            let from = (pen + glyph.offset).round();
            let to = from + glyph.size;
            let corner =
                |x: f32, y: f32, u: f32, v: f32| Corner { at: vec2(x, y), place: vec2(u, v), colour };
            self.corners.extend([
                corner(from.x, from.y, glyph.from.x, glyph.from.y),
                corner(to.x, from.y, glyph.to.x, glyph.from.y),
                corner(to.x, to.y, glyph.to.x, glyph.to.y),
                corner(from.x, to.y, glyph.from.x, glyph.to.y),
            ]);
            pen.x += glyph.advance;
        }
        pen.x
    }
}
