//! Steps that are a call of cargo.

use crate::cargo::{command, has_component, succeeded, target_folder};
use crate::summary::Outcome;
use crate::{rustdoc, tools};

pub fn rustfmt() -> Outcome {
    with_component("fmt", "rustfmt", || cargo(&["fmt", "--all", "--check"]))
}

/// All packages together, and the library as the Godot extension has it, without its C functions.
pub fn clippy() -> Outcome {
    with_component("clippy", "clippy", || {
        cargo(&["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])?;
        // Two sets of features in one folder would overwrite each other's library.
        let folder = target_folder().join("without-capi");
        let mut bare = command(["clippy", "--package", "wobble", "--lib", "--no-default-features"]);
        bare.arg("--target-dir").arg(folder).args(["--", "--deny", "warnings"]);
        succeeded(bare.status())
    })
}

pub fn docs() -> Outcome {
    // What is written in the extension for Godot is for Godot's own help, in its markup.
    let mut run = command(["doc", "--workspace", "--exclude", "wobble-godot", "--no-deps"]);
    succeeded(run.env("RUSTDOCFLAGS", "--deny warnings").status()).and_then(|()| rustdoc::check()).into()
}

/// Makes the header and the C# declarations and compares them with what is committed.
pub fn bindings() -> Outcome {
    cargo(&["test", "--package", "wobble-bindings"]).into()
}

fn cargo(arguments: &[&str]) -> Result<(), String> {
    succeeded(command(arguments.iter().copied()).status())
}

fn with_component(subcommand: &str, component: &str, check: impl FnOnce() -> Result<(), String>) -> Outcome {
    if has_component(subcommand, component) {
        return check().into();
    }
    tools::unavailable(format!("{component} is missing; `rustup component add {component}` installs it"))
}
