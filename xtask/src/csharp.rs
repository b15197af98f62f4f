//! The C# binding under Mono: compiled as Unity would, tested against the shared library.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{root, target_folder};
use crate::jobs::{empty_folder, run_command};
use crate::library::Library;
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::tools::{self, GCC, MCS, MONO, NM, NUNIT, NUNIT_CONSOLE, PKG_CONFIG};
use crate::{library, zip};

const BINDING: &str = "bindings/csharp";
const TESTS: &str = "tests/csharp";
/// The book's first program.
const FIRST: &str = "docs/snippets/First.cs";
/// Programs of their own among the tests, and what they share with them.
const PROGRAMS: [&str; 2] = ["Shutdown", "Reload"];
const SHARED: &str = "tests/csharp/Scenes.cs";

/// The newest C# that every Unity since 2021.3 and mcs understand; no warning is left standing.
const FLAGS: [&str; 4] = ["-langversion:7.2", "-unsafe", "-warnaserror", "-optimize+"];

/// Compiles the binding and its tests and runs them.
pub fn run(extent: Extent) -> Outcome {
    if !cfg!(unix) {
        return tools::unavailable("the C# tests run on Unix only".into());
    }
    tools::with(&[NM, MCS, MONO, PKG_CONFIG, NUNIT, NUNIT_CONSOLE], || {
        let library = extent.library();
        let folder = target_folder().join("csharp");
        empty_folder(&folder)?;
        compare_symbols(library)?;
        let binding = sources(BINDING)?;
        compile(&folder, "WobbleWithoutSpans.dll", &["-target:library", "-define:NET_4_6"], &binding)?;
        compile(&folder, "Wobble.dll", &["-target:library"], &binding)?;
        let with = ["-target:library", "-reference:Wobble.dll", "-pkg:nunit"];
        compile(&folder, "Tests.dll", &with, &sources(TESTS)?)?;
        compile(&folder, "First.exe", &with[1..2], &sources(FIRST)?)?;
        run_with_library(library, Command::new(MONO.program).arg("First.exe"), &folder)?;
        let mut tests = Command::new(NUNIT_CONSOLE.program);
        run_with_library(
            library,
            tests.args(["-nologo", "-noshadow", "-xml=tests.xml", "Tests.dll"]),
            &folder,
        )?;
        PROGRAMS.iter().try_for_each(|name| {
            let files = [root().join(TESTS).join(format!("{name}.cs")), root().join(SHARED)];
            let program = format!("{name}.exe");
            compile(&folder, &program, &with[1..], &files)?;
            run_with_library(library, Command::new(MONO.program).arg(&program), &folder)
        })
    })
}

/// Builds, on a library that is there, the loops that the benchmark `csharp.over_c` races, and tells it where they are. Without the
/// tools it leaves the row out, and says so.
pub fn prepare_bench(library: Library, bench: &mut Command) -> Result<(), String> {
    if !cfg!(target_os = "linux") || tools::have(&[GCC, MCS, MONO]).is_err() {
        return Ok(());
    }
    let (folder, libraries) = (target_folder().join("csharp-bench"), library.folder());
    empty_folder(&folder)?;
    let mut gcc = Command::new(GCC.program);
    gcc.args(["-std=c99", "-O2", "-shared", "-fPIC", "-Wall", "-Werror", "-o", "libwobble_loop.so", "-I"]);
    gcc.arg(root().join("include")).arg(root().join("benches/csharp/loop.c"));
    run_command(gcc.arg("-L").arg(&libraries).arg("-lwobble"), &folder)?;
    compile(&folder, "Wobble.dll", &["-target:library"], &sources(BINDING)?)?;
    compile(&folder, "Loop.exe", &["-reference:Wobble.dll"], &sources("benches/csharp")?)?;
    crate::dist::copy(&library.shared(), &folder.join(library::shared_name()))?;
    bench.env("WOBBLE_CSHARP_LOOP", &folder);
    Ok(())
}

/// All C# files in a folder and below, sorted, or a file itself; from the root of the repository.
pub fn sources(place: impl AsRef<Path>) -> Result<Vec<PathBuf>, String> {
    let place = root().join(place);
    let files = if place.is_dir() { zip::files(&place) } else { Ok(vec![place.clone()]) };
    let files = files.map_err(|error| format!("{}: {error}", place.display()))?;
    Ok(files.into_iter().filter(|file| file.extension().is_some_and(|end| end == "cs")).collect())
}

pub fn compile(folder: &Path, output: &str, flags: &[&str], sources: &[PathBuf]) -> Result<(), String> {
    let mut mcs = Command::new(MCS.program);
    mcs.args(FLAGS).args(flags).arg(format!("-out:{output}")).args(sources);
    run_command(&mut mcs, folder)
}

/// Runs a command that loads the shared library.
pub fn run_with_library(library: Library, command: &mut Command, folder: &Path) -> Result<(), String> {
    let (libraries, root) = (library.folder(), root());
    run_command(command.env("LD_LIBRARY_PATH", libraries).env("WOBBLE_ROOT", root), folder)
}

/// The library exports exactly the functions that C# declares. That these are the header's is for
/// `bindings/generator` to see.
fn compare_symbols(library: Library) -> Result<(), String> {
    let output = Command::new(NM.program).args(["-D", "--defined-only"]).arg(library.shared()).output();
    let output = output.map_err(|error| format!("nm: {error}"))?;
    let said = String::from_utf8_lossy(&output.stdout);
    let exported: BTreeSet<&str> = said
        .lines()
        .filter_map(|line| line.rsplit(' ').next())
        .filter(|name| name.starts_with("wobble_"))
        .collect();
    let file = root().join(BINDING).join("NativeMethods.cs");
    let text = std::fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let declared: BTreeSet<&str> = text
        .split("EntryPoint = \"")
        .skip(1)
        .filter_map(|rest| rest.split_once('"').map(|(name, _)| name))
        .collect();
    let differing: Vec<_> = exported.symmetric_difference(&declared).collect();
    if differing.is_empty() && !declared.is_empty() {
        return Ok(());
    }
    Err(format!("the library and {BINDING} do not have the same functions: {differing:?}"))
}
