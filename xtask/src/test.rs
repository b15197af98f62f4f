//! `cargo xtask test`: what CI runs, side by side as far as the cores go.
//!
//! Every step runs, whatever became of those before it that it does not need. A missing component or tool is installed
//! if that is possible; otherwise its step is skipped on a developer's machine and fails in CI (`CI=true`).

use crate::schedule::{self, Show, Step};
use crate::steps::{self, Extent, STEPS};

/// What is asked for after `cargo xtask test`.
pub struct Request {
    extent: Extent,
    list: bool,
    steps: Vec<&'static Step>,
}

impl Request {
    /// Understands the arguments, or says what it does not.
    pub fn read(arguments: &[String]) -> Result<Request, String> {
        let mut request = Request { extent: Extent::Gate, list: false, steps: Vec::new() };
        for argument in arguments {
            match argument.as_str() {
                "--all" => request.extent = Extent::All,
                "--list" => request.list = true,
                name => request.steps.push(steps::find(name).ok_or_else(|| {
                    format!("there is no step {name:?}; there are {}", steps::names().join(", "))
                })?),
            }
        }
        Ok(request)
    }
}

/// Does what is asked for; whether nothing failed.
pub fn run(request: &Request) -> Result<bool, String> {
    if request.list {
        list();
        return Ok(true);
    }
    let (plan, show) = match request.steps.is_empty() {
        true => (whole(request.extent), Show::Failures),
        false => (with_needs(&request.steps), Show::Everything),
    };
    if request.extent == Extent::All {
        println!("{} steps, about {} minutes on two cores", plan.len(), minutes(&plan, Extent::All));
    }
    let summary = schedule::run(&plan, request.extent, show).map_err(|error| error.to_string())?;
    print!("\n{summary}");
    Ok(summary.passed())
}

/// A step in its own process.
pub fn run_step(arguments: &[String]) -> Result<bool, String> {
    let request = Request::read(arguments)?;
    let [step] = request.steps[..] else { return Err("one step is to be named".into()) };
    schedule::run_alone(step, request.extent).map_err(|error| error.to_string())
}

fn whole(extent: Extent) -> Vec<&'static Step> {
    STEPS.iter().filter(|step| extent == Extent::All || !step.only_in_all).collect()
}

/// The steps, and before them those that they need, in the order of the table.
fn with_needs(wanted: &[&'static Step]) -> Vec<&'static Step> {
    let is_wanted =
        |step: &Step| wanted.iter().any(|other| other.name == step.name || other.needs.contains(&step.name));
    STEPS.iter().filter(|step| is_wanted(step)).collect()
}

/// About how long two cores are busy with these, side by side.
fn minutes(plan: &[&Step], extent: Extent) -> u32 {
    let column = usize::from(extent == Extent::All);
    let each = plan.iter().map(|step| step.seconds[column]);
    each.clone().sum::<u32>().div_ceil(2).max(each.max().unwrap_or(0)).div_ceil(60)
}

fn list() {
    println!(
        "{:<12} {:>5} {:>5}  seconds of processor time, about, with nothing built: the gate, with --all",
        "", "", ""
    );
    for step in &STEPS {
        let [gate, all] = step.seconds;
        let gate = if step.only_in_all { "-".into() } else { gate.to_string() };
        println!("{:<12} {gate:>5} {all:>5}  {}", step.name, step.about);
    }
    let [gate, all] = [Extent::Gate, Extent::All].map(|extent| minutes(&whole(extent), extent));
    println!("{:<12} {gate:>5} {all:>5}  minutes on two cores, side by side", "");
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(arguments: &[&str]) -> Result<Request, String> {
        Request::read(&arguments.iter().map(|text| text.to_string()).collect::<Vec<_>>())
    }

    #[test]
    fn a_step_alone_brings_what_it_needs_and_nothing_else() {
        let request = read(&["hosts"]).expect("a step");
        let plan: Vec<&str> = with_needs(&request.steps).iter().map(|step| step.name).collect();
        assert_eq!(plan, ["libraries", "hosts"]);
        assert!(read(&["host"]).is_err_and(|why| why.contains("hosts")));
    }

    #[test]
    fn every_need_is_a_step_of_the_same_extent_that_has_no_needs_itself() {
        for step in &STEPS {
            for name in step.needs.iter().chain(step.after) {
                let needed = steps::find(name).expect(name);
                assert!(
                    needed.needs.is_empty() && (step.only_in_all || !needed.only_in_all),
                    "{}",
                    step.name
                );
            }
        }
    }

    #[test]
    fn the_gate_is_what_is_promised_and_all_has_every_step() {
        assert!(minutes(&whole(Extent::Gate), Extent::Gate) <= 15);
        assert_eq!(whole(Extent::All).len(), STEPS.len());
    }
}
