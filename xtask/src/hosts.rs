//! Hosts in C and C++: every program of the examples and tests, compiled as a game would, linked
//! with the shared and the static library, and run; then under the sanitizers and valgrind.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{root, target_folder};
use crate::jobs::{self, Job};
use crate::library::Library;
use crate::steps::Extent;
use crate::summary::Outcome;
use crate::tools::{self, CLANG, CLANGXX, GCC, GXX, Tool, VALGRIND};
use crate::{library, readme};

const WARNINGS: [&str; 4] = ["-Wall", "-Wextra", "-Werror", "-pedantic"];
const NO_EXCEPTIONS: [&str; 2] = ["-fno-exceptions", "-DWOBBLE_NO_EXCEPTIONS"];

/// A C and a C++ compiler.
#[derive(Clone, Copy)]
struct Compilers([Tool; 2]);

const GNU: Compilers = Compilers([GCC, GXX]);
const LLVM: Compilers = Compilers([CLANG, CLANGXX]);

/// A source file that is a program of its own.
struct Program {
    source: PathBuf,
    /// Its path within the repository with dashes, such as `examples-c-first`.
    name: String,
    is_cpp: bool,
    flags: &'static [&'static str],
}

impl Program {
    fn new(source: PathBuf, flags: &'static [&'static str], suffix: &str) -> Program {
        let within = source.strip_prefix(root()).unwrap_or(&source).with_extension("");
        let name = within.iter().map(OsStr::to_string_lossy).collect::<Vec<_>>().join("-") + suffix;
        let is_cpp = source.extension() == Some(OsStr::new("cpp"));
        Program { source, name, is_cpp, flags }
    }

    /// The first hosts and the tests are what the slow tools look at.
    fn is_small(&self) -> bool {
        self.name.starts_with("tests-") || self.is_first()
    }

    fn is_first(&self) -> bool {
        self.name.contains("-first")
    }

    /// What the program is given: where to put a picture, and that a short one will do.
    fn arguments(&self) -> &'static [&'static str] {
        if self.name.ends_with("-render_loop") { &["wobble.gif", "--quick"] } else { &[] }
    }
}

/// Every program, in a fixed order. The C++ tests come a second time, without exceptions.
fn programs() -> Result<Vec<Program>, String> {
    let mut all = vec![readme_program()?];
    for folder in ["docs/snippets", "examples/c", "examples/cpp", "tests/c", "tests/cpp"] {
        for source in sources(&root().join(folder))? {
            if folder == "tests/cpp" {
                all.push(Program::new(source.clone(), &NO_EXCEPTIONS, "-no-exceptions"));
            }
            all.push(Program::new(source, &[], ""));
        }
    }
    Ok(all)
}

/// The README's program, as a file.
fn readme_program() -> Result<Program, String> {
    let folder = scratch("readme");
    let source = folder.join("host.c");
    let told = |error| format!("{}: {error}", source.display());
    std::fs::create_dir_all(&folder).map_err(told)?;
    std::fs::write(&source, readme::program()?).map_err(told)?;
    Ok(Program { name: "readme".into(), is_cpp: false, source, flags: &[] })
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let told = |error| format!("{}: {error}", folder.display());
    let files = std::fs::read_dir(folder).map_err(told)?;
    let files =
        files.map(|file| file.map(|file| file.path())).collect::<Result<Vec<_>, _>>().map_err(told)?;
    let is_source = |file: &PathBuf| file.extension().is_some_and(|end| end == "c" || end == "cpp");
    let mut sources: Vec<PathBuf> = files.into_iter().filter(is_source).collect();
    sources.sort();
    Ok(sources)
}

fn scratch(step: &str) -> PathBuf {
    target_folder().join("hosts").join(step)
}

impl Compilers {
    fn name(self) -> &'static str {
        self.0[0].program
    }

    fn for_language(self, is_cpp: bool, standard: &str) -> Command {
        let mut command = Command::new(self.0[usize::from(is_cpp)].program);
        command.arg(format!("-std={standard}")).args(WARNINGS);
        command.arg("-I").arg(root().join("include")).arg("-I").arg(root().join("bindings/cpp"));
        command
    }

    /// Compiles `program` into the object file `host.o`.
    fn compile(self, program: &Program, flags: &[&str]) -> Command {
        let mut command = self.for_language(program.is_cpp, if program.is_cpp { "c++17" } else { "c99" });
        command.args(program.flags).args(flags).arg("-c").arg(&program.source).args(["-o", "host.o"]);
        command
    }

    /// Links `host.o` into the program `output`.
    fn link(self, program: &Program, flags: &[&str], output: &str) -> Command {
        let mut command = Command::new(self.0[usize::from(program.is_cpp)].program);
        command.args(flags).args(["host.o", "-o", output]);
        command
    }

    fn link_shared(self, library: Library, program: &Program, flags: &[&str]) -> Command {
        let mut command = self.link(program, flags, "shared");
        let folder = library.folder();
        command.arg("-L").arg(&folder).arg("-lwobble").arg(format!("-Wl,-rpath,{}", folder.display()));
        command.args(["-lpthread", "-lm"]);
        command
    }

    fn link_static(self, library: Library, program: &Program, native: &[String]) -> Command {
        let mut command = self.link(program, &[], "static");
        command.arg(library.folder().join(library::static_name())).args(native);
        command
    }
}

