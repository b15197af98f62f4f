//! One call after the other, and what must hold after each.
//!
//! While its arguments are chosen, a call gathers what is expected of it: success, a refusal, or
//! either. Its status and results go into a digest that a replay must reproduce.

use std::collections::BTreeMap;
use std::ffi::CStr;
use std::fmt::{Debug, Write as _};
use std::io::Write as _;

use wobble::capi::library::{wobble_last_error, wobble_status_name};
use wobble::capi::status::*;

use crate::dice::Dice;
use crate::memory::Memory;
use crate::shadow::Shadow;

/// What a call must answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Expect {
    /// `WOBBLE_STATUS_OK`.
    Success,
    /// Anything but that.
    Refusal,
    /// Either.
    Either,
}

/// How an episode is run.
#[derive(Clone, Copy, Debug)]
pub struct Run {
    /// Of all episodes.
    pub seed: u64,
    /// Which one.
    pub episode: u64,
    /// Thread counts differ between variants, and nothing else.
    pub variant: u32,
    /// Calls in an episode, about; 0 for 150 to 500.
    pub steps: u64,
    /// Print every call.
    pub verbose: bool,
}

/// How often a function was called.
#[derive(Clone, Copy, Debug, Default)]
pub struct Count {
    /// With success.
    pub done: u64,
    /// And without.
    pub refused: u64,
}

/// Makes calls and judges the answers.
pub struct Driver {
    /// How the episode is run.
    pub run: Run,
    /// Where choices come from.
    pub dice: Dice,
    /// What must be alive.
    pub shadow: Shadow,
    /// Whether arguments may be bad in the present call.
    pub sour: bool,
    /// Whether numbers at the ends of what is allowed are used.
    pub wild: bool,
    /// What is expected of the present call.
    pub expect: Expect,
    /// Calls so far.
    pub calls: u64,
    /// Of these, the ones that only bring the books in line.
    pub bookkeeping: u64,
    /// For each function.
    pub counts: BTreeMap<&'static str, Count>,
    /// Every status seen, with how often.
    pub statuses: BTreeMap<i32, u64>,
    digest: u64,
    current: String,
}

impl Driver {
    /// At the beginning of an episode.
    pub fn new(run: Run) -> Driver {
        let mut dice = Dice::new(run.seed, run.episode);
        let wild = dice.chance(40);
        Driver {
            run,
            dice,
            shadow: Shadow::default(),
            sour: false,
            wild,
            expect: Expect::Success,
            calls: 0,
            bookkeeping: 0,
            counts: BTreeMap::new(),
            statuses: BTreeMap::new(),
            digest: 0xcbf2_9ce4_8422_2325,
            current: String::new(),
        }
    }

    /// A number that a replay must reproduce.
    pub fn digest(&self) -> u64 {
        self.digest
    }

    /// Adds a result to the digest.
    pub fn note(&mut self, word: u64) {
        self.digest = (self.digest ^ word).wrapping_mul(0x0000_0100_0000_01b3).rotate_left(23);
    }

