//! Memory, asked for before it is needed.
//!
//! An allocation that fails ends the process, and work on a large shape makes hundreds, on all threads. So
//! whoever begins such work first asks here for as much as it holds at its peak, gives that back, and goes on
//! only if it was to be had, with a reserve for small lists that nobody asks for. Hosts of which other threads take
//! memory meanwhile can still run out.

use std::alloc::{Layout, handle_alloc_error};
use std::hint::black_box;

use crate::error::Error;

/// Bytes that are still to be had when all that was asked for is taken.
const RESERVE: usize = 1 << 18;

/// What systems lose at most by giving memory out in pages, a share of it: one in so many bytes.
const LOST: usize = 16;

/// Bytes that a thread takes before it does anything: its stack, and one for signals.
const THREAD: usize = (2 << 20) + (1 << 17);

/// Bytes of address space that glibc may hold for a moment while a thread first asks for memory. It is a matter of
/// luck how many do so at once; four are provided for.
const ARENA: usize = if cfg!(target_pointer_width = "64") { 1 << 27 } else { 1 << 21 };

/// Refuses so many threads unless they can be started: one that finds no memory at its start ends the process.
pub(crate) fn ensure_threads(count: usize) -> Result<(), Error> {
    ensure(count * THREAD + count.min(4) * ARENA, "starting threads")
}

/// Refuses `what` unless as many bytes can be had at present.
pub(crate) fn ensure(bytes: usize, what: &'static str) -> Result<(), Error> {
    let room = bytes.saturating_add(bytes / LOST + RESERVE);
    if can_be_had(room) { Ok(()) } else { Err(refused::<u8>(bytes, what)) }
}

/// An empty vector with room for `count` elements of `what`.
pub(crate) fn vec<T>(count: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let mut room = Vec::new();
    let is_there = room.try_reserve_exact(count).is_ok() && can_be_had(RESERVE);
    if is_there { Ok(room) } else { Err(refused::<T>(count, what)) }
}

/// Makes room for `more` elements, or refuses; then nothing can be done with the list but to drop it.
pub(crate) fn extend<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<(), Error> {
    if list.capacity() - list.len() >= more {
        return Ok(());
    }
    let is_there = list.try_reserve(more).is_ok() && can_be_had(RESERVE);
    if is_there { Ok(()) } else { Err(refused::<T>(list.len() + more, what)) }
}

fn can_be_had(bytes: usize) -> bool {
    let mut room = Vec::<u8>::new();
    let is_there = room.try_reserve_exact(bytes).is_ok();
    // Compilers leave out memory that nobody looks at.
    drop(black_box(room));
    is_there
}

fn refused<T>(count: usize, what: &'static str) -> Error {
    Error::Memory { what, bytes: count.saturating_mul(size_of::<T>()) }
}

/// What was made, or the end of the process, as where any list of Rust's finds no memory.
pub(crate) fn or_end(made: Result<Vec<u8>, Error>) -> Vec<u8> {
    made.unwrap_or_else(|error| {
        let bytes = if let Error::Memory { bytes, .. } = error { bytes } else { 0 };
        handle_alloc_error(Layout::array::<u8>(bytes).unwrap_or(Layout::new::<u8>()))
    })
}
