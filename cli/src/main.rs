//! `wobble`: bakes meshes into files of soft bodies, tells what is in them, tries them out, and plays the
//! papers' scenes.
//!
//! Reports go to the standard output, the progress bar and errors to the standard error. Exits with 0
//! when all went well, 1 when a file or a body is at fault, 2 when the command line is.

mod bake;
mod bar;
mod check;
mod info;
mod meshes;
mod options;
#[path = "../../tests/scenes/papers/mod.rs"]
mod papers;
mod run;
#[path = "../../examples/support/mod.rs"]
mod support;

use std::process::ExitCode;

use options::Command;

const HELP: &str = "\
wobble: soft bodies for games

  wobble bake MESH -o FILE   fills an OBJ, glTF or GLB mesh with particles and saves the body
      --particles N          about how many (default 5000)
      --spacing METRES       how far apart, in place of how many
      --pattern NAME         grid, body-centred or blue-noise (default)
      --hollow               particles on the surface only
      --no-surface           particles inside only
      --density KG           kg/m3 (default 1000)
      --thickness METRES     of sheets and hollow bodies, for their mass (default: the spacing)
      --levels N             stop after this many levels (default: up to a single cluster)
      --per-cluster N        particles for each finest cluster (default 20)
      --seed N               of the random choices (default 0)
      --scale FACTOR         multiplies the mesh, to metres (default 1)
      --toughness CHANNEL    red, green, blue or alpha of the vertex colours: 1 is as tough as the material, less is weaker
  wobble info FILE           tells what a baked file holds
  wobble check FILE          drops the body on the ground and reports whether it stays in shape
  wobble run SCENE           plays a scene of the papers and holds the paper's words against it
      --variant NAME         only this variant; may be given several times (default: all)
      --record FILE          films it: FILE.gif, or numbered FILE.png
      --export FILE          positions: numbered FILE.ply, or FILE.glb that moves
      --fps N                frames a second of both (default 15)
      --width PIXELS         of the pictures (default 480)
      --threads N            that step, 0 for all cores (default 1)
      --quick                with a few hundred particles
  wobble run --list          tells which scenes and variants there are
  wobble run --all           plays them all and writes a report, Markdown and HTML
      -o FOLDER              where to (default wobble-report)
";

/// Why the program ends early.
pub enum Fault {
    /// The command line is wrong.
    Usage(String),
    /// A file or a body is.
    Failed(String),
}

impl From<wobble::Error> for Fault {
    fn from(error: wobble::Error) -> Fault {
        Fault::Failed(error.to_string())
    }
}

fn main() -> ExitCode {
    match obey() {
        Ok(()) => ExitCode::SUCCESS,
        Err(Fault::Failed(why)) => {
            eprintln!("wobble: {why}");
            ExitCode::from(1)
        }
        Err(Fault::Usage(why)) => {
            eprintln!("wobble: {why}; `wobble --help` tells what there is");
            ExitCode::from(2)
        }
    }
}

fn obey() -> Result<(), Fault> {
    match options::read()? {
        Command::Help => print!("{HELP}"),
        Command::Version => println!("wobble {}", env!("CARGO_PKG_VERSION")),
        Command::Bake(options) => bake::run(&options)?,
        Command::Info(file) => info::run(&file)?,
        Command::Check(file) => check::run(&file)?,
        Command::Run(options) => run::run(&options)?,
    }
    Ok(())
}
