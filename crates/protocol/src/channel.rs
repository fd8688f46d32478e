//! Channels: frames between two parties, whoever carries them.

use crate::frame::{Kind, Transcript};
use std::fmt;
use std::io;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

/// Frames in order, both ways.
///
/// A channel keeps time for its caller: while a call waits it sends heartbeats, looks at the
/// cancel flag, and ends with an error when the peer has been silent for too long or a
/// [deadline](Channel::set_deadline) is over. Heartbeats and aborts of the peer are dealt with
/// inside and never returned. After an error a channel is of no further use.
///
/// The peer's first message must be whole within the timeout, whether or not bytes of it come, and
/// no heartbeat may come before it.
///
/// Frames may wait in a buffer until [`flush`](Channel::flush); a call that waits for the peer
/// flushes first.
pub trait Channel: Send {
    /// Sets how long the peer may be silent and which flag ends the session.
    fn set_timing(&mut self, timing: Timing);

    /// Sets when the step that begins now must be over, whatever the peer sends until then. `None`
    /// sets no limit.
    fn set_deadline(&mut self, deadline: Option<Deadline>);

    /// Room for `len` bytes of a frame of `kind`, to be filled and committed before any other
    /// call. Consecutive rooms of [`Kind::Tables`] share a frame; any other room is a frame of
    /// its own.
    ///
    /// # Errors
    /// If `len` is above [`MAX_PAYLOAD`](crate::frame::MAX_PAYLOAD), or frames had to be sent to
    /// make room and that failed.
    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError>;

    /// The room last given is filled.
    ///
    /// # Errors
    /// If frames were sent and that failed.
    fn send_commit(&mut self) -> Result<(), ChannelError>;

    /// Sends one frame.
    ///
    /// # Errors
    /// As [`send_space`](Channel::send_space) and [`send_commit`](Channel::send_commit).
    fn send(&mut self, kind: Kind, payload: &[u8]) -> Result<(), ChannelError> {
        self.send_space(kind, payload.len())?.copy_from_slice(payload);
        self.send_commit()
    }

    /// Sends what waits in the buffer.
    ///
    /// # Errors
    /// If the peer is gone, silent, or has ended the session.
    fn flush(&mut self) -> Result<(), ChannelError>;

    /// Waits for the next frame. Its bytes are [`payload`](Channel::payload) until the next call
    /// of `recv` or `try_recv`.
    ///
    /// # Errors
    /// If the peer is gone, silent, has ended the session, or sent what is not a frame.
    fn recv(&mut self) -> Result<Kind, ChannelError>;

    /// The next frame, if it has come: [`recv`](Channel::recv) without waiting. Looks for what has
    /// come at most every millisecond, and flushes nothing.
    ///
    /// # Errors
    /// As [`recv`](Channel::recv), but that silence and the end of the connection are none.
    fn try_recv(&mut self) -> Result<Option<Kind>, ChannelError>;

    /// The bytes of the frame last received.
    fn payload(&self) -> &[u8];

    /// To be called now and then while computing: sends a heartbeat if one is due, reads what has
    /// come, looks at the cancel flag. Costs next to nothing if called too often.
    ///
    /// # Errors
    /// If the peer is gone, silent, or has ended the session, or the session is cancelled.
    fn tick(&mut self) -> Result<(), ChannelError>;

    /// Tells the peer, as well as that can be done in a moment, that this party ends the session.
    fn abort(&mut self, reason: &str);

    /// Sends what waits, ends the connection, and waits up to a second for the peer to do the same.
    ///
    /// # Errors
    /// As [`flush`](Channel::flush).
    fn close(&mut self) -> Result<(), ChannelError>;

    /// Bytes sent, frame headers included.
    fn bytes_sent(&self) -> u64;

    /// Bytes received in frames, frame headers included.
    fn bytes_received(&self) -> u64;

    /// The digest of all frames sent but heartbeats, those in the buffer included.
    fn sent_digest(&mut self) -> Transcript;

    /// The digest of all frames received before the last one, heartbeats apart.
    fn received_digest(&self) -> Transcript;

    /// The number of ANDs done, for heartbeats.
    fn set_progress(&mut self, ands: u64);

