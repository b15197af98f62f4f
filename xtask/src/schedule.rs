//! Runs steps side by side: one that compiles beside others that run what was built.
//!
//! Each step is a process of its own, `xtask step NAME`, so that the system counts its processor time, what it says stays
//! together, and a panic ends it alone. It leaves its outcome in a file.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use crate::cargo::target_folder;
use crate::steps::Extent;
use crate::summary::{Outcome, Report, Summary, run_it_alone};

/// What a step does most of the time.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Lane {
    /// Calls cargo, which uses all cores and lets nobody else build in the same folder.
    Compiling,
    /// Runs what was built, and waits.
    Running,
}

/// One check.
pub struct Step {
    pub name: &'static str,
    /// What it checks, in a few words.
    pub about: &'static str,
    pub lane: Lane,
    /// Steps whose work this one uses: they run before it, and with it when it is asked for alone.
    pub needs: &'static [&'static str],
    /// Steps that it waits for where they run too.
    pub after: &'static [&'static str],
    pub only_in_all: bool,
    /// Processor time with nothing built, in the gate and with `--all`, about, seconds.
    pub seconds: [u32; 2],
    pub check: fn(Extent) -> Outcome,
}

impl Step {
    pub const fn seconds(mut self, gate: u32, all: u32) -> Step {
        self.seconds = [gate, all];
        self
    }

    pub const fn only_in_all(mut self) -> Step {
        self.only_in_all = true;
        self
    }

    fn file(&self, ending: &str) -> PathBuf {
        folder().join(format!("{}.{ending}", self.name))
    }
}

/// Where steps leave what they said and how they ended.
fn folder() -> PathBuf {
    target_folder().join("steps")
}

/// Whether steps are begun side by side, with what they say in files, or one by one for all to see.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Show {
    Failures,
    Everything,
}

/// A step under way.
struct Running<'a> {
    step: &'a Step,
    child: Child,
    start: Instant,
}

/// How often it is told what is still running.
const TELL: Duration = Duration::from_secs(60);

/// Runs all steps of `plan`, whatever becomes of those before; those whose needs failed are left out.
pub fn run(plan: &[&'static Step], extent: Extent, show: Show) -> io::Result<Summary> {
    fs::create_dir_all(folder())?;
    let workers = if show == Show::Everything { 1 } else { workers() };
    let mut waiting: Vec<&Step> = plan.to_vec();
    let mut running: Vec<Running> = Vec::new();
    let mut ended: BTreeMap<&str, bool> = BTreeMap::new();
    let mut summary = Summary::new(extent);
    let mut told = Instant::now();
    while !(waiting.is_empty() && running.is_empty()) {
        while running.len() < workers
            && let Some(next) = waiting.iter().position(|step| is_ready(step, &waiting, &running))
        {
            let step = waiting.remove(next);
            let missing = step.needs.iter().find(|need| ended.get(*need) == Some(&false));
            if let Some(need) = missing {
                ended.insert(step.name, false);
                summary.add(step.name, Report::left_out(format!("{need} did not pass")));
                continue;
            }
            if show == Show::Everything {
                println!("\n--- {}", step.name);
            }
            running.push(Running { step, child: start(step, extent, show)?, start: Instant::now() });
        }
        let (done, still) = split(running)?;
        running = still;
        for run in &done {
            let report = run.report();
            ended.insert(run.step.name, report.outcome.is_passed());
            if show == Show::Failures {
                tell(run, &report, extent, [ended.len(), plan.len()]);
            }
            summary.add(run.step.name, report);
        }
        if done.is_empty() {
            if show == Show::Failures && told.elapsed() > TELL {
                told = Instant::now();
                tell_running(&running, waiting.len());
            }
            thread::sleep(Duration::from_millis(20));
        }
    }
    Ok(summary)
}

/// As many as there are cores, and two at least: many steps wait more than they compute.
fn workers() -> usize {
    thread::available_parallelism().map_or(2, |cores| cores.get().clamp(2, 4))
}

/// Whether all that the step needs has ended, and nobody else compiles if it does.
fn is_ready(step: &Step, waiting: &[&Step], running: &[Running]) -> bool {
    let is_open = |name: &&str| {
        waiting.iter().any(|other| other.name == *name) || running.iter().any(|run| run.step.name == *name)
    };
    let is_free = step.lane == Lane::Running || running.iter().all(|run| run.step.lane == Lane::Running);
    is_free && !step.needs.iter().chain(step.after).any(is_open)
}

fn start(step: &Step, extent: Extent, show: Show) -> io::Result<Child> {
    let _ = fs::remove_file(step.file("outcome"));
    let mut command = Command::new(std::env::current_exe()?);
    command.args(["step", step.name]);
    if extent == Extent::All {
        command.arg("--all");
    }
    if show == Show::Failures {
        let log = File::create(step.file("log"))?;
        command.stdout(log.try_clone()?).stderr(log);
    }
    command.spawn()
}

/// Those that have ended, and those that have not.
fn split(running: Vec<Running>) -> io::Result<(Vec<Running>, Vec<Running>)> {
    let (mut done, mut still) = (Vec::new(), Vec::new());
    for mut run in running {
        match run.child.try_wait()? {
            Some(_) => done.push(run),
            None => still.push(run),
        }
    }
    Ok((done, still))
}

impl Running<'_> {
    fn report(&self) -> Report {
        let text = fs::read_to_string(self.step.file("outcome")).unwrap_or_default();
        Report::read(&text, self.start.elapsed())
    }
}

