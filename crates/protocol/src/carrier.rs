//! What moves the bytes of frames: a byte stream or a ring of buffers.

use crate::channel::ChannelError;
use crate::text::is_shown;
use halfgate_engine::wipe::Buffer;
use std::io;

/// Moves bytes. No call blocks for longer than a [`TICK`](crate::stream::TICK); one that moved
/// nothing in that time fails with [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`].
pub trait Carrier: Send {
    /// Whether bytes can be damaged on the way, so that frames carry a CRC.
    const CHECKED: bool;

    /// Sends some of `out[from..to]`, and says how many bytes. May put another buffer in its
    /// place once all of it is sent.
    fn send(&mut self, out: &mut Buffer, from: usize, to: usize) -> io::Result<usize>;

    /// Receives at most `limit - input.end` bytes to the end of `input`, 0 if there will be no
    /// more; without waiting unless `wait`. What was used up of `input` may go.
    fn receive(&mut self, input: &mut Input, limit: usize, wait: bool) -> io::Result<usize>;

    /// Whether what has come is taken out of the peer's way by [`set_aside`](Carrier::set_aside),
    /// rather than by `receive` to the end of a buffer that is being read.
    const SETS_ASIDE: bool = false;

    /// Takes what has come out of the peer's way, for later calls of `receive`, at most `limit` bytes
    /// in all. Says whether there was anything.
    fn set_aside(&mut self, limit: usize) -> bool {
        let _ = limit;
        false
    }

    /// Says that nothing more will be sent.
    fn close(&mut self);

    /// Receives, after [`close`](Carrier::close), bytes that nobody wants to know any more, at most
    /// `limit` of them: 0 if there will be no more. `waste` is the same at each call.
    fn skip(&mut self, waste: &mut Input, limit: usize) -> io::Result<usize> {
        waste.end = 0;
        self.receive(waste, limit, true)
    }

    /// Shows the peer that this side is alive, where that takes no frame, and says whether it did.
    fn show_life(&mut self) -> bool {
        false
    }

    /// Whether the peer has shown that it is alive since the last call.
    fn peer_lives(&mut self) -> bool {
        false
    }
}

/// What has been received and is not yet used up: `bytes[start..end]`.
#[derive(Default)]
pub struct Input {
    /// The buffer. Labels come in it.
    pub bytes: Buffer,
    /// Where the next frame begins.
    pub start: usize,
    /// Where what has been received ends.
    pub end: usize,
}

/// The longest reason that is sent or shown.
pub(crate) const MAX_REASON: usize = 500;

/// The reason in an abort's payload, as it may be shown on a terminal.
pub(crate) fn reason(payload: &[u8]) -> String {
    let text = String::from_utf8_lossy(&payload[..payload.len().min(MAX_REASON)]);
    text.chars().map(|c| if is_shown(c) { c } else { ' ' }).collect()
}

/// What the failure of a carrier says about the peer.
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
