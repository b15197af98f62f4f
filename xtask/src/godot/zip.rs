//! The addon as the Asset Library wants it: a zip file of `addons/wobble`, to be unpacked into a project.

use std::fs;
use std::path::PathBuf;

use super::{install, project};
use crate::cargo::{root, target_folder};
use crate::jobs::empty_folder;

/// Lays out the addon and zips it; returns the zip file.
pub fn build(version: &str) -> Result<PathBuf, String> {
    install()?;
    let folder = target_folder().join("dist/godot/addons");
    empty_folder(&folder)?;
    let addon = folder.join("wobble");
    super::copy_project(&project().join("addons/wobble"), &addon)?;
    for (from, to) in [
        ("godot/README.md", "README.md"),
        ("LICENSE-MIT", "LICENSE-MIT"),
        ("LICENSE-APACHE", "LICENSE-APACHE"),
    ] {
        fs::copy(root().join(from), addon.join(to)).map_err(|error| format!("{from}: {error}"))?;
    }
    let _ = fs::remove_file(addon.join("bin/.gitkeep"));
    let zip = target_folder().join(format!("dist/wobble-godot-{version}.zip"));
    crate::zip::write(&folder, &zip).map_err(|error| format!("{}: {error}", zip.display()))?;
    println!("{}", zip.display());
    Ok(zip)
}