/// What became of a step, and all that it said if it failed.
fn tell(run: &Running, report: &Report, extent: Extent, [count, of]: [usize; 2]) {
    if matches!(report.outcome, Outcome::Failed(_)) {
        println!("\n--- {}", run.step.name);
        let said = fs::read(run.step.file("log")).unwrap_or_default();
        println!("{}\n{}", String::from_utf8_lossy(&said), run_it_alone(run.step.name, extent));
    }
    let (word, seconds) = (report.outcome.word(), report.wall.as_secs_f64());
    println!("{count:>2} of {of}: {} {word}, {seconds:.0} s", run.step.name);
}

fn tell_running(running: &[Running], waiting: usize) {
    let each = running.iter().map(|run| format!("{} ({} s)", run.step.name, run.start.elapsed().as_secs()));
    println!("         running: {}; {waiting} more", each.collect::<Vec<_>>().join(", "));
}

/// The step's own side: checks, and leaves the outcome and the processor time that it took.
pub fn run_alone(step: &Step, extent: Extent) -> io::Result<bool> {
    let outcome = (step.check)(extent);
    fs::create_dir_all(folder())?;
    fs::write(step.file("outcome"), Report::written(&outcome))?;
    outcome.tell();
    Ok(!matches!(outcome, Outcome::Failed(_)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(name: &'static str, lane: Lane, needs: &'static [&'static str]) -> Step {
        let check = |_| Outcome::Passed(Vec::new());
        Step { name, about: "", lane, needs, after: &[], only_in_all: false, seconds: [0, 0], check }
    }

    fn running(step: &Step) -> Running<'_> {
        let child = Command::new("true").spawn().expect("a process");
        Running { step, child, start: Instant::now() }
    }

    #[test]
    fn a_step_waits_for_what_it_needs_and_for_the_one_that_compiles() {
        let build = step("build", Lane::Compiling, &[]);
        let (clippy, tests) =
            (step("clippy", Lane::Compiling, &[]), step("tests", Lane::Running, &["build"]));
        let fmt = step("fmt", Lane::Running, &[]);
        let under_way = [running(&build)];
        assert!(!is_ready(&tests, &[&build], &[]), "build has not begun");
        assert!(!is_ready(&tests, &[], &under_way), "build has not ended");
        assert!(!is_ready(&clippy, &[], &under_way), "two would wait for each other in cargo");
        assert!(is_ready(&fmt, &[], &under_way));
        assert!(is_ready(&tests, &[], &[]) && is_ready(&clippy, &[], &[]));
    }
}
