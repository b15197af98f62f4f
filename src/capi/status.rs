//! What a call answers: a code, and a sentence for people.

use std::cell::RefCell;
use std::ffi::CString;

use crate::error::Error;

/// What a call answers: `WOBBLE_STATUS_OK` or why it was refused. Codes are never renumbered.
pub type WobbleStatus = i32;

/// Done.
pub const WOBBLE_STATUS_OK: i32 = 0;
/// A pointer is null that must not be.
pub const WOBBLE_STATUS_NULL_POINTER: i32 = 1;
/// The handle is all zero.
pub const WOBBLE_STATUS_NULL_HANDLE: i32 = 2;
/// No such object was ever made, or it is of another kind.
pub const WOBBLE_STATUS_INVALID_HANDLE: i32 = 3;
/// The object was destroyed.
pub const WOBBLE_STATUS_STALE_HANDLE: i32 = 4;
/// A value is out of range, not finite, or an index past the end.
pub const WOBBLE_STATUS_INVALID_ARGUMENT: i32 = 5;
/// The caller's buffer does not hold all of the result.
pub const WOBBLE_STATUS_BUFFER_TOO_SMALL: i32 = 6;
/// `struct_size` is not that of any version of the struct; was it filled by its init function?
pub const WOBBLE_STATUS_STRUCT_SIZE: i32 = 7;
/// The world steps in the background; call wobble_world_step_wait() first.
pub const WOBBLE_STATUS_BUSY: i32 = 8;
/// The progress callback asked to stop.
pub const WOBBLE_STATUS_CANCELLED: i32 = 9;
/// Bytes to load are damaged.
pub const WOBBLE_STATUS_CORRUPT: i32 = 10;
/// Bytes to load are of a format that this library does not read.
pub const WOBBLE_STATUS_VERSION: i32 = 11;
/// A snapshot needs a shape that was not given.
pub const WOBBLE_STATUS_MISSING_SHAPE: i32 = 12;
/// No material, weighting or the like has that name.
pub const WOBBLE_STATUS_UNKNOWN_NAME: i32 = 13;
/// The system has not that much memory for what is to be made, loaded or saved. Steps do not answer this: what they need grows
/// with contacts, and where they find no memory the process ends.
pub const WOBBLE_STATUS_OUT_OF_MEMORY: i32 = 14;
/// More objects than can be named.
pub const WOBBLE_STATUS_TOO_MANY: i32 = 15;
/// An earlier call failed inside this world; it can only be destroyed.
pub const WOBBLE_STATUS_POISONED: i32 = 16;
/// A fault in the library. The world concerned is poisoned, everything else goes on.
pub const WOBBLE_STATUS_INTERNAL: i32 = 17;

/// A refusal on its way out.
#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) status: WobbleStatus,
    pub(crate) sentence: String,
}

impl Failure {
    pub(crate) fn new(status: WobbleStatus, sentence: impl Into<String>) -> Failure {
        Failure { status, sentence: sentence.into() }
    }

    pub(crate) fn argument(sentence: impl Into<String>) -> Failure {
        Failure::new(WOBBLE_STATUS_INVALID_ARGUMENT, sentence)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        let status = match error {
            Error::Stale { .. } => WOBBLE_STATUS_STALE_HANDLE,
            Error::Cancelled => WOBBLE_STATUS_CANCELLED,
            Error::Corrupt { .. } => WOBBLE_STATUS_CORRUPT,
            Error::Version { .. } => WOBBLE_STATUS_VERSION,
            Error::Missing { .. } => WOBBLE_STATUS_MISSING_SHAPE,
            Error::Name { .. } => WOBBLE_STATUS_UNKNOWN_NAME,
            Error::Memory { .. } => WOBBLE_STATUS_OUT_OF_MEMORY,
            _ => WOBBLE_STATUS_INVALID_ARGUMENT,
        };
        Failure::new(status, error.to_string())
    }
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::default();
}

/// Keeps a sentence for wobble_last_error(). A sentence never holds a zero byte; should one, it
/// ends there.
pub(crate) fn remember(sentence: &str) {
    let text: Vec<u8> = sentence.bytes().take_while(|&b| b != 0).collect();
    let _ = LAST.try_with(|last| *last.borrow_mut() = CString::new(text).unwrap_or_default());
}

/// The last refusal's sentence on this thread.
pub(crate) fn last() -> *const std::ffi::c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}
