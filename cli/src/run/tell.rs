//! What the user reads of a scene.

use super::player::Played;
use crate::papers::play::{Runs, STAGES};
use crate::papers::{self, Scene};

/// All scenes and their variants.
pub fn list() {
    for scene in papers::all() {
        println!("{:<16} {} ({})", scene.name, scene.title, scene.paper);
        let names: Vec<&str> = scene.variants.iter().map(|variant| variant.name).collect();
        println!("{:<16} {}", "", names.join(" "));
    }
}

pub fn scene(scene: &Scene) {
    println!("{}, {}", scene.title, scene.paper);
    println!("the paper: {}", scene.claim);
}

pub fn run(played: &Played) {
    let run = &played.run;
    println!("\n{}", run.variant);
    let (particles, bodies, dt) = (played.particles, played.bodies, run.dt);
    println!(
        "  played             {} steps of {dt:.4} s, {particles} particles in {bodies} bodies",
        played.steps
    );
    println!("  took               {:.2} s to build, {:.2} s to play", played.build_seconds, played.seconds);
    let stages = STAGES.iter().zip(run.stages).filter(|(_, ms)| *ms > 0.0);
    let stages: Vec<String> = stages.map(|(name, ms)| format!("{name} {ms:.3}")).collect();
    println!("  ms a step          {:.3} (median); {}", run.ms, stages.join(", "));
    let [first, last] = [played.first, played.last].map(|[k, e]| format!("{k:.3} + {e:.3}"));
    println!("  energy             {first} J at first, {last} J in the end (kinetic + elastic)");
    println!("                     {:.3} J at most", played.most);
    println!("  shape error        {:.4} at most, {:.4} in the end", run.peak_error(), run.error());
    println!("  height kept        {:.3}", run.height());
    if let (Some(name), Some(last)) = (played.probe, run.probes.last()) {
        println!("  {name}: {:.4} to {:.4}, {last:.4} in the end", run.least_probe(), run.greatest_probe());
    }
    println!("  state              {:016x}", run.hash);
}

/// The paper's words and whether they hold, if all variants were played.
pub fn verdict(scene: &Scene, runs: &Runs, complete: bool, quick: bool) {
    println!();
    if !complete {
        println!("no verdict: it takes all variants of the scene");
        return;
    }
    let findings = (scene.judge)(runs);
    for finding in &findings {
        let verdict = if finding.holds { "holds" } else { "does not hold" };
        println!("{verdict:<14} {}: {}", finding.says, finding.measured);
    }
    let held = findings.iter().filter(|finding| finding.holds).count();
    let few = if quick { ", with fewer particles than the paper's" } else { "" };
    println!("verdict: {held} of {} hold{few}", findings.len());
    println!(
        "shape error: distance of the particles from the best rigid placement of the rest shape, root mean"
    );
    println!("square, over that of the rest shape from its centre; in the end: mean of the last half second");
}
