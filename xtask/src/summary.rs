//! What became of each step, as a table.

use std::fmt;
use std::fs;
use std::time::{Duration, Instant};

use crate::steps::Extent;

/// What became of one step.
pub enum Outcome {
    /// All is well; with remarks, such as tests that skipped themselves.
    Passed(Vec<String>),
    /// What went wrong.
    Failed(Vec<String>),
    /// Why it was not run.
    Skipped(String),
}

impl Outcome {
    pub fn word(&self) -> &'static str {
        match self {
            Outcome::Passed(_) => "passed",
            Outcome::Failed(_) => "FAILED",
            Outcome::Skipped(_) => "skipped",
        }
    }

    pub fn is_passed(&self) -> bool {
        matches!(self, Outcome::Passed(_))
    }

    /// Whether all is well; says what is not.
    pub fn tell(&self) -> bool {
        if !self.is_passed() {
            self.remarks().iter().for_each(|remark| eprintln!("error: {remark}"));
        }
        self.is_passed()
    }

    fn remarks(&self) -> &[String] {
        match self {
            Outcome::Passed(remarks) | Outcome::Failed(remarks) => remarks,
            Outcome::Skipped(reason) => std::slice::from_ref(reason),
        }
    }
}

impl From<Result<(), String>> for Outcome {
    fn from(result: Result<(), String>) -> Outcome {
        match result {
            Ok(()) => Outcome::Passed(Vec::new()),
            Err(why) => Outcome::Failed(vec![why]),
        }
    }
}

/// An outcome and what it took.
pub struct Report {
    pub outcome: Outcome,
    pub wall: Duration,
    /// Processor time, where the system tells it.
    cpu: Option<Duration>,
}

impl Report {
    /// Of a step that was not begun.
    pub fn left_out(why: String) -> Report {
        Report { outcome: Outcome::Skipped(why), wall: Duration::ZERO, cpu: None }
    }

    /// As the step's process leaves it for `read`: the word, the milliseconds, the remarks.
    pub fn written(outcome: &Outcome) -> String {
        let cpu = processor_time().map_or(String::new(), |cpu| cpu.as_millis().to_string());
        let remarks = outcome.remarks().join("\n");
        format!("{}\n{cpu}\n{remarks}", outcome.word())
    }

    /// What a step has left; nothing is there of one that broke down.
    pub fn read(text: &str, wall: Duration) -> Report {
        let mut lines = text.lines();
        let (word, cpu) = (lines.next().unwrap_or_default(), lines.next().unwrap_or_default());
        let remarks: Vec<String> = lines.map(String::from).collect();
        let outcome = match word {
            "passed" => Outcome::Passed(remarks),
            "skipped" => Outcome::Skipped(remarks.join(" ")),
            "FAILED" => Outcome::Failed(remarks),
            _ => Outcome::Failed(vec!["broke down".into()]),
        };
        Report { outcome, wall, cpu: cpu.parse().ok().map(Duration::from_millis) }
    }
}

/// What this process and all that it has waited for have used, on Linux.
fn processor_time() -> Option<Duration> {
    let stat = fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may hold blanks. Of the fields after it the 12th to the 15th are counted in
    // ticks of a hundredth of a second on every Linux: its own and its children's, in user and system mode.
    let (_, fields) = stat.rsplit_once(") ")?;
    let ticks = fields.split(' ').skip(11).take(4).map(str::parse::<u64>);
    Some(Duration::from_millis(10 * ticks.sum::<Result<u64, _>>().ok()?))
}

/// The steps that were run, in the order in which they ended.
pub struct Summary {
    extent: Extent,
    start: Instant,
    steps: Vec<(&'static str, Report)>,
}

impl Summary {
    pub fn new(extent: Extent) -> Summary {
        Summary { extent, start: Instant::now(), steps: Vec::new() }
    }

    pub fn add(&mut self, step: &'static str, report: Report) {
        self.steps.push((step, report));
    }

    pub fn passed(&self) -> bool {
        !self.steps.iter().any(|(_, report)| matches!(report.outcome, Outcome::Failed(_)))
    }

    fn failed(&self) -> impl Iterator<Item = &'static str> {
        self.steps
            .iter()
            .filter(|(_, report)| matches!(report.outcome, Outcome::Failed(_)))
            .map(|(step, _)| *step)
    }
}

/// The line that tells how to run a step by itself, to the same extent.
pub fn run_it_alone(step: &str, extent: Extent) -> String {
    let all = if extent == Extent::All { "--all " } else { "" };
    format!("run it alone: cargo xtask test {all}{step}")
}

/// Seconds, or nothing if they are not known.
fn seconds(time: Option<Duration>) -> String {
    time.map_or(String::new(), |time| format!("{:.1}", time.as_secs_f64()))
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<12} {:<8} {:>7} {:>7}", "step", "result", "wall s", "CPU s")?;
        for (step, Report { outcome, wall, cpu }) in &self.steps {
            let (wall, cpu) = (seconds(Some(*wall)), seconds(*cpu));
            write!(f, "{step:<12} {:<8} {wall:>7} {cpu:>7}", outcome.word())?;
            match outcome.remarks() {
                [] => writeln!(f)?,
                [first, rest @ ..] => {
                    writeln!(f, "  {first}")?;
                    rest.iter().try_for_each(|remark| writeln!(f, "{:39}{remark}", ""))?;
                }
            }
        }
        let cpu = self.steps.iter().filter_map(|(_, report)| report.cpu).sum();
        let word = if self.passed() { "passed" } else { "FAILED" };
        let (wall, cpu) = (seconds(Some(self.start.elapsed())), seconds(Some(cpu)));
        writeln!(f, "{:<12} {word:<8} {wall:>7} {cpu:>7}", "all")?;
        self.failed().try_for_each(|step| writeln!(f, "{}", run_it_alone(step, self.extent)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_step_leaves_is_read_back() {
        let text = Report::written(&Outcome::Failed(vec!["one".into(), "two".into()]));
        let report = Report::read(&text, Duration::from_secs(1));
        assert!(matches!(&report.outcome, Outcome::Failed(remarks) if *remarks == ["one", "two"]));
        assert_eq!(report.cpu.is_some(), cfg!(target_os = "linux"));
        assert!(matches!(Report::read("", Duration::ZERO).outcome, Outcome::Failed(_)));
    }

    #[test]
    fn the_table_has_both_times_and_the_command_for_what_failed() {
        let mut summary = Summary::new(Extent::Gate);
        summary.add("good", Report::read("passed\n1500\n3 tests", Duration::from_secs(2)));
        summary.add("bad", Report::read("FAILED\n\nno", Duration::from_secs(3)));
        let table = summary.to_string();
        assert!(table.contains("good         passed       2.0     1.5  3 tests"), "{table}");
        assert!(
            table.contains("run it alone: cargo xtask test bad") && !table.contains("test good"),
            "{table}"
        );
        summary.extent = Extent::All;
        assert!(summary.to_string().ends_with("run it alone: cargo xtask test --all bad\n"));
    }

    #[test]
    fn processor_time_counts_what_children_used() {
        let Some(before) = processor_time() else { return };
        let work = "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done";
        let ended = std::process::Command::new("sh").args(["-c", work]).status().expect("a shell");
        assert!(ended.success() && processor_time() > Some(before));
    }
}
