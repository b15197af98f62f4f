//! Hours of game time at 60 Hz, as fast as it goes, with bodies made and destroyed throughout.
//!
//! ```text
//! soak --hours 24                a day
//! soak --hours 24 --fraction 50  a fiftieth of it
//! soak --check                   two minutes on one thread and on three: the same hash?
//! ```
//!
//! Bodies fall, are pushed, held, teleported, written down and put back; shapes are loaded and
//! released; materials and levels change. Nothing may be refused, freeze, or sink into the ground.
//! No handle may come twice, no stale one may work again, resident memory must stay flat after a
//! tenth of the time, and a world that is gone must leave nothing behind. Exits with 1 otherwise.

use std::process::ExitCode;
use std::time::Instant;

use wobble_fuzz::allocator::{self, Counting};
use wobble_fuzz::soak::{self, Outcome, Plan, RATE};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const USAGE: &str = "soak [--hours N] [--fraction N] [--seed N] [--threads N] [--check]";
/// Worlds in a run.
const SEASONS: u64 = 24;

fn main() -> ExitCode {
    let mut plan = Plan { seed: 1, steps: 0, seasons: SEASONS, threads: 2 };
    let (mut hours, mut fraction, mut check) = (24, 1, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse::<u64>().ok());
        let known = match argument.as_str() {
            "--hours" => number().map(|n| hours = n),
            "--fraction" => number().filter(|n| *n > 0).map(|n| fraction = n),
            "--seed" => number().map(|n| plan.seed = n),
            "--threads" => number().map(|n| plan.threads = n as u32),
            "--check" => Some(()).inspect(|()| check = true),
            _ => None,
        };
        if known.is_none() {
            eprintln!("{argument}: not understood\n{USAGE}");
            return ExitCode::from(2);
        }
    }
    plan.steps = hours * 3600 * RATE / fraction;
    match if check { compare(plan) } else { play(plan) } {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            println!("VIOLATION: {why}");
            ExitCode::FAILURE
        }
    }
}

fn play(plan: Plan) -> Outcome<()> {
    let start = Instant::now();
    let speed = |steps: u64| steps as f64 / RATE as f64 / start.elapsed().as_secs_f64();
    let (tally, memory) = soak::run(plan, |done, memory| {
        let hours = done as f64 / RATE as f64 / 3600.0;
        let (blocks, bytes) = allocator::alive();
        let most = memory.before.max(memory.after);
        eprintln!(
            "{hours:.2} h, {:.0} x real time, {most} kB at most; {blocks} blocks, {bytes} bytes left",
            speed(done)
        );
    })?;
    let (hours, taken) = (plan.steps as f64 / RATE as f64 / 3600.0, start.elapsed().as_secs_f64());
    println!(
        "{hours:.2} h of game time in {taken:.0} s: {:.0} x real time, {} threads",
        speed(plan.steps),
        plan.threads
    );
    println!("{} bodies, {} handles, none twice; hash {:016x}", tally.bodies, tally.handles, tally.hash);
    match memory.before {
        0 => println!("resident memory is not told on this system"),
        before => println!("resident memory: {before} kB in the first tenth, {} kB after", memory.after),
    }
    Ok(())
}

fn compare(plan: Plan) -> Outcome<()> {
    let plan = Plan { steps: 120 * RATE, seasons: 4, ..plan };
    let hash = |threads| Ok::<_, String>(soak::run(Plan { threads, ..plan }, |_, _| ())?.0.hash);
    let (one, three) = (hash(1)?, hash(3)?);
    println!("hash {one:016x} on one thread, {three:016x} on three");
    if one == three { Ok(()) } else { Err("threads change the outcome".into()) }
}
