//! `cargo xtask dist`: what a game needs, in a folder and a zip file, and a test that a host built
//! from nothing else runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{root, target_folder};
use crate::jobs::{empty_folder, run_command};
use crate::library::Library;
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::tools::{self, CMAKE, GCC, GXX, PKG_CONFIG};
use crate::{godot, library, readme, unity, zip};

/// What goes in as it is: from where in the repository to where in the folder.
const COPIES: [(&str, &str); 8] = [
    ("include", "include"),
    ("bindings/cpp", "include"),
    ("examples/c", "examples/c"),
    ("examples/cpp", "examples/cpp"),
    ("README.md", "README.md"),
    ("CHANGELOG.md", "CHANGELOG.md"),
    ("LICENSE-MIT", "LICENSE-MIT"),
    ("LICENSE-APACHE", "LICENSE-APACHE"),
];

/// Files with `@NAMES@` to fill in.
const TEMPLATES: [(&str, &str); 3] = [
    ("packaging/wobble.pc.in", "lib/pkgconfig/wobble.pc"),
    ("packaging/wobbleConfig.cmake.in", "lib/cmake/wobble/wobbleConfig.cmake"),
    ("packaging/wobbleConfigVersion.cmake.in", "lib/cmake/wobble/wobbleConfigVersion.cmake"),
];

/// Everything there is to give away: the library, the addon for Godot, the package for Unity.
pub fn build_all() -> Result<(), String> {
    Library::Shipped.build()?;
    build(Library::Shipped)?;
    godot::zip::build(&version()?)?;
    unity::build(Library::Shipped).map(drop)
}

/// Lays out the folder, with a library that is there, and the zip file beside it; returns the zip file.
fn build(library: Library) -> Result<PathBuf, String> {
    let name = format!("wobble-{}-{}", version()?, triple()?);
    let folder = target_folder().join("dist").join(&name);
    empty_folder(&folder)?;
    for (from, to) in COPIES {
        copy(&root().join(from), &folder.join(to))?;
    }
    for file in libraries() {
        let to = folder.join("lib").join(&file);
        copy(&library.folder().join(&file), &to)?;
        strip(&to);
    }
    let values = values()?;
    for (from, to) in TEMPLATES {
        let text = fs::read_to_string(root().join(from)).map_err(|error| format!("{from}: {error}"))?;
        write(&folder.join(to), filled(&text, &values).as_bytes())?;
    }
    let zip = folder.with_file_name(format!("{name}.zip"));
    zip::write(&folder, &zip).map_err(|error| format!("{}: {error}", zip.display()))?;
    println!("{}\n{}", folder.display(), zip.display());
    Ok(zip)
}

/// The shared library, the static one, and on Windows what links the former.
fn libraries() -> Vec<String> {
    let mut all = vec![library::shared_name(), library::static_name().into()];
    if cfg!(windows) {
        all.push(format!("{}.lib", library::shared_name()));
    }
    all
}

/// Leaves out what only debuggers read, half the size and more. No harm where there is no `strip`.
pub fn strip(library: &Path) {
    if cfg!(target_os = "linux") {
        let _ = Command::new("strip").arg("--strip-debug").arg(library).status();
    }
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), String> {
    let told = |error| format!("{}: {error}", file.display());
    fs::create_dir_all(file.parent().unwrap_or(file)).map_err(told)?;
    fs::write(file, bytes).map_err(told)
}

/// Copies a file, or a folder with all in it.
pub fn copy(from: &Path, to: &Path) -> Result<(), String> {
    let told = |error| format!("{}: {error}", from.display());
    let files = if from.is_dir() { zip::files(from).map_err(told)? } else { vec![from.to_path_buf()] };
    for file in files {
        let within = file.strip_prefix(from).unwrap_or(&file);
        let target = if within.as_os_str().is_empty() { to.to_path_buf() } else { to.join(within) };
        write(&target, &fs::read(&file).map_err(told)?)?;
    }
    Ok(())
}

fn values() -> Result<Vec<(&'static str, String)>, String> {
    let (version, native) = (version()?, library::native_libraries()?);
    let mut numbers = version.split('.').map(String::from);
    let mut number = || numbers.next().unwrap_or_default();
    Ok(vec![
        ("@MAJOR@", number()),
        ("@MINOR@", number()),
        ("@VERSION@", version.clone()),
        ("@POINTER_BYTES@", size_of::<usize>().to_string()),
        ("@SHARED@", library::shared_name()),
        ("@STATIC@", library::static_name().into()),
        ("@NATIVE_LIBRARIES@", native.join(" ")),
        ("@NATIVE_LIBRARIES_LIST@", native.join(";")),
    ])
}

