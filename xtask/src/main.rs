//! The project's commands: `cargo xtask <command>`.
//!
//! Only the standard library, so that the first run builds in a second.

mod cargo;
mod demo;
mod dist;
mod hosts;
mod jobs;
mod library;
mod readme;
mod summary;
mod test;
mod tools;
mod zip;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  test                 everything CI checks
  demo [--quick]       a C host drops three soft balls; the film is target/demo/wobble.gif
  dist                 what a game needs: headers, libraries, CMake and pkg-config files, in target/dist
  bench [--only NAME]  time the library; a table here, the numbers in target/bench.json
  help                 this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let passed = match command {
        "test" if rest.is_empty() => test::run(),
        "demo" => told(demo::run(rest)),
        "dist" if rest.is_empty() => told(dist::build().map(drop)),
        "bench" => bench(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            true
        }
        "test" | "dist" => {
            return misused(&format!("{command} takes no arguments, but was given {:?}", rest.join(" ")));
        }
        _ => return misused(&format!("there is no command {command:?}")),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Says what went wrong, if anything did.
fn told(result: Result<(), String>) -> bool {
    if let Err(why) = &result {
        eprintln!("error: {why}");
    }
    result.is_ok()
}

fn bench(rest: &[String]) -> bool {
    cargo::succeeded(cargo::command(["bench", "--bench", "core", "--"]).args(rest).status()).is_ok()
}

/// The exit code for a command line that means nothing.
fn misused(why: &str) -> ExitCode {
    eprint!("error: {why}\n\n{HELP}");
    ExitCode::from(2)
}
