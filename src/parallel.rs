//! Spreads blocks of independent work over threads.
//!
//! The only file that knows about threads inside a step. A job is a numbered
//! block; every block writes memory of its own and reads what nobody writes
//! meanwhile, so which thread runs it cannot change a bit of the result.
//!
//! Why not rayon here: handing a job to a rayon pool from outside allocates now
//! and then (its injector queue grows block by block), and a step has half a dozen
//! short passes, each of which would sleep and wake the workers. The team stays
//! awake for a moment between passes and allocates nothing. Rayon builds shapes.

use std::marker::PhantomData;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::{self, JoinHandle};

/// Where a pass runs.
#[derive(Clone, Copy)]
pub(crate) enum Spread<'a> {
    /// On the calling thread.
    Here,
    /// On all threads of the team, the calling one among them.
    Over(&'a Team),
}

impl Spread<'_> {
    /// Calls `job` once for every block of `work` and returns when all are done.
    #[inline]
    pub(crate) fn for_blocks<W: Work>(self, work: W, job: impl Fn(usize, W::Block) + Sync) {
        let blocks = work.blocks();
        // SAFETY: every number below `blocks` is taken exactly once, here by the loop and in the
        // team by its counters, so no two calls see the same block.
        let call = |i: usize| job(i, unsafe { work.block(i) });
        match self {
            Spread::Over(team) if blocks > 1 => team.run(blocks, &call),
            _ => (0..blocks).for_each(call),
        }
    }

    /// Calls `job` once for every number below `count`.
    #[inline]
    pub(crate) fn for_each(self, count: usize, job: impl Fn(usize) + Sync) {
        match self {
            Spread::Over(team) if count > 1 => team.run(count, &job),
            _ => (0..count).for_each(job),
        }
    }
}

/// Memory that can be handed out block by block.
///
/// # Safety
/// Two calls of `block` with different numbers must give memory that does not overlap.
pub(crate) unsafe trait Work: Sync {
    /// What one call of the job gets.
    type Block;
    /// How many blocks there are; panics if its parts do not go together.
    fn blocks(&self) -> usize;
    /// Block `i`.
    ///
    /// # Safety
    /// `i` is below `blocks()`, and each `i` is asked for at most once.
    unsafe fn block(&self, i: usize) -> Self::Block;
}

/// A slice cut into blocks of one size; the last may be shorter.
pub(crate) struct Chunks<'a, T> {
    start: *mut T,
    len: usize,
    size: usize,
    life: PhantomData<&'a mut [T]>,
}

/// Cuts `slice` into blocks of `size` elements.
pub(crate) fn chunks<T: Send>(slice: &mut [T], size: usize) -> Chunks<'_, T> {
    Chunks { start: slice.as_mut_ptr(), len: slice.len(), size: size.max(1), life: PhantomData }
}

// SAFETY: a `Chunks` hands out disjoint parts of one exclusively borrowed slice; sharing
// it between threads moves `&mut` parts of that slice, which `T: Send` allows.
unsafe impl<T: Send> Sync for Chunks<'_, T> {}

// SAFETY: blocks i and j cover i*size.. and j*size.., cut off at len: disjoint.
unsafe impl<'a, T: Send> Work for Chunks<'a, T> {
    type Block = &'a mut [T];

    #[inline]
    fn blocks(&self) -> usize {
        self.len.div_ceil(self.size)
    }

    #[inline]
    unsafe fn block(&self, i: usize) -> &'a mut [T] {
        let from = i * self.size;
        let count = self.size.min(self.len - from);
        // SAFETY: from + count <= len, and the caller asks for each block once.
        unsafe { std::slice::from_raw_parts_mut(self.start.add(from), count) }
    }
}

/// Blocks of nothing, as many as there are of whatever they go with.
pub(crate) struct Nothing;

// SAFETY: there is no memory in it.
unsafe impl Work for Nothing {
    type Block = ();

    #[inline]
    fn blocks(&self) -> usize {
        usize::MAX
    }

    #[inline]
    unsafe fn block(&self, _: usize) {}
}

/// A slice cut into blocks of as many rows each, which may be of any length.
pub(crate) struct Rows<'a, T> {
    all: Chunks<'a, T>,
    starts: &'a [u32],
}

