//! `cargo xtask test`: what CI runs, in the order in which failures are cheapest to find.
//!
//! Every step runs, whatever became of those before it. A missing component or tool is
//! installed if that is possible; otherwise its step is skipped on a developer's
//! machine and fails in CI (`CI=true`).

use std::collections::BTreeMap;
use std::time::Instant;

use crate::cargo::{command, has_component, run_and_read, succeeded, target_folder};
use crate::summary::{Outcome, Summary};
use crate::{book, csharp, demo, dist, godot, hosts, library, readme, rustdoc, tools, unity};

type Step = fn() -> Outcome;

const STEPS: [(&str, Step); 19] = [
    ("readme", || readme::check().into()),
    ("rustfmt", rustfmt),
    ("clippy", clippy),
    ("tests", tests),
    ("playground", playground),
    ("docs", docs),
    ("book", book::test),
    ("libraries", || library::build_anew().into()),
    ("hosts", hosts::run),
    ("sanitizers", hosts::run_sanitized),
    ("valgrind", hosts::run_valgrind),
    ("csharp", csharp::run),
    ("unity", unity::test),
    ("dist", dist::test),
    ("godot", godot::test),
    ("fuzz", || abuse("fuzz", &["--seconds".into(), "60".into()]).into()),
    ("soak", || abuse("soak", &["--fraction".into(), "50".into()]).into()),
    ("examples", || examples().into()),
    ("benchmarks", || benchmarks().into()),
];

/// The names of the steps, in order.
pub fn names() -> Vec<&'static str> {
    STEPS.iter().map(|(name, _)| *name).collect()
}

/// Runs every step, or those in `only` if it names any, and prints the summary; whether none failed.
pub fn run(only: &[String]) -> bool {
    let mut summary = Summary::default();
    for (step, check) in STEPS {
        if !only.is_empty() && !only.iter().any(|name| name == step) {
            continue;
        }
        println!("\n--- {step}");
        let start = Instant::now();
        let outcome = check();
        summary.add(step, outcome, start.elapsed());
    }
    print!("\n{summary}");
    summary.passed()
}

fn rustfmt() -> Outcome {
    with_component("fmt", "rustfmt", || cargo(["fmt", "--all", "--check"]))
}

fn clippy() -> Outcome {
    with_component("clippy", "clippy", || {
        cargo(["clippy", "--workspace", "--all-targets", "--", "--deny", "warnings"])
    })
}

/// Runs all tests. A test that finds its input absent prints a line beginning
/// with `skipped:` and passes; `--show-output` brings these lines to light, each
/// at the start of a line, whatever runs beside it.
fn tests() -> Outcome {
    let mut report = TestReport::default();
    // The extension for Godot runs inside Godot only, the playground in a window.
    let mut run = command([
        "test",
        "--workspace",
        "--exclude",
        "wobble-godot",
        "--exclude",
        "wobble-playground",
        "--no-fail-fast",
        "--",
        "--show-output",
    ]);
    match run_and_read(&mut run, |line| report.read(line)) {
        Ok(()) => Outcome::Passed(report.remarks()),
        Err(why) => Outcome::Failed([vec![why], report.remarks()].concat()),
    }
}

/// Opens the playground on a virtual screen, with OpenGL in software.
fn playground() -> Outcome {
    let window = [tools::XVFB, tools::LIBGL, tools::LIBXI, tools::LIBXKBCOMMON];
    tools::with(&window, || cargo(["test", "--package", "wobble-playground"]))
}

fn docs() -> Outcome {
    // What is written in the extension for Godot is for Godot's own help, in its markup.
    let mut run = command(["doc", "--workspace", "--exclude", "wobble-godot", "--no-deps"]);
    succeeded(run.env("RUSTDOCFLAGS", "--deny warnings").status()).and_then(|()| rustdoc::check()).into()
}

/// Runs the README's program, a short drop with its pictures, and a short demo. What the tests
/// have built serves the examples and the benchmarks too.
fn examples() -> Result<(), String> {
    cargo(["run", "--profile", "test", "--example", "first"])?;
    let pictures = target_folder().join("drop-quick");
    let run = ["run", "--profile", "test", "--example", "drop", "--", "--quick", "--out"];
    succeeded(command(run).arg(pictures).status())?;
    let pictures = target_folder().join("pictures-quick");
    let run = ["run", "--profile", "test", "--example", "pictures", "--", "--quick", "--out"];
    succeeded(command(run).arg(pictures).status())?;
    demo::run(&["--quick".into()])
}

/// Every benchmark in miniature.
fn benchmarks() -> Result<(), String> {
    let mut bench = command(["bench", "--profile", "test", "--bench", "core", "--", "--smoke"]);
    csharp::prepare_bench(&mut bench)?;
    succeeded(bench.status())
}

/// Runs a program of the fuzzing package: `fuzz` or `soak`.
pub fn abuse(program: &str, arguments: &[String]) -> Result<(), String> {
    let run = ["run", "--release", "--package", "wobble-fuzz", "--bin", program, "--"];
    succeeded(command(run).args(arguments).status())
}

fn cargo<const N: usize>(arguments: [&str; N]) -> Result<(), String> {
    succeeded(command(arguments).status())
}

fn with_component(subcommand: &str, component: &str, check: impl FnOnce() -> Result<(), String>) -> Outcome {
    if has_component(subcommand, component) {
        return check().into();
    }
    tools::unavailable(format!("{component} is missing; `rustup component add {component}` installs it"))
}

/// What the test programs said.
#[derive(Default)]
struct TestReport {
    passed: usize,
    failed: usize,
    ignored: usize,
    /// Reasons given for skipping, with the number of times each was given.
    skipped: BTreeMap<String, usize>,
}

impl TestReport {
    fn read(&mut self, line: &str) {
        if let Some(reason) = line.strip_prefix("skipped:") {
            *self.skipped.entry(reason.trim().into()).or_default() += 1;
        } else if line.starts_with("test result:") {
            self.passed += count(line, "passed");
            self.failed += count(line, "failed");
            self.ignored += count(line, "ignored");
        }
    }

    fn remarks(&self) -> Vec<String> {
        let skipped: usize = self.skipped.values().sum();
        let TestReport { passed, failed, ignored, .. } = self;
        let counts = format!("{passed} passed, {failed} failed, {ignored} ignored; {skipped} skips");
        let reasons = self.skipped.iter().map(|(reason, times)| format!("{times} x skipped: {reason}"));
        std::iter::once(counts).chain(reasons).collect()
    }
}

/// The number before `word` in a line such as
/// `test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; ...`.
fn count(line: &str, word: &str) -> usize {
    let words: Vec<&str> = line.split([' ', ';']).collect();
    words.windows(2).find(|pair| pair[1] == word).and_then(|pair| pair[0].parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::TestReport;

    #[test]
    fn the_report_counts_tests_and_the_reasons_for_skipping() {
        let mut report = TestReport::default();
        for line in [
            "test a ... ok",
            "skipped: the particles are absent",
            "not skipped: this",
            "skipped: the particles are absent",
            "test result: ok. 3 passed; 0 failed; 1 ignored; 0 measured; 0 filtered out; finished in 0.0s",
            "test result: FAILED. 1 passed; 2 failed; 0 ignored; 0 measured; 0 filtered out",
        ] {
            report.read(line);
        }
        let remarks = report.remarks();
        assert_eq!(remarks[0], "4 passed, 2 failed, 1 ignored; 2 skips");
        assert_eq!(remarks[1..], ["2 x skipped: the particles are absent"]);
    }
}
