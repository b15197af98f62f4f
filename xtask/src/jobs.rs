//! Commands run several at a time, quiet unless one fails.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::thread;
use std::time::{Duration, Instant};

/// The longest that a command may take: one that hangs must not hang the tests.
const LONGEST: Duration = Duration::from_secs(600);

/// Commands that need each other, in order.
pub struct Job {
    pub name: String,
    /// A folder of the job's own, made empty before it runs: commands run in it.
    pub folder: PathBuf,
    pub commands: Vec<Command>,
}

/// Runs all jobs, as many at a time as there are cores. The error names every job that failed;
/// what it said is printed.
pub fn run(jobs: Vec<Job>) -> Result<(), String> {
    let workers = thread::available_parallelism().map_or(1, |n| n.get());
    let (waiting, failed) = (Mutex::new(jobs.into_iter()), Mutex::new(Vec::new()));
    let work = || {
        while let Some(job) = next(&waiting) {
            let name = job.name.clone();
            match run_one(job) {
                Ok(()) => println!("ok      {name}"),
                Err(why) => {
                    println!("FAILED  {name}: {why}");
                    failed.lock().expect("no worker panics").push(name);
                }
            }
        }
    };
    thread::scope(|scope| (0..workers).for_each(|_| drop(scope.spawn(work))));
    let failed = failed.into_inner().expect("no worker panics");
    if failed.is_empty() { Ok(()) } else { Err(format!("failed: {}", failed.join(", "))) }
}

fn next<T>(waiting: &Mutex<impl Iterator<Item = T>>) -> Option<T> {
    waiting.lock().expect("no worker panics").next()
}

fn run_one(job: Job) -> Result<(), String> {
    empty_folder(&job.folder)?;
    job.commands.into_iter().try_for_each(|mut command| run_command(&mut command, &job.folder))
}

/// Makes a folder that is there and empty.
pub fn empty_folder(folder: &Path) -> Result<(), String> {
    let told = |error| format!("{}: {error}", folder.display());
    if folder.exists() {
        fs::remove_dir_all(folder).map_err(told)?;
    }
    fs::create_dir_all(folder).map_err(told)
}

/// Runs a command in `folder`; the error holds all that it said.
pub fn run_command(command: &mut Command, folder: &Path) -> Result<(), String> {
    let told = |error| format!("{command:?}: {error}");
    let log = folder.join("output.txt");
    let output = File::create(&log).map_err(told)?;
    let errors = output.try_clone().map_err(told)?;
    let spawned = Command::new(command.get_program())
        .args(command.get_args())
        .envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))))
        .current_dir(folder)
        .stdout(output)
        .stderr(errors)
        .spawn();
    let mut child = spawned.map_err(told)?;
    let start = Instant::now();
    let ending = loop {
        match child.try_wait().map_err(told)? {
            Some(status) if status.success() => return Ok(()),
            Some(status) => break status.to_string(),
            None if start.elapsed() > LONGEST => {
                child.kill().and_then(|()| child.wait()).map_err(told)?;
                break format!("ended after {} seconds", LONGEST.as_secs());
            }
            None => thread::sleep(Duration::from_millis(5)),
        }
    };
    let said = fs::read(&log).unwrap_or_default();
    Err(format!("{ending}: {command:?}\n{}", String::from_utf8_lossy(&said)))
}
