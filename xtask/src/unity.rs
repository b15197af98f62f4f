//! The Unity package: laid out and packed with the built libraries, and played on a stand-in for Unity.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::cargo::{root, target_folder};
use crate::csharp::{compile, run_with_library, sources};
use crate::dist::{copy, triple, version};
use crate::jobs::{empty_folder, run_command};
use crate::library::Library;
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::tools::{self, CMAKE, GCC, MCS, MONO, NUNIT, NUNIT_CONSOLE, PKG_CONFIG};
use crate::{library, meta, tgz, zip};

const PACKAGE: &str = "unity";
const STAND_IN: &str = "tests/unity_stand_in";
const TESTS: &str = "tests/unity";
const OUTDATED: &str = "tests/unity_outdated";

/// Writes the `.meta` files of the committed package anew.
pub fn write_metas() -> Result<(), String> {
    meta::write(&root().join(PACKAGE)).map_err(|error| format!("{PACKAGE}: {error}"))
}

/// Lays the package out in target/dist and packs it; returns the packed file. The library for this
/// machine, which is there, is in it, and those that `cargo build --release --target` has left for others.
pub fn build(library: Library) -> Result<PathBuf, String> {
    let folder = target_folder().join("dist/com.wobble.softbody");
    empty_folder(&folder)?;
    copy(&root().join(PACKAGE), &folder)?;
    for file in sources("bindings/csharp")? {
        copy(&file, &folder.join("Runtime/Binding").join(file.file_name().unwrap_or_default()))?;
    }
    let host = triple()?;
    for plugin in &meta::PLUGINS {
        let name = Path::new(plugin.path).file_name().unwrap_or_default();
        let built = if plugin.triple == host {
            library.folder().join(name)
        } else {
            target_folder().join(plugin.triple).join("release").join(name)
        };
        if built.exists() {
            copy(&built, &folder.join(plugin.path))?;
            crate::dist::strip(&folder.join(plugin.path));
        }
    }
    let told = |error: io::Error| format!("{}: {error}", folder.display());
    meta::write(&folder).map_err(told)?;
    let packed = folder.with_file_name(format!("com.wobble.softbody-{}.tgz", version()?));
    tgz::write(&folder, &packed).map_err(told)?;
    println!("{}", packed.display());
    Ok(packed)
}

/// Unpacks the package, checks it, and compiles and plays all its scripts from there.
pub fn test(extent: Extent) -> Outcome {
    if !cfg!(unix) {
        return tools::unavailable("the Unity package is tested on Unix only".into());
    }
    tools::with(&[CMAKE, GCC, MCS, MONO, PKG_CONFIG, NUNIT, NUNIT_CONSOLE], || {
        let packed = build(extent.library())?;
        let folder = target_folder().join("unity");
        empty_folder(&folder)?;
        run_command(Command::new(CMAKE.program).args(["-E", "tar", "xzf"]).arg(&packed), &folder)?;
        let package = folder.join("package");
        check(&package)?;
        play(extent.library(), &package, &folder)
    })
}

/// The package is whole: manifest, folders, `.meta` files, a library, sources, samples that are there.
fn check(package: &Path) -> Result<(), String> {
    let told = |error: io::Error| format!("{}: {error}", package.display());
    let mut faults = meta::faults(package).map_err(told)?;
    let manifest = fs::read_to_string(package.join("package.json")).map_err(told)?;
    for line in [
        "\"name\": \"com.wobble.softbody\"",
        "\"unity\": \"2021.3\"",
        &format!("\"version\": \"{}\"", version()?),
    ] {
        if !manifest.contains(line) {
            faults.push(format!("package.json lacks {line}"));
        }
    }
    let samples = manifest.split("\"path\": \"").skip(1).filter_map(|rest| rest.split_once('"'));
    let assemblies = ["Runtime/Binding/Wobble", "Runtime/Wobble.Unity", "Editor/Wobble.Unity.Editor"];
    let assemblies =
        assemblies.iter().chain(&["Tests/Runtime/Wobble.Unity.Tests"]).map(|name| format!("{name}.asmdef"));
    let files =
        ["README.md", "CHANGELOG.md", "LICENSE.md", "Documentation~/index.md", "Runtime/Binding/World.cs"];
    let wanted = samples.map(|(path, _)| path.into()).chain(assemblies).chain(files.map(String::from));
    faults
        .extend(wanted.filter(|path| !package.join(path).exists()).map(|path| format!("{path} is missing")));
    if !meta::PLUGINS.iter().any(|plugin| package.join(plugin.path).exists()) {
        faults.push("there is no native library".into());
    }
    let same =
        |name: &str| fs::read(package.join(name)).ok() == fs::read(root().join(PACKAGE).join(name)).ok();
    let unlike = zip::files(&root().join(PACKAGE)).map_err(told)?;
    let unlike = unlike.iter().filter_map(|file| file.strip_prefix(root().join(PACKAGE)).ok()?.to_str());
    faults.extend(unlike.filter(|name| !same(name)).map(|name| format!("{name} is not what is committed")));
    if faults.is_empty() { Ok(()) } else { Err(faults.join("\n")) }
}

