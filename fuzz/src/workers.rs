//! Episodes in processes of their own, two at a time with different thread counts, compared.
//!
//! A crash or an endless loop of the library ends a worker and not the test. Workers are begun
//! anew every few episodes, so that any of them can be replayed with all that came before it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, ExitCode, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use crate::calls::{CALLS, INFALLIBLE};
use crate::driver::{Count, Run};
use crate::{driver, episode};

/// Episodes that a worker lives for.
pub const BLOCK: u64 = 20;
/// No episode takes longer, by far.
const PATIENCE: Duration = Duration::from_secs(120);
/// A run of this many seconds or episodes must reach everything.
const THOROUGH: [u64; 2] = [60, 400];

/// How long random calls go on.
#[derive(Clone, Copy)]
pub enum Length {
    Seconds(u64),
    /// The same calls on any machine.
    Episodes(u64),
}

impl Length {
    /// Whether an episode is begun.
    fn has(self, episode: u64, start: Instant) -> bool {
        match self {
            Length::Seconds(seconds) => start.elapsed() < Duration::from_secs(seconds),
            Length::Episodes(episodes) => episode < episodes,
        }
    }

    fn is_thorough(self) -> bool {
        match self {
            Length::Seconds(seconds) => seconds >= THOROUGH[0],
            Length::Episodes(episodes) => episodes >= THOROUGH[1],
        }
    }
}

/// The worker's side: runs the episodes that it is told to, then says what it counted.
pub fn work(run: Run) -> ExitCode {
    let mut counts: BTreeMap<&'static str, Count> = BTreeMap::new();
    let mut statuses: BTreeMap<i32, u64> = BTreeMap::new();
    for line in std::io::stdin().lines() {
        let Some(number) = line.ok().and_then(|text| text.parse().ok()) else { break };
        let driver = episode::run(Run { episode: number, ..run });
        println!("episode {number} {:016x} {}", driver.digest(), driver.calls);
        for (name, count) in &driver.counts {
            let sum = counts.entry(name).or_default();
            *sum = Count { done: sum.done + count.done, refused: sum.refused + count.refused };
        }
        for (status, count) in &driver.statuses {
            *statuses.entry(*status).or_default() += count;
        }
    }
    for (name, Count { done, refused }) in counts {
        println!("count {name} {done} {refused}");
    }
    for (status, count) in statuses {
        println!("status {status} {count}");
    }
    println!("end");
    ExitCode::SUCCESS
}

/// Runs one episode, and quietly those that came before it in its worker, with every call printed.
pub fn replay(run: Run) -> ExitCode {
    for number in run.episode / BLOCK * BLOCK..run.episode {
        episode::run(Run { episode: number, verbose: false, ..run });
    }
    let driver = episode::run(run);
    println!("episode {} is fine: {} calls, digest {:016x}", run.episode, driver.calls, driver.digest());
    ExitCode::SUCCESS
}

