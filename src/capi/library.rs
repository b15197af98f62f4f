//! The library as a whole: version, errors, log.

use std::ffi::{c_char, c_void};

use super::guard::{self, WobbleLogCallback};
use super::status::{self, *};

/// Of this header. A host compares it with wobble_abi_version() to know that it loaded a library
/// that fits. Fields and functions are only ever added while it stays the same.
pub const WOBBLE_ABI_VERSION: u32 = 1;

/// The version of the library as text, such as "0.1.0". Never null.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// WOBBLE_ABI_VERSION as the library was built with.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_abi_version() -> u32 {
    WOBBLE_ABI_VERSION
}

/// What went wrong in the last call on this thread that did not return WOBBLE_STATUS_OK: which
/// field, which value, what to do. Never null; empty if nothing went wrong yet. Good until the
/// next call on this thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_last_error() -> *const c_char {
    status::last()
}

/// The name of a status code, such as "STALE_HANDLE"; "UNKNOWN" for a number that is none. Never null.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_status_name(status: WobbleStatus) -> *const c_char {
    let name = match status {
        WOBBLE_STATUS_OK => c"OK",
        WOBBLE_STATUS_NULL_POINTER => c"NULL_POINTER",
        WOBBLE_STATUS_NULL_HANDLE => c"NULL_HANDLE",
        WOBBLE_STATUS_INVALID_HANDLE => c"INVALID_HANDLE",
        WOBBLE_STATUS_STALE_HANDLE => c"STALE_HANDLE",
        WOBBLE_STATUS_INVALID_ARGUMENT => c"INVALID_ARGUMENT",
        WOBBLE_STATUS_BUFFER_TOO_SMALL => c"BUFFER_TOO_SMALL",
        WOBBLE_STATUS_STRUCT_SIZE => c"STRUCT_SIZE",
        WOBBLE_STATUS_BUSY => c"BUSY",
        WOBBLE_STATUS_CANCELLED => c"CANCELLED",
        WOBBLE_STATUS_CORRUPT => c"CORRUPT",
        WOBBLE_STATUS_VERSION => c"VERSION",
        WOBBLE_STATUS_MISSING_SHAPE => c"MISSING_SHAPE",
        WOBBLE_STATUS_UNKNOWN_NAME => c"UNKNOWN_NAME",
        WOBBLE_STATUS_OUT_OF_MEMORY => c"OUT_OF_MEMORY",
        WOBBLE_STATUS_TOO_MANY => c"TOO_MANY",
        WOBBLE_STATUS_POISONED => c"POISONED",
        WOBBLE_STATUS_INTERNAL => c"INTERNAL",
        _ => c"UNKNOWN",
    };
    name.as_ptr()
}

/// Sets who hears of bodies that went out of bounds and of faults; null for nobody, which is the
/// default. Lines come on the thread whose call caused them, those of a step in the background on the
/// thread that is told of its end, with no lock held, so the callback may call the library. It must not
/// throw or jump out.
#[unsafe(no_mangle)]
pub extern "C" fn wobble_set_log_callback(callback: WobbleLogCallback, user: *mut c_void) {
    guard::listen(callback, user);
}
