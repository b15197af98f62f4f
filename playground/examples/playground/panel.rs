//! The panel: scenes, the clock, views, level weights and the material.

use glam::{Vec2, vec2};
use wobble::{Damping, Goals, Material, Preset, Stiffness, StrainLimit, Towards, Weighting};

use crate::graph;
use crate::paint::Area;
use crate::play::Play;
use crate::text::Size;
use crate::ui::{INK, PANEL, SHADE, Ui};
use crate::views::{Look, View};
use crate::weights::shared;

/// Points.
pub const WIDTH: f32 = 308.0;

/// Draws the panel and does what was asked for.
pub fn show(ui: &mut Ui, window: Vec2, play: &mut Play, look: &mut Look) {
    ui.begin(Area { from: Vec2::ZERO, to: vec2(WIDTH, window.y) });
    ui.title("Wobble playground");
    scene(ui, play);
    clock(ui, play);
    views(ui, play, look);
    if play.shown_body().is_some() {
        levels(ui, play);
        material(ui, play);
    }
    graph::show(ui, window, &play.times);
    words(ui, window, play);
}

fn scene(ui: &mut Ui, play: &mut Play) {
    let names: Vec<&str> = play.scenes.iter().map(|scene| scene.name).collect();
    if let Some(chosen) = ui.chooser(play.scene().name, &names) {
        play.begin(chosen, play.first_variant(chosen));
    }
    let variants: Vec<&str> = play.scene().variants.iter().map(|variant| variant.name).collect();
    if let Some(chosen) = ui.chooser(variants[play.variant], &variants) {
        play.begin(play.scene, chosen);
    }
}

fn clock(ui: &mut Ui, play: &mut Play) {
    let labels = [if play.paused { "Play" } else { "Pause" }, "Step", "Reset"];
    match ui.buttons(&labels, play.paused.then_some(0)) {
        Some(0) => play.paused = !play.paused,
        Some(1) => play.step_once(),
        Some(2) => play.begin(play.scene, play.variant),
        _ => {}
    }
    ui.slider("Speed", &mut play.speed, [0.02, 1.0], 1.0);
}

fn views(ui: &mut Ui, play: &Play, look: &mut Look) {
    ui.heading("VIEW");
    let labels = View::ALL.map(|(_, label)| label);
    let lit = View::ALL.iter().position(|(view, _)| *view == look.view);
    if let Some(chosen) = ui.buttons(&labels, lit) {
        look.view = View::ALL[chosen].0;
    }
    let count = play.shown_body().map_or(0, |body| body.shape().levels().len());
    if look.view == View::Clusters && count > 0 {
        look.level = look.level.min(count - 1);
        let labels: Vec<String> = (0..count).map(|level| level_name(level, count)).collect();
        let labels: Vec<&str> = labels.iter().map(String::as_str).collect();
        look.level = ui.buttons(&labels, Some(look.level)).unwrap_or(look.level);
    }
    ui.tick("Collision proxies", &mut look.proxies);
    ui.tick("Contacts", &mut look.contacts);
}

/// Short, since up to seven share a row.
fn level_name(level: usize, count: usize) -> String {
    match level {
        0 => "fine".into(),
        level if level + 1 == count => "coarse".into(),
        level => level.to_string(),
    }
}

