//! Frames over a byte stream: a TCP connection, or TLS on one.

use crate::carrier::{Carrier, Input};
use crate::framed::Framed;
use crate::sending::Sending;
use crate::stream::{Stream, TICK, is_tick};
use halfgate_engine::wipe::Buffer;
use std::io;

/// A channel over a byte stream.
pub type StreamChannel<S> = Framed<Bytes<S>>;

/// Bytes after which a thread sends. A session that sends less is over before a thread pays.
const THREAD_AFTER: u64 = 1 << 20;

/// Carries frames over a byte stream.
pub struct Bytes<S> {
    stream: S,
    /// Bytes to send before a thread does; `None` if none will.
    before_thread: Option<u64>,
    sending: Option<Sending>,
}

impl<S: Stream> StreamChannel<S> {
    /// A channel over a connected stream that has no other reader or writer. Once it has sent a
    /// megabyte, a thread of its own seals and sends, if the stream can be divided and this
    /// computer has a core for it.
    pub fn new(stream: S) -> StreamChannel<S> {
        let before_thread = stream.has_core_to_send().then_some(THREAD_AFTER);
        Framed::over(Bytes { stream, before_thread, sending: None })
    }

    /// A channel whose thread sends from the second batch on, whatever the number of cores: for
    /// tests and measurements.
    pub fn with_thread(stream: S) -> StreamChannel<S> {
        Framed::over(Bytes { stream, before_thread: Some(0), sending: None })
    }

    /// A channel without a thread that sends.
    pub fn without_thread(stream: S) -> StreamChannel<S> {
        Framed::over(Bytes { stream, before_thread: None, sending: None })
    }
}

impl<S: Stream> Bytes<S> {
    /// Counts bytes that were sent without a thread, and starts the thread when it is due. If the
    /// system has no thread or descriptor left, the session goes on without.
    fn count(&mut self, sent: usize) {
        let Some(left) = self.before_thread else { return };
        self.before_thread = left.checked_sub(sent as u64);
        if self.before_thread.is_none() {
            match Sending::start(|moved| self.stream.sending_half(moved)) {
                Ok(sending) => self.sending = sending,
                Err(error) => tracing::debug!(%error, "no thread that sends"),
            }
        }
    }
}

impl<S: Stream> Carrier for Bytes<S> {
    const CHECKED: bool = true;

    fn send(&mut self, out: &mut Buffer, from: usize, to: usize) -> io::Result<usize> {
        if let Some(sending) = &mut self.sending {
            debug_assert_eq!(from, 0, "a buffer changes hands whole");
            sending.send(out, to, TICK)?;
            return Ok(to);
        }
        let count = self.stream.write(&out[from..to])?;
        if from + count == to {
            match self.stream.flush() {
                // The thread begins when nothing is left that it does not know of.
                Ok(()) => self.count(to),
                Err(error) if is_tick(&error) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(count)
    }

    fn is_sent(&mut self) -> io::Result<bool> {
        self.sending.as_mut().map_or(Ok(true), |sending| sending.is_done(TICK))
    }

    fn receive(&mut self, input: &mut Input, limit: usize, wait: bool) -> io::Result<usize> {
        if input.bytes.len() < limit {
            input.bytes.resize(limit);
        }
        let space = &mut input.bytes[input.end..limit];
        let count = if wait {
            let read = self.stream.read(space);
            if let (Err(error), Some(sending)) = (&read, &mut self.sending)
                && is_tick(error)
            {
                sending.check()?;
            }
            read?
        } else {
            self.stream.set_nonblocking(true)?;
            let result = self.stream.read(space);
            self.stream.set_nonblocking(false)?;
            result?
        };
        input.end += count;
        Ok(count)
    }

    fn peer_lives(&mut self) -> bool {
        self.sending.as_mut().map_or_else(|| self.stream.is_moving(), Sending::is_moving)
    }

    fn skip(&mut self, waste: &mut Input, limit: usize) -> io::Result<usize> {
        waste.bytes.resize(limit);
        self.stream.skip(&mut waste.bytes)
    }

    fn close(&mut self) {
        // Ends the thread, which may have been unable to send everything.
        self.sending = None;
        // The peer sees the end of the connection in any case.
        let _ = self.stream.close();
    }
}
