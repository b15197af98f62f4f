//! The programs of all packages, built by one call of cargo: every crate is compiled once, with one set of features.
//!
//! Steps run them from the list that this leaves, and so without cargo, which would wait for whoever compiles meanwhile.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{command, run_and_hear, target_folder};

/// A program that cargo has built.
pub struct Program {
    /// `lib`, `bin`, `test`, `example` or `bench`: what its source is.
    pub kind: String,
    pub name: String,
    /// The folder of its package, which tests run in.
    pub package: PathBuf,
    pub file: PathBuf,
    /// Whether it runs tests, those of a library or of a program as well.
    pub is_test: bool,
}

impl Program {
    /// A call of it as cargo would make it.
    pub fn command(&self) -> Command {
        let mut command = Command::new(&self.file);
        command.current_dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package);
        command
    }
}

fn list() -> PathBuf {
    target_folder().join("programs.txt")
}

/// Builds all of them. What makes the bindings' sources is no dependency of theirs and has a step of its own.
pub fn build() -> Result<(), String> {
    let tests = ["test", "--no-run", "--workspace", "--exclude", "wobble-bindings"];
    let benchmark = ["bench", "--no-run", "--profile", "dev", "--bench", "core"];
    // Cargo builds a package's programs beside its tests only where it has integration tests.
    let abuse = ["build", "--package", "wobble-fuzz", "--bins"];
    let mut found = Vec::new();
    for what in [&tests[..], &benchmark, &abuse] {
        let mut build = command(what.iter().copied());
        build.args(["--message-format", "json-render-diagnostics"]);
        run_and_hear(&mut build, |line| found.extend(read(line)))?;
    }
    let lines: Vec<String> = found.iter().map(line).collect();
    println!("{} programs", lines.len());
    fs::write(list(), lines.join("\n")).map_err(|error| format!("{}: {error}", list().display()))
}

/// What the last build left.
pub fn all() -> Result<Vec<Program>, String> {
    let text = fs::read_to_string(list()).map_err(|error| format!("{}: {error}", list().display()))?;
    Ok(text.lines().filter_map(parse).collect())
}

/// The program of this kind and name that is not a test of itself.
pub fn find(kind: &str, name: &str) -> Result<Program, String> {
    let found =
        all()?.into_iter().find(|program| program.kind == kind && program.name == name && !program.is_test);
    found.ok_or_else(|| format!("the {kind} {name} was not built"))
}

fn line(program: &Program) -> String {
    let Program { kind, name, package, file, is_test } = program;
    format!("{kind}\t{name}\t{}\t{}\t{is_test}", package.display(), file.display())
}

fn parse(line: &str) -> Option<Program> {
    let mut parts = line.split('\t').map(String::from);
    let mut next = || parts.next();
    let (kind, name) = (next()?, next()?);
    Some(Program { kind, name, package: next()?.into(), file: next()?.into(), is_test: next()? == "true" })
}

/// The program that a line of cargo's tells of, if it does.
fn read(message: &str) -> Option<Program> {
    let (_, target) = message.split_once("\"target\":{")?;
    let manifest = value(message, "\"manifest_path\":\"")?;
    let kind = value(target, "\"kind\":[\"")?;
    Some(Program {
        // Whatever a library is compiled to, its program runs its tests.
        kind: if ["bin", "test", "example", "bench"].contains(&kind) { kind.into() } else { "lib".into() },
        name: value(target, "\"name\":\"")?.into(),
        package: Path::new(manifest).parent()?.into(),
        file: value(target, "\"executable\":\"")?.into(),
        // Cargo calls a benchmark a test, too, but it has a `main` of its own.
        is_test: kind != "bench" && target.contains("\"test\":true},\"features\""),
    })
}

fn value<'a>(text: &'a str, start: &str) -> Option<&'a str> {
    text.split_once(start)?.1.split_once('"').map(|(value, _)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_read_off_what_cargo_tells() {
        let message = |kind: &str, test: bool, executable: &str| {
            format!(
                "{{\"reason\":\"compiler-artifact\",\"manifest_path\":\"/a/Cargo.toml\",\"target\":{{\"kind\":[\"{kind}\"],\
                 \"name\":\"it\",\"test\":true}},\"profile\":{{\"opt_level\":\"2\",\"test\":{test}}},\"features\":[],\
                 \"executable\":{executable},\"fresh\":true}}"
            )
        };
        assert!(read(&message("cdylib", false, "null")).is_none());
        let program = read(&message("cdylib", true, "\"/a/target/it-1\"")).expect("a test program");
        assert!(program.is_test && program.kind == "lib" && program.package == Path::new("/a"));
        assert!(!read(&message("bench", true, "\"/a/target/it-1\"")).expect("a program").is_test);
        let program = read(&message("bin", false, "\"/a/target/it\"")).expect("a program");
        let again = parse(&line(&program)).expect("the line that was written");
        assert!(!again.is_test && again.kind == "bin" && again.file == Path::new("/a/target/it"));
    }
}
