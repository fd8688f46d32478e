//! A thread that sends: it seals and writes batches while the session's thread makes the next.
//!
//! A party that sends little needs none, so a channel starts it after its first megabyte. Two
//! batches are on their way at most; a third waits for the first to be sent.

use crate::stream::{Half, is_tick};
use halfgate_engine::wipe::{self, Buffer};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, channel, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// Batches on their way.
const BATCHES: usize = 2;

/// How long a thread that is to stop goes on sending.
const PATIENCE: Duration = Duration::from_secs(1);

/// The thread's name.
const NAME: &str = "halfgate-send";

/// Bytes to be sent, and how many of the buffer.
type Batch = (Buffer, usize);

/// The session's side of the thread. Dropping it ends the thread: after everything was sent, if the
/// peer takes it within [`PATIENCE`].
pub(crate) struct Sending {
    /// Batches to the thread. `None` after the last.
    full: Option<SyncSender<Batch>>,
    /// Buffers that were sent.
    empty: Receiver<Buffer>,
    /// Buffers with the thread.
    out: usize,
    state: Arc<State>,
    thread: Option<JoinHandle<io::Result<()>>>,
}

/// What both sides share.
#[derive(Default)]
struct State {
    /// Set by the session: no more is sent.
    stop: AtomicBool,
    /// Set by the thread when the socket took bytes.
    moved: Arc<AtomicBool>,
}

impl Sending {
    /// Starts a thread that sends through the half that `half` makes. It gets a flag to set
    /// whenever the socket took bytes. `None` if there is no such half.
    ///
    /// # Errors
    /// Those of `half`, and if there are no more threads.
    pub fn start(
        half: impl FnOnce(Arc<AtomicBool>) -> io::Result<Option<Half>>,
    ) -> io::Result<Option<Sending>> {
        let state = Arc::new(State::default());
        let Some(half) = half(state.moved.clone())? else { return Ok(None) };
        let ((full, batches), (sent, empty)) = (sync_channel(BATCHES), channel());
        let shared = state.clone();
        let run = move || {
            let until = Until { stop: &shared.stop, since: None };
            wipe::stack_after(|| send_all(half, &batches, &sent, until))
        };
        let thread = Some(thread::Builder::new().name(NAME.to_owned()).spawn(run)?);
        Ok(Some(Sending { full: Some(full), empty, out: 0, state, thread }))
    }

    /// Gives the first `len` bytes of `bytes` to the thread, and sets `bytes` to a buffer of the
    /// same length.
    ///
    /// # Errors
    /// A tick if all buffers are on their way, and the error that ended the thread.
    pub fn send(&mut self, bytes: &mut Buffer, len: usize, tick: Duration) -> io::Result<()> {
        let mut empty = match self.out < BATCHES {
            true => Buffer::new(bytes.len()),
            false => self.take_back(tick)?,
        };
        if empty.len() < bytes.len() {
            empty.resize(bytes.len());
        }
        let batch = (std::mem::replace(bytes, empty), len);
        self.out += 1;
        let full = self.full.as_ref().map(|full| full.send(batch));
        match full {
            Some(Ok(())) => Ok(()),
            _ => Err(self.end()),
        }
    }

    /// Whether everything was sent. Waits for it for at most `tick`.
    ///
    /// # Errors
    /// The error that ended the thread.
    pub fn is_done(&mut self, tick: Duration) -> io::Result<bool> {
        while self.out > 0 {
            match self.take_back(tick) {
                Ok(_) => {}
                Err(error) if is_tick(&error) => return Ok(false),
                Err(error) => return Err(error),
            }
        }
        Ok(true)
    }

    /// Fails if the thread has ended.
    ///
    /// # Errors
    /// The error that ended it.
    pub fn check(&mut self) -> io::Result<()> {
        let has_ended = self.thread.as_ref().is_none_or(JoinHandle::is_finished);
        if has_ended { Err(self.end()) } else { Ok(()) }
    }

    /// Whether the socket took bytes since the last call, and there are more to send.
    pub fn is_moving(&mut self) -> bool {
        while self.empty.try_recv().is_ok() {
            self.out -= 1;
        }
        self.state.moved.swap(false, Ordering::Relaxed) && self.out > 0
    }

    fn take_back(&mut self, tick: Duration) -> io::Result<Buffer> {
        match self.empty.recv_timeout(tick) {
            Ok(buffer) => {
                self.out -= 1;
                Ok(buffer)
            }
            Err(RecvTimeoutError::Timeout) => Err(io::ErrorKind::TimedOut.into()),
            Err(RecvTimeoutError::Disconnected) => Err(self.end()),
        }
    }

    /// The error that ended the thread.
    fn end(&mut self) -> io::Error {
        self.full = None;
        match self.thread.take().map(JoinHandle::join) {
            Some(Ok(Err(error))) => error,
            Some(Err(_)) => io::Error::other(format!("the thread {NAME} panicked")),
            Some(Ok(Ok(()))) | None => io::ErrorKind::BrokenPipe.into(),
        }
    }
}

impl Drop for Sending {
    fn drop(&mut self) {
        self.state.stop.store(true, Ordering::Relaxed);
        self.full = None;
        if let Some(thread) = self.thread.take() {
            // Nobody is left who could learn of an error or a panic.
            let _ = thread.join();
        }
    }
}

/// The thread: sends batches until there are no more, sending fails, or it is to stop.
fn send_all(
    mut half: Half,
    batches: &Receiver<Batch>,
    sent: &std::sync::mpsc::Sender<Buffer>,
    mut until: Until<'_>,
) -> io::Result<()> {
    for (bytes, len) in batches {
        let mut rest = &bytes[..len];
        while !rest.is_empty() {
            match half.write(rest) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => rest = &rest[count..],
                Err(error) => until.go_on(error)?,
            }
            until.is_over()?;
        }
        while let Err(error) = half.flush() {
            until.go_on(error)?;
        }
        // The session's side may be gone.
        let _ = sent.send(bytes);
    }
    // What TLS has to say about damaged records that were received.
    let _ = half.flush();
    Ok(())
}

/// How long the thread sends.
struct Until<'s> {
    stop: &'s AtomicBool,
    /// When the thread saw that it is to stop.
    since: Option<Instant>,
}

impl Until<'_> {
    /// Fails if the thread was to stop some time ago.
    fn is_over(&mut self) -> io::Result<()> {
        if self.stop.load(Ordering::Relaxed) {
            let since = self.since.get_or_insert_with(Instant::now);
            if since.elapsed() >= PATIENCE {
                return Err(io::ErrorKind::TimedOut.into());
            }
        }
        Ok(())
    }

    /// Whether to try again after an error. The socket may be set not to block, for a moment.
    fn go_on(&mut self, error: io::Error) -> io::Result<()> {
        if !is_tick(&error) {
            return Err(error);
        }
        thread::yield_now();
        self.is_over()
    }
}

#[cfg(test)]
#[path = "sending_tests.rs"]
mod tests;