    /// How long a message and its answer took when the connection was made; `None` where this side
    /// did not measure it.
    fn round_trip(&self) -> Option<Duration> {
        None
    }
}

/// A channel's sense of time.
#[derive(Clone, Debug)]
pub struct Timing {
    /// How long the peer may be silent.
    pub timeout: Duration,
    /// How long this side may be silent before it sends a heartbeat.
    pub heartbeat: Duration,
    /// Ends the session when set.
    pub cancel: Arc<AtomicBool>,
}

impl Timing {
    /// A timing that waits `timeout`, for a peer that does the same.
    pub fn new(timeout: Duration, cancel: Arc<AtomicBool>) -> Timing {
        Timing { timeout, heartbeat: heartbeat_for(timeout), cancel }
    }
}

impl Default for Timing {
    fn default() -> Timing {
        Timing::new(Duration::from_secs(30), Arc::default())
    }
}

/// When a step of a session must be over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// The step, as errors name it: "handshake".
    pub step: &'static str,
    /// How long it may take.
    pub limit: Duration,
    /// When that is over.
    pub at: Instant,
}

impl Deadline {
    /// For a step that begins now; `None` if the limit is beyond what the clock counts.
    pub fn of(step: &'static str, limit: Duration) -> Option<Deadline> {
        Some(Deadline { step, limit, at: Instant::now().checked_add(limit)? })
    }
}

/// How often to send heartbeats to a peer that waits `timeout`: every two seconds, or several
/// times within a shorter time. A peer that says it waits for no time at all gets a hundred a
/// second, and not all that this side can send.
pub fn heartbeat_for(timeout: Duration) -> Duration {
    (timeout / 4).clamp(Duration::from_millis(10), Duration::from_secs(2))
}

/// Why a channel ended. "Peer" is the other party; whoever knows its role adds it.
#[derive(Debug)]
pub enum ChannelError {
    /// The peer closed the connection or died.
    Closed,
    /// The connection failed.
    Io(io::Error),
    /// The peer was silent for too long.
    Timeout {
        /// The silence that was allowed.
        after: Duration,
    },
    /// A step was not over by its deadline.
    Deadline {
        /// The step.
        step: &'static str,
        /// How long it might take.
        limit: Duration,
    },
    /// The peer sent a heartbeat before its first message.
    Early,
    /// The cancel flag was set. The peer has been told.
    Cancelled,
    /// The peer ended the session and gave this reason (cleaned of control characters).
    Aborted(String),
    /// What came is not a frame, or a damaged one.
    Damaged {
        /// What is wrong with it.
        what: &'static str,
        /// The number of the frame, from 0.
        frame: u64,
    },
    /// The caller wanted to send a frame longer than frames may be.
    TooLong(usize),
}

impl fmt::Display for ChannelError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelError::Closed => f.write_str("closed the connection"),
            ChannelError::Io(error) => write!(f, "cannot be reached any more: {error}"),
            ChannelError::Timeout { after } => {
                write!(f, "was silent for {} s", after.as_secs_f64())
            }
            ChannelError::Deadline { step, limit } => write!(
                f,
                "was not through with the {step} by its deadline of {} s; if it is only slow, set \
                 a later one",
                limit.as_secs_f64()
            ),
            ChannelError::Early => f.write_str("sent a heartbeat before its first message"),
            ChannelError::Cancelled => f.write_str("was told that this side cancelled the run"),
            ChannelError::Aborted(reason) => write!(f, "ended the session: {reason}"),
            ChannelError::Damaged { what, frame } => {
                write!(f, "sent a damaged frame (number {frame}): {what}")
            }
            ChannelError::TooLong(len) => {
                write!(f, "was to get a frame of {len} bytes, longer than frames may be")
            }
        }
    }
}

impl ChannelError {
    /// The same error, made anew: see [`SessionError::fresh`](crate::session::SessionError).
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
    fn a_peer_that_says_it_waits_for_no_time_gets_no_flood_of_heartbeats() {
        assert_eq!(heartbeat_for(Duration::ZERO), Duration::from_millis(10));
        assert_eq!(heartbeat_for(Duration::from_secs(1)), Duration::from_millis(250));
        assert_eq!(heartbeat_for(Duration::MAX), Duration::from_secs(2));
    }
}
