//! The `.meta` files of the Unity package: a GUID for every file and folder, and how Unity imports it.
//!
//! GUIDs come from paths, so they are the same in every build, and scenes keep finding what they refer to.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// A native library of the package: where it lies, what builds it, and the one platform and CPU it is for.
pub struct Plugin {
    pub path: &'static str,
    pub triple: &'static str,
    /// Unity's name of the platform among `PLATFORMS`.
    platform: &'static str,
    cpu: &'static str,
    /// The editor that loads it, by operating system.
    editor: Option<&'static str>,
}

const fn plugin(
    path: &'static str,
    triple: &'static str,
    platform: &'static str,
    cpu: &'static str,
    editor: Option<&'static str>,
) -> Plugin {
    Plugin { path, triple, platform, cpu, editor }
}

pub const PLUGINS: [Plugin; 8] = [
    plugin(
        "Runtime/Plugins/Linux/x86_64/libwobble.so",
        "x86_64-unknown-linux-gnu",
        "Linux64",
        "x86_64",
        Some("Linux"),
    ),
    plugin(
        "Runtime/Plugins/Windows/x86_64/wobble.dll",
        "x86_64-pc-windows-msvc",
        "Win64",
        "x86_64",
        Some("Windows"),
    ),
    plugin(
        "Runtime/Plugins/macOS/arm64/libwobble.dylib",
        "aarch64-apple-darwin",
        "OSXUniversal",
        "ARM64",
        Some("OSX"),
    ),
    plugin(
        "Runtime/Plugins/macOS/x86_64/libwobble.dylib",
        "x86_64-apple-darwin",
        "OSXUniversal",
        "x86_64",
        Some("OSX"),
    ),
    plugin(
        "Runtime/Plugins/Android/arm64-v8a/libwobble.so",
        "aarch64-linux-android",
        "Android",
        "ARM64",
        None,
    ),
    plugin("Runtime/Plugins/Android/x86_64/libwobble.so", "x86_64-linux-android", "Android", "X86_64", None),
    plugin("Runtime/Plugins/iOS/libwobble.a", "aarch64-apple-ios", "iOS", "ARM64", None),
    plugin("Runtime/Plugins/WebGL/libwobble.a", "wasm32-unknown-emscripten", "WebGL", "AnyCPU", None),
];

/// Every platform that a plugin could be for, with the group Unity lists it under.
const PLATFORMS: [(&str, &str); 6] = [
    ("Android", "Android"),
    ("Standalone", "Linux64"),
    ("Standalone", "OSXUniversal"),
    ("Standalone", "Win64"),
    ("WebGL", "WebGL"),
    ("iPhone", "iOS"),
];

const COMMON: &str = "  userData: \n  assetBundleName: \n  assetBundleVariant: \n";

/// The hash FNV-1a of 128 bits, as 32 digits.
pub fn guid(path: &str) -> String {
    let step =
        |hash: u128, byte: &u8| (hash ^ u128::from(*byte)).wrapping_mul(0x0100_0000_0000_0000_0000_013b);
    let name = format!("com.wobble.softbody/{path}");
    format!("{:032x}", name.as_bytes().iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d, step))
}

/// The text of the `.meta` file of a path within the package, with `/`.
pub fn text(path: &str, is_folder: bool) -> String {
    let importer = if is_folder {
        format!("folderAsset: yes\nDefaultImporter:\n  externalObjects: {{}}\n{COMMON}")
    } else if let Some(plugin) = PLUGINS.iter().find(|plugin| plugin.path == path) {
        plugin.importer()
    } else {
        importer(path)
    };
    format!("fileFormatVersion: 2\nguid: {}\n{importer}", guid(path))
}

fn importer(path: &str) -> String {
    let name = match path.rsplit('.').next() {
        Some("cs") => {
            let script = "  serializedVersion: 2\n  defaultReferences: []\n  executionOrder: 0\n  icon: {instanceID: 0}\n";
            return format!("MonoImporter:\n  externalObjects: {{}}\n{script}{COMMON}");
        }
        Some("asmdef") => "AssemblyDefinitionImporter",
        Some("json") => "PackageManifestImporter",
        _ => "TextScriptImporter",
    };
    format!("{name}:\n  externalObjects: {{}}\n{COMMON}")
}

impl Plugin {
    /// Off everywhere but on its own platform and in its own editor.
    fn importer(&self) -> String {
        let mut text = String::from(
            "PluginImporter:\n  externalObjects: {}\n  serializedVersion: 2\n  iconMap: {}\n  executionOrder: {}\n  \
             defineConstraints: []\n  isPreloaded: 0\n  isOverridable: 0\n  isExplicitlyReferenced: 0\n  \
             validateReferences: 1\n  platformData:\n",
        );
        text += "  - first:\n      : Any\n    second:\n      enabled: 0\n      settings:\n";
        text += &format!("        Exclude Editor: {}\n", u8::from(self.editor.is_none()));
        for (_, platform) in PLATFORMS {
            text += &format!("        Exclude {platform}: {}\n", u8::from(platform != self.platform));
        }
        text += "  - first:\n      Any: \n    second:\n      enabled: 0\n      settings: {}\n";
        let editor = [
            ("CPU", if self.editor.is_some() { self.cpu } else { "AnyCPU" }),
            ("DefaultValueInitialized", "true"),
            ("OS", self.editor.unwrap_or("AnyOS")),
        ];
        text += &platform_data("Editor: Editor", self.editor.is_some(), &editor);
        for (group, platform) in PLATFORMS {
            let own = platform == self.platform;
            let cpu = if own { self.cpu } else { "None" };
            text += &platform_data(&format!("{group}: {platform}"), own, &[("CPU", cpu)]);
        }
        text + COMMON
    }
}

