//! The library as hosts link it: built in release, shared and static.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::cargo::{command, root, succeeded, target_folder};

/// Where the libraries lie.
pub fn folder() -> PathBuf {
    target_folder().join("release")
}

/// The shared library's file name on this platform.
pub fn shared_name() -> String {
    format!("{DLL_PREFIX}wobble{DLL_SUFFIX}")
}

/// The static library's file name on this platform.
pub fn static_name() -> &'static str {
    if cfg!(target_env = "msvc") { "wobble.lib" } else { "libwobble.a" }
}

/// Builds both.
pub fn build() -> Result<(), String> {
    succeeded(command(["build", "--release", "--package", "wobble"]).status())
}

/// Builds both and sees that they are there. The files are removed first, so that one left by an
/// earlier build proves nothing.
pub fn build_anew() -> Result<(), String> {
    let files = [shared_name(), static_name().into()].map(|name| folder().join(name));
    for file in files.iter().filter(|file| file.exists()) {
        std::fs::remove_file(file).map_err(|error| format!("{}: {error}", file.display()))?;
    }
    build()?;
    match files.iter().find(|file| !file.exists()) {
        None => Ok(()),
        Some(file) => Err(format!("{} was not built", file.display())),
    }
}

/// What a host of the static library must link with it. The library needs nothing but what Rust's
/// standard library does, so an empty program tells.
pub fn native_libraries() -> Result<Vec<String>, String> {
    let mut rustc = Command::new("rustc");
    rustc.args(["--crate-type", "staticlib", "--crate-name", "empty", "--print", "native-static-libs", "-"]);
    rustc.arg("--out-dir").arg(target_folder()).current_dir(root());
    let output = rustc.stdin(Stdio::null()).output().map_err(|error| format!("rustc: {error}"))?;
    let said = String::from_utf8_lossy(&output.stderr);
    let found = said.lines().find_map(|line| line.split_once("native-static-libs:"));
    let (_, libraries) = found.ok_or_else(|| format!("rustc does not tell what to link:\n{said}"))?;
    Ok(libraries.split_whitespace().map(String::from).collect())
}
