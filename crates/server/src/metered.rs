//! A channel that enforces a session's limits, and can deliver the peer's first frame twice.

use crate::limits::Refusal;
use halfgate_protocol::channel::{Channel, ChannelError, Deadline};
use halfgate_protocol::frame::Kind;
use std::time::Duration;

/// A channel with limits. A session that exceeds one ends: the peer receives an abort, and
/// [`passed`](Metered::passed) returns the limit.
pub(crate) struct Metered<C> {
    inner: C,
    /// The deadline of the whole session.
    end: Option<Deadline>,
    bytes: Option<(u64, Refusal)>,
    ands: Option<(u64, Refusal)>,
    passed: Option<Refusal>,
    /// The first frame, which the next `recv` delivers again.
    again: Option<(Kind, Vec<u8>)>,
    /// The payload of that frame, while it is the frame last received.
    held: Option<Vec<u8>>,
}

impl<C: Channel> Metered<C> {
    /// A channel whose session may take `limit` time.
    pub fn new(inner: C, limit: Duration) -> Metered<C> {
        let end = Deadline::of("session", limit);
        Metered { inner, end, bytes: None, ands: None, passed: None, again: None, held: None }
    }

    /// Ends the session with `refusal` once it has transferred more than `most` bytes.
    pub fn limit_bytes(&mut self, most: u64, refusal: Refusal) {
        self.bytes = Some((most, refusal));
    }

    /// Ends the session with `refusal` once it has done more than `most` ANDs.
    pub fn limit_ands(&mut self, most: u64, refusal: Refusal) {
        self.ands = Some((most, refusal));
    }

    /// The limit that ended the session, if one did.
    pub fn passed(&self) -> Option<&Refusal> {
        self.passed.as_ref()
    }

    /// Receives the first frame for inspection. `recv` delivers it again afterwards.
    pub fn peek(&mut self) -> Result<(Kind, &[u8]), ChannelError> {
        let kind = self.inner.recv()?;
        let (_, payload) = self.again.insert((kind, self.inner.payload().to_vec()));
        Ok((kind, payload))
    }

    fn check(&mut self) -> Result<(), ChannelError> {
        let moved = self.inner.bytes_sent() + self.inner.bytes_received();
        match &self.bytes {
            Some((most, refusal)) if moved > *most => {
                let refusal = refusal.clone();
                self.end_with(refusal)
            }
            _ if self.passed.is_some() => Err(ChannelError::Cancelled),
            _ => Ok(()),
        }
    }

    fn end_with(&mut self, refusal: Refusal) -> Result<(), ChannelError> {
        self.inner.abort(&refusal.text);
        self.passed.get_or_insert(refusal);
        Err(ChannelError::Cancelled)
    }
}

impl<C: Channel> Channel for Metered<C> {
    halfgate_protocol::forward_channel!(
        inner:
        set_timing send_space abort close bytes_sent bytes_received sent_digest received_digest
        round_trip
    );

    fn set_deadline(&mut self, deadline: Option<Deadline>) {
        let earlier = [deadline, self.end].into_iter().flatten().min_by_key(|one| one.at);
        self.inner.set_deadline(earlier);
    }

    fn send_commit(&mut self) -> Result<(), ChannelError> {
        self.inner.send_commit()?;
        self.check()
    }

    fn flush(&mut self) -> Result<(), ChannelError> {
        self.inner.flush()?;
        self.check()
    }

    fn recv(&mut self) -> Result<Kind, ChannelError> {
        if let Some((kind, payload)) = self.again.take() {
            self.inner.flush()?;
            self.held = Some(payload);
            return Ok(kind);
        }
        self.held = None;
        let kind = self.inner.recv()?;
        self.check().map(|()| kind)
    }

    fn try_recv(&mut self) -> Result<Option<Kind>, ChannelError> {
        if self.again.is_some() {
            return self.recv().map(Some);
        }
        self.held = None;
        let kind = self.inner.try_recv()?;
        self.check().map(|()| kind)
    }

    fn payload(&self) -> &[u8] {
        self.held.as_deref().unwrap_or_else(|| self.inner.payload())
    }

    fn tick(&mut self) -> Result<(), ChannelError> {
        self.inner.tick()?;
        self.check()
    }

    fn set_progress(&mut self, ands: u64) {
        self.inner.set_progress(ands);
        if let Some((most, refusal)) = &self.ands
            && ands > *most
        {
            // The next call on the channel fails and so ends the session.
            let refusal = refusal.clone();
            let _ = self.end_with(refusal);
        }
    }
}
