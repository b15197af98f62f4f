//! The project's commands: `cargo xtask <command>`.
//!
//! Only the standard library, so that the first run builds in a second.

mod book;
mod cargo;
mod checks;
mod csharp;
mod demo;
mod dist;
mod fetch;
mod godot;
mod hosts;
mod jobs;
mod library;
mod meta;
mod pages;
mod programs;
mod readme;
mod runs;
mod rustdoc;
mod sanitize;
mod schedule;
mod steps;
mod summary;
mod test;
mod tgz;
mod tools;
mod unity;
mod zip;

use std::process::ExitCode;

use crate::library::Library;

const HELP: &str = "\
cargo xtask <command>

  test [STEP]...       what CI checks, or some steps of it
  test --all           the same in full size, and what only rare changes break: hours
  test --list          the steps, and how long they take
  demo [--quick]       a C host drops three soft balls; the film is target/demo/wobble.gif
  dist                 what a game needs, in target/dist: headers, libraries, CMake and pkg-config files; the Godot
                       addon; the Unity package
  book                 the book, its code renewed, and the pages of the C interface, in target/book and target/doxygen
  godot                build the Godot extension and put it into godot/project/addons/wobble
  godot-compare        soft boxes of ours beside Godot's SoftBody3D, under both of Godot's physics engines
  godot-movie          film a demo scene inside Godot, into docs/godot.gif
  unity-metas          write the .meta files of the Unity package anew
  fuzz [OPTION]...     random calls of the C interface, good and bad
  soak [OPTION]...     24 hours of game time, bodies coming and going
  bench [--only NAME]  time the library, the numbers also in target/bench.json; and the Godot extension
  help                 this text
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (command, rest) = match arguments.split_first() {
        Some((command, rest)) => (command.as_str(), rest),
        None => ("help", &[][..]),
    };
    let passed = match command {
        "test" => match test::Request::read(rest) {
            Ok(request) => judged(test::run(&request)),
            Err(why) => return misused(&why),
        },
        // What `test` starts for each step.
        "step" => judged(test::run_step(rest)),
        "demo" => told(demo::run(rest)),
        "dist" if rest.is_empty() => told(dist::build_all()),
        "book" if rest.is_empty() => told(pages::renew()) && book::test().tell(),
        "godot" if rest.is_empty() => told(godot::install().map(drop)),
        "godot-compare" if rest.is_empty() => told(godot::compare::run()),
        "godot-movie" if rest.is_empty() => told(godot::movie::run()),
        "unity-metas" if rest.is_empty() => told(unity::write_metas()),
        "fuzz" | "soak" => told(runs::abuse_shipped(command, rest)),
        "bench" => bench(rest),
        "help" | "--help" | "-h" => {
            print!("{HELP}");
            true
        }
        "book" | "dist" | "godot" | "godot-compare" | "godot-movie" | "unity-metas" => {
            return misused(&format!("{command} takes no arguments, but was given {:?}", rest.join(" ")));
        }
        _ => return misused(&format!("there is no command {command:?}")),
    };
    if passed { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// What was judged; says what kept it from being.
fn judged(result: Result<bool, String>) -> bool {
    result.unwrap_or_else(|why| told(Err(why)))
}

/// Says what went wrong, if anything did.
fn told(result: Result<(), String>) -> bool {
    if let Err(why) = &result {
        eprintln!("error: {why}");
    }
    result.is_ok()
}

/// The library's benchmark and, unless rows of it alone are asked for, that inside Godot.
fn bench(rest: &[String]) -> bool {
    let only = rest.iter().skip_while(|argument| *argument != "--only").nth(1);
    let is_of_godot = only.is_some_and(|name| name.starts_with("godot"));
    let core = || {
        let mut bench = cargo::command(["bench", "--bench", "core", "--"]);
        told(
            csharp::prepare_bench(Library::Shipped, &mut bench)
                .and_then(|()| cargo::succeeded(bench.args(rest).status())),
        )
    };
    let godot = || told(godot::bench());
    match only {
        Some(_) if is_of_godot => godot(),
        Some(_) => core(),
        None => core() & godot(),
    }
}

/// The exit code for a command line that means nothing.
fn misused(why: &str) -> ExitCode {
    eprint!("error: {why}\n\n{HELP}");
    ExitCode::from(2)
}
