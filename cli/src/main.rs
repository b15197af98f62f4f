//! `wobble`: bakes meshes into files of soft bodies, tells what is in them, tries them out, and plays the
//! papers' scenes.
//!
//! Reports go to the standard output, the progress bar and errors to the standard error. Exits with 0
//! when all went well, 1 when a file or a body is at fault, 2 when the command line is.

mod bake;
mod bar;
mod check;
mod help;
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
        Command::Help(command) => help::print(command.as_deref())?,
        Command::Version => println!("wobble {}", env!("CARGO_PKG_VERSION")),
        Command::Bake(options) => bake::run(&options)?,
        Command::Info(file) => info::run(&file)?,
        Command::Check(file) => check::run(&file)?,
        Command::Run(options) => run::run(&options)?,
    }
    Ok(())
}