struct Worker {
    child: Child,
    orders: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl Worker {
    fn start(run: Run) -> std::io::Result<Worker> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["--worker", "--seed", &run.seed.to_string(), "--variant", &run.variant.to_string()]);
        command.args(["--steps", &run.steps.to_string()]);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let (orders, output) = (child.stdin.take(), child.stdout.take());
        let (tell, lines) = channel();
        std::thread::spawn(move || {
            for line in output.into_iter().flat_map(|o| BufReader::new(o).lines()) {
                if line.is_ok_and(|text| tell.send(text).is_err()) {
                    break;
                }
            }
        });
        Ok(Worker { child, orders, lines })
    }

    fn order(&mut self, episode: u64) {
        // If it has ended, the answer will be missing.
        let _ = self.orders.as_mut().map(|orders| writeln!(orders, "{episode}"));
    }

    /// The next line, or why there is none.
    fn answer(&mut self) -> Result<String, String> {
        match self.lines.recv_timeout(PATIENCE) {
            Ok(line) => Ok(line),
            Err(std::sync::mpsc::RecvTimeoutError::Timeout) => Err("takes for ever".into()),
            Err(_) => {
                Err(self.child.wait().map_or_else(|e| e.to_string(), |status| format!("ended with {status}")))
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What all workers did.
#[derive(Default)]
struct Summary {
    episodes: u64,
    calls: u64,
    counts: BTreeMap<String, Count>,
    statuses: BTreeMap<i32, u64>,
}

/// Runs as many episodes as there are to be; success if nothing went wrong.
pub fn supervise(run: Run, length: Length) -> ExitCode {
    let start = Instant::now();
    let mut summary = Summary::default();
    let mut first = 0;
    while length.has(first, start) {
        if let Err((episode, why)) = block(run, first, |e| length.has(e, start), &mut summary) {
            println!("episode {episode}: {why}");
            println!(
                "replay it: fuzz --seed {} --steps {} --episode {episode} --verbose",
                run.seed, run.steps
            );
            return ExitCode::FAILURE;
        }
        first += BLOCK;
    }
    summary.print(run.seed, start.elapsed());
    let unreached = summary.unreached();
    if length.is_thorough() && !unreached.is_empty() {
        println!("never both done and refused: {}", unreached.join(", "));
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

/// One life of two workers.
fn block(
    run: Run,
    first: u64,
    go_on: impl Fn(u64) -> bool,
    summary: &mut Summary,
) -> Result<(), (u64, String)> {
    let start = |variant| Worker::start(Run { variant, ..run }).map_err(|e| (first, e.to_string()));
    let mut workers = [start(0)?, start(1)?];
    for episode in (first..first + BLOCK).take_while(|episode| go_on(*episode)) {
        workers.iter_mut().for_each(|w| w.order(episode));
        let mut answers = Vec::new();
        for worker in &mut workers {
            answers.push(worker.answer().map_err(|why| (episode, format!("a worker {why}")))?);
        }
        if answers[0] != answers[1] {
            return Err((episode, first_difference(Run { episode, ..run })));
        }
        summary.episodes += 1;
        let calls = answers[0].rsplit(' ').next().and_then(|c| c.parse::<u64>().ok());
        summary.calls += calls.unwrap_or(0);
    }
    for worker in &mut workers {
        worker.orders = None;
        loop {
            let line = worker.answer().map_err(|why| (first, format!("a worker {why}")))?;
            if line == "end" {
                break;
            }
            summary.add(&line);
        }
    }
    Ok(())
}

/// The first call that went otherwise with other thread counts.
fn first_difference(run: Run) -> String {
    let log = |variant: u32| {
        let exe = std::env::current_exe().ok()?;
        let numbers = [run.seed, run.episode, run.steps, variant.into()].map(|n| n.to_string());
        let mut command = Command::new(exe);
        for (name, number) in ["--seed", "--episode", "--steps", "--variant"].iter().zip(&numbers) {
            command.args([name, number.as_str()]);
        }
        let output = command.arg("--verbose").output().ok()?;
        Some(String::from_utf8_lossy(&output.stderr).lines().map(str::to_string).collect::<Vec<_>>())
    };
    let (Some(one), Some(other)) = (log(0), log(1)) else { return "replay differs".into() };
    let answer = |line: &&String| line.contains(" -> ");
    let mut answers = one.iter().filter(answer).zip(other.iter().filter(answer));
    // A sentence may tell an address.
    let core = |line: &str| {
        (line.split(':').next().map(str::to_string), line.rsplit('[').next().map(str::to_string))
    };
    let Some((a, b)) = answers.find(|(a, b)| core(a) != core(b)) else {
        return "differs with other thread counts, but not when replayed".into();
    };
    let call = one.iter().find(|line| a.split(' ').next() == line.split(' ').next());
    format!("differs with other thread counts: call {}\n{a}\n{b}", call.unwrap_or(a))
}

impl Summary {
    fn add(&mut self, line: &str) {
        let parts: Vec<&str> = line.split(' ').collect();
        let number = |at: usize| parts.get(at).and_then(|p| p.parse::<i64>().ok()).unwrap_or(0);
        match parts[0] {
            "count" => {
                let sum = self.counts.entry(parts[1].to_string()).or_default();
                sum.done += number(2) as u64;
                sum.refused += number(3) as u64;
            }
            _ => *self.statuses.entry(number(1) as i32).or_default() += number(2) as u64,
        }
    }

    /// Functions that were not both done and refused.
    fn unreached(&self) -> Vec<&'static str> {
        let missing = |name: &&'static str| {
            let count = self.counts.get(*name).copied().unwrap_or_default();
            count.done == 0 || count.refused == 0 && !INFALLIBLE.contains(name)
        };
        CALLS.iter().map(|(name, _, _)| *name).filter(missing).collect()
    }

    fn print(&self, seed: u64, time: Duration) {
        let (episodes, calls) = (self.episodes, self.calls);
        println!(
            "seed {seed}: {episodes} episodes, {calls} calls, all twice, in {:.0} s",
            time.as_secs_f32()
        );
        let totals = self.counts.iter().map(|(name, c)| (c.done + c.refused, c, name));
        let mut totals: Vec<_> = totals.filter(|(_, _, name)| !INFALLIBLE.contains(&name.as_str())).collect();
        totals.sort_by_key(|(total, _, _)| *total);
        if let (Some(least), Some(most)) = (totals.first(), totals.last()) {
            println!("calls of a function: {} ({}) to {} ({})", least.0, least.2, most.0, most.2);
        }
        let scarce = |of: fn(&Count) -> u64| totals.iter().map(|(_, c, name)| (of(c), *name)).min();
        if let (Some(done), Some(refused)) = (scarce(|c| c.done), scarce(|c| c.refused)) {
            println!(
                "least often done: {} ({}); least often refused: {} ({})",
                done.0, done.1, refused.0, refused.1
            );
        }
        let named =
            self.statuses.iter().map(|(status, count)| format!("{} {count}", driver::name_of(*status)));
        println!("statuses: {}", named.collect::<Vec<_>>().join(", "));
    }
}
