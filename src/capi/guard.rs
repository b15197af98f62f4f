//! Every call from outside goes through here.
//!
//! A panic becomes a code. Log lines are collected while locks are held and go out when none
//! is, so a callback may call the library.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::RwLock;

use super::status::{self, Failure, WOBBLE_STATUS_INTERNAL, WOBBLE_STATUS_OK, WobbleStatus};

/// Receives a line for people: what happened in which world or body.
pub type WobbleLogCallback = Option<extern "C" fn(severity: u32, message: *const c_char, user: *mut c_void)>;

/// Who listens.
struct Listener {
    callback: WobbleLogCallback,
    user: usize,
}

static LISTENER: RwLock<Listener> = RwLock::new(Listener { callback: None, user: 0 });

/// Log lines with their severity.
pub(crate) type Lines = Vec<(u32, String)>;

thread_local! {
    static WAITING: RefCell<Lines> = const { RefCell::new(Vec::new()) };
}

pub(crate) fn listen(callback: WobbleLogCallback, user: *mut c_void) {
    let mut listener = LISTENER.write().unwrap_or_else(|poisoned| poisoned.into_inner());
    *listener = Listener { callback, user: user as usize };
}

/// Notes a line; it goes out when the present call ends.
pub(crate) fn log(severity: u32, line: String) {
    let _ = WAITING.try_with(|waiting| waiting.borrow_mut().push((severity, line)));
}

/// What was noted on this thread, for another one to send out.
pub(crate) fn take_log() -> Lines {
    WAITING.try_with(RefCell::take).unwrap_or_default()
}

/// Sends out what was noted on this thread. No lock of the library may be held.
fn flush_log() {
    let lines = take_log();
    if lines.is_empty() {
        return;
    }
    let listener = LISTENER.read().unwrap_or_else(|poisoned| poisoned.into_inner());
    let (callback, user) = (listener.callback, listener.user);
    drop(listener);
    let Some(callback) = callback else { return };
    for (severity, line) in lines {
        let text = CString::new(line.replace('\0', " ")).unwrap_or_default();
        callback(severity, text.as_ptr(), user as *mut c_void);
    }
}

/// What a panic said.
pub(crate) fn words(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|s| (*s).to_string());
    text.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_else(|| "unknown".to_string())
}

/// Runs the body of a call.
pub(crate) fn call(work: impl FnOnce() -> Result<(), Failure>) -> WobbleStatus {
    let result = catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        Err(Failure::new(WOBBLE_STATUS_INTERNAL, format!("a fault in the library: {}", words(&*panic))))
    });
    let code = match result {
        Ok(()) => WOBBLE_STATUS_OK,
        Err(failure) => {
            status::remember(&failure.sentence);
            failure.status
        }
    };
    flush_log();
    code
}
