//! Where the time of the last steps went, as stacked areas.

use std::collections::VecDeque;

use glam::{Vec2, vec2};
use wobble::Profile;

use crate::paint::{Area, Colour};
use crate::play::REMEMBERED;
use crate::text::Size;
use crate::ui::{FAINT, INK, SHADE, Ui};

/// Points.
pub const SIZE: Vec2 = Vec2::new(380.0, 150.0);

type Time = fn(&Profile) -> f32;

const STAGES: [(&str, Colour, Time); 5] = [
    ("match", [0.90, 0.38, 0.28, 1.0], |p| p.matching),
    ("goals", [0.93, 0.68, 0.25, 1.0], |p| p.goals),
    ("integrate", [0.35, 0.72, 0.47, 1.0], |p| p.integrate),
    ("contacts", [0.30, 0.60, 0.88, 1.0], |p| p.contacts),
    ("strain", [0.66, 0.45, 0.82, 1.0], |p| p.strain),
];

/// Draws the graph at the lower right of the window.
pub fn show(ui: &mut Ui, window: Vec2, times: &VecDeque<Profile>) {
    let frame = Area { from: window - SIZE - 12.0, to: window - 12.0 };
    let plot = Area { from: frame.from + vec2(10.0, 26.0), to: frame.to - vec2(112.0, 10.0) };
    let top = scale(times);
    ui.draw(|layer, letters| {
        layer.rounded(letters, frame, SHADE);
        layer.text(letters, frame.from + vec2(10.0, 4.0), Size::Small, "ms a step", FAINT);
        let bound = format!("{top} ms");
        let right = plot.to.x - letters.width(Size::Small, &bound);
        layer.text(letters, vec2(right, frame.from.y + 4.0), Size::Small, &bound, FAINT);
        let at = |i: usize, seconds: f32| {
            let along = (REMEMBERED - times.len() + i) as f32 / (REMEMBERED - 1) as f32;
            let up = (seconds * 1e3 / top).min(1.0);
            vec2(plot.from.x + plot.size().x * along, plot.to.y - plot.size().y * up)
        };
        for (stage, (_, colour, _)) in STAGES.iter().enumerate() {
            for i in 1..times.len() {
                let [a, b] = [i - 1, i].map(|i| [stage, stage + 1].map(|n| at(i, below(&times[i], n))));
                layer.quad(letters, [a[1], b[1], b[0], a[0]], *colour);
            }
        }
        layer.area(letters, Area::new(vec2(plot.from.x, plot.to.y), vec2(plot.size().x, 1.0)), FAINT);
        layer.area(letters, Area::new(plot.from, vec2(plot.size().x, 1.0)), [1.0, 1.0, 1.0, 0.15]);
        let last: Vec<&Profile> = times.iter().rev().take(30).collect();
        let mean = |time: Time| {
            last.iter().map(|profile| time(profile)).sum::<f32>() * 1e3 / last.len().max(1) as f32
        };
        let total: (&str, Colour, Time) = ("total", [0.0; 4], |p| p.total);
        // The uppermost area comes first.
        for (row, (name, colour, time)) in [total].iter().chain(STAGES.iter().rev()).enumerate() {
            let left = vec2(plot.to.x + 10.0, frame.from.y + 22.0 + 19.0 * row as f32);
            layer.rounded(letters, Area::new(left + vec2(0.0, 4.0), Vec2::splat(9.0)), *colour);
            layer.text(letters, left + vec2(14.0, 0.0), Size::Small, name, INK);
            let digits = format!("{:.2}", mean(*time));
            let right = frame.to.x - 10.0 - letters.width(Size::Small, &digits);
            layer.text(letters, vec2(right, left.y), Size::Small, &digits, INK);
        }
    });
}

/// Seconds of the first so many stages, shrunk to what the step took where stages ran side by side.
fn below(profile: &Profile, stages: usize) -> f32 {
    let sum = |n: usize| STAGES[..n].iter().map(|(_, _, time)| time(profile)).sum::<f32>();
    let all = sum(STAGES.len());
    sum(stages) * if all > profile.total { profile.total / all } else { 1.0 }
}

/// A round number of milliseconds that nearly all steps stay below.
fn scale(times: &VecDeque<Profile>) -> f32 {
    let mut totals: Vec<f32> = times.iter().map(|profile| profile.total * 1e3).collect();
    totals.sort_by(f32::total_cmp);
    let high = totals.get(totals.len() * 95 / 100).copied().unwrap_or(0.0) * 1.25;
    let steps = [0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0];
    steps.into_iter().find(|step| *step >= high).unwrap_or(500.0)
}
