//! Channels: frames between two parties, over any carrier.

use crate::frame::{Kind, Transcript};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// An ordered, bidirectional connection that carries frames.
///
/// While a call waits, the channel sends heartbeats and checks the cancel flag. The call fails when
/// the peer has sent nothing for longer than the timeout or a [deadline](Channel::set_deadline) has
/// passed. The channel handles the peer's heartbeats and aborts itself and never returns them.
/// After an error a channel must not be used any more.
///
/// The peer's first message must be complete within the timeout, even if bytes of it keep arriving.
/// No heartbeat may come before it.
///
/// Frames may stay in a buffer until [`flush`](Channel::flush). A call that waits for the peer
/// flushes first.
pub trait Channel: Send {
    /// Sets the idle timeout, the heartbeat interval and the cancel flag.
    fn set_timing(&mut self, timing: Timing);

    /// Sets the deadline of the step that begins now, whatever the peer sends until then. `None`
    /// sets no limit.
    fn set_deadline(&mut self, deadline: Option<Deadline>);

    /// Returns a slice of `len` bytes for the payload of a frame of `kind`. The caller must fill it
    /// and commit it before any other call. Consecutive slices of [`Kind::Tables`] share a frame;
    /// any other slice is a frame of its own.
    ///
    /// # Errors
    /// If `len` is above [`MAX_PAYLOAD`](crate::frame::MAX_PAYLOAD), or if frames had to be sent to
    /// free space and sending failed.
    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError>;

    /// Commits the slice that [`send_space`](Channel::send_space) returned last.
    ///
    /// # Errors
    /// If frames were sent and sending failed.
    fn send_commit(&mut self) -> Result<(), ChannelError>;

    /// Sends one frame.
    ///
    /// # Errors
    /// As [`send_space`](Channel::send_space) and [`send_commit`](Channel::send_commit).
    fn send(&mut self, kind: Kind, payload: &[u8]) -> Result<(), ChannelError> {
        self.send_space(kind, payload.len())?.copy_from_slice(payload);
        self.send_commit()
    }

    /// Sends all buffered frames. They may still be on their way; [`close`](Channel::close) waits
    /// for them.
    ///
    /// # Errors
    /// If the connection is lost, the idle timeout expires, or the peer has ended the session.
    fn flush(&mut self) -> Result<(), ChannelError>;

    /// Waits for the next frame. [`payload`](Channel::payload) returns its bytes until the next
    /// call of `recv` or `try_recv`.
    ///
    /// # Errors
    /// If the connection is lost, the idle timeout expires, the peer has ended the session, or it
    /// sent something that is not a frame.
    fn recv(&mut self) -> Result<Kind, ChannelError>;

    /// Returns the next frame if it has arrived: [`recv`](Channel::recv) without waiting. Reads
    /// from the carrier at most every millisecond, and flushes nothing.
    ///
    /// # Errors
    /// As [`recv`](Channel::recv), except that neither an idle peer nor the end of the connection
    /// is an error.
    fn try_recv(&mut self) -> Result<Option<Kind>, ChannelError>;

    /// The payload of the frame last received.
    fn payload(&self) -> &[u8];

    /// Sends a heartbeat if one is due, reads what has arrived and checks the cancel flag. Call
    /// this regularly while computing; a call that comes too early costs next to nothing.
    ///
    /// # Errors
    /// If the connection is lost, the idle timeout expires, the peer has ended the session, or the
    /// session is cancelled.
    fn tick(&mut self) -> Result<(), ChannelError>;

    /// Sends the peer an abort with this reason. Gives up after about a second.
    fn abort(&mut self, reason: &str);

    /// Flushes, ends the connection, and waits up to a second for the peer to do the same.
    ///
    /// # Errors
    /// As [`flush`](Channel::flush).
    fn close(&mut self) -> Result<(), ChannelError>;

    /// Bytes sent, frame headers included.
    fn bytes_sent(&self) -> u64;

    /// Bytes received in frames, frame headers included.
    fn bytes_received(&self) -> u64;

    /// The digest of all frames sent, including buffered ones, without heartbeats.
    fn sent_digest(&mut self) -> Transcript;

    /// The digest of all frames received before the last one, without heartbeats.
    fn received_digest(&self) -> Transcript;

    /// Sets the number of ANDs done, which heartbeats report.
    fn set_progress(&mut self, ands: u64);

    /// The round trip that was measured when the connection was made; `None` if this side did not
    /// measure it.
    fn round_trip(&self) -> Option<Duration> {
        None
    }
}

/// Timeout, heartbeat interval and cancel flag of a channel.
#[derive(Clone, Debug)]
pub struct Timing {
    /// The idle timeout: the longest time without a byte from the peer.
    pub timeout: Duration,
    /// The longest time without a byte to the peer; then a heartbeat is sent.
    pub heartbeat: Duration,
    /// Ends the session when set.
    pub cancel: Arc<AtomicBool>,
}