fn levels(ui: &mut Ui, play: &mut Play) {
    ui.heading("LEVEL WEIGHTS");
    let names: Vec<String> = (0..play.bodies().len()).map(|i| format!("body {}", i + 1)).collect();
    let options: Vec<&str> = ["all bodies"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let current = play.chosen.map_or(0, |chosen| chosen + 1).min(options.len() - 1);
    if options.len() > 2
        && let Some(chosen) = ui.chooser(options[current], &options[..options.len().min(24)])
    {
        play.chosen = chosen.checked_sub(1);
    }
    let Some(body) = play.shown_body() else { return };
    let shape = body.shape().clone();
    let mut weights = body.level_weights().to_vec();
    let mut moved = None;
    for (level, weight) in weights.iter_mut().enumerate() {
        let clusters = shape.levels()[level].cluster_count();
        let label = if clusters == 1 { "1 cluster".into() } else { format!("{clusters} clusters") };
        if ui.slider(&label, weight, [0.0, 1.0], 1.0) {
            moved = Some(level);
        }
    }
    if let Some(level) = moved {
        let weights = shared(&weights, level);
        play.tune(|body| match body.level_weights().len() == weights.len() {
            true => body.set_level_weights(&weights),
            false => Ok(()),
        });
    }
    let to = |towards| Weighting::Gaussian { towards };
    if let Some(chosen) = ui.buttons(&["Fine", "Uniform", "Coarse"], None) {
        let weighting = [to(Towards::Fine), Weighting::Uniform, to(Towards::Coarse)][chosen].clone();
        play.tune(|body| body.set_weighting(&weighting));
    }
}

fn material(ui: &mut Ui, play: &mut Play) {
    ui.heading("MATERIAL");
    let Some(body) = play.shown_body() else { return };
    let (mut material, mut surface) = (*body.material(), body.surface());
    if let Some(chosen) = ui.chooser("take a preset", Material::NAMES)
        && let Some(preset) = Preset::named(Material::NAMES[chosen])
    {
        play.tune(|body| {
            body.set_material(preset.material)?;
            body.set_weighting(&preset.weighting)
        });
        return;
    }
    let changed = sliders(ui, &mut material);
    if changed {
        play.tune(|body| body.set_material(material));
    }
    if ui.slider("Friction", &mut surface.friction, [0.0, 2.0], 1.0) {
        play.tune(|body| body.set_surface(surface));
    }
}

/// Every field of a material that has a range; whether one was moved.
fn sliders(ui: &mut Ui, material: &mut Material) -> bool {
    let mut changed = match &mut material.stiffness {
        Stiffness::Hertz(hertz) => ui.slider("Stiffness, Hz", hertz, [0.0, 100.0], 2.0),
        Stiffness::PerStep(alpha) => ui.slider("Stiffness", alpha, [0.0, 2.0], 1.0),
    };
    changed |= match &mut material.damping {
        Damping::PerSecond(rate) => ui.slider("Damping, 1/s", rate, [0.0, 240.0], 3.0),
        Damping::PerStep(share) => ui.slider("Damping", share, [0.0, 1.0], 2.0),
    };
    changed |= ui.slider("Rebound", &mut material.rebound, [0.0, 1.0], 1.0);
    changed |= ui.slider("Volume", &mut material.volume_stiffness, [0.0, 100.0], 2.0);
    changed |= ui.slider("Pressure", &mut material.pressure, [-0.9, 3.0], 1.0);
    changed |= ui.slider("Gravity", &mut material.gravity_scale, [-1.0, 2.0], 1.0);
    let kind = match material.goals {
        Goals::Rigid => 0,
        Goals::Linear { .. } => 1,
        Goals::Quadratic { .. } => 2,
    };
    if let Some(chosen) = ui.buttons(&["Rigid", "Linear", "Quadratic"], Some(kind)) {
        let beta = 0.5;
        material.goals = [Goals::Rigid, Goals::Linear { beta }, Goals::Quadratic { beta }][chosen];
        changed = true;
    }
    if let Goals::Linear { beta } | Goals::Quadratic { beta } = &mut material.goals {
        changed |= ui.slider("Their share", beta, [0.0, 1.0], 1.0);
    }
    let mut limited = material.strain.is_some();
    if ui.tick("Limit strain", &mut limited) {
        material.strain = limited.then(StrainLimit::default);
        changed = true;
    }
    if let Some(limit) = &mut material.strain {
        changed |= ui.slider("Most strain", &mut limit.gamma, [0.05, 1.0], 1.0);
    }
    changed
}

/// What the scene is, at the top of it; how it is handled, at the bottom; and what went wrong.
fn words(ui: &mut Ui, window: Vec2, play: &Play) {
    let scene = play.scene();
    let left = WIDTH + 18.0;
    let trouble = play.trouble.clone();
    let building = play.is_building();
    let title = match scene.paper {
        "" => scene.title.to_string(),
        paper => format!("{} ({paper})", scene.title),
    };
    ui.draw(|layer, letters| {
        layer.text(letters, vec2(left, 12.0), Size::Large, &title, INK);
        let mut top = 38.0;
        for line in letters.wrapped(Size::Normal, scene.claim, window.x - left - 18.0) {
            layer.text(letters, vec2(left, top), Size::Normal, &line, INK);
            top += 18.0;
        }
        let note = match (building, &trouble) {
            (true, _) => Some("Building the scene ...".to_string()),
            (false, Some(trouble)) => Some(trouble.clone()),
            (false, None) => None,
        };
        for line in note.iter().flat_map(|note| letters.wrapped(Size::Normal, note, window.x - left - 40.0)) {
            let width = letters.width(Size::Normal, &line) + 20.0;
            layer.rounded(letters, Area::new(vec2(left, top + 6.0), vec2(width, 24.0)), PANEL);
            layer.text(letters, vec2(left + 10.0, top + 8.5), Size::Normal, &line, INK);
            top += 26.0;
        }
        let keys = "Drag a body to pull it, elsewhere to look around; right button pans, wheel zooms. Space \
                    pauses, S steps, R resets, 1 2 3 views, P proxies, C contacts.";
        let room = window.x - left - graph::SIZE.x - 40.0;
        let lines = letters.wrapped(Size::Small, keys, room.max(200.0));
        let widest = lines.iter().map(|line| letters.width(Size::Small, line)).fold(0.0, f32::max);
        let size = vec2(widest + 16.0, 16.0 * lines.len() as f32 + 8.0);
        let ground = Area::new(vec2(left - 8.0, window.y - size.y - 10.0), size);
        layer.rounded(letters, ground, SHADE);
        for (i, line) in lines.iter().enumerate() {
            let y = ground.from.y + 4.0 + 16.0 * i as f32;
            layer.text(letters, vec2(left, y), Size::Small, line, INK);
        }
    });
}