/// Cuts `slice` into blocks of `rows` rows; `starts` tells where each row begins, and one more where the last ends.
pub(crate) fn rows<'a, T: Send>(slice: &'a mut [T], starts: &'a [u32], rows: usize) -> Rows<'a, T> {
    assert!(starts.is_sorted() && starts.last().is_none_or(|end| *end as usize <= slice.len()));
    Rows { all: chunks(slice, rows), starts }
}

// SAFETY: rows ascend, so blocks of different ones are disjoint parts of one slice.
unsafe impl<'a, T: Send> Work for Rows<'a, T> {
    type Block = &'a mut [T];

    #[inline]
    fn blocks(&self) -> usize {
        self.starts.len().saturating_sub(1).div_ceil(self.all.size)
    }

    #[inline]
    unsafe fn block(&self, i: usize) -> &'a mut [T] {
        let end = ((i + 1) * self.all.size).min(self.starts.len() - 1);
        let [from, to] = [i * self.all.size, end].map(|row| self.starts[row] as usize);
        // SAFETY: from <= to <= len, as was checked, and the caller asks for each block once.
        unsafe { std::slice::from_raw_parts_mut(self.all.start.add(from), to - from) }
    }
}

macro_rules! work_of_several {
    ($($name:ident $index:tt),+) => {
        // SAFETY: disjoint in each part, so disjoint together.
        unsafe impl<$($name: Work),+> Work for ($($name,)+) {
            type Block = ($($name::Block,)+);

            #[inline]
            fn blocks(&self) -> usize {
                assert!($(self.$index.blocks() >= self.0.blocks())&&+, "a part has too few blocks");
                self.0.blocks()
            }

            #[inline]
            unsafe fn block(&self, i: usize) -> Self::Block {
                // SAFETY: passed on from the caller.
                unsafe { ($(self.$index.block(i),)+) }
            }
        }
    };
}
work_of_several!(A 0, B 1);
work_of_several!(A 0, B 1, C 2);
work_of_several!(A 0, B 1, C 2, D 3);

type Job = *const (dyn Fn(usize) + Sync);

struct Shared {
    /// Counts the runs; odd while one is open.
    epoch: AtomicU64,
    /// Whether somebody is in `Team::run` with the workers: one caller at a time may be.
    taken: AtomicBool,
    /// The open run's job. Written by the caller who holds `taken`, while the epoch is even and `inside` is 0.
    job: std::cell::UnsafeCell<Job>,
    count: AtomicUsize,
    /// For each thread the next block of its own share; the others help when theirs are done.
    next: Vec<Share>,
    /// Workers that may be looking at `job`.
    inside: AtomicUsize,
    panicked: AtomicBool,
    quit: AtomicBool,
}

// SAFETY: `job` is the only field that is not Sync by itself; the protocol above it keeps
// writes and reads apart.
unsafe impl Sync for Shared {}
// SAFETY: as above; the pointer in `job` is never followed outside an open run.
unsafe impl Send for Shared {}

/// Where a thread has got to in its share of the blocks; alone on its cache lines.
#[derive(Default)]
#[repr(align(128))]
struct Share(AtomicUsize);

/// A fixed set of threads that run one job at a time together with the caller.
pub(crate) struct Team {
    shared: Arc<Shared>,
    workers: Vec<JoinHandle<()>>,
}

impl Team {
    /// A team of `threads` threads, the caller's counted; 1 spawns none.
    pub(crate) fn new(threads: usize) -> std::io::Result<Team> {
        let idle: &'static (dyn Fn(usize) + Sync) = &|_| {};
        let shared = Arc::new(Shared {
            epoch: AtomicU64::new(0),
            taken: AtomicBool::new(false),
            job: std::cell::UnsafeCell::new(idle),
            count: AtomicUsize::new(0),
            next: (0..threads.max(1)).map(|_| Share::default()).collect(),
            inside: AtomicUsize::new(0),
            panicked: AtomicBool::new(false),
            quit: AtomicBool::new(false),
        });
        let mut team = Team { shared, workers: Vec::new() };
        for i in 1..threads.max(1) {
            let shared = Arc::clone(&team.shared);
            let builder = thread::Builder::new().name(format!("wobble {i}"));
            team.workers.push(builder.spawn(move || shared.work(i))?);
        }
        Ok(team)
    }

    /// Threads in the team, the caller's counted.
    pub(crate) fn threads(&self) -> usize {
        self.workers.len() + 1
    }

