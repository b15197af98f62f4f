//! `cargo xtask godot-compare`: soft boxes of ours beside Godot's own, inside Godot, under both of its physics engines.

use std::fs;
use std::path::Path;

use super::judge::{self, Run};
use super::{Engine, prepared};

/// Godot's names of them.
const ENGINES: [&str; 2] = ["GodotPhysics3D", "Jolt Physics"];

const HEAD: &str = "\
| | volume | edges | lowest point | inside each other | upper above lower | a tick |
|---|---|---|---|---|---|---|";

/// Prints the table of `godot/README.md`.
pub fn run() -> Result<(), String> {
    let engine = Engine::find()?;
    let table = table(&engine, &prepared(&engine)?)?;
    println!("\n{table}");
    Ok(())
}

/// What was found, once what is claimed of ours was seen to hold.
pub fn table(engine: &Engine, project: &Path) -> Result<String, String> {
    // It overrides the settings of the project it lies in.
    let settings = project.join("override.cfg");
    let told = |error| format!("{}: {error}", settings.display());
    let mut table = HEAD.to_string();
    for physics in ENGINES {
        fs::write(&settings, format!("[physics]\n\n3d/physics_engine=\"{physics}\"\n")).map_err(told)?;
        let name = format!("compare {physics}");
        let arguments = ["--headless", "--fixed-fps", "60", "--script", "res://tests/compare.gd"];
        let judged = Run::new(engine, project, &name, &arguments).until("ALL PASS").judge();
        fs::remove_file(&settings).map_err(told)?;
        judged?;
        let said = fs::read_to_string(judge::log(project, &name)).map_err(|error| error.to_string())?;
        table += &rows(&said);
    }
    Ok(table)
}

/// The rows of what a run said.
fn rows(said: &str) -> String {
    let mut lines = said.lines().filter_map(|line| line.strip_prefix("compare "));
    let engine = lines.next().and_then(|line| line.strip_prefix("engine ")).unwrap_or_default();
    lines.map(|line| format!("\n| {engine}: {line} |")).collect()
}

#[cfg(test)]
mod tests {
    #[test]
    fn rows_name_the_engine_they_were_measured_under() {
        let said =
            "Godot\ncompare engine Jolt Physics\ncompare SoftBody3D | 1 %\ncompare WobbleBody3D | 0 %\nok a";
        let wanted = "\n| Jolt Physics: SoftBody3D | 1 % |\n| Jolt Physics: WobbleBody3D | 0 % |";
        assert_eq!(super::rows(said), wanted);
    }
}
