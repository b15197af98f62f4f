//! `cargo xtask godot`: the extension for Godot, built and put into the addon; and its tests inside Godot.

pub mod compare;
mod engine;
mod judge;
pub mod movie;
pub mod zip;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::cargo::{command, root, succeeded, target_folder};
use crate::jobs::empty_folder;
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::tools::{self, NM, XVFB};
pub use engine::Engine;
use judge::Run;

/// The demo project, with the addon in it.
pub fn project() -> PathBuf {
    root().join("godot/project")
}

/// Builds the extension: as it is shipped, or on the library that the tests use. That one has the C functions in it as
/// well, since cargo compiles it once for all who want some of its features.
pub fn build(extent: Extent) -> Result<(), String> {
    let build = match extent {
        Extent::All => &["build", "--profile", "godot", "--package", "wobble-godot"][..],
        Extent::Gate => &["build", "--package", "wobble-godot", "--package", "wobble"],
    };
    succeeded(command(build.iter().copied()).status())
}

/// Builds the extension as it is shipped and puts it into the addon; returns where it lies.
pub fn install() -> Result<PathBuf, String> {
    build(Extent::All)?;
    put(Extent::All, &project())
}

/// Puts the extension that was built into the addon of a project; returns where it lies.
fn put(extent: Extent, project: &Path) -> Result<PathBuf, String> {
    let profile = if extent == Extent::All { "godot" } else { "debug" };
    let built = target_folder().join(profile).join(cargo_name());
    let folder = project.join("addons/wobble/bin");
    let installed = folder.join(installed_name()?);
    let told = |error| format!("{}: {error}", installed.display());
    fs::create_dir_all(&folder).map_err(told)?;
    // Written anew rather than over: a running editor may have the old one in memory.
    if installed.exists() {
        fs::remove_file(&installed).map_err(told)?;
    }
    fs::copy(&built, &installed).map_err(|error| format!("{}: {error}", built.display()))?;
    strip(&installed);
    println!("{}", installed.display());
    Ok(installed)
}

fn cargo_name() -> String {
    format!("{}wobble_godot{}", std::env::consts::DLL_PREFIX, std::env::consts::DLL_SUFFIX)
}

/// The name that `wobble.gdextension` gives the library on this platform.
fn installed_name() -> Result<String, String> {
    let arch = match std::env::consts::ARCH {
        "x86_64" => "x86_64",
        "aarch64" => "arm64",
        other => return Err(format!("the addon has no place for libraries of {other}")),
    };
    Ok(match std::env::consts::OS {
        "macos" => "libwobble_godot.macos.dylib".into(),
        "windows" => format!("wobble_godot.windows.{arch}.dll"),
        "linux" => format!("libwobble_godot.linux.{arch}.so"),
        other => return Err(format!("the addon has no place for libraries of {other}")),
    })
}

fn strip(library: &Path) {
    if cfg!(target_os = "linux") {
        let _ = Command::new("strip").arg("--strip-unneeded").arg(library).status();
    }
}

