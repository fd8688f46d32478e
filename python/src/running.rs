//! Work on a thread of its own, while this thread waits for it and for Ctrl-C.

use crate::raise;
use pyo3::prelude::*;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// How often a waiting thread looks for signals.
pub const SIGNALS: Duration = Duration::from_millis(100);

/// Stack of a thread that compiles: as much as a main thread has, since functions are nested.
const STACK_BYTES: usize = 8 << 20;

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
        let mut interrupted = None;
        loop {
            match wait(py, &receiver)? {
                Some(result) => return interrupted.map_or(Ok(result), Err),
                None if interrupted.is_none() => {
                    if let Err(error) = py.check_signals() {
                        cancel.store(true, Ordering::Relaxed);
                        interrupted = Some(error);
                    }
                }
                None => {}
            }
        }
    })
}

/// Runs `work` on a new thread. If a signal raises an exception meanwhile, sets the flag that
/// `work` has, and returns the exception at once: `work` owns its data, and may end later. A
/// process that exits does not wait for it.
///
/// # Errors
/// The exception of a signal, a panic in `work`, or that there is no thread for it.
pub fn run_owned<R: Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce(&Arc<AtomicBool>) -> R + Send + 'static,
) -> PyResult<R> {
    let cancel = Arc::new(AtomicBool::new(false));
    let (sender, receiver) = channel();
    let flag = Arc::clone(&cancel);
    let work = move || {
        let result = catch_unwind(AssertUnwindSafe(|| work(&flag)));
        // After a signal nobody receives it.
        let _ = sender.send(result);
    };
    let thread = std::thread::Builder::new().stack_size(STACK_BYTES).spawn(work);
    thread.map_err(|error| {
        raise::exception(py, "EngineError", &format!("there is no thread to compute on: {error}"))
    })?;
    let receiver = Mutex::new(receiver);
    loop {
        if let Some(result) = wait(py, &receiver)? {
            return Ok(result);
        }
        if let Err(error) = py.check_signals() {
            cancel.store(true, Ordering::Relaxed);
            return Err(error);
        }
    }
}

/// Waits for a result without the interpreter's lock, at most [`SIGNALS`] long.
fn wait<R: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<std::thread::Result<R>>>,
) -> PyResult<Option<R>> {
    let wait = || match receiver.lock() {
        Ok(receiver) => receiver.recv_timeout(SIGNALS),
        Err(_) => Err(RecvTimeoutError::Disconnected),
    };
    match py.detach(wait) {
        Ok(Ok(result)) => Ok(Some(result)),
        Ok(Err(panic)) => Err(raise::of_panic(&*panic)),
        Err(RecvTimeoutError::Timeout) => Ok(None),
        Err(RecvTimeoutError::Disconnected) => {
            Err(raise::of_panic(&"a thread ended without a result"))
        }
    }
}
