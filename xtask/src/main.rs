//! The project's commands: `cargo xtask <command>`.
//!
//! Only the standard library, so that the first run builds in a second.

mod cargo;
mod csharp;
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

  test [STEP]...       everything CI checks, or some steps of it
  demo [--quick]       a C host drops three soft balls; the film is target/demo/wobble.gif
  dist                 what a game needs: headers, libraries, CMake and pkg-config files, in target/dist
  fuzz [OPTION]...     random calls of the C interface, good and bad
  soak [OPTION]...     24 hours of game time, bodies coming and going
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
        "test" => match rest.iter().find(|step| !test::names().contains(&step.as_str())) {
            None => test::run(rest),
            Some(step) => {
                let known = test::names().join(", ");
                return misused(&format!("there is no step {step:?}; there are {known}"));
            }
        },
        "demo" => told(demo::run(rest)),
        "dist" if rest.is_empty() => told(dist::build().map(drop)),
        "fuzz" | "soak" => told(test::abuse(command, rest)),
        "bench" => bench(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            true
        }
        "dist" => return misused(&format!("dist takes no arguments, but was given {:?}", rest.join(" "))),
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
