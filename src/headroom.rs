//! Memory, asked for before it is needed.
//!
//! An allocation that fails ends the process, and work on a large shape makes hundreds, on all threads. So
//! whoever begins such work first asks here for as much as it holds at its peak, gives that back, and goes on
//! only if it was to be had. Hosts of which other threads take memory meanwhile can still run out.

use std::alloc::{Layout, handle_alloc_error};
use std::hint::black_box;

use crate::error::Error;

/// Refuses `what` unless as many bytes can be had at present.
pub(crate) fn ensure(bytes: usize, what: &'static str) -> Result<(), Error> {
    // Compilers leave out memory that nobody looks at.
    vec::<u8>(bytes, what).map(|room| drop(black_box(room)))
}

/// An empty vector with room for `count` elements of `what`.
pub(crate) fn vec<T>(count: usize, what: &'static str) -> Result<Vec<T>, Error> {
    let mut room = Vec::new();
    match room.try_reserve_exact(count) {
        Ok(()) => Ok(room),
        Err(_) => Err(refused::<T>(count, what)),
    }
}

/// Makes room for `more` elements, or refuses.
pub(crate) fn extend<T>(list: &mut Vec<T>, more: usize, what: &'static str) -> Result<(), Error> {
    list.try_reserve(more).map_err(|_| refused::<T>(list.len() + more, what))
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
