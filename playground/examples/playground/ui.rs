//! The panel's widgets: drawn anew each frame, each telling at once what was done to it.

use glam::{Vec2, vec2};

use crate::paint::{Area, Colour, Corner, Layer};
use crate::text::{Letters, Size};

pub const PANEL: Colour = [0.105, 0.115, 0.135, 0.97];
/// The panel where the scene shines through.
pub const SHADE: Colour = [0.105, 0.115, 0.135, 0.85];
pub const INK: Colour = [0.90, 0.91, 0.93, 1.0];
pub const FAINT: Colour = [0.62, 0.65, 0.70, 1.0];
pub const ACCENT: Colour = [0.93, 0.55, 0.20, 1.0];
const FIELD: Colour = [0.19, 0.205, 0.235, 1.0];
const HOVERED: Colour = [0.26, 0.28, 0.32, 1.0];
const TRACK: Colour = [0.23, 0.245, 0.28, 1.0];

/// Height of a row and the gap below it, points.
const ROW: f32 = 21.0;
const GAP: f32 = 4.0;
const MARGIN: f32 = 14.0;

/// What the mouse did since the last frame, in points.
#[derive(Clone, Copy, Default)]
pub struct Mouse {
    pub at: Vec2,
    pub down: bool,
    pub pressed: bool,
    pub released: bool,
    pub wheel: f32,
}

/// The list that a chooser has opened.
struct Popup {
    widget: u32,
    area: Area,
}

pub struct Ui {
    pub letters: Letters,
    pub mouse: Mouse,
    layers: [Layer; 2],
    /// Where the next row begins, and how wide rows are.
    pen: Vec2,
    width: f32,
    /// The panel, and how far it is scrolled.
    panel: Area,
    scroll: f32,
    /// Widgets of this frame so far; their number names them from frame to frame.
    widgets: u32,
    /// The one that holds the mouse.
    held: Option<u32>,
    popup: Option<Popup>,
}

impl Ui {
    pub fn new(letters: Letters) -> Ui {
        Ui {
            letters,
            mouse: Mouse::default(),
            layers: Default::default(),
            pen: Vec2::ZERO,
            width: 0.0,
            panel: Area::default(),
            scroll: 0.0,
            widgets: 0,
            held: None,
            popup: None,
        }
    }

    /// Begins a frame with an empty panel.
    pub fn begin(&mut self, panel: Area) {
        if !self.mouse.down && !self.mouse.released {
            self.held = None;
        }
        self.layers.iter_mut().for_each(|layer| layer.corners.clear());
        self.panel = panel;
        self.widgets = 0;
        if panel.holds(self.mouse.at) && self.popup.is_none() {
            self.scroll -= self.mouse.wheel * 30.0;
        }
        self.pen = panel.from + vec2(MARGIN, 10.0 - self.scroll);
        self.width = panel.size().x - 2.0 * MARGIN;
        self.layers[0].area(&self.letters, panel, PANEL);
    }

    /// Ends it: what was pressed in the frame is forgotten. Gives all quadrilaterals, in order.
    pub fn end(&mut self) -> Vec<Corner> {
        let content = self.pen.y + self.scroll - self.panel.from.y;
        self.scroll = self.scroll.clamp(0.0, (content - self.panel.size().y).max(0.0));
        self.mouse = Mouse { pressed: false, released: false, wheel: 0.0, ..self.mouse };
        self.layers.iter().flat_map(|layer| layer.corners.iter().copied()).collect()
    }

    /// Whether the mouse is the panel's, not the scene's.
    pub fn has_mouse(&self) -> bool {
        self.held.is_some()
            || self.panel.holds(self.mouse.at)
            || self.popup.as_ref().is_some_and(|popup| popup.area.holds(self.mouse.at))
    }

    pub fn title(&mut self, text: &str) {
        self.layers[0].text(&self.letters, self.pen, Size::Large, text, INK);
        self.pen.y += 26.0;
    }

    /// A heading with a rule above it.
    pub fn heading(&mut self, text: &str) {
        self.pen.y += 6.0;
        self.layers[0].area(&self.letters, Area::new(self.pen, vec2(self.width, 1.0)), FIELD);
        self.pen.y += 5.0;
        self.layers[0].text(&self.letters, self.pen, Size::Small, text, ACCENT);
        self.pen.y += 20.0;
    }

    /// Draws right on the window, beside the panel.
    pub fn draw(&mut self, paint: impl FnOnce(&mut Layer, &Letters)) {
        paint(&mut self.layers[0], &self.letters);
    }

    fn row(&mut self) -> Area {
        let row = Area::new(self.pen, vec2(self.width, ROW));
        self.pen.y += ROW + GAP;
        row
    }

    fn name(&mut self) -> u32 {
        self.widgets += 1;
        self.widgets
    }

    /// Whether the mouse is over an area that no popup covers.
    fn over(&self, area: Area) -> bool {
        let covered = self.popup.as_ref().is_some_and(|popup| popup.area.holds(self.mouse.at));
        area.holds(self.mouse.at) && !covered && self.held.is_none()
    }

    /// A row of buttons, those in `lit` lit; the one that was pressed.
    pub fn buttons(&mut self, labels: &[&str], lit: Option<usize>) -> Option<usize> {
        let row = self.row();
        let mut chosen = None;
        for (i, label) in labels.iter().enumerate() {
            let area = row.column(i, labels.len(), GAP);
            let over = self.over(area);
            let ground = match (lit == Some(i), over) {
                (true, _) => ACCENT,
                (false, true) => HOVERED,
                (false, false) => FIELD,
            };
            let ink = if lit == Some(i) { PANEL } else { INK };
            self.layers[0].rounded(&self.letters, area, ground);
            self.centred(area, label, ink);
            if over && self.mouse.pressed {
                chosen = Some(i);
            }
        }
        chosen
    }