/// Compiles each assembly as Unity would, with the stand-in for Unity's own, and runs the tests.
fn play(tested: Library, package: &Path, folder: &Path) -> Result<(), String> {
    let library = |name: &str, from: &[&Path], references: &[&str]| {
        let mut files = Vec::new();
        for place in from {
            files.extend(sources(place)?);
        }
        let references: Vec<String> =
            references.iter().map(|name| format!("-reference:{name}.dll")).collect();
        // Fields that only the inspector sets look unassigned.
        let mut flags = vec!["-target:library", "-nowarn:649", "-pkg:nunit"];
        flags.extend(references.iter().map(String::as_str));
        compile(folder, name, &flags, &files)
    };
    let (stand_in, tests) = (root().join(STAND_IN), root().join(TESTS));
    let runtime = package.join("Runtime");
    library("Wobble.dll", &[&runtime.join("Binding")], &[])?;
    library("UnityEngine.dll", &[&stand_in], &["Wobble"])?;
    // The binding lies below the components, but is an assembly of its own.
    let components: Vec<PathBuf> = fs::read_dir(&runtime)
        .and_then(|entries| entries.map(|entry| entry.map(|entry| entry.path())).collect())
        .map_err(|error| format!("{}: {error}", runtime.display()))?;
    let components: Vec<&Path> =
        components.iter().map(PathBuf::as_path).filter(|path| path.is_file()).collect();
    // Those of Unity's .NET Framework, which has no spans, as well.
    let mut whole = sources(runtime.join("Binding"))?;
    whole.extend(
        components
            .iter()
            .map(|file| file.to_path_buf())
            .filter(|file| file.extension() == Some("cs".as_ref())),
    );
    whole.extend(sources(package.join("Editor"))?);
    let flags = ["-target:library", "-nowarn:649,436", "-define:NET_4_6", "-reference:UnityEngine.dll"];
    compile(folder, "WithoutSpans.dll", &flags, &whole)?;
    let uses = ["Wobble", "UnityEngine", "Wobble.Unity", "Wobble.Unity.Editor", "Samples"];
    library("Wobble.Unity.dll", &components, &uses[..2])?;
    library("Wobble.Unity.Editor.dll", &[&package.join("Editor")], &uses[..3])?;
    library("Samples.dll", &[&package.join("Samples~")], &uses[..3])?;
    library("Tests.dll", &[&package.join("Tests"), &tests], &uses)?;
    let mut run = Command::new(NUNIT_CONSOLE.program);
    run_with_library(tested, run.args(["-nologo", "-noshadow", "-xml=tests.xml", "Tests.dll"]), folder)?;
    play_outdated(folder, &uses[..4])
}

/// The scripts with an old library, and with none: they tell people what to do.
fn play_outdated(folder: &Path, references: &[&str]) -> Result<(), String> {
    let mut gcc = Command::new(GCC.program);
    gcc.args(["-shared", "-fPIC", "-o"]).arg(folder.join("old").join(library::shared_name()));
    fs::create_dir_all(folder.join("old")).map_err(|error| format!("{}: {error}", folder.display()))?;
    run_command(gcc.arg(root().join(OUTDATED).join("old_library.c")), folder)?;
    let references: Vec<String> = references.iter().map(|name| format!("-reference:{name}.dll")).collect();
    let references: Vec<&str> = references.iter().map(String::as_str).collect();
    compile(folder, "Outdated.exe", &references, &sources(OUTDATED)?)?;
    for (libraries, words) in [("old", "restart the editor"), ("none", "is missing from the package")] {
        let mut run = Command::new(MONO.program);
        run.args(["Outdated.exe", words]).env("LD_LIBRARY_PATH", folder.join(libraries));
        run_command(&mut run, folder)?;
    }
    Ok(())
}