/// Nothing of the C interface may be seen of the library: a game may use that, too, of another version.
fn check_symbols(library: &Path) -> Result<(), String> {
    let output = Command::new(NM.program).args(["--dynamic", "--defined-only"]).arg(library).output();
    let output = output.map_err(|error| format!("nm: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let names: Vec<&str> = said.lines().filter_map(|line| line.split_whitespace().last()).collect();
    match names.iter().find(|name| name.starts_with("wobble_")) {
        Some(name) => Err(format!("the extension exports {name}, which is the C interface's")),
        None if !names.contains(&"gdext_rust_init") => Err("the extension does not export its entry".into()),
        None => Ok(()),
    }
}

/// A copy of the project with the extension that is shipped, imported and ready to run.
fn prepared(engine: &Engine) -> Result<PathBuf, String> {
    build(Extent::All)?;
    prepared_with(engine, Extent::All)
}

/// A copy of the project with the extension that was built, so that what Godot writes into it touches nobody's work.
fn prepared_with(engine: &Engine, extent: Extent) -> Result<PathBuf, String> {
    let copy = target_folder().join("godot-test/project");
    empty_folder(&copy)?;
    copy_project(&project(), &copy)?;
    put(extent, &copy)?;
    // Without it the first import ends with abort: extensions are not yet known to it.
    let list = copy.join(".godot/extension_list.cfg");
    let told = |error| format!("{}: {error}", list.display());
    fs::create_dir_all(copy.join(".godot")).map_err(told)?;
    fs::write(&list, "res://addons/wobble/wobble.gdextension\n").map_err(told)?;
    Run::new(engine, &copy, "import", &["--headless", "--import"]).limit(Duration::from_secs(300)).judge()?;
    Ok(copy)
}

fn copy_project(from: &Path, to: &Path) -> Result<(), String> {
    let told = |error| format!("{}: {error}", from.display());
    for file in crate::zip::files(from).map_err(told)? {
        let within = file.strip_prefix(from).unwrap_or(&file);
        if within.starts_with(".godot") {
            continue;
        }
        let target = to.join(within);
        fs::create_dir_all(target.parent().unwrap_or(to)).map_err(told)?;
        fs::copy(&file, &target).map_err(told)?;
    }
    Ok(())
}

/// All tests inside Godot.
pub fn test(extent: Extent) -> Outcome {
    let engine = match Engine::find() {
        Ok(engine) => engine,
        Err(why) => return tools::unavailable(why),
    };
    if let Err(why) = tools::have(&[NM]) {
        return tools::unavailable(why);
    }
    let without_pictures = tools::have(&[XVFB]);
    let result = (|| {
        let project = prepared_with(&engine, extent)?;
        if extent == Extent::All {
            check_symbols(&project.join("addons/wobble/bin").join(installed_name()?))?;
        }
        run_scripts(&engine, &project)?;
        compare::table(&engine, &project)?;
        run_editor(&engine, &project)?;
        if without_pictures.is_ok() {
            run_drawn(&engine, &project)?;
        }
        Ok(())
    })();
    match (result, without_pictures) {
        (Ok(()), Err(why)) if tools::in_ci() => Outcome::Failed(vec![why]),
        (Ok(()), Err(why)) => Outcome::Passed(vec![format!("no pictures: {why}")]),
        (result, _) => result.into(),
    }
}

/// The scripts `tests/PREFIX*.gd`.
fn scripts(project: &Path, prefix: &str) -> Result<Vec<String>, String> {
    let folder = project.join("tests");
    let told = |error| format!("{}: {error}", folder.display());
    let mut names = Vec::new();
    for item in fs::read_dir(&folder).map_err(told)? {
        let name = item.map_err(told)?.file_name().to_string_lossy().into_owned();
        if name.starts_with(prefix) && name.ends_with(".gd") {
            names.push(name);
        }
    }
    names.sort();
    if names.is_empty() {
        return Err(format!("{} has no tests {prefix}*.gd", folder.display()));
    }
    Ok(names)
}

/// Every script `tests/test_*.gd`, two at a time.
fn run_scripts(engine: &Engine, project: &Path) -> Result<(), String> {
    let runs: Vec<Run> = scripts(project, "test_")?
        .iter()
        .map(|name| {
            let script = format!("res://tests/{name}");
            Run::new(engine, project, name, &["--headless", "--fixed-fps", "60", "--script", &script])
                .until("ALL PASS")
        })
        .collect();
    judge::all(runs)
}

/// The addon in the editor: a plugin of the tests' own, switched on here, uses it and quits.
fn run_editor(engine: &Engine, project: &Path) -> Result<(), String> {
    let settings = project.join("project.godot");
    let told = |error| format!("{}: {error}", settings.display());
    let text = fs::read_to_string(&settings).map_err(told)?;
    let addon = "\"res://addons/wobble/plugin.cfg\"";
    let both = text.replace(addon, &format!("{addon}, \"res://tests/editor/plugin.cfg\""));
    fs::write(&settings, both).map_err(told)?;
    let judged = Run::new(engine, project, "editor", &["--headless", "--editor"]).until("ALL PASS").judge();
    fs::write(&settings, text).map_err(told)?;
    judged
}

/// What is judged by pixels: every script `tests/drawn_*.gd`, drawn by software OpenGL. The pictures of the demo scenes
/// stay in target/godot-test/pictures.
fn run_drawn(engine: &Engine, project: &Path) -> Result<(), String> {
    let pictures = target_folder().join("godot-test/pictures");
    empty_folder(&pictures)?;
    let screen = Screen::open()?;
    let drawing =
        ["--rendering-driver", "opengl3", "--audio-driver", "Dummy", "--fixed-fps", "60", "--script"];
    for name in scripts(project, "drawn_")? {
        let script = format!("res://tests/{name}");
        Run::new(engine, project, &name, &[&drawing[..], &[&script]].concat())
            .until("ALL PASS")
            .with("DISPLAY", &screen.name)
            .with("PICTURES", &pictures.to_string_lossy())
            .judge()?;
    }
    Ok(())
}

/// The row of the benchmark that only Godot can measure, and what it should be at most.
const OVER_PLAIN: (&str, f64) = ("godot.over_plain", 1.25);

/// Times a tick of the extension against the library's step in it, inside Godot; prints what it finds.
pub fn bench() -> Result<(), String> {
    let engine = Engine::find()?;
    let project = prepared(&engine)?;
    let arguments = ["--headless", "--fixed-fps", "60", "--script", "res://tests/bench.gd"];
    Run::new(&engine, &project, "bench", &arguments).until("ALL PASS").judge()?;
    let said = fs::read_to_string(judge::log(&project, "bench")).map_err(|error| error.to_string())?;
    for (name, value) in said.lines().filter_map(|line| line.strip_prefix("godot.")?.split_once(' ')) {
        let limit = Some(OVER_PLAIN).filter(|(row, _)| row.strip_prefix("godot.") == Some(name));
        let verdict = limit.zip(value.parse::<f64>().ok()).map(|((_, most), value)| {
            let word = if value <= most { "ok" } else { "OVER" };
            format!("<= {most:<10} {word}")
        });
        println!("{:<34} {value:>10}  {}", format!("godot.{name}"), verdict.unwrap_or_default());
    }
    Ok(())
}

/// A screen that nobody sees.
struct Screen {
    server: std::process::Child,
    name: String,
}

impl Screen {
    fn open() -> Result<Screen, String> {
        let mut server = Command::new(XVFB.program)
            .args(["-displayfd", "1", "-screen", "0", "1280x720x24", "-nolisten", "tcp"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| format!("Xvfb: {error}"))?;
        let mut number = String::new();
        let output = server.stdout.take().expect("the output is piped");
        std::io::BufRead::read_line(&mut std::io::BufReader::new(output), &mut number)
            .map_err(|error| format!("Xvfb: {error}"))?;
        Ok(Screen { server, name: format!(":{}", number.trim()) })
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        let _ = self.server.kill().and_then(|()| self.server.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The gate tests an extension that has the C functions in it, so that it does not see by itself that the shipped one
    /// has not: it leaves them out by leaving out the feature, and all of them are behind that.
    #[test]
    fn the_shipped_extension_leaves_the_c_functions_out() {
        let manifest = fs::read_to_string(root().join("godot/Cargo.toml")).expect("a manifest");
        assert!(manifest.contains("wobble = { path = \"..\", default-features = false }"));
        let library = fs::read_to_string(root().join("src/lib.rs")).expect("the library");
        assert!(library.contains("#[cfg(feature = \"capi\")]\npub mod capi;"));
        for file in crate::zip::files(&root().join("src")).expect("sources") {
            let exports = fs::read_to_string(&file).is_ok_and(|text| text.contains("no_mangle"));
            assert!(!exports || file.starts_with(root().join("src/capi")), "{}", file.display());
        }
    }
}
