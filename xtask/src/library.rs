//! The library as hosts link it, shared and static: the one that the tests are compiled with, or the one that is shipped.

use std::env::consts::{DLL_PREFIX, DLL_SUFFIX};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cargo::{command, root, succeeded, target_folder};

/// One of the two that hosts are tested with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Library {
    /// Compiled once for tests and hosts, with all assertions.
    Tested,
    /// As games get it.
    Shipped,
}

/// The shared library's file name on this platform.
pub fn shared_name() -> String {
    format!("{DLL_PREFIX}wobble{DLL_SUFFIX}")
}

/// The static library's file name on this platform.
pub fn static_name() -> &'static str {
    if cfg!(target_env = "msvc") { "wobble.lib" } else { "libwobble.a" }
}

impl Library {
    /// Where its files lie. Those of `Tested` lie where nothing but `build_anew` writes: cargo leaves its own beside programs
    /// that were built with other features, and any build may replace them.
    pub fn folder(self) -> PathBuf {
        target_folder().join(if self == Library::Tested { "tested" } else { "release" })
    }

    /// The shared library.
    pub fn shared(self) -> PathBuf {
        self.folder().join(shared_name())
    }

    /// Builds both files.
    pub fn build(self) -> Result<(), String> {
        match self {
            Library::Tested => self.build_anew(),
            Library::Shipped => succeeded(command(["build", "--release", "--package", "wobble"]).status()),
        }
    }

    /// Builds both and sees that they are there. The files are removed first, so that one left by an
    /// earlier build proves nothing.
    pub fn build_anew(self) -> Result<(), String> {
        remove(&self.folder())?;
        match self {
            Library::Tested => self.copy_built()?,
            Library::Shipped => self.build()?,
        }
        match names().iter().map(|name| self.folder().join(name)).find(|file| !file.exists()) {
            Some(file) => Err(format!("{} was not built", file.display())),
            None if !has_c_functions(&self.shared())? => {
                Err("the shared library lacks its C functions".into())
            }
            None => Ok(()),
        }
    }

    fn copy_built(self) -> Result<(), String> {
        let cargos = target_folder().join("debug");
        let build = || succeeded(command(["build", "--package", "wobble", "--lib"]).status());
        remove(&cargos)?;
        build()?;
        if !has_c_functions(&cargos.join(shared_name()))? {
            // A build of the extension for Godot alone has left its own, and cargo takes that for this one.
            remove(&cargos.join("deps"))?;
            build()?;
        }
        let told = |error| format!("{}: {error}", self.folder().display());
        fs::create_dir_all(self.folder()).map_err(told)?;
        names().iter().try_for_each(|name| {
            fs::copy(cargos.join(name), self.folder().join(name)).map(drop).map_err(told)
        })
    }
}

fn names() -> [String; 2] {
    [shared_name(), static_name().into()]
}

/// Removes both files from a folder, if they are there.
fn remove(folder: &Path) -> Result<(), String> {
    let mut files = names().map(|name| folder.join(name)).into_iter().filter(|file| file.exists());
    files.try_for_each(|file| fs::remove_file(&file).map_err(|error| format!("{}: {error}", file.display())))
}

/// Whether a shared library exports the C interface.
fn has_c_functions(library: &Path) -> Result<bool, String> {
    let bytes = fs::read(library).map_err(|error| format!("{}: {error}", library.display()))?;
    Ok(bytes.windows(16).any(|name| name == b"\0wobble_version\0"))
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