    fn centred(&mut self, area: Area, label: &str, ink: Colour) {
        let width = self.letters.width(Size::Normal, label);
        let at = vec2(area.middle().x - width * 0.5, area.from.y + 1.5).round();
        self.layers[0].text(&self.letters, at, Size::Normal, label, ink);
    }

    /// A box to tick; whether it was.
    pub fn tick(&mut self, label: &str, on: &mut bool) -> bool {
        let row = self.row();
        let mark = Area::new(row.from + vec2(0.0, 3.0), Vec2::splat(15.0));
        let over = self.over(row);
        self.layers[0].rounded(&self.letters, mark, if over { HOVERED } else { FIELD });
        if *on {
            self.layers[0].rounded(&self.letters, mark.shrunk(3.5), ACCENT);
        }
        self.layers[0].text(&self.letters, row.from + vec2(22.0, 1.5), Size::Normal, label, INK);
        let pressed = over && self.mouse.pressed;
        *on ^= pressed;
        pressed
    }

    /// A number between two bounds, with its name before and its value behind; whether it was moved.
    /// A `bend` above 1 gives small values more room.
    pub fn slider(&mut self, label: &str, value: &mut f32, bounds: [f32; 2], bend: f32) -> bool {
        let (row, name) = (self.row(), self.name());
        let [least, most] = bounds;
        let track = Area { from: row.from + vec2(104.0, 9.0), to: row.to - vec2(50.0, 9.0) };
        let grip = Area { from: vec2(track.from.x - 8.0, row.from.y), to: vec2(track.to.x + 8.0, row.to.y) };
        let over = self.over(grip);
        if over && self.mouse.pressed {
            self.held = Some(name);
        }
        let held = self.held == Some(name);
        let before = *value;
        if held {
            let share = ((self.mouse.at.x - track.from.x) / track.size().x).clamp(0.0, 1.0);
            *value = least + (most - least) * share.powf(bend);
        }
        let share = ((*value - least) / (most - least)).clamp(0.0, 1.0).powf(1.0 / bend);
        let knob = vec2(track.from.x + track.size().x * share, row.middle().y);
        let letters = &self.letters;
        let layer = &mut self.layers[0];
        layer.text(letters, row.from + vec2(0.0, 1.5), Size::Normal, label, INK);
        layer.rounded(letters, track, TRACK);
        layer.rounded(letters, Area { to: vec2(knob.x, track.to.y), ..track }, ACCENT);
        let radius = if held || over { 6.5 } else { 5.5 };
        layer.rounded(letters, Area::new(knob - radius, Vec2::splat(2.0 * radius)), INK);
        let digits = shown(*value, most);
        let right = row.to.x - letters.width(Size::Normal, &digits);
        layer.text(letters, vec2(right.round(), row.from.y + 1.5), Size::Normal, &digits, FAINT);
        *value != before
    }

    /// One of several, from a list that opens; the one that was chosen.
    pub fn chooser(&mut self, current: &str, options: &[&str]) -> Option<usize> {
        let (row, name) = (self.row(), self.name());
        let open = self.popup.as_ref().is_some_and(|popup| popup.widget == name);
        let over = self.over(row);
        self.layers[0].rounded(&self.letters, row, if over || open { HOVERED } else { FIELD });
        self.layers[0].text(&self.letters, row.from + vec2(8.0, 1.5), Size::Normal, current, INK);
        let tip = vec2(row.to.x - 14.0, row.middle().y + 3.0);
        let arrow = [tip - vec2(5.0, 6.0), tip + vec2(5.0, -6.0), tip, tip];
        self.layers[0].quad(&self.letters, arrow, FAINT);
        if open {
            return self.list(options);
        }
        if over && self.mouse.pressed {
            let height = options.len() as f32 * ROW + 6.0;
            let below = vec2(row.from.x, row.to.y + 2.0);
            let top = below.y.min(self.panel.to.y - height - 4.0).max(4.0);
            let area = Area::new(vec2(below.x, top), vec2(self.width, height));
            self.popup = Some(Popup { widget: name, area });
            self.mouse.pressed = false;
        }
        None
    }

    /// The open list: a press in it chooses, a press anywhere closes it.
    fn list(&mut self, options: &[&str]) -> Option<usize> {
        let area = self.popup.as_ref()?.area;
        let (letters, layer) = (&self.letters, &mut self.layers[1]);
        layer.rounded(letters, Area { from: area.from - 1.0, to: area.to + 1.0 }, FAINT);
        layer.rounded(letters, area, FIELD);
        let mut under = None;
        for (i, option) in options.iter().enumerate() {
            let from = area.from + vec2(3.0, 3.0 + i as f32 * ROW);
            let item = Area::new(from, vec2(area.size().x - 6.0, ROW));
            if item.holds(self.mouse.at) {
                under = Some(i);
                layer.rounded(letters, item, ACCENT);
            }
            let ink = if under == Some(i) { PANEL } else { INK };
            layer.text(letters, from + vec2(5.0, 1.5), Size::Normal, option, ink);
        }
        if !self.mouse.pressed {
            return None;
        }
        self.popup = None;
        self.mouse.pressed = false;
        under
    }
}

/// A value with as many digits as its range deserves.
fn shown(value: f32, most: f32) -> String {
    match most {
        most if most >= 50.0 => format!("{value:.1}"),
        most if most >= 5.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}
