//! Steps that run programs of this workspace.

use std::collections::BTreeMap;

use crate::cargo::{command, run_and_read, succeeded, target_folder};
use crate::programs::{self, Program};
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::{csharp, demo, tools};

/// Runs all test programs but the playground's, which needs a window. A test that finds its input absent prints a line
/// beginning with `skipped:` and passes; `--show-output` brings these lines to light, each at the start of a line,
/// whatever runs beside it.
pub fn run(extent: Extent) -> Outcome {
    let programs = match programs::all() {
        Ok(programs) => programs,
        Err(why) => return Outcome::Failed(vec![why]),
    };
    let mut report = TestReport::default();
    let mut failed = Vec::new();
    for program in programs.iter().filter(|program| program.is_test && !is_of_playground(program)) {
        println!("\n{} {} of {}", program.kind, program.name, program.package.display());
        let mut run = program.command();
        run.arg("--show-output");
        if extent == Extent::All {
            run.arg("--include-ignored");
        }
        if let Err(why) = run_and_read(&mut run, |line| report.read(line)) {
            failed.push(format!("{} {}: {why}", program.kind, program.name));
        }
    }
    match failed.is_empty() {
        true => Outcome::Passed(report.remarks()),
        false => Outcome::Failed([failed, report.remarks()].concat()),
    }
}

fn is_of_playground(program: &Program) -> bool {
    program.package.ends_with("playground")
}

/// The examples of the Rust interface; the fuzzing package has none.
pub fn run_doctests() -> Outcome {
    let mut report = TestReport::default();
    let mut run = command(["test", "--doc", "--package", "wobble", "--", "--show-output"]);
    match run_and_read(&mut run, |line| report.read(line)) {
        Ok(()) => Outcome::Passed(report.remarks()),
        Err(why) => Outcome::Failed([vec![why], report.remarks()].concat()),
    }
}

/// Opens the playground on a virtual screen, with OpenGL in software.
pub fn playground(_: Extent) -> Outcome {
    let window = [tools::XVFB, tools::LIBGL, tools::LIBXI, tools::LIBXKBCOMMON];
    tools::with(&window, || {
        let programs = programs::all()?;
        let mut tests =
            programs.iter().filter(|program| program.is_test && is_of_playground(program)).peekable();
        tests.peek().ok_or("no tests of the playground were built")?;
        tests.try_for_each(|program| succeeded(program.command().status()))
    })
}

/// Runs the README's program, a short drop with its pictures, and a short demo.
pub fn examples(extent: Extent) -> Outcome {
    let shortened = |name: &str, folder: &str| {
        let mut run = programs::find("example", name)?.command();
        succeeded(run.args(["--quick", "--out"]).arg(target_folder().join(folder)).status())
    };
    succeeded_all([
        &|| succeeded(programs::find("example", "first")?.command().status()),
        &|| shortened("drop", "drop-quick"),
        &|| shortened("pictures", "pictures-quick"),
        &|| demo::film(extent.library(), &["--quick".into()]),
    ])
}

fn succeeded_all<const N: usize>(all: [&dyn Fn() -> Result<(), String>; N]) -> Outcome {
    all.iter().try_for_each(|run| run()).into()
}

/// Every benchmark in miniature.
pub fn benchmarks(extent: Extent) -> Outcome {
    let run = || {
        let mut bench = programs::all()?
            .iter()
            .find(|program| program.kind == "bench")
            .ok_or("the benchmark was not built")?
            .command();
        csharp::prepare_bench(extent.library(), &mut bench)?;
        succeeded(bench.args(["--bench", "--smoke"]).status())
    };
    run().into()
}

/// Random calls of the C interface. The gate's are made with all assertions, those of an hour as the library is shipped.
pub fn fuzz(extent: Extent) -> Outcome {
    abuse("fuzz", ["--episodes", "400"], ["--seconds", "3600"], extent)
}

/// A day of game time, or a hundredth of one.
pub fn soak(extent: Extent) -> Outcome {
    abuse("soak", ["--fraction", "100"], ["--hours", "24"], extent)
}

fn abuse(program: &str, gate: [&str; 2], all: [&str; 2], extent: Extent) -> Outcome {
    match extent {
        Extent::Gate => programs::find("bin", program)
            .and_then(|program| succeeded(program.command().args(gate).status()))
            .into(),
        Extent::All => abuse_shipped(program, &all.map(String::from)).into(),
    }
}

/// Builds a program of the fuzzing package, `fuzz` or `soak`, as the library is shipped, and runs it.
pub fn abuse_shipped(program: &str, arguments: &[String]) -> Result<(), String> {
    let run = ["run", "--release", "--package", "wobble-fuzz", "--bin", program, "--"];
    succeeded(command(run).args(arguments).status())
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
