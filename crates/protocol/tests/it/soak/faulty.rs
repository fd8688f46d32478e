//! A stream whose writes fail in a chosen way from a chosen byte on.

use crate::hostile::messages::Random;
use halfgate_protocol::stream::{Half, Stream};
use std::io::{self, Read, Write};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// The fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// No fault.
    None,
    /// The connection is lost in both directions.
    Reset,
    /// Nothing more is sent, and the stream ends.
    Cut,
    /// Bytes are repeated.
    Twice,
    /// A bit flips.
    Flip,
    /// Bytes are delayed.
    Delay,
    /// Nothing more is sent, but the stream stays open.
    Idle,
}

const FAULTS: [Fault; 6] =
    [Fault::Reset, Fault::Cut, Fault::Twice, Fault::Flip, Fault::Delay, Fault::Idle];

/// A random fault; `Idle`, which takes time, is rare.
pub fn random(random: &mut Random) -> Fault {
    match random.below(8) {
        0 | 1 => Fault::None,
        2 if random.below(4) > 0 => Fault::Reset,
        _ => {
            let most = if random.below(6) == 0 { FAULTS.len() } else { FAULTS.len() - 1 };
            FAULTS[random.below(most)]
        }
    }
}

/// A stream with a fault in what it sends.
pub struct Faulty<S> {
    inner: S,
    fault: Fault,
    /// Bytes until the fault.
    left: usize,
    over: bool,
}

impl<S> Faulty<S> {
    pub fn new(inner: S, fault: Fault, left: usize) -> Faulty<S> {
        Faulty { inner, fault, left, over: false }
    }
}

impl<S: Stream> Read for Faulty<S> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        match self.fault {
            Fault::Reset if self.over => Err(io::ErrorKind::ConnectionReset.into()),
            _ => self.inner.read(bytes),
        }
    }
}

impl<S: Stream> Write for Faulty<S> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.over {
            return match self.fault {
                Fault::Reset => Err(io::ErrorKind::BrokenPipe.into()),
                Fault::Cut | Fault::Idle => Ok(bytes.len()),
                _ => self.inner.write(bytes),
            };
        }
        if self.left > 0 || self.fault == Fault::None {
            let count = match self.fault {
                Fault::None => bytes.len(),
                _ => bytes.len().min(self.left),
            };
            let count = self.inner.write(&bytes[..count])?;
            self.left = self.left.saturating_sub(count);
            return Ok(count);
        }
        self.over = true;
        match self.fault {
            Fault::Reset | Fault::Cut => {
                self.inner.close()?;
                self.write(bytes)
            }
            Fault::Twice => {
                let _ = self.inner.write(bytes)?;
                self.inner.write(bytes)
            }
            Fault::Flip => {
                let _ = self.inner.write(&[bytes[0] ^ 16])?;
                Ok(1)
            }
            Fault::Delay => {
                std::thread::sleep(Duration::from_millis(20));
                self.inner.write(bytes)
            }
            Fault::None | Fault::Idle => Ok(bytes.len()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<S: Stream> Stream for Faulty<S> {
    fn set_nonblocking(&mut self, on: bool) -> io::Result<()> {
        self.inner.set_nonblocking(on)
    }

    fn sending_half(&mut self, moved: Arc<AtomicBool>) -> io::Result<Option<Half>> {
        match self.fault {
            Fault::None => self.inner.sending_half(moved),
            _ => Ok(None),
        }
    }

    fn close(&mut self) -> io::Result<()> {
        match self.fault {
            Fault::Idle if self.over => Ok(()),
            _ => self.inner.close(),
        }
    }
}
