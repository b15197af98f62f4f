//! Random calls of the C API, and a host that plays for hours.
//!
//! ```text
//! dice     seeded choices               memory   marked memory, so that every write tells
//! driver   one call, judged             shadow   what must be alive
//! values   arguments, good and bad      bytes    saved bytes, spoilt
//! list     lists that are written
//! calls    one function for each of the header's
//! episode  some hundred calls           workers  episodes in processes of their own, compared
//! soak     a game that goes on and on   allocator  counts what is alive
//! ```

pub mod allocator;
pub mod bytes;
pub mod calls;
pub mod dice;
pub mod driver;
pub mod episode;
pub mod list;
pub mod memory;
pub mod shadow;
pub mod soak;
pub mod values;
pub mod workers;