fn platform_data(name: &str, enabled: bool, settings: &[(&str, &str)]) -> String {
    let settings: String = settings.iter().map(|(key, value)| format!("        {key}: {value}\n")).collect();
    format!(
        "  - first:\n      {name}\n    second:\n      enabled: {}\n      settings:\n{settings}",
        u8::from(enabled)
    )
}

/// The `.meta` files that a package needs, with their texts: none for what Unity does not look at,
/// folders that end with `~`; but what lies in samples is copied into projects, so it has its own.
pub fn wanted(package: &Path) -> io::Result<Vec<(PathBuf, String)>> {
    let mut all = Vec::new();
    collect(package, package, &mut all)?;
    all.sort();
    Ok(all)
}

fn collect(package: &Path, folder: &Path, all: &mut Vec<(PathBuf, String)>) -> io::Result<()> {
    for item in fs::read_dir(folder)? {
        let path = item?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if name.ends_with(".meta") || name == "Documentation~" {
            continue;
        }
        if !name.ends_with('~') {
            let within = path.strip_prefix(package).unwrap_or(&path);
            let within = within.iter().map(|part| part.to_string_lossy()).collect::<Vec<_>>().join("/");
            all.push((path.with_file_name(format!("{name}.meta")), text(&within, path.is_dir())));
        }
        if path.is_dir() {
            collect(package, &path, all)?;
        }
    }
    Ok(())
}

/// Writes every `.meta` file that is missing or different, and removes those of what is gone.
pub fn write(package: &Path) -> io::Result<()> {
    let wanted = wanted(package)?;
    for file in crate::zip::files(package)? {
        let is_meta = file.extension().is_some_and(|end| end == "meta");
        if is_meta && !wanted.iter().any(|(path, _)| *path == file) {
            fs::remove_file(file)?;
        }
    }
    wanted.iter().try_for_each(|(path, text)| fs::write(path, text))
}

/// What is wrong with the `.meta` files of a package.
pub fn faults(package: &Path) -> io::Result<Vec<String>> {
    let wanted = wanted(package)?;
    let mut faults = Vec::new();
    for (path, text) in &wanted {
        if fs::read_to_string(path).ok().as_ref() != Some(text) {
            faults.push(format!("{} is missing or out of date", path.display()));
        }
    }
    for file in crate::zip::files(package)? {
        let is_meta = file.extension().is_some_and(|end| end == "meta");
        if is_meta && !wanted.iter().any(|(path, _)| *path == file) {
            faults.push(format!("{} belongs to nothing", file.display()));
        }
    }
    Ok(faults)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::cargo::root;

    #[test]
    fn the_committed_package_has_its_meta_files() {
        let faults = faults(&root().join("unity")).expect("the package is there");
        assert!(faults.is_empty(), "run `cargo xtask unity-metas`: {faults:#?}");
    }

    #[test]
    fn no_guid_comes_twice() {
        let wanted = wanted(&root().join("unity")).expect("the package is there");
        let guids: BTreeSet<&str> = wanted
            .iter()
            .filter_map(|(_, text)| text.lines().find_map(|line| line.strip_prefix("guid: ")))
            .collect();
        assert_eq!(guids.len(), wanted.len());
        assert!(guids.iter().all(|guid| guid.len() == 32));
    }

    /// A scene refers to scripts by these: they must never change.
    #[test]
    fn guids_stay_as_they_are() {
        assert_eq!(guid("Runtime/WobbleBody.cs"), "e6db428b295ee47fb18c3abd579d5716");
        assert_eq!(guid("Runtime/WobbleWorld.cs"), "0d49e740bac3298a650c887263222fb6");
    }

    #[test]
    fn every_plugin_is_for_one_platform_and_cpu() {
        for plugin in &PLUGINS {
            let text = text(plugin.path, false);
            let data = text.split_once("platformData:").expect("platforms").1;
            let entries: Vec<&str> = data.split("  - first:\n").skip(1).collect();
            let enabled: Vec<&&str> = entries.iter().filter(|entry| entry.contains("enabled: 1")).collect();
            let players = enabled.iter().filter(|entry| !entry.contains("Editor: Editor")).count();
            assert_eq!(players, 1, "{}", plugin.path);
            assert_eq!(enabled.len() - players, usize::from(plugin.editor.is_some()));
            assert!(enabled.iter().all(|entry| entry.contains(&format!("CPU: {}", plugin.cpu))));
            assert_eq!(entries.len(), PLATFORMS.len() + 3);
        }
    }
}
