//! Random call sequences through the whole C API, with good and bad arguments.
//!
//! ```text
//! fuzz --seconds 60 --seed 1          two workers with different thread counts, compared
//! fuzz --episodes 400                 the same calls on any machine
//! fuzz --seed 1 --episode 7 --verbose one episode again, every call printed
//! ```
//!
//! After every call: a known status, a sentence if it is a refusal, nothing written where nothing
//! may be, success if nothing was wrong and a refusal if something was. Every forty calls: all
//! positions and velocities finite, live handles alive, stale ones told apart. At the end: all
//! destroyed. Thread counts must not show in any status, hash or number read. A run of a minute or
//! 400 episodes or more must have called every function with and without success. Exits with 1 if anything fails.

use std::process::ExitCode;

use wobble_fuzz::driver::Run;
use wobble_fuzz::workers::{self, Length};

const USAGE: &str =
    "fuzz [--seconds N | --episodes N] [--seed N] [--steps N] [--episode N [--variant 0|1] [--verbose]]";

fn main() -> ExitCode {
    let mut run = Run { seed: 1, episode: 0, variant: 0, steps: 0, verbose: false };
    let (mut length, mut alone, mut worker) = (Length::Seconds(60), false, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
        let known = match argument.as_str() {
            "--seconds" => number().map(|n| length = Length::Seconds(n)),
            "--episodes" => number().map(|n| length = Length::Episodes(n)),
            "--seed" => number().map(|n| run.seed = n),
            "--steps" => number().map(|n| run.steps = n),
            "--variant" => number().map(|n| run.variant = n as u32),
            "--episode" => number().map(|n| (run.episode, alone) = (n, true)),
            "--verbose" => Some(()).inspect(|()| run.verbose = true),
            "--worker" => Some(()).inspect(|()| worker = true),
            _ => None,
        };
        if known.is_none() {
            eprintln!("{argument}: not understood\n{USAGE}");
            return ExitCode::from(2);
        }
    }
    match (worker, alone) {
        (true, _) => workers::work(run),
        (_, true) => workers::replay(run),
        _ => workers::supervise(run, length),
    }
}
