//! Messages of malicious sessions: frames of one kind and a known length.

use crate::channel::Channel;
use crate::frame::{Kind, MAX_PAYLOAD};
use crate::ot::OtError;
use crate::session::SessionError;
use crate::session::transfer::expect;
use halfgate_circuit::Party;
use zeroize::Zeroizing;

/// A channel to the peer.
pub(super) struct Link<'c> {
    pub channel: &'c mut dyn Channel,
    pub peer: Party,
}

impl Link<'_> {
    /// Sends `own` while the peer sends `theirs` bytes of the same kind. Long messages alternate
    /// piece by piece, so that neither party fills the other's buffers.
    ///
    /// # Errors
    /// If the connection is lost, or the peer sends something else.
    pub fn exchange(
        &mut self,
        kind: Kind,
        own: &[u8],
        theirs: usize,
        doing: &'static str,
    ) -> Result<Vec<u8>, SessionError> {
        let mut received = Vec::new();
        let mut pieces = own.chunks(MAX_PAYLOAD);
        loop {
            let piece = pieces.next();
            if let Some(piece) = piece {
                self.send(kind, piece, doing)?;
                self.flush(doing)?;
            }
            let missing = theirs - received.len();
            if missing > 0 {
                self.receive_piece(kind, missing.min(MAX_PAYLOAD), doing, &mut received)?;
            } else if piece.is_none() {
                return Ok(received);
            }
        }
    }

    /// Sends messages of several kinds. Empty ones are not sent. All together must not be longer
    /// than what a channel buffers, since both parties send before they receive.
    ///
    /// # Errors
    /// If the connection is lost.
    pub fn send_all<const N: usize>(
        &mut self,
        messages: [(Kind, &[u8]); N],
        doing: &'static str,
    ) -> Result<(), SessionError> {
        for (kind, message) in messages {
            self.send(kind, message, doing)?;
        }
        self.flush(doing)
    }

    /// Receives a message of `bytes` bytes that fits one frame, in the channel's memory. There is
    /// none if it is empty.
    ///
    /// # Errors
    /// If the connection is lost, or the peer sends something else.
    pub fn receive_frame(
        &mut self,
        kind: Kind,
        bytes: usize,
        doing: &'static str,
    ) -> Result<&[u8], SessionError> {
        if bytes == 0 {
            return Ok(&[]);
        }
        expect(self.channel, kind, self.peer, doing)?;
        let payload = self.channel.payload();
        match payload.len() == bytes {
            true => Ok(payload),
            false => Err(wrong_length(self.peer, kind, (payload.len(), bytes), doing)),
        }
    }

    /// Tells the peer that this party has come to the end, and waits until the peer has.
    ///
    /// # Errors
    /// If the connection is lost, or the peer sends something else.
    pub fn end(&mut self, doing: &'static str) -> Result<(), SessionError> {
        if self.exchange(Kind::Done, &[0], 1, doing)? == [0] {
            return Ok(());
        }
        let what = "its message of the end is wrong".to_owned();
        Err(SessionError::Protocol { peer: self.peer, what })
    }

    /// Sends a message. It may stay in a buffer.
    ///
    /// # Errors
    /// If the connection is lost.
    pub fn send(
        &mut self,
        kind: Kind,
        message: &[u8],
        doing: &'static str,
    ) -> Result<(), SessionError> {
        for piece in message.chunks(MAX_PAYLOAD) {
            self.channel.send(kind, piece).map_err(|error| self.lost(doing, error))?;
        }
        Ok(())
    }

    /// Sends what is in the buffer.
    ///
    /// # Errors
    /// If the connection is lost.
    pub fn flush(&mut self, doing: &'static str) -> Result<(), SessionError> {
        self.channel.flush().map_err(|error| self.lost(doing, error))
    }

    /// Receives a message of `bytes` bytes.
    ///
    /// # Errors
    /// If the connection is lost, or the peer sends something else.
    pub fn receive(
        &mut self,
        kind: Kind,
        bytes: usize,
        doing: &'static str,
    ) -> Result<Vec<u8>, SessionError> {
        let mut received = Vec::new();
        self.receive_into(kind, bytes, doing, &mut received)?;
        Ok(received)
    }

    /// [`receive`](Link::receive) for a message that is wiped on drop.
    ///
    /// # Errors
    /// If the connection is lost, or the peer sends something else.
    pub fn receive_secret(
        &mut self,
        kind: Kind,
        bytes: usize,
        doing: &'static str,
    ) -> Result<Zeroizing<Vec<u8>>, SessionError> {
        // The length is known here, not read from a header. A vector that grows leaves copies.
        let mut received = Zeroizing::new(Vec::with_capacity(bytes));
        self.receive_into(kind, bytes, doing, &mut received)?;
        Ok(received)
    }

    /// Receives `count` packed bits.
    ///
    /// # Errors
    /// If the connection is lost, or the peer sends something else, or bits after the last.
    pub fn receive_bits(
        &mut self,
        kind: Kind,
        count: usize,
        doing: &'static str,
    ) -> Result<Vec<u8>, SessionError> {
        let bits = self.receive(kind, count.div_ceil(8), doing)?;
        let last = bits.last().filter(|_| !count.is_multiple_of(8));
        match last.is_some_and(|last| last >> (count % 8) != 0) {
            false => Ok(bits),
            true => {
                let what = format!("its {kind:?} message has more than {count} bits");
                Err(SessionError::Protocol { peer: self.peer, what })
            }
        }
    }

    fn receive_into(
        &mut self,
        kind: Kind,
        bytes: usize,
        doing: &'static str,
        received: &mut Vec<u8>,
    ) -> Result<(), SessionError> {
        while received.len() < bytes {
            let missing = bytes - received.len();
            self.receive_piece(kind, missing.min(MAX_PAYLOAD), doing, received)?;
        }
        Ok(())
    }

    fn receive_piece(
        &mut self,
        kind: Kind,
        bytes: usize,
        doing: &'static str,
        received: &mut Vec<u8>,
    ) -> Result<(), SessionError> {
        received.extend_from_slice(self.receive_frame(kind, bytes, doing)?);
        Ok(())
    }

    /// The error when a check of the protocol failed.
    pub fn cheated(&self, what: &'static str) -> SessionError {
        SessionError::Cheated { peer: self.peer, what }
    }

    /// The error of an oblivious transfer.
    pub fn transfer_failed(&self, error: OtError) -> SessionError {
        match error {
            OtError::Random(what) => SessionError::Random(what),
            OtError::Length { message, expected, got, .. } => SessionError::Protocol {
                peer: self.peer,
                what: format!("its {message} has {got} bytes, not {expected}"),
            },
            OtError::Point { message, index, .. } => SessionError::Protocol {
                peer: self.peer,
                what: format!("point {index} of its {message} is not a valid group element"),
            },
            OtError::Proof => self.cheated("its proof in the base transfers"),
            OtError::Response => self.cheated("its response in the base transfers"),
            OtError::Trees => self.cheated("its trees of keys"),
            OtError::Inconsistent { .. } | OtError::Failed => {
                self.cheated("the consistency of its transfers")
            }
            OtError::Choices { .. } => self.cheated("its transfers"),
        }
    }

    fn lost(&self, doing: &'static str, error: crate::channel::ChannelError) -> SessionError {
        SessionError::channel(self.peer, doing, error)
    }
}

fn wrong_length(
    peer: Party,
    kind: Kind,
    (got, bytes): (usize, usize),
    doing: &str,
) -> SessionError {
    let what = format!("its {kind:?} message has {got} bytes, not {bytes} (while {doing})");
    SessionError::Protocol { peer, what }
}
