//! Work on a thread of its own, while this thread waits for it and for Ctrl-C.

use crate::raise;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;

/// How often a waiting thread looks for signals.
pub const SIGNALS: Duration = Duration::from_millis(100);

/// The process that ran something first; 0 if none did.
static PROCESS: AtomicU32 = AtomicU32::new(0);

/// Runs `work` on a new thread. If a signal raises an exception meanwhile, sets `cancel`, waits
/// for the end of `work`, and returns the exception.
///
/// # Errors
/// The exception of a signal, a panic in `work`, or that this process was forked from one that had
/// run something: threads do not survive a fork.
pub fn run<R: Send>(
    py: Python<'_>,
    cancel: &AtomicBool,
    work: impl FnOnce() -> R + Send,
) -> PyResult<R> {
    let first = PROCESS.compare_exchange(0, process::id(), Ordering::Relaxed, Ordering::Relaxed);
    if first.is_err_and(|id| id != process::id()) {
        let what = "this process was forked after Halfgate had run in its parent, and its threads \
                    are not in the child: start processes with multiprocessing's method \"spawn\", \
                    or run the first program after the fork";
        return Err(raise::exception(py, "ForkError", what));
    }
    std::thread::scope(|scope| {
        let (sender, receiver) = channel();
        scope.spawn(move || {
            let result = catch_unwind(AssertUnwindSafe(work));
            // The receiver waits until it has this.
            let _ = sender.send(result);
        });
        let receiver = Mutex::new(receiver);
        let wait = || match receiver.lock() {
            Ok(receiver) => receiver.recv_timeout(SIGNALS),
            Err(_) => Err(RecvTimeoutError::Disconnected),
        };
        let mut interrupted = None;
        loop {
            match py.detach(wait) {
                Ok(Ok(result)) => return interrupted.map_or(Ok(result), Err),
                Ok(Err(panic)) => return Err(raise::of_panic(&*panic)),
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(raise::of_panic(&"a thread ended without a result"));
                }
                Err(RecvTimeoutError::Timeout) if interrupted.is_none() => {
                    if let Err(error) = py.check_signals() {
                        cancel.store(true, Ordering::Relaxed);
                        interrupted = Some(error);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
    })
}
