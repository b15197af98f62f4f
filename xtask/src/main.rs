//! The project's commands: `cargo xtask <command>`.
//!
//! Only the standard library, so that the first run builds in a second.

mod cargo;
mod readme;
mod summary;
mod test;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask <command>

  test                 everything CI checks: format, lints, tests, docs, libraries, demo, benchmarks
  demo [--quick]       drop three soft balls; pictures in target/demo
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
        "demo" => demo(rest),
        "bench" => bench(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            true
        }
        "test" => return misused(&format!("test takes no arguments, but was given {:?}", rest.join(" "))),
        _ => return misused(&format!("there is no command {command:?}")),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn demo(rest: &[String]) -> bool {
    let pictures = cargo::target_folder().join("demo");
    let run = cargo::command(["run", "--release", "--example", "drop", "--", "--out"])
        .arg(pictures)
        .args(rest)
        .status();
    cargo::succeeded(run).is_ok()
}

fn bench(rest: &[String]) -> bool {
    cargo::succeeded(cargo::command(["bench", "--bench", "core", "--"]).args(rest).status()).is_ok()
}

/// The exit code for a command line that means nothing.
fn misused(why: &str) -> ExitCode {
    eprint!("error: {why}\n\n{HELP}");
    ExitCode::from(2)
}
