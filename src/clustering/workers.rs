//! The threads of one build.
//!
//! Every task writes a slot of its own and reads what nobody writes meanwhile, so
//! the number of threads cannot change the result. The progress callback is not
//! `Send`; it is called between passes, on the caller's thread.

use rayon::prelude::*;

use crate::headroom;

/// Below this many points the hand-over to threads costs more than it saves.
const WORTH_SPREADING: usize = 4000;

/// More threads than this are not started, whatever is asked for.
const MOST_THREADS: usize = 256;

/// A private pool, or none.
pub(crate) struct Workers {
    pool: Option<rayon::ThreadPool>,
}

impl Workers {
    /// `threads` threads for a build over `points` points, 256 at most; 0 takes all cores.
    /// Where threads cannot be had, the caller's does the work. What they take of memory is taken when this returns:
    /// whoever asks for more does so afterwards.
    pub fn new(threads: u32, points: usize) -> Workers {
        if threads == 1 || points < WORTH_SPREADING {
            return Workers { pool: None };
        }
        let cores = || std::thread::available_parallelism().map_or(1, |n| n.get());
        let count = if threads == 0 { cores() } else { threads as usize }.min(MOST_THREADS);
        if count == 1 || headroom::ensure_threads(count).is_err() {
            return Workers { pool: None };
        }
        let builder = rayon::ThreadPoolBuilder::new().num_threads(count);
        let pool = builder.thread_name(|i| format!("wobble build {i}")).build().ok();
        pool.iter().for_each(|pool| drop(pool.broadcast(|_| ())));
        Workers { pool }
    }

    /// Calls `task` once for every slot, with its index.
    pub fn each<T: Send>(&self, slots: &mut [T], task: impl Fn(usize, &mut T) + Sync) {
        match &self.pool {
            Some(pool) if slots.len() > 1 => {
                pool.install(|| slots.par_iter_mut().enumerate().for_each(|(i, slot)| task(i, slot)));
            }
            _ => slots.iter_mut().enumerate().for_each(|(i, slot)| task(i, slot)),
        }
    }
}
