//! How the CPU engine divides work among threads.

use rayon::{ThreadPool, ThreadPoolBuilder};
use std::num::NonZeroUsize;
use std::thread::available_parallelism;

/// Threads, and what they run. Tables do not depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Threads {
    /// Threads that run blocks of maps, besides the one that exchanges labels and tables with the
    /// caller. If it is 1, that one does everything.
    pub count: NonZeroUsize,
    /// Least ANDs of a task, which is some blocks of a map: by default 2^12, some 30 microseconds.
    /// It should be large against the 128 ANDs whose round keys are expanded at a time. Maps that
    /// together have less than two tasks run on one thread.
    pub task_ands: u64,
    /// Labels that may be copied to and from a task for each AND; maps with more run on one thread.
    /// By default 4: copying them takes about as long as the AND.
    pub labels_an_and: u64,
}

/// Tasks of a large map for each thread, so that all end at about the same time.
const TASKS_A_THREAD: u64 = 4;
/// A task of a large map has up to this many times the least ANDs.
const LARGE_TASK: u64 = 4;

impl Threads {
    /// This number of threads, with tasks as they are best on usual processors.
    pub fn new(count: NonZeroUsize) -> Threads {
        Threads { count, task_ands: 1 << 12, labels_an_and: 4 }
    }

    /// That number of threads, or one for each core if it is `None`: of this party's share of the
    /// cores if `parties` run on this computer.
    pub fn for_parties(number: Option<NonZeroUsize>, parties: usize) -> Threads {
        let share = || {
            let cores = available_parallelism().map_or(1, NonZeroUsize::get);
            NonZeroUsize::new(cores / parties.max(1)).unwrap_or(NonZeroUsize::MIN)
        };
        Threads::new(number.unwrap_or_else(share))
    }

    /// A pool of these threads. `None` if the system has too few: one thread makes the same tables.
    pub(super) fn pool(self) -> Option<ThreadPool> {
        let pool = ThreadPoolBuilder::new().num_threads(self.count.get());
        pool.thread_name(|number| format!("engine-{number}")).build().ok()
    }

    /// What to tell the user if there is no pool.
    pub(super) fn lacking(self) -> String {
        format!("the system cannot start {} threads: this run has one", self.count)
    }

    /// ANDs of a task of a map that has `ands`.
    pub(super) fn of_a_task(self, ands: u64) -> u64 {
        let share = ands / (TASKS_A_THREAD * self.count.get() as u64);
        share.clamp(self.task_ands, self.task_ands.saturating_mul(LARGE_TASK))
    }
}

impl Default for Threads {
    /// One thread.
    fn default() -> Threads {
        Threads::new(NonZeroUsize::MIN)
    }
}