impl Timing {
    /// Timing with this idle timeout, for a peer that uses the same timeout.
    pub fn new(timeout: Duration, cancel: Arc<AtomicBool>) -> Timing {
        Timing { timeout, heartbeat: heartbeat_for(timeout), cancel }
    }
}

impl Default for Timing {
    fn default() -> Timing {
        Timing::new(Duration::from_secs(30), Arc::default())
    }
}

/// The deadline of a step of a session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The step's name in error messages, such as "handshake".
    pub step: &'static str,
    /// How long the step may take.
    pub limit: Duration,
    /// The time at which the step must have ended.
    pub at: Instant,
}

impl Deadline {
    /// The deadline of a step that begins now; `None` if the limit exceeds the clock's range.
    pub fn of(step: &'static str, limit: Duration) -> Option<Deadline> {
        Some(Deadline { step, limit, at: Instant::now().checked_add(limit)? })
    }
}

/// The heartbeat interval for a peer with this idle timeout: a quarter of it, at least 10 ms and at
/// most 2 s. The lower bound keeps a peer that claims a timeout of zero from causing a flood of
/// heartbeats.
pub fn heartbeat_for(timeout: Duration) -> Duration {
    (timeout / 4).clamp(Duration::from_millis(10), Duration::from_secs(2))
}

/// Why a channel ended. "Peer" is the other party; callers that know its role add it.
#[derive(Debug)]
pub enum ChannelError {
    /// The peer closed the connection or died.
    Closed,
    /// The connection failed.
    Io(io::Error),
    /// The idle timeout expired.
    Timeout {
        /// The idle timeout.
        after: Duration,
    },
    /// A step did not end by its deadline.
    Deadline {
        /// The step.
        step: &'static str,
        /// How long the step was allowed to take.
        limit: Duration,
    },
    /// The peer sent a heartbeat before its first message.
    Early,
    /// The cancel flag was set. An abort has been sent to the peer.
    Cancelled,
    /// The peer ended the session with this reason (unsafe characters are replaced by spaces).
    Aborted(String),
    /// The received bytes are not a frame, or a damaged one.
    Damaged {
        /// What is wrong with it.
        what: &'static str,
        /// The number of the frame, from 0.
        frame: u64,
    },
    /// The caller tried to send a frame whose payload exceeds the maximum.
    TooLong(usize),
}

impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Closed => f.write_str("closed the connection"),
            ChannelError::Io(error) => write!(f, "cannot be reached any more: {error}"),
            ChannelError::Timeout { after } => {
                write!(f, "sent nothing for {} s", after.as_secs_f64())
            }
            ChannelError::Deadline { step, limit } => write!(
                f,
                "did not finish the {step} by its deadline of {} s; if it is only slow, set a \
                 later deadline",
                limit.as_secs_f64()
            ),
            ChannelError::Early => f.write_str("sent a heartbeat before its first message"),
            ChannelError::Cancelled => f.write_str("was notified that this side cancelled the run"),
            ChannelError::Aborted(reason) => write!(f, "ended the session: {reason}"),
            ChannelError::Damaged { what, frame } => {
                write!(f, "sent a damaged frame (number {frame}): {what}")
            }
            ChannelError::TooLong(len) => {
                write!(f, "cannot be sent a frame of {len} bytes: it exceeds the maximum length")
            }
        }
    }
}

impl ChannelError {
    /// The same error, constructed anew: see [`SessionError::fresh`](crate::session::SessionError).
    pub(crate) fn remade(self) -> ChannelError {
        match self {
            ChannelError::Closed => ChannelError::Closed,
            ChannelError::Io(error) => ChannelError::Io(error),
            ChannelError::Timeout { after } => ChannelError::Timeout { after },
            ChannelError::Deadline { step, limit } => ChannelError::Deadline { step, limit },
            ChannelError::Early => ChannelError::Early,
            ChannelError::Cancelled => ChannelError::Cancelled,
            ChannelError::Aborted(reason) => ChannelError::Aborted(reason),
            ChannelError::Damaged { what, frame } => ChannelError::Damaged { what, frame },
            ChannelError::TooLong(len) => ChannelError::TooLong(len),
        }
    }
}

impl std::error::Error for ChannelError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ChannelError::Io(error) => Some(error),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_peer_with_a_timeout_of_zero_gets_no_flood_of_heartbeats() {
        assert_eq!(heartbeat_for(Duration::ZERO), Duration::from_millis(10));
        assert_eq!(heartbeat_for(Duration::from_secs(1)), Duration::from_millis(250));
        assert_eq!(heartbeat_for(Duration::MAX), Duration::from_secs(2));
    }
}
