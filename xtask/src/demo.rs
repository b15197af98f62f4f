//! `cargo xtask demo`: the C host with a render loop, built as a game would, filming a fall.

use std::process::Command;

use crate::cargo::{root, succeeded, target_folder};
use crate::library::Library;

/// Builds the library and the host, and runs it with `rest`.
pub fn run(rest: &[String]) -> Result<(), String> {
    Library::Shipped.build()?;
    film(Library::Shipped, rest)
}

/// Builds the host on a library that is there, and runs it; the picture goes into target/demo.
pub fn film(library: Library, rest: &[String]) -> Result<(), String> {
    let (demo, libraries) = (target_folder().join("demo"), library.folder());
    std::fs::create_dir_all(&demo).map_err(|error| format!("{}: {error}", demo.display()))?;
    let host = demo.join("render_loop");
    let mut compile = Command::new(std::env::var_os("CC").unwrap_or_else(|| "cc".into()));
    compile.args(["-std=c99", "-O2", "-I"]).arg(root().join("include"));
    compile.arg(root().join("examples/c/render_loop.c")).arg("-o").arg(&host);
    compile
        .arg("-L")
        .arg(&libraries)
        .arg("-lwobble")
        .arg(format!("-Wl,-rpath,{}", libraries.display()))
        .arg("-lm");
    succeeded(compile.status()).map_err(|why| format!("the C compiler {why}"))?;
    let picture = demo.join("wobble.gif");
    let run = Command::new(&host).arg(&picture).args(rest).status();
    succeeded(run).map_err(|why| format!("the demo {why}"))?;
    Ok(())
}
