//! A thread for the peer of a session.

use std::sync::mpsc::{Receiver, Sender, channel};

type Job<R> = Box<dyn FnOnce() -> R + Send>;

/// A thread for the peer in the sessions of a fuzz target. It outlives the inputs, because starting
/// a thread for each takes about as long as a session. It ends when this is dropped.
pub struct Peer<R> {
    jobs: Sender<Job<R>>,
    results: Receiver<R>,
}

impl<R: Send + 'static> Peer<R> {
    /// Starts the thread.
    pub fn start() -> Peer<R> {
        let (jobs, next_job) = channel::<Job<R>>();
        let (done, results) = channel();
        std::thread::spawn(move || {
            for job in next_job {
                // If the other end is gone, so is the sender of jobs.
                let _ = done.send(job());
            }
        });
        Peer { jobs, results }
    }

    /// Runs `peers` on the thread and `own` on this one, and returns both results.
    ///
    /// # Panics
    /// If one of them panics.
    pub fn run_both<T>(
        &self,
        peers: impl FnOnce() -> R + Send + 'static,
        own: impl FnOnce() -> T,
    ) -> (R, T) {
        self.jobs.send(Box::new(peers)).expect("the thread waits for jobs");
        let own = own();
        (self.results.recv().expect("the peer does not panic"), own)
    }
}