    /// Calls `job` once for every number below `count`: with the workers, unless these have another run under way, because
    /// a job started this one or another thread uses the same team. The calling thread then does it alone.
    fn run(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        if self.shared.taken.swap(true, Ordering::Acquire) {
            return (0..count).for_each(job);
        }
        let ended = catch_unwind(AssertUnwindSafe(|| self.run_with_workers(count, job)));
        self.shared.taken.store(false, Ordering::Release);
        if let Err(panic) = ended {
            resume_unwind(panic);
        }
    }

    /// The same with the workers; for whoever holds `taken`.
    fn run_with_workers(&self, count: usize, job: &(dyn Fn(usize) + Sync)) {
        let shared = &*self.shared;
        // SAFETY: only the lifetime is erased. The pointer is followed only by workers
        // counted in `inside` during this run, and this call does not return before the run
        // is closed and `inside` is 0. Nobody else writes it, since only one holds `taken`.
        unsafe {
            *shared.job.get() = std::mem::transmute::<*const (dyn Fn(usize) + Sync + '_), Job>(job);
        }
        shared.count.store(count, Ordering::Relaxed);
        for (thread, share) in shared.next.iter().enumerate() {
            share.0.store(shared.first(thread, count), Ordering::Relaxed);
        }
        shared.epoch.fetch_add(1, Ordering::SeqCst);
        for worker in &self.workers {
            worker.thread().unpark();
        }
        let mine = catch_unwind(AssertUnwindSafe(|| shared.take_blocks(0, job)));
        if mine.is_err() {
            shared.next.iter().for_each(|share| share.0.store(count, Ordering::Relaxed));
        }
        shared.epoch.fetch_add(1, Ordering::SeqCst);
        wait_until(|| shared.inside.load(Ordering::SeqCst) == 0);
        let a_worker_did = shared.panicked.swap(false, Ordering::Relaxed);
        if let Err(panic) = mine {
            resume_unwind(panic);
        }
        assert!(!a_worker_did, "a worker thread panicked");
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        self.shared.quit.store(true, Ordering::SeqCst);
        for worker in self.workers.drain(..) {
            worker.thread().unpark();
            // A worker catches the panics of its jobs, so joining cannot fail.
            let _ = worker.join();
        }
    }
}

impl Shared {
    /// The first block of a thread's share.
    fn first(&self, thread: usize, count: usize) -> usize {
        thread * count / self.next.len()
    }

    /// Runs blocks until none is left: first those of the thread's own share, which it also ran in
    /// the passes and steps before, so that they are in its caches; then those of the others.
    fn take_blocks(&self, thread: usize, job: &(dyn Fn(usize) + Sync)) {
        let (count, threads) = (self.count.load(Ordering::Relaxed), self.next.len());
        for share in (thread..threads).chain(0..thread) {
            let end = self.first(share + 1, count);
            loop {
                let i = self.next[share].0.fetch_add(1, Ordering::Relaxed);
                if i >= end {
                    break;
                }
                job(i);
            }
        }
    }

    /// A worker's life: wait for a run, help with it, wait again.
    fn work(&self, thread: usize) {
        let mut seen = 0;
        while !self.quit.load(Ordering::SeqCst) {
            if !self.next_run(&mut seen) {
                continue;
            }
            self.inside.fetch_add(1, Ordering::SeqCst);
            // Seen open after being counted: the caller waits for us before it goes on.
            if self.epoch.load(Ordering::SeqCst) == seen {
                // SAFETY: the run is open and cannot be left while we are inside.
                let job = unsafe { &**self.job.get() };
                if catch_unwind(AssertUnwindSafe(|| self.take_blocks(thread, job))).is_err() {
                    self.panicked.store(true, Ordering::Relaxed);
                }
            }
            self.inside.fetch_sub(1, Ordering::SeqCst);
        }
    }

