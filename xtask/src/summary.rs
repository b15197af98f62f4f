//! What became of each step, as a table.

use std::fmt;
use std::time::Duration;

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
    fn word(&self) -> &'static str {
        match self {
            Outcome::Passed(_) => "passed",
            Outcome::Failed(_) => "FAILED",
            Outcome::Skipped(_) => "skipped",
        }
    }

    /// Whether all is well; says what is not.
    pub fn is_passed(&self) -> bool {
        let passed = matches!(self, Outcome::Passed(_));
        if !passed {
            self.remarks().iter().for_each(|remark| eprintln!("error: {remark}"));
        }
        passed
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

/// The steps that were run, in order.
#[derive(Default)]
pub struct Summary(Vec<(&'static str, Outcome, Duration)>);

impl Summary {
    pub fn add(&mut self, step: &'static str, outcome: Outcome, time: Duration) {
        self.0.push((step, outcome, time));
    }

    pub fn passed(&self) -> bool {
        !self.0.iter().any(|(_, outcome, _)| matches!(outcome, Outcome::Failed(_)))
    }
}

impl fmt::Display for Summary {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<11} {:<8} {:>7}", "step", "result", "seconds")?;
        for (step, outcome, time) in &self.0 {
            write!(f, "{step:<11} {:<8} {:>7.1}", outcome.word(), time.as_secs_f64())?;
            match outcome.remarks() {
                [] => writeln!(f)?,
                [first, rest @ ..] => {
                    writeln!(f, "  {first}")?;
                    rest.iter().try_for_each(|remark| writeln!(f, "{:30}{remark}", ""))?;
                }
            }
        }
        let total: Duration = self.0.iter().map(|(_, _, time)| *time).sum();
        let word = if self.passed() { "passed" } else { "FAILED" };
        writeln!(f, "{:<11} {word:<8} {:>7.1}", "all", total.as_secs_f64())
    }
}
