//! Programs that the tests need beside cargo: found, or installed where that is possible.
//!
//! A missing one is installed by apt-get, given root and Debian. Where that fails, what needs the
//! tool fails in CI (`CI=true`) and is skipped, and told so, elsewhere.

use std::fs::File;
use std::process::{Command, Stdio};

use crate::cargo::{succeeded, target_folder};
use crate::summary::Outcome;

/// A program, and the Debian package that has it.
#[derive(Clone, Copy)]
pub struct Tool {
    pub program: &'static str,
    package: &'static str,
    /// What succeeds when it is there; the program's own `--version` if empty.
    probe: &'static [&'static str],
}

const fn tool(program: &'static str, package: &'static str) -> Tool {
    Tool { program, package, probe: &[] }
}

/// A library that programs open while they run.
const fn library(name: &'static str, package: &'static str, probe: &'static [&'static str]) -> Tool {
    Tool { program: name, package, probe }
}

pub const GCC: Tool = tool("gcc", "gcc");
pub const GXX: Tool = tool("g++", "g++");
pub const CLANG: Tool = tool("clang", "clang");
pub const CLANGXX: Tool = tool("clang++", "clang");
pub const CMAKE: Tool = tool("cmake", "cmake");
pub const VALGRIND: Tool = tool("valgrind", "valgrind");
pub const PKG_CONFIG: Tool = tool("pkg-config", "pkg-config");
pub const DOXYGEN: Tool = tool("doxygen", "doxygen");
pub const XVFB: Tool = Tool { probe: &["Xvfb", "-help"], ..tool("Xvfb", "xvfb") };
/// Libraries that a window is opened with.
pub const LIBGL: Tool = library("libGL", "libgl1", &["sh", "-c", "/sbin/ldconfig -p | grep -q libGL.so.1"]);
pub const LIBXI: Tool = library("libXi", "libxi6", &["sh", "-c", "/sbin/ldconfig -p | grep -q libXi.so.6"]);
pub const LIBXKBCOMMON: Tool =
    library("libxkbcommon", "libxkbcommon0", &["sh", "-c", "/sbin/ldconfig -p | grep -q libxkbcommon.so.0"]);
pub const FFMPEG: Tool = Tool { probe: &["ffmpeg", "-version"], ..tool("ffmpeg", "ffmpeg") };
pub const NM: Tool = tool("nm", "binutils");
pub const STRIP: Tool = tool("strip", "binutils");
pub const MCS: Tool = tool("mcs", "mono-mcs");
pub const MONO: Tool = tool("mono", "mono-runtime");
pub const NUNIT_CONSOLE: Tool = tool("nunit-console", "nunit-console");
/// A library, which pkg-config knows.
pub const NUNIT: Tool =
    Tool { program: "nunit", package: "libnunit-cil-dev", probe: &["pkg-config", "--exists", "nunit"] };

/// What the steps of the gate call.
pub const GATES: [Tool; 16] = [
    GCC,
    GXX,
    CMAKE,
    VALGRIND,
    PKG_CONFIG,
    DOXYGEN,
    XVFB,
    LIBGL,
    LIBXI,
    LIBXKBCOMMON,
    NM,
    MCS,
    MONO,
    NUNIT,
    NUNIT_CONSOLE,
    STRIP,
];

/// Whether the program runs.
fn works(tool: &Tool) -> bool {
    let (program, arguments) = tool.probe.split_first().unwrap_or((&tool.program, &["--version"]));
    let probe = Command::new(program).args(arguments).stdout(Stdio::null()).stderr(Stdio::null()).status();
    succeeded(probe).is_ok()
}

/// Whether all of these are there by now; else a sentence that says which is not.
pub fn have(tools: &[Tool]) -> Result<(), String> {
    for tool in tools {
        let found = works(tool) || (install(tool.package) && works(tool));
        if !found {
            return Err(format!("{} is missing; install the package {}", tool.program, tool.package));
        }
    }
    Ok(())
}

/// The outcome of a step that could not be run for want of something.
pub fn unavailable(why: String) -> Outcome {
    if in_ci() { Outcome::Failed(vec![why]) } else { Outcome::Skipped(why) }
}

/// Runs a check that needs tools.
pub fn with(tools: &[Tool], check: impl FnOnce() -> Result<(), String>) -> Outcome {
    match have(tools) {
        Ok(()) => check().into(),
        Err(missing) => unavailable(missing),
    }
}

pub fn in_ci() -> bool {
    std::env::var("CI").is_ok_and(|value| !value.is_empty() && value != "false")
}

/// Installs a Debian package; the lists are fetched if it is not known without.
fn install(package: &str) -> bool {
    if !is_root() {
        return false;
    }
    let lock = lock();
    println!("installing {package}");
    let install = || apt_get(&["install", "--yes", "--no-install-recommends", package]);
    let installed = install() || (apt_get(&["update"]) && install());
    drop(lock);
    installed
}

/// Fetches the lists of Debian's packages anew; whether that went well.
pub fn renew_lists() -> bool {
    let lock = lock();
    let renewed = is_root() && apt_get(&["update"]);
    drop(lock);
    renewed
}

/// Steps run side by side, and apt-get lets one change anything at a time.
fn lock() -> std::io::Result<File> {
    let file = File::create(target_folder().join("apt.lock"))?;
    file.lock().map(|()| file)
}

fn apt_get(arguments: &[&str]) -> bool {
    let mut apt_get = Command::new("apt-get");
    apt_get.arg("--quiet=2").args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
    succeeded(apt_get.stdin(Stdio::null()).stdout(Stdio::null()).status()).is_ok()
}

fn is_root() -> bool {
    Command::new("id").arg("-u").output().is_ok_and(|id| id.stdout.trim_ascii() == b"0")
}