    /// Waits for an open run not seen before: awake for a moment, since the passes of a
    /// step follow each other closely, then parked. False when woken for another reason.
    fn next_run(&self, seen: &mut u64) -> bool {
        for turn in 0..SPINS {
            let epoch = self.epoch.load(Ordering::SeqCst);
            if epoch % 2 == 1 && epoch != *seen {
                *seen = epoch;
                return true;
            }
            if self.quit.load(Ordering::Relaxed) {
                return false;
            }
            pause(turn);
        }
        thread::park();
        false
    }
}

/// Turns of waiting before a worker parks: some tens of microseconds.
const SPINS: u32 = 2000;

/// Waits a moment; lets others run where there are more threads than cores.
fn pause(turn: u32) {
    if turn % 64 == 63 { thread::yield_now() } else { std::hint::spin_loop() }
}

fn wait_until(done: impl Fn() -> bool) {
    let mut turn = 0u32;
    while !done() {
        pause(turn);
        turn = turn.wrapping_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_block_is_run_once_on_any_number_of_threads() {
        for threads in [1, 2, 3, 8] {
            let team = Team::new(threads).expect("threads");
            let mut a = vec![0u32; 1001];
            let mut sums = vec![0usize; 1001_usize.div_ceil(16)];
            for round in 1..200 {
                Spread::Over(&team).for_blocks((chunks(&mut a, 16), chunks(&mut sums, 1)), |i, (a, sum)| {
                    a.iter_mut().for_each(|v| *v += 1);
                    sum[0] += i * a.len();
                });
                assert!(a.iter().all(|&v| v == round));
            }
            let expected: usize = (0..63).map(|i| 199 * i * if i == 62 { 9 } else { 16 }).sum();
            assert_eq!(sums.iter().sum::<usize>(), expected);
        }
    }

    #[test]
    fn rows_of_any_length_go_with_their_block_and_nothing_goes_with_any() {
        let team = Team::new(3).expect("threads");
        let starts = [0, 3, 3, 4, 9, 9, 9, 12];
        let (mut all, mut lengths) = (vec![0; 12], [0; 4]);
        let work = (chunks(&mut lengths, 1), rows(&mut all, &starts, 2), Nothing);
        Spread::Over(&team).for_blocks(work, |block, (length, rows, ())| {
            length[0] = rows.len();
            rows.fill(block + 1);
        });
        assert_eq!(lengths, [3, 6, 0, 3]);
        assert_eq!(all, [1, 1, 1, 2, 2, 2, 2, 2, 2, 4, 4, 4]);
    }

    #[test]
    fn a_job_may_start_another_on_the_same_team() {
        let team = Team::new(3).expect("threads");
        let mut all = vec![0u32; 64 * 64];
        for round in 1..50 {
            Spread::Over(&team).for_blocks(chunks(&mut all, 64), |_, row| {
                Spread::Over(&team).for_blocks(chunks(row, 4), |_, few| few.iter_mut().for_each(|v| *v += 1));
            });
            assert!(all.iter().all(|&v| v == round), "round {round}");
        }
    }

    #[test]
    fn two_threads_may_use_one_team_at_once() {
        let team = Team::new(3).expect("threads");
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    let mut all = vec![0u32; 1000];
                    for round in 1..200 {
                        Spread::Over(&team)
                            .for_blocks(chunks(&mut all, 7), |_, few| few.iter_mut().for_each(|v| *v += 1));
                        assert!(all.iter().all(|&v| v == round), "round {round}");
                    }
                });
            }
        });
    }

    #[test]
    #[should_panic(expected = "too few blocks")]
    fn parts_that_have_fewer_blocks_than_the_first_are_refused() {
        let (mut many, mut few) = ([0; 8], [0; 3]);
        Spread::Here.for_blocks((chunks(&mut many, 1), chunks(&mut few, 1)), |_, _| ());
    }

    #[test]
    #[should_panic(expected = "is_sorted")]
    fn rows_beyond_their_slice_are_refused() {
        let _ = rows(&mut [0; 3], &[0, 2, 4], 1);
    }

    #[test]
    fn a_panic_in_a_job_reaches_the_caller_and_the_team_lives_on() {
        let team = Team::new(3).expect("threads");
        for round in 0..20 {
            // One block panics, or each thread's first.
            let panics = |i| if round % 2 == 0 { i == 57 } else { true };
            let result = catch_unwind(AssertUnwindSafe(|| {
                Spread::Over(&team).for_each(100, |i| assert!(!panics(i), "on purpose"));
            }));
            assert!(result.is_err());
            let hits = AtomicUsize::new(0);
            Spread::Over(&team).for_each(100, |_| {
                hits.fetch_add(1, Ordering::Relaxed);
            });
            assert_eq!(hits.load(Ordering::Relaxed), 100);
        }
    }
}