    /// Adds bytes of results to the digest.
    pub fn note_bytes(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|&b| self.note(b.into()));
    }

    /// The present call must be refused.
    pub fn bad(&mut self) {
        self.expect = Expect::Refusal;
    }

    /// The present call may be refused.
    pub fn unsure(&mut self) {
        if self.expect == Expect::Success {
            self.expect = Expect::Either;
        }
    }

    /// Whether to make the next argument a bad one.
    pub fn spoil(&mut self) -> bool {
        self.sour && self.dice.chance(25)
    }

    /// Makes calls in between that must succeed.
    pub fn calmly<R>(&mut self, calls: impl FnOnce(&mut Driver) -> R) -> R {
        let before = (self.sour, self.expect);
        (self.sour, self.expect) = (false, Expect::Success);
        let result = calls(self);
        (self.sour, self.expect) = before;
        result
    }

    /// Before a call: what is about to be called.
    pub fn announce(&mut self, name: &'static str, arguments: &[&dyn Debug]) {
        self.calls += 1;
        self.current.clear();
        let _ = write!(self.current, "{name}(");
        for (i, argument) in arguments.iter().enumerate() {
            let _ = write!(self.current, "{}{argument:?}", if i == 0 { "" } else { ", " });
        }
        self.current.push(')');
        if self.run.verbose {
            eprintln!("{} {}", self.calls, self.current);
        }
    }

    /// After a call: counts it and checks its status.
    pub fn judge(&mut self, name: &'static str, status: i32) -> i32 {
        let count = self.counts.entry(name).or_default();
        *(if status == WOBBLE_STATUS_OK { &mut count.done } else { &mut count.refused }) += 1;
        *self.statuses.entry(status).or_default() += 1;
        self.note(status as u64);
        let expect = std::mem::replace(&mut self.expect, Expect::Success);
        if self.run.verbose {
            let why = if status == 0 { String::new() } else { format!(": {}", last_error()) };
            eprintln!("{} -> {status}{why} [{:016x}]", self.calls, self.digest);
        }
        if !(WOBBLE_STATUS_OK..=WOBBLE_STATUS_INTERNAL).contains(&status) {
            self.fail(&format!("{status} is no status"));
        }
        if status == WOBBLE_STATUS_INTERNAL || status == WOBBLE_STATUS_POISONED {
            self.fail(&format!("the library failed inside: {}", last_error()));
        }
        if status != WOBBLE_STATUS_OK && last_error().is_empty() {
            self.fail(&format!("status {status} without a sentence"));
        }
        match expect {
            Expect::Success if status != WOBBLE_STATUS_OK => {
                self.fail(&format!("status {status}, though nothing is wrong: {}", last_error()))
            }
            Expect::Refusal if status == WOBBLE_STATUS_OK => self.fail("not refused"),
            _ => status,
        }
    }

    /// Notes a call of a function that cannot fail.
    pub fn count(&mut self, name: &'static str) {
        self.counts.entry(name).or_default().done += 1;
    }

    /// Something does not hold: tells which call, and ends the process.
    pub fn fail(&self, why: &str) -> ! {
        let Run { seed, episode, .. } = self.run;
        let call = format!("call {}: {}", self.calls, self.current);
        // In one piece, as two processes write to the same place.
        let text = format!("VIOLATION: seed {seed}, episode {episode}, {call}\n{why}\n");
        let _ = std::io::stderr().write_all(text.as_bytes());
        std::process::exit(1)
    }

    /// Fails unless `holds`.
    pub fn ensure(&self, holds: bool, why: impl FnOnce() -> String) {
        if !holds {
            self.fail(&why());
        }
    }

    /// A place for a result, in one of four bad cases none.
    pub fn out<T: Copy>(&mut self) -> Output<T> {
        let mut memory = Memory::new(size_of::<T>());
        let mut pointer = memory.pointer::<T>();
        if self.spoil() {
            self.bad();
            pointer = if self.dice.chance(50) { std::ptr::null_mut() } else { pointer.wrapping_byte_add(1) };
        }
        Output { memory, pointer }
    }

    /// The result of a call, noted; nothing may have been written if it was refused.
    pub fn take<T: Copy>(&mut self, output: &Output<T>, status: i32) -> Option<T> {
        let value = self.take_unnoted(output, status)?;
        self.note_bytes(&output.memory.bytes()[..size_of::<T>()]);
        Some(value)
    }

    /// The same for results that a replay need not reproduce.
    pub fn take_unnoted<T: Copy>(&mut self, output: &Output<T>, status: i32) -> Option<T> {
        let written = if status == WOBBLE_STATUS_OK { size_of::<T>() } else { 0 };
        self.ensure(output.memory.is_marked_from(written), || "wrote where it must not".into());
        (status == WOBBLE_STATUS_OK).then(|| output.memory.get(0))
    }
}

/// A place for a result.
pub struct Output<T> {
    memory: Memory,
    /// What the library gets.
    pub pointer: *mut T,
}

/// The sentence of the last refusal on this thread.
pub fn last_error() -> String {
    // SAFETY: never null, and a string until the next call.
    unsafe { CStr::from_ptr(wobble_last_error()) }.to_string_lossy().into_owned()
}

/// The name of a status.
pub fn name_of(status: i32) -> String {
    // SAFETY: never null, and never changed.
    unsafe { CStr::from_ptr(wobble_status_name(status)) }.to_string_lossy().into_owned()
}

/// Calls a function of the C API with what is expected of it so far; gives its status.
#[macro_export]
macro_rules! api {
    ($driver:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        $driver.announce(stringify!($function), &[$(&$argument),*]);
        #[allow(unused_unsafe, reason = "some functions are safe to call with anything")]
        // SAFETY: every pointer is null, misaligned, or leads to memory of the size that is claimed.
        let status = unsafe { $function($($argument),*) };
        $driver.judge(stringify!($function), status)
    }};
}

/// Calls a function that takes some arguments and one place for a result.
#[macro_export]
macro_rules! ask {
    ($driver:expr, $function:ident($($argument:expr),*) -> $result:ty) => {{
        let output = $driver.out::<$result>();
        let status = $crate::api!($driver, $function($($argument,)* output.pointer));
        $driver.take(&output, status)
    }};
}
