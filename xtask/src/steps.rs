//! The steps of `cargo xtask test`: what each checks, what it needs, and how much of it is the gate's.
//!
//! The gate is what every change passes. `--all` runs the same steps in full size, and those that only rare changes break;
//! `docs/notes/gate.md` lists what is left to it, and why.

use crate::library::Library;
use crate::schedule::{Lane, Step};
use crate::summary::Outcome;
use crate::{book, checks, csharp, dist, fetch, godot, hosts, programs, readme, runs, sanitize, unity};

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// What every change passes.
    Gate,
    /// Everything, in full size.
    All,
}

impl Extent {
    /// The library that hosts are linked with: the one the tests are, or the one that is shipped.
    pub fn library(self) -> Library {
        match self {
            Extent::Gate => Library::Tested,
            Extent::All => Library::Shipped,
        }
    }
}

/// A step that calls cargo, which lets nobody else build meanwhile.
const fn compiling(name: &'static str, about: &'static str, check: fn(Extent) -> Outcome) -> Step {
    Step {
        name,
        about,
        lane: Lane::Compiling,
        needs: &[],
        after: &[],
        only_in_all: false,
        seconds: [10, 10],
        check,
    }
}

/// A step that runs what others have built.
const fn running(
    name: &'static str,
    about: &'static str,
    needs: &'static [&'static str],
    check: fn(Extent) -> Outcome,
) -> Step {
    Step { lane: Lane::Running, needs, after: &["tools"], ..compiling(name, about, check) }
}

/// In the order in which they are begun, as soon as what they need is there.
pub const STEPS: [Step; 27] = [
    compiling("build", "all programs of all packages, once", |_| programs::build().into()).seconds(340, 340),
    Step {
        after: &[],
        ..running("tools", "fetches what other steps call: compilers, Mono, Godot", &[], fetch::run)
    },
    running("readme", "code and commands in the README and the book are run by some step", &[], |_| {
        readme::check().into()
    }),
    running("rustfmt", "how the code is laid out", &[], |_| checks::rustfmt()),
    compiling("libraries", "the shared and the static library that hosts link", |extent| {
        extent.library().build_anew().into()
    })
    .seconds(5, 180),
    running(
        "tests",
        "unit and integration tests; with --all also those that are #[ignore]",
        &["build"],
        runs::run,
    )
    .seconds(290, 450),
    compiling("clippy", "warnings, of the library without its C functions too", |_| checks::clippy())
        .seconds(110, 110),
    running("valgrind", "C hosts under valgrind", &["libraries"], hosts::run_valgrind).seconds(25, 200),
    running("hosts", "every C and C++ program, built as a game would", &["libraries"], hosts::run)
        .seconds(40, 240),
    running("csharp", "the C# binding under Mono", &["libraries"], csharp::run).seconds(20, 20),
    running("unity", "the Unity package on a stand-in for Unity", &["libraries"], unity::test)
        .seconds(30, 30),
    running("godot", "the extension inside Godot", &["extension"], godot::test).seconds(30, 90),
    compiling("extension", "the Godot extension", |extent| godot::build(extent).into()).seconds(60, 240),
    compiling("docs", "the pages of the Rust interface, and that everything in it is shown in use", |_| {
        checks::docs()
    })
    .seconds(40, 40),
    compiling("doctests", "the examples in the Rust interface's pages", |_| runs::run_doctests())
        .seconds(40, 40),
    compiling("bindings", "wobble.h and the C# declarations are what the source makes", |_| {
        checks::bindings()
    })
    .seconds(40, 40),
    running(
        "sanitizers",
        "C and C++ hosts under AddressSanitizer and UBSan",
        &["libraries"],
        hosts::run_sanitized,
    )
    .seconds(40, 40),
    running(
        "fuzz",
        "random calls of the C interface: 400 episodes, an hour with --all",
        &["build"],
        runs::fuzz,
    )
    .seconds(55, 7200),
    running("soak", "a hundredth of a day of game time, a whole day with --all", &["build"], runs::soak)
        .seconds(35, 2400),
    running("playground", "the playground's window on a virtual screen", &["build"], runs::playground)
        .seconds(30, 30),
    running("pages", "the pages of the C interface, by Doxygen", &[], |_| book::test_c_pages()),
    running("dist", "hosts built from nothing but the zip file", &["libraries"], dist::test).seconds(20, 20),
    running("examples", "the README's programs, shortened", &["build", "libraries"], runs::examples)
        .seconds(20, 20),
    running(
        "benchmarks",
        "every row of the benchmark in miniature",
        &["build", "libraries"],
        runs::benchmarks,
    )
    .seconds(20, 20),
    compiling("book", "the book with its pictures, by mdBook", |_| book::test())
        .seconds(0, 240)
        .only_in_all(),
    running("address", "the Rust library under AddressSanitizer", &[], |_| sanitize::address())
        .seconds(0, 550)
        .only_in_all(),
    running("thread", "the Rust library under ThreadSanitizer", &[], |_| sanitize::thread())
        .seconds(0, 600)
        .only_in_all(),
];

/// The names of the steps, in order.
pub fn names() -> Vec<&'static str> {
    STEPS.iter().map(|step| step.name).collect()
}

/// The step of this name.
pub fn find(name: &str) -> Option<&'static Step> {
    STEPS.iter().find(|step| step.name == name)
}
