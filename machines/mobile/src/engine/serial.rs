//! The chip behind a serial port of the operating system: `/dev/ttyUSB0`, or a pseudo-terminal.

use super::error::PortError;
use super::host::Port;
use super::receive_buffer::ReceiveBuffer;
use halfgate_engine::EngineError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::io::Errno;
use rustix::termios::{ControlModes, OptionalActions, QueueSelector};
use rustix::{io, termios};
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// Timeout. It is many times longer than the chip takes to wipe its memory, and longer than any
/// delay of adapters.
const PATIENCE: Duration = Duration::from_millis(300);
/// Number of unsent bytes that the system may hold. The timeout is extended by the time of these
/// bytes.
const BEFORE: u32 = 4 << 10;
/// Maximum time during which a port may accept no bytes.
const STUCK: Duration = Duration::from_secs(5);
/// Maximum bytes of one read.
const PIECE: usize = 4096;

/// An open port, locked until it is closed.
pub struct Serial {
    fd: OwnedFd,
    path: PathBuf,
    receive_buffer: ReceiveBuffer,
}

impl Serial {
    /// Opens a port at this many baud: eight bits, no parity, and no flow control except the link's
    /// own.
    ///
    /// # Errors
    /// If there is no such port, it is no serial port, it does not support the rate, or it is in
    /// use.
    pub fn open(path: &Path, baud: u32) -> Result<Serial, EngineError> {
        let own = || path.to_owned();
        let wrong = |doing, error: Errno| {
            EngineError::device(PortError::Open { path: own(), doing, error: error.into() })
        };
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::NONBLOCK | OFlags::CLOEXEC;
        let fd = rustix::fs::open(path, flags, Mode::empty())
            .map_err(|error| wrong("open the port", error))?;
        let mut line = termios::tcgetattr(&fd).map_err(|error| match error {
            Errno::NOTTY => {
                EngineError::device(PortError::Other { path: own(), what: "serial port" })
            }
            error => wrong("read the port's settings", error),
        })?;
        // The lock ends with the process, even if the process is killed. The exclusive mode of a
        // terminal would last as long as any process has the terminal open.
        flock(&fd, FlockOperation::NonBlockingLockExclusive).map_err(|error| match error {
            Errno::AGAIN => EngineError::device(PortError::InUse { path: own() }),
            error => wrong("lock the port", error),
        })?;
        line.make_raw();
        line.control_modes |= ControlModes::CLOCAL | ControlModes::CREAD;
        line.control_modes -= ControlModes::CRTSCTS | ControlModes::CSTOPB;
        let rate = |error: Errno| {
            EngineError::device(PortError::Baud { path: own(), baud, error: error.into() })
        };
        line.set_speed(baud).map_err(rate)?;
        termios::tcsetattr(&fd, OptionalActions::Now, &line).map_err(rate)?;
        // Drop bytes that an earlier run left unread.
        termios::tcflush(&fd, QueueSelector::IOFlush)
            .map_err(|error| wrong("empty the port", error))?;
        let path = path.to_owned();
        // A byte takes ten bits.
        let patience = PATIENCE + Duration::from_secs(1) * (10 * BEFORE) / baud.max(1);
        Ok(Serial { fd, path, receive_buffer: ReceiveBuffer::new(patience) })
    }

    /// Sets the timeout.
    pub fn with_patience(mut self, patience: Duration) -> Serial {
        self.receive_buffer.patience = patience;
        self
    }

    fn gone(&self, error: Option<Errno>) -> EngineError {
        let error = error.map(Errno::into);
        EngineError::device(PortError::Gone { path: self.path.clone(), error })
    }

    /// Reads the available bytes into the buffer.
    fn read(&mut self) -> Result<(), EngineError> {
        let mut piece = Zeroizing::new([0; PIECE]);
        let count = PIECE.min(self.receive_buffer.space());
        if count == 0 {
            return Err(EngineError::device(PortError::TooMuch { path: self.path.clone() }));
        }
        match io::read(&self.fd, &mut piece[..count]) {
            Ok(0) => Err(self.gone(None)),
            Ok(count) => {
                self.receive_buffer.came.extend_from_slice(&piece[..count]);
                Ok(())
            }
            Err(Errno::AGAIN | Errno::INTR) => Ok(()),
            Err(error) => Err(self.gone(Some(error))),
        }
    }

    /// Waits until bytes can be read or, if `to_write` is set, written; but at most this long.
    fn wait(&self, to_write: bool, most: Duration) -> Result<PollFlags, EngineError> {
        let events = if to_write { PollFlags::IN | PollFlags::OUT } else { PollFlags::IN };
        let mut requested = [PollFd::new(&self.fd, events)];
        let most = Timespec { tv_sec: most.as_secs() as i64, tv_nsec: most.subsec_nanos().into() };
        match poll(&mut requested, Some(&most)) {
            Ok(_) | Err(Errno::INTR) => Ok(requested[0].revents()),
            Err(error) => Err(self.gone(Some(error))),
        }
    }
}

impl Port for Serial {
    fn send(&mut self, mut bytes: &[u8]) -> Result<(), EngineError> {
        let mut since = Instant::now();
        while !bytes.is_empty() {
            match io::write(&self.fd, bytes) {
                Ok(count) => (bytes, since) = (&bytes[count..], Instant::now()),
                Err(Errno::INTR) => (),
                Err(Errno::AGAIN) => {
                    let left = STUCK.checked_sub(since.elapsed()).ok_or_else(|| {
                        EngineError::device(PortError::Stuck { path: self.path.clone() })
                    })?;
                    if self.wait(true, left)?.contains(PollFlags::IN) {
                        self.read()?;
                    }
                }
                Err(error) => return Err(self.gone(Some(error))),
            }
        }
        Ok(())
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        let since = Instant::now();
        self.read()?;
        while waits && self.receive_buffer.came.is_empty() {
            let Some(left) = self.receive_buffer.patience.checked_sub(since.elapsed()) else {
                break;
            };
            if !self.wait(false, left)?.is_empty() {
                self.read()?;
            }
        }
        Ok(self.receive_buffer.take(since, waits))
    }

    fn is_late(&self) -> bool {
        self.receive_buffer.is_late()
    }

    fn restart_timeout(&mut self) {
        self.receive_buffer.restart_timeout();
    }
}
