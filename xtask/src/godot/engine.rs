//! Finds Godot: `$GODOT`, `godot` on the PATH, or a private copy from Debian.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::cargo::{root, target_folder};

/// A Godot that runs.
pub struct Engine {
    pub program: PathBuf,
}

/// The first version that the extension is for.
const OLDEST: (u32, u32) = (4, 4);

impl Engine {
    /// Finds one, or fetches one; else a sentence that says what to do.
    pub fn find() -> Result<Engine, String> {
        if let Some(chosen) = std::env::var_os("GODOT").filter(|chosen| !chosen.is_empty()) {
            return Engine::at(PathBuf::from(&chosen))
                .map_err(|why| format!("$GODOT, {}, {why}", chosen.display()));
        }
        Engine::at("godot".into()).or_else(|_| Engine::fetch())
    }

    fn at(program: PathBuf) -> Result<Engine, String> {
        let output = Command::new(&program).args(["--headless", "--version"]).stderr(Stdio::null()).output();
        let output = output.map_err(|error| format!("does not start: {error}"))?;
        let version = String::from_utf8_lossy(&output.stdout).trim().to_string();
        match numbers(&version) {
            Some(found) if found >= OLDEST => {
                println!("Godot {version}");
                Ok(Engine { program })
            }
            _ => Err(format!("is of version {version:?}; the extension needs {}.{}", OLDEST.0, OLDEST.1)),
        }
    }

    /// A private copy from a newer suite of Debian; nothing is installed on the machine.
    fn fetch() -> Result<Engine, String> {
        let wanted = "install Godot 4.4 or newer, or set GODOT to it";
        if !std::path::Path::new("/etc/debian_version").exists() {
            return Err(format!("Godot is missing; {wanted}"));
        }
        let folder = target_folder().join("godot-engine");
        if !folder.join("godot").exists() {
            println!("fetching Godot, about 180 MB");
        }
        let fetched = Command::new("bash")
            .arg(root().join("packaging/get-godot.sh"))
            .arg(folder)
            .stderr(Stdio::inherit())
            .output();
        let fetched = fetched.map_err(|error| format!("packaging/get-godot.sh: {error}; {wanted}"))?;
        let said = String::from_utf8_lossy(&fetched.stdout);
        match said.lines().last().filter(|_| fetched.status.success()) {
            Some(program) => Engine::at(program.into()).map_err(|why| format!("the fetched Godot {why}")),
            None => Err(format!("Godot could not be fetched ({}); {wanted}", fetched.status)),
        }
    }
}

/// Major and minor of a version such as `4.6.3.stable.official`.
fn numbers(version: &str) -> Option<(u32, u32)> {
    let mut parts = version.split('.');
    Some((parts.next()?.parse().ok()?, parts.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    #[test]
    fn versions_are_read_by_their_first_two_numbers() {
        assert_eq!(super::numbers("4.6.3.stable.debian4.6.3+ds-2"), Some((4, 6)));
        assert_eq!(super::numbers("4.4.stable"), Some((4, 4)));
        assert_eq!(super::numbers(""), None);
    }
}
