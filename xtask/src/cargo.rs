//! Calls of cargo and rustup, and where they put things.

use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};

/// The root of the repository.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask lies in the repository")
}

/// The folder cargo builds into. This program is `<target>/<profile>/xtask`, so
/// the answer is right whichever setting chose the folder.
pub fn target_folder() -> PathBuf {
    let xtask = std::env::current_exe().ok();
    let target = xtask.as_deref().and_then(|file| file.ancestors().nth(2));
    target.map_or_else(|| root().join("target"), Path::to_path_buf)
}

/// The cargo that started this program, with `arguments`, at the root.
pub fn command<'a>(arguments: impl IntoIterator<Item = &'a str>) -> Command {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.current_dir(root()).args(arguments);
    command
}

/// `Err` with a sentence unless a program ran and said all is well.
pub fn succeeded(status: io::Result<ExitStatus>) -> Result<(), String> {
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("ended with {status}")),
        Err(error) => Err(format!("could not be started: {error}")),
    }
}

/// Runs `command`, shows its standard output as it comes, and gives every line to `read`.
pub fn run_and_read(command: &mut Command, mut read: impl FnMut(&str)) -> Result<(), String> {
    run_and_hear(command, |line| {
        println!("{line}");
        read(line.trim_end());
    })
}

/// Runs `command` and gives every line of its standard output to `hear`.
pub fn run_and_hear(command: &mut Command, mut hear: impl FnMut(&str)) -> Result<(), String> {
    let mut child =
        command.stdout(Stdio::piped()).spawn().map_err(|error| format!("could not be started: {error}"))?;
    let output = child.stdout.take().expect("the output is piped");
    // A test may print bytes that are not text; they must not end the run.
    for line in BufReader::new(output).split(b'\n') {
        let line = line.map_err(|error| format!("its output could not be read: {error}"))?;
        hear(&String::from_utf8_lossy(&line));
    }
    succeeded(child.wait())
}

/// Whether cargo has the component that provides `cargo <subcommand>`; asks
/// rustup for it if not.
pub fn has_component(subcommand: &str, component: &str) -> bool {
    let works = || {
        let version = command([subcommand, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
        succeeded(version).is_ok()
    };
    let add = || Command::new("rustup").args(["component", "add", component]).current_dir(root()).status();
    works() || (succeeded(add()).is_ok() && works())
}
