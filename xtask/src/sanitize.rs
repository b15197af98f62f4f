//! The Rust library under AddressSanitizer and ThreadSanitizer: its unit tests, and the C hosts that call it from several
//! threads.
//!
//! Both want the standard library instrumented as well, and so a compiler whose source is at hand. Debian has one, which
//! is unpacked into the target folder; nothing is installed. What the instrumented code calls while it runs comes from
//! the toolchain in use.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::cargo::{command, root, succeeded, target_folder};
use crate::jobs::{empty_folder, run_command};
use crate::library;
use crate::summary::Outcome;
use crate::tools::{self, GCC};

/// The compiler, its standard library and the source of that, and what the compiler is linked with.
const PACKAGES: [&str; 5] =
    ["rustc-web", "libstd-rust-web-1.96", "libstd-rust-web-dev", "rust-web-src", "libllvm22"];
const TARGET: &str = "x86_64-unknown-linux-gnu";
/// C hosts that use several threads.
const HOSTS: [&str; 1] = ["threads"];

/// A sanitizer.
#[derive(Clone, Copy)]
struct Sanitizer {
    /// As compilers call it.
    name: &'static str,
    /// As its runtime is called.
    runtime: &'static str,
    options: (&'static str, &'static str),
}

const ADDRESS: Sanitizer = Sanitizer {
    name: "address",
    runtime: "asan",
    // A count that memory does not hold must come back as null, as it does without the tool.
    options: ("ASAN_OPTIONS", "detect_leaks=1:allocator_may_return_null=1"),
};
const THREAD: Sanitizer =
    Sanitizer { name: "thread", runtime: "tsan", options: ("TSAN_OPTIONS", "halt_on_error=1") };

pub fn address() -> Outcome {
    run(ADDRESS)
}

pub fn thread() -> Outcome {
    run(THREAD)
}

fn run(sanitizer: Sanitizer) -> Outcome {
    if !cfg!(all(target_os = "linux", target_arch = "x86_64")) {
        return tools::unavailable("the library is sanitized on Linux on x86-64 only".into());
    }
    match Compiler::find() {
        Ok(compiler) => tools::with(&[GCC], || {
            compiler.test_library(sanitizer)?;
            compiler.run_hosts(sanitizer)
        }),
        Err(why) => tools::unavailable(why),
    }
}

/// The compiler with its source, unpacked.
struct Compiler {
    folder: PathBuf,
}

impl Compiler {
    /// Unpacks it where it is not yet.
    fn find() -> Result<Compiler, String> {
        let folder = target_folder().join("sanitized");
        let compiler = Compiler { folder: folder.join("compiler") };
        if !folder.join("whole").exists() {
            println!("fetching a compiler with its source, about 140 MB");
            compiler.fetch(&folder.join("packages"))?;
            fs::write(folder.join("whole"), "").map_err(|error| format!("{}: {error}", folder.display()))?;
        }
        Ok(compiler)
    }

    fn fetch(&self, packages: &Path) -> Result<(), String> {
        empty_folder(packages)?;
        let download =
            || run_command(Command::new("apt-get").args(["--quiet=2", "download"]).args(PACKAGES), packages);
        // The lists may be older than the packages.
        download()
            .or_else(|why| if tools::renew_lists() { download() } else { Err(why) })
            .map_err(|why| format!("the compiler could not be fetched from Debian: {why}"))?;
        for package in crate::zip::files(packages).map_err(|error| error.to_string())? {
            if package.extension().is_some_and(|end| end == "deb") {
                run_command(Command::new("dpkg").arg("-x").arg(&package).arg(&self.folder), packages)?;
            }
        }
        [ADDRESS, THREAD].iter().try_for_each(|sanitizer| self.take_runtime(sanitizer.runtime))
    }

    /// Copies a runtime, which Debian leaves out, from the toolchain in use.
    fn take_runtime(&self, name: &str) -> Result<(), String> {
        let sysroot = Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()).output();
        let sysroot = sysroot.map_err(|error| format!("rustc: {error}"))?;
        let from = Path::new(String::from_utf8_lossy(&sysroot.stdout).trim())
            .join(format!("lib/rustlib/{TARGET}/lib"));
        let ending = format!("_rt.{name}.a");
        let mut files = crate::zip::files(&from).unwrap_or_default().into_iter();
        let found = files.find(|file| file.to_string_lossy().ends_with(&ending));
        let found = found.ok_or_else(|| format!("the toolchain has no runtime {ending}"))?;
        fs::copy(&found, self.runtime(name))
            .map(drop)
            .map_err(|error| format!("{}: {error}", found.display()))
    }

    fn runtime(&self, name: &str) -> PathBuf {
        self.folder.join(format!("usr/lib/rustlib/{TARGET}/lib/librustc-stable_rt.{name}.a"))
    }

    /// A call of cargo with this compiler, building everything instrumented into a folder of its own.
    fn cargo(&self, arguments: &[&str], sanitizer: Sanitizer) -> Command {
        let libraries =
            ["usr/lib/x86_64-linux-gnu", "usr/lib/llvm-22/lib"].map(|path| self.folder.join(path));
        let libraries = libraries.map(|path| path.display().to_string()).join(":");
        let mut cargo = command(arguments.iter().copied());
        cargo.args(["--target", TARGET, "-Zbuild-std", "--target-dir"]).arg(built(sanitizer));
        cargo.env("RUSTC_BOOTSTRAP", "1").env("RUSTC", self.folder.join("usr/bin/rustc"));
        cargo.env("RUSTDOC", self.folder.join("usr/bin/rustdoc")).env("LD_LIBRARY_PATH", libraries);
        cargo.env("RUSTFLAGS", format!("-Zsanitizer={}", sanitizer.name));
        cargo.env("CARGO_PROFILE_DEV_DEBUG", "line-tables-only");
        cargo.env(sanitizer.options.0, sanitizer.options.1);
        cargo
    }

    /// The unit tests.
    fn test_library(&self, sanitizer: Sanitizer) -> Result<(), String> {
        succeeded(self.cargo(&["test", "--package", "wobble", "--lib"], sanitizer).status())
    }

    /// The C hosts, on the static library.
    fn run_hosts(&self, sanitizer: Sanitizer) -> Result<(), String> {
        succeeded(self.cargo(&["build", "--package", "wobble", "--lib"], sanitizer).status())?;
        let built = built(sanitizer).join(TARGET).join("debug").join(library::static_name());
        for host in HOSTS {
            let folder = target_folder().join("sanitized/hosts").join(format!("{host}-{}", sanitizer.name));
            empty_folder(&folder)?;
            let mut gcc = Command::new(GCC.program);
            gcc.args(["-std=c99", "-g", "-O1", "-I"]).arg(root().join("include"));
            gcc.arg(root().join("tests/c").join(format!("{host}.c"))).arg(&built);
            gcc.arg("-Wl,--whole-archive").arg(self.runtime(sanitizer.runtime)).arg("-Wl,--no-whole-archive");
            gcc.args(["-Wl,--export-dynamic", "-lpthread", "-ldl", "-lm", "-lrt", "-o", "host"]);
            run_command(&mut gcc, &folder)?;
            let mut run = Command::new(folder.join("host"));
            run_command(run.env(sanitizer.options.0, sanitizer.options.1), &folder)?;
            println!("ok      {host} with {}", sanitizer.name);
        }
        Ok(())
    }
}

/// Where cargo builds what is instrumented.
fn built(sanitizer: Sanitizer) -> PathBuf {
    target_folder().join("sanitized").join(sanitizer.name)
}
