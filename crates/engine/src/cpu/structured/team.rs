//! The threads of a run, and the tasks that they run.
//!
//! The thread of the run gives the tasks out and takes them back in program order. It alone
//! exchanges labels and tables with the caller, so for the caller the number of threads changes
//! nothing.
//!
//! All tasks are made before the run has labels, and their addresses change hands. A task that is
//! made or moved later would carry labels in its unused bytes: those that lay where it was made.
//!
//! Memory: two tasks for each thread, each with the labels and the tables of its blocks.

use super::lower::Code;
use super::machine::{Frame, Task, Team, With};
use crate::EngineError;
use crate::cpu::threads::Threads;
use halfgate_kernels::{Label, Others};
use rayon::{Scope, ThreadPool};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How long the run's thread waits for a task before it reports progress.
const PATIENCE: Duration = Duration::from_millis(20);

/// One that runs for each thread, and one that waits.
fn number_of_tasks(threads: Threads) -> usize {
    2 * threads.count.get()
}

impl<'a> Team<'a> {
    pub fn new(pool: &'a ThreadPool, threads: Threads, code: &'a Code, with: With<'a>) -> Team<'a> {
        let (end, ends) = channel();
        let count = number_of_tasks(threads);
        let idle = (0..count).map(|_| Box::new(Task::new(code, with))).collect();
        Team { pool, threads, idle, ended: Vec::with_capacity(count), end, ends }
    }

    /// Number of all tasks.
    pub fn tasks(&self) -> usize {
        number_of_tasks(self.threads)
    }

    /// A task that is not in use.
    pub fn idle(&mut self) -> Option<Box<Task<'a>>> {
        self.idle.pop()
    }

    /// Ends the use of a task.
    pub fn release(&mut self, task: Box<Task<'a>>) {
        self.idle.push(task);
    }

    /// Runs a task on the next thread that is free: see [`Task::run`].
    pub fn begin<'scope>(
        &self,
        scope: &Scope<'scope>,
        mut task: Box<Task<'a>>,
        (others, frame): (Others<'scope>, &'scope Frame<'scope>),
        written: &'scope mut [Label],
    ) where
        'a: 'scope,
    {
        let end = self.end.clone();
        scope.spawn(move |_| {
            let ran = catch_unwind(AssertUnwindSafe(|| task.run(others, frame, written)));
            // Nobody waits for it if the run has failed.
            let _ = end.send(ran.is_ok().then_some(task));
            ran.unwrap_or_else(|panic| resume_unwind(panic));
        });
    }

    /// Waits for the task of the call with that number whose runs begin with `start`, and calls
    /// `report` from time to time.
    ///
    /// # Errors
    /// Those of `report`.
    ///
    /// # Panics
    /// If a task has panicked.
    pub fn end(
        &mut self,
        (number, start): (u64, u64),
        mut report: impl FnMut() -> Result<(), EngineError>,
    ) -> Result<Box<Task<'a>>, EngineError> {
        loop {
            let mut ended = self.ended.iter();
            if let Some(place) = ended.position(|task| task.is(number, start)) {
                return Ok(self.ended.swap_remove(place));
            }
            match self.ends.recv_timeout(PATIENCE) {
                Ok(Some(task)) => self.ended.push(task),
                Err(RecvTimeoutError::Timeout) => report()?,
                Ok(None) | Err(RecvTimeoutError::Disconnected) => {
                    panic!("a task of the CPU engine panicked");
                }
            }
        }
    }
}
