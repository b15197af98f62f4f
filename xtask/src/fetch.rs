//! What steps call beside cargo, fetched while others compile. What cannot be had is for those to tell that want it.

use crate::godot::Engine;
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::tools::{self, GATES, Tool};

pub fn run(extent: Extent) -> Outcome {
    let all = [tools::CLANG, tools::CLANGXX, tools::FFMPEG];
    let wanted: Vec<Tool> =
        if extent == Extent::All { [&GATES[..], &all[..]].concat() } else { GATES.to_vec() };
    let mut missing: Vec<String> = wanted.iter().filter_map(|tool| tools::have(&[*tool]).err()).collect();
    missing.extend(Engine::find().err());
    missing.dedup();
    Outcome::Passed(missing)
}
