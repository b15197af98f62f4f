//! Runs Godot and judges strictly: it must end in time and well, reach the end of the script, and say nothing of errors
//! or of objects that leak. Godot itself ends with 0 when objects leak, and hangs when an assertion fails.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

use super::Engine;

/// One run of Godot.
pub struct Run {
    name: String,
    command: Command,
    log: PathBuf,
    limit: Duration,
    marker: Option<&'static str>,
}

/// What a run says, kept beside the project.
pub fn log(project: &Path, name: &str) -> PathBuf {
    project.with_file_name(format!("{name}.log"))
}

impl Run {
    pub fn new(engine: &Engine, project: &Path, name: &str, arguments: &[&str]) -> Run {
        let mut command = Command::new(&engine.program);
        command.arg("--path").arg(project).args(arguments);
        Run {
            name: name.into(),
            command,
            log: log(project, name),
            limit: Duration::from_secs(180),
            marker: None,
        }
    }

    /// It must say this line, and nothing goes well before it does.
    pub fn until(mut self, marker: &'static str) -> Run {
        self.marker = Some(marker);
        self
    }

    pub fn limit(mut self, limit: Duration) -> Run {
        self.limit = limit;
        self
    }

    pub fn with(mut self, variable: &str, value: &str) -> Run {
        self.command.env(variable, value);
        self
    }

    /// `Err` with all that it said unless it went well.
    pub fn judge(mut self) -> Result<(), String> {
        let start = Instant::now();
        let ended = self.run();
        let said = fs::read(&self.log).unwrap_or_default();
        let said = String::from_utf8_lossy(&said);
        let verdict = ended.and_then(|()| match verdict(&said, self.marker) {
            None => Ok(()),
            Some(why) => Err(why),
        });
        let seconds = start.elapsed().as_secs_f32();
        match verdict {
            Ok(()) => {
                println!("ok      {} {seconds:.1} s", self.name);
                said.lines()
                    .filter(|line| line.starts_with("ok "))
                    .for_each(|line| println!("        {line}"));
                Ok(())
            }
            Err(why) => {
                println!("FAILED  {}: {why}\n{said}", self.name);
                Err(format!("{}: {why}", self.name))
            }
        }
    }

    fn run(&mut self) -> Result<(), String> {
        let told = |error| format!("{}: {error}", self.log.display());
        let output = File::create(&self.log).map_err(told)?;
        let errors = output.try_clone().map_err(told)?;
        let mut child = self
            .command
            .stdin(std::process::Stdio::null())
            .stdout(output)
            .stderr(errors)
            .spawn()
            .map_err(|error| format!("Godot does not start: {error}"))?;
        let start = Instant::now();
        loop {
            match child.try_wait().map_err(|error| error.to_string())? {
                Some(status) if status.success() => return Ok(()),
                Some(status) => return Err(format!("ended with {status}")),
                None if start.elapsed() > self.limit => {
                    child.kill().and_then(|()| child.wait()).map_err(|error| error.to_string())?;
                    return Err(format!("did not end within {} s", self.limit.as_secs()));
                }
                None => thread::sleep(Duration::from_millis(20)),
            }
        }
    }
}

/// Lines that begin so tell of a fault.
const FAULTS: [&str; 6] =
    ["ERROR:", "SCRIPT ERROR:", "USER ERROR:", "USER SCRIPT ERROR:", "WARNING: ObjectDB", "FAIL"];

/// What is wrong with what was said, if anything. A script that provokes the engine says `expected: TEXT` before.
fn verdict(said: &str, marker: Option<&str>) -> Option<String> {
    let expected: Vec<&str> = said.lines().filter_map(|line| line.strip_prefix("expected: ")).collect();
    let is_fault = |line: &&str| {
        let found = FAULTS.iter().any(|fault| line.starts_with(fault)) || line.contains("panicked at");
        found && !expected.iter().any(|text| line.contains(text))
    };
    if let Some(line) = said.lines().find(is_fault) {
        return Some(line.into());
    }
    match marker {
        Some(marker) if !said.lines().any(|line| line == marker) => {
            Some("the script did not reach its end".into())
        }
        _ => None,
    }
}

/// Judges several, two at a time, as a run uses little more than a core.
pub fn all(runs: Vec<Run>) -> Result<(), String> {
    let (waiting, failed) = (Mutex::new(runs.into_iter()), Mutex::new(Vec::new()));
    let next = || waiting.lock().expect("no worker panics").next();
    let work = || {
        while let Some(run) = next() {
            if let Err(why) = run.judge() {
                failed.lock().expect("no worker panics").push(why);
            }
        }
    };
    thread::scope(|scope| (0..2).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().expect("no worker panics");
    if failed.is_empty() { Ok(()) } else { Err(failed.join("; ")) }
}

#[cfg(test)]
mod tests {
    use super::verdict;

    #[test]
    fn errors_leaks_panics_and_a_missing_end_are_found() {
        assert_eq!(verdict("ok a\nALL PASS\n", Some("ALL PASS")), None);
        assert!(verdict("ok a\n", Some("ALL PASS")).is_some());
        for fault in [
            "ERROR: no",
            "SCRIPT ERROR: no",
            "WARNING: ObjectDB instances leaked",
            "thread 'x' panicked at y",
        ] {
            assert!(verdict(&format!("{fault}\nALL PASS\n"), Some("ALL PASS")).is_some(), "{fault}");
        }
    }

    #[test]
    fn an_error_is_forgiven_only_if_it_was_expected() {
        let said = "expected: is not finite\nERROR: transform is not finite\nALL PASS\n";
        assert_eq!(verdict(said, Some("ALL PASS")), None);
        assert!(
            verdict(&said.replace("ERROR: transform", "ERROR: no transform\nERROR: other"), None).is_some()
        );
    }
}
