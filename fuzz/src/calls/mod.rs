//! One function for every function of the header: it chooses arguments, calls, and looks at what
//! came of it.

mod anatomy;
mod attach;
mod body;
mod collider;
mod contacts;
mod field;
mod lasting;
mod library;
mod mesh;
mod particles;
mod pushing;
mod query;
mod reading;
mod saving;
mod select;
mod shape;
mod sleeping;
mod solid;
mod table;
mod torn;
mod tuning;
mod world;

pub use table::{CALLS, INFALLIBLE};
pub(crate) use world::wait_for;

use crate::driver::Driver;
use crate::memory::Memory;
use crate::values::{is_newer, is_older};

/// Calls one of the functions that fill a struct with defaults.
fn init<T>(driver: &mut Driver, name: &'static str, function: unsafe extern "C" fn(*mut T, u32) -> i32) {
    let mut memory = Memory::new(size_of::<T>() + 72);
    let mut pointer: *mut T = memory.pointer();
    let mut size = size_of::<T>() as u32;
    // There are few arguments to go wrong, so they do more often.
    if driver.sour && driver.dice.chance(60) {
        match driver.dice.below(3) {
            0 => pointer = std::ptr::null_mut(),
            1 => pointer = pointer.wrapping_byte_add(2),
            _ => size = driver.wrong_size(size_of::<T>()),
        }
        let usable = is_older::<T>(size) || is_newer::<T>(size);
        if usable && !pointer.is_null() && pointer.is_aligned() { driver.unsure() } else { driver.bad() }
    }
    driver.announce(name, &[&pointer, &size]);
    // SAFETY: null, misaligned, or memory of that size; sizes far beyond it are refused.
    let status = unsafe { function(pointer, size) };
    let status = driver.judge(name, status);
    let written = if status == 0 { size as usize } else { 0 };
    driver.ensure(memory.is_marked_from(written), || "wrote where it must not".into());
    driver.ensure(status != 0 || memory.get::<u32>(0) == size, || {
        "struct_size is not what was asked for".into()
    });
}
