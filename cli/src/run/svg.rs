//! Curves over time as SVG, to be put into a page.

use std::fmt::Write;

const WIDTH: f32 = 640.0;
const HEIGHT: f32 = 240.0;
/// Room for numbers at the left, and below.
const LEFT: f32 = 44.0;
const BELOW: f32 = 26.0;
/// Points of a curve at most.
const POINTS: usize = 240;

/// One colour a curve, over and over; told apart by people who see few colours too, by their brightness.
const COLOURS: [&str; 10] = [
    "#b3261e", "#005f73", "#ca8a04", "#5b3a8e", "#3f7d20", "#d1495b", "#0a9396", "#7f5539", "#577590",
    "#222222",
];

pub struct Curve<'a> {
    pub name: &'a str,
    pub dt: f32,
    pub values: &'a [f32],
}

/// A chart of curves that begin together, `y` telling what they are.
pub fn chart(y: &str, curves: &[Curve]) -> String {
    let seconds = curves.iter().map(|c| c.dt * c.values.len() as f32).fold(0.0, f32::max).max(1e-3);
    let finite = || curves.iter().flat_map(|c| c.values).copied().filter(|v| v.is_finite());
    let (low, high) = (finite().fold(0.0, f32::min), finite().fold(1e-6, f32::max) * 1.05);
    let across = |t: f32| LEFT + t / seconds * (WIDTH - LEFT - 6.0);
    let up = |v: f32| (HEIGHT - BELOW) - (v - low) / (high - low) * (HEIGHT - BELOW - 8.0);
    let legend = curves.len().div_ceil(4) as f32 * 16.0;
    let mut svg = format!(
        "<svg viewBox=\"0 0 {WIDTH} {:.0}\" role=\"img\" aria-label=\"{y} over time\" \
         xmlns=\"http://www.w3.org/2000/svg\" font-family=\"sans-serif\" font-size=\"11\">\n",
        HEIGHT + legend + 6.0
    );
    for k in 0..=4 {
        let v = low + (high - low) * k as f32 / 4.0;
        let (x, y) = (LEFT - 4.0, up(v));
        let _ = writeln!(svg, "<path d=\"M{LEFT} {y:.1}H{WIDTH}\" stroke=\"#ddd\"/>");
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{:.1}\" text-anchor=\"end\">{v:.2}</text>", y + 4.0);
        let t = seconds * k as f32 / 4.0;
        let anchor = if k == 4 { "end" } else { "middle" };
        let at = HEIGHT - BELOW + 15.0;
        let _ =
            writeln!(svg, "<text x=\"{:.1}\" y=\"{at}\" text-anchor=\"{anchor}\">{t:.1} s</text>", across(t));
    }
    for (k, curve) in curves.iter().enumerate() {
        let colour = COLOURS[k % COLOURS.len()];
        let every = curve.values.len().div_ceil(POINTS).max(1);
        let points = curve.values.iter().enumerate().step_by(every).filter(|(_, v)| v.is_finite());
        let points = points.map(|(i, v)| format!("{:.1},{:.1}", across((i + 1) as f32 * curve.dt), up(*v)));
        let points: Vec<String> = points.collect();
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.6\"/>",
            points.join(" ")
        );
        let (x, y) = (LEFT + (k % 4) as f32 * 148.0, HEIGHT + 8.0 + (k / 4) as f32 * 16.0);
        let _ = writeln!(
            svg,
            "<rect x=\"{x}\" y=\"{:.0}\" width=\"12\" height=\"4\" fill=\"{colour}\"/>",
            y - 5.0
        );
        let _ = writeln!(svg, "<text x=\"{:.0}\" y=\"{y:.0}\">{}</text>", x + 16.0, curve.name);
    }
    svg + "</svg>\n"
}
