//! Carriers, which move the bytes of frames: over a byte stream, or through a ring of buffers.

use crate::channel::ChannelError;
use crate::text::is_shown;
use halfgate_engine::wipe::Buffer;
use std::io;

/// Moves bytes. No call blocks for longer than a [`TICK`](crate::stream::TICK). A call that moved
/// nothing in that time fails with [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`].
pub trait Carrier: Send {
    /// Whether bytes can be damaged in transit, so that frames carry a CRC.
    const CHECKED: bool;

    /// Takes some of `out[from..to]` to send it, and returns how many bytes. May replace the buffer
    /// by another once all of it is taken.
    fn send(&mut self, out: &mut Buffer, from: usize, to: usize) -> io::Result<usize>;

    /// Whether everything that `send` took was sent. Waits for it for at most a tick.
    fn is_sent(&mut self) -> io::Result<bool> {
        Ok(true)
    }

    /// Receives at most `limit - input.end` bytes to the end of `input`. Returns 0 at the end of
    /// the connection. Blocks only if `wait` is set. May drop the used part of `input`.
    fn receive(&mut self, input: &mut Input, limit: usize, wait: bool) -> io::Result<usize>;

    /// Whether [`set_aside`](Carrier::set_aside) takes received data from the carrier. Otherwise
    /// `receive` appends it to the buffer that is being read.
    const SETS_ASIDE: bool = false;

    /// Takes received data from the carrier and keeps it for later calls of `receive`, at most
    /// `limit` bytes in all. This frees space for the peer to send. Returns whether there was any
    /// data.
    fn set_aside(&mut self, limit: usize) -> bool {
        let _ = limit;
        false
    }

    /// Ends the sending direction.
    fn close(&mut self);

    /// Receives and discards at most `limit` bytes, after [`close`](Carrier::close). Returns 0 at
    /// the end of the connection. The caller passes the same `waste` to each call.
    fn skip(&mut self, waste: &mut Input, limit: usize) -> io::Result<usize> {
        waste.end = 0;
        self.receive(waste, limit, true)
    }

    /// Shows the peer that this side is alive, if the carrier can do so without a frame. Returns
    /// whether it did.
    fn show_life(&mut self) -> bool {
        false
    }

    /// Whether the peer has shown that it is alive since the last call: by a sign of its own, or as
    /// it has taken some of what is on its way, and more is. A heartbeat that only the system took
    /// does not count.
    fn peer_lives(&mut self) -> bool {
        false
    }
}

/// Received bytes that are not used yet: `bytes[start..end]`.
#[derive(Default)]
pub struct Input {
    /// The buffer. It may hold labels.
    pub bytes: Buffer,
    /// Where the next frame begins.
    pub start: usize,
    /// Where the received bytes end.
    pub end: usize,
}

/// The longest reason that is sent or shown, in bytes.
pub(crate) const MAX_REASON: usize = 500;

/// The reason in an abort's payload, made safe for a terminal.
pub(crate) fn reason(payload: &[u8]) -> String {
    let text = String::from_utf8_lossy(&payload[..payload.len().min(MAX_REASON)]);
    text.chars().map(|c| if is_shown(c) { c } else { ' ' }).collect()
}

/// Maps a failure of a carrier to a channel error.
pub(crate) fn broken(error: io::Error) -> ChannelError {
    use io::ErrorKind::{BrokenPipe, ConnectionAborted, ConnectionReset, UnexpectedEof, WriteZero};
    match error.kind() {
        BrokenPipe | ConnectionAborted | ConnectionReset | UnexpectedEof | WriteZero => {
            ChannelError::Closed
        }
        _ => ChannelError::Io(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_reason_is_shown_in_one_line_as_it_is_read() {
        let shown = reason("a\r\nresult: 7\x1b[2J \u{202e}b".as_bytes());
        assert_eq!(shown, "a  result: 7 [2J  b");
    }
}