fn filled(template: &str, values: &[(&str, String)]) -> String {
    values.iter().fold(template.to_string(), |text, (name, value)| text.replace(name, value))
}

/// The version of the package, as the first such line of its manifest gives it.
pub fn version() -> Result<String, String> {
    let manifest =
        fs::read_to_string(root().join("Cargo.toml")).map_err(|error| format!("Cargo.toml: {error}"))?;
    let line = manifest.lines().find_map(|line| line.strip_prefix("version = "));
    Ok(line.ok_or("Cargo.toml gives no version")?.trim_matches('"').into())
}

/// What the libraries are built for.
pub fn triple() -> Result<String, String> {
    let output = Command::new("rustc").arg("-vV").current_dir(root()).output();
    let output = output.map_err(|error| format!("rustc: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let line = said.lines().find_map(|line| line.strip_prefix("host: "));
    Ok(line.ok_or("rustc does not tell what it builds for")?.into())
}

/// Builds hosts from the zip file alone: with CMake against both targets, and with pkg-config.
pub fn test(extent: Extent) -> Outcome {
    tools::with(&[CMAKE, GCC, GXX, PKG_CONFIG], || {
        let zip = build(extent.library())?;
        let fresh = target_folder().join("dist-test");
        empty_folder(&fresh)?;
        run_command(Command::new(CMAKE.program).args(["-E", "tar", "xf"]).arg(&zip), &fresh)?;
        let unpacked = fresh.join(zip.file_stem().unwrap_or_default());
        test_cmake(&unpacked, &fresh)?;
        test_pkg_config(&unpacked, &fresh)?;
        test_readme(&zip, &fresh.join("readme"))
    })
}

fn test_cmake(unpacked: &Path, fresh: &Path) -> Result<(), String> {
    let mut configure = Command::new(CMAKE.program);
    configure.arg("-S").arg(root().join("tests/cmake")).args(["-B", "build", "-DCMAKE_BUILD_TYPE=Release"]);
    configure.arg(format!("-DCMAKE_PREFIX_PATH={}", unpacked.display()));
    run_command(&mut configure, fresh)?;
    run_command(Command::new(CMAKE.program).args(["--build", "build"]), fresh)?;
    run_command(
        Command::new("ctest").args(["--test-dir", "build", "--output-on-failure", "--no-tests=error"]),
        fresh,
    )
}

fn test_pkg_config(unpacked: &Path, fresh: &Path) -> Result<(), String> {
    let mut ask = Command::new(PKG_CONFIG.program);
    ask.args(["--cflags", "--libs", "wobble"]).env("PKG_CONFIG_PATH", unpacked.join("lib/pkgconfig"));
    let answer = ask.output().map_err(|error| format!("pkg-config: {error}"))?;
    if !answer.status.success() {
        return Err(format!("pkg-config: {}", String::from_utf8_lossy(&answer.stderr)));
    }
    let flags = String::from_utf8_lossy(&answer.stdout).into_owned();
    let mut compile = Command::new(GCC.program);
    compile.arg(unpacked.join("examples/c/first.c")).args(["-o", "first"]).args(flags.split_whitespace());
    run_command(&mut compile, fresh)?;
    run_command(Command::new(fresh.join("first")).env("LD_LIBRARY_PATH", unpacked.join("lib")), fresh)
}

/// The README's program by the README's commands, in a folder where the zip file lies as they say.
fn test_readme(zip: &Path, folder: &Path) -> Result<(), String> {
    let dist = folder.join("target/dist");
    empty_folder(&dist)?;
    run_command(Command::new(CMAKE.program).args(["-E", "tar", "xf"]).arg(zip), &dist)?;
    write(&folder.join("host.c"), readme::program()?.as_bytes())?;
    let commands = readme::build_commands()?.replace("x86_64-unknown-linux-gnu", &triple()?);
    run_command(Command::new("bash").args(["-euc", &commands]), folder)
}

#[cfg(test)]
mod tests {
    use super::{TEMPLATES, filled, values};
    use crate::cargo::root;

    #[test]
    fn no_name_is_left_open_in_a_template() {
        let values = values().expect("rustc answers");
        for (template, _) in TEMPLATES {
            let text = std::fs::read_to_string(root().join(template)).expect("the template is there");
            let text = filled(&text, &values);
            assert!(!text.contains('@'), "{template} has a name that nothing fills:\n{text}");
        }
    }
}
