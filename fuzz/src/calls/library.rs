//! Version, errors, log.

use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::sync::atomic::{AtomicU64, Ordering};

use wobble::capi::body::wobble_body_reset;
use wobble::capi::defs::{WOBBLE_LOG_ERROR, WOBBLE_LOG_WARNING};
use wobble::capi::handles::WobbleBody;
use wobble::capi::library::*;
use wobble::capi::reading::{wobble_body_is_frozen, wobble_body_particle_count};

use crate::driver::Driver;

/// Lines that came with a severity, user pointer or text that is none.
static STRANGE_LINES: AtomicU64 = AtomicU64::new(0);
/// Where the user pointer points.
static USER: u8 = 0;

thread_local! {
    /// Whether this thread makes the calls of an episode.
    static DRIVES: Cell<bool> = const { Cell::new(false) };
}

/// Says that the present thread makes the calls.
pub(super) fn drive_here() {
    DRIVES.set(true);
}

/// A host that looks at the body a line is about; on the thread that steps it brings it back.
extern "C" fn listen(severity: u32, message: *const c_char, user: *mut c_void) {
    // SAFETY: a string, by the header.
    let text = unsafe { CStr::from_ptr(message) }.to_string_lossy();
    let known = [WOBBLE_LOG_WARNING, WOBBLE_LOG_ERROR].contains(&severity);
    if !known || user.cast_const() != (&raw const USER).cast() || text.is_empty() {
        STRANGE_LINES.fetch_add(1, Ordering::Relaxed);
    }
    let bits = text.split_once("0x").map(|(_, rest)| rest.split(' ').next().unwrap_or_default());
    let Some(bits) = bits.and_then(|digits| u64::from_str_radix(digits, 16).ok()) else { return };
    let body = WobbleBody { bits };
    let (mut count, mut frozen) = (0, 0);
    // SAFETY: both lead to a number.
    unsafe {
        wobble_body_particle_count(body, &raw mut count);
        wobble_body_is_frozen(body, &raw mut frozen);
    }
    // On the background's thread it would depend on the time when this happens.
    if DRIVES.get() && bits.is_multiple_of(2) {
        wobble_body_reset(body);
    }
}

pub(super) fn version(driver: &mut Driver) {
    // SAFETY: a string, by the header.
    let text = unsafe { CStr::from_ptr(wobble_version()) };
    driver.ensure(!text.is_empty(), || "no version".into());
    driver.count("wobble_version");
}

pub(super) fn abi_version(driver: &mut Driver) {
    driver.ensure(wobble_abi_version() == WOBBLE_ABI_VERSION, || "another ABI version".into());
    driver.count("wobble_abi_version");
}

pub(super) fn last_error(driver: &mut Driver) {
    driver.ensure(!wobble_last_error().is_null(), || "no text".into());
    driver.count("wobble_last_error");
}

pub(super) fn status_name(driver: &mut Driver) {
    let status = if driver.dice.chance(50) { driver.dice.below(20) as i32 } else { driver.dice.bits() as i32 };
    // SAFETY: a string, by the header.
    let name = unsafe { CStr::from_ptr(wobble_status_name(status)) };
    let known = (0..=17).contains(&status);
    driver.ensure(known == (name != c"UNKNOWN"), || format!("status {status} is called {name:?}"));
    driver.count("wobble_status_name");
}

pub(super) fn set_log_callback(driver: &mut Driver) {
    drive_here();
    let callback: Option<extern "C" fn(u32, *const c_char, *mut c_void)> =
        if driver.dice.chance(70) { Some(listen) } else { None };
    wobble_set_log_callback(callback, (&raw const USER).cast_mut().cast());
    let strange = STRANGE_LINES.load(Ordering::Relaxed);
    driver.ensure(strange == 0, || format!("{strange} strange log lines"));
    driver.count("wobble_set_log_callback");
}