/// The program that was linked as `name` in the job's folder.
fn start(program: &Program, name: &str, folder: &Path) -> Command {
    let mut command = Command::new(folder.join(name));
    command.args(program.arguments());
    command
}

/// Compiles every program, links it and runs it. The gate has one compiler and links the static library to the first
/// hosts alone; with `--all` every program is built by both compilers and linked both ways. A compiler that is not to be
/// had is told.
pub fn run(extent: Extent) -> Outcome {
    if !cfg!(unix) {
        return tools::unavailable("C hosts are built on Unix only".into());
    }
    let mut remarks = Vec::new();
    let compilers = if extent == Extent::All { &[GNU, LLVM][..] } else { &[GNU] };
    for compilers in compilers {
        match tools::have(&compilers.0) {
            Err(missing) if tools::in_ci() => return Outcome::Failed(vec![missing]),
            Err(missing) => remarks.push(format!("skipped: {missing}")),
            Ok(()) => match run_with(*compilers, extent) {
                Ok(count) => remarks.push(format!("{count} programs with {}", compilers.name())),
                Err(why) => return Outcome::Failed(vec![why]),
            },
        }
    }
    Outcome::Passed(remarks)
}

fn run_with(compilers: Compilers, extent: Extent) -> Result<usize, String> {
    let (programs, native, library) = (programs()?, library::native_libraries()?, extent.library());
    let scratch = scratch(compilers.name());
    let jobs = programs.iter().map(|program| {
        let folder = scratch.join(&program.name);
        let mut commands = vec![
            compilers.compile(program, &["-O1"]),
            compilers.link_shared(library, program, &[]),
            start(program, "shared", &folder),
        ];
        if extent == Extent::All || program.is_first() {
            commands.push(compilers.link_static(library, program, &native));
            commands.push(start(program, "static", &folder));
        }
        Job { name: format!("{} {}", compilers.name(), program.name), folder, commands }
    });
    jobs::run(jobs.chain([headers(compilers, &scratch)]).collect())?;
    Ok(programs.len())
}

/// The headers by themselves, in every language they are for.
fn headers(compilers: Compilers, scratch: &Path) -> Job {
    let check = |is_cpp: bool, standard: &str, header: &str| {
        let mut command = compilers.for_language(is_cpp, standard);
        command.args(["-fsyntax-only", "-x", if is_cpp { "c++" } else { "c" }]).arg(root().join(header));
        command
    };
    let commands = vec![
        check(false, "c99", "include/wobble.h"),
        check(false, "c11", "include/wobble.h"),
        check(true, "c++17", "include/wobble.h"),
        check(true, "c++17", "bindings/cpp/wobble.hpp"),
    ];
    Job { name: format!("{} headers", compilers.name()), folder: scratch.join("headers"), commands }
}

/// What the gate runs under valgrind.
const GATES_VALGRIND: [&str; 6] = [
    "tests-c-threads",
    "tests-c-api_body",
    "tests-c-api_mesh",
    "tests-c-api_lasting",
    "tests-c-save",
    "examples-c-first",
];

const SANITIZERS: [&str; 4] = ["-g", "-O1", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"];

/// The tests and first hosts under AddressSanitizer, with leaks, and UndefinedBehaviorSanitizer.
pub fn run_sanitized(extent: Extent) -> Outcome {
    run_small("sanitizers", extent, &[GCC, GXX], &SANITIZERS, Program::is_small, |program, folder| {
        let mut command = start(program, "shared", folder);
        // A count that memory does not hold must come back as null, as it does without the tool.
        command.env("ASAN_OPTIONS", "detect_leaks=1:allocator_may_return_null=1");
        command.env("UBSAN_OPTIONS", "print_stacktrace=1");
        command
    })
}

/// Hosts under valgrind, which is slow, so that they do less: the tests and first hosts, in the gate those of them that
/// call most of the library for the time they take.
pub fn run_valgrind(extent: Extent) -> Outcome {
    let is_wanted = |program: &Program| match extent {
        Extent::All => program.is_small(),
        Extent::Gate => GATES_VALGRIND.contains(&program.name.as_str()),
    };
    run_small("valgrind", extent, &[GCC, GXX, VALGRIND], &["-g", "-O1"], is_wanted, |program, folder| {
        let mut command = Command::new(VALGRIND.program);
        command.args(["--quiet", "--error-exitcode=99", "--fair-sched=yes", "--leak-check=full"]);
        command.args(["--show-leak-kinds=definite,indirect", "--errors-for-leak-kinds=definite,indirect"]);
        command.arg(folder.join("shared")).args(program.arguments()).env("WOBBLE_TEST_SMALL", "1");
        command
    })
}

fn run_small(
    step: &str,
    extent: Extent,
    tools: &[Tool],
    flags: &[&str],
    is_wanted: impl Fn(&Program) -> bool,
    start: impl Fn(&Program, &Path) -> Command,
) -> Outcome {
    tools::with(tools, || {
        let programs = programs()?.into_iter().filter(is_wanted);
        let jobs = programs.map(|program| {
            let folder = scratch(step).join(&program.name);
            let commands = vec![
                GNU.compile(&program, flags),
                GNU.link_shared(extent.library(), &program, flags),
                start(&program, &folder),
            ];
            Job { name: format!("{step} {}", program.name), folder, commands }
        });
        jobs::run(jobs.collect())
    })
}
