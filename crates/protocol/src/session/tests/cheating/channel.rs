//! A channel that changes one of the frames that its party sends, and records all of them.

use super::*;

/// What a channel saw.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Seen {
    /// A frame that was sent: kind and payload.
    Sent(u8, Vec<u8>),
    /// A frame that was received.
    Received(u8, Vec<u8>),
    /// An abort that was sent.
    Aborted(String),
    /// The change of the next frame made no difference: short random messages may be the same.
    Unchanged,
}

type Frame = (Kind, Vec<u8>);

pub struct Cheating<'s, C> {
    inner: C,
    change: Option<(usize, Change)>,
    seen: &'s Mutex<Vec<Seen>>,
    /// The frames that the party has given so far.
    given: Vec<Frame>,
    space: Option<Frame>,
    /// A frame to be sent after the next one.
    held: Option<Frame>,
    /// A frame that was received before the party asked for it.
    early: Option<Frame>,
    /// The payload of an early frame that the party has now.
    payload: Option<Vec<u8>>,
    has_dropped: bool,
}

impl<'s, C: Channel> Cheating<'s, C> {
    pub fn new(
        inner: C,
        change: Option<(usize, Change)>,
        seen: &'s Mutex<Vec<Seen>>,
    ) -> Cheating<'s, C> {
        Cheating {
            inner,
            change,
            seen,
            given: Vec::new(),
            space: None,
            held: None,
            early: None,
            payload: None,
            has_dropped: false,
        }
    }

    fn record(&self, seen: Seen) {
        self.seen.lock().unwrap().push(seen);
    }

    fn pass(&mut self, (kind, payload): Frame) -> Result<(), ChannelError> {
        self.inner.send(kind, &payload)?;
        self.record(Seen::Sent(kind as u8, payload));
        Ok(())
    }

    /// The frames sent instead of one.
    fn changed(&mut self, (kind, mut payload): Frame, change: Change) -> Vec<Frame> {
        let (middle, last) = (payload.len() / 2, payload.len() - 1);
        match change {
            Change::First => payload[0] ^= 1,
            Change::Middle => payload[middle] ^= 1,
            Change::Last => payload[last] ^= 1,
            Change::Invert => payload.iter_mut().for_each(|byte| *byte ^= 0xff),
            Change::Bytes { first, count } => {
                payload[first..][..count].iter_mut().for_each(|byte| *byte ^= 0xff);
            }
            Change::Empty => payload.clear(),
            Change::Shorter => drop(payload.pop()),
            Change::Longer => payload.push(0),
            Change::OtherKind => {
                let other = if kind == Kind::Labels { Kind::Tables } else { Kind::Labels };
                return vec![(other, payload)];
            }
            Change::Repeat => return vec![(kind, payload.clone()), (kind, payload)],
            Change::Swap => {
                self.held = Some((kind, payload));
                return Vec::new();
            }
            Change::Replay => {
                let same = |(other, earlier): &&Frame| {
                    *other == kind && earlier.len() == payload.len() && *earlier != payload
                };
                if let Some((_, earlier)) = self.given.iter().rev().find(same) {
                    payload = earlier.clone();
                }
            }
            Change::Reflect => unreachable!("it needs the peer's frame"),
            Change::Drop => {
                self.has_dropped = true;
                return Vec::new();
            }
        }
        vec![(kind, payload)]
    }

    /// Receives the peer's frame, which is then given to the party and sent back.
    fn reflected(&mut self) -> Result<Frame, ChannelError> {
        let kind = self.recv()?;
        let frame = (kind, self.payload().to_vec());
        self.early = Some(frame.clone());
        Ok(frame)
    }

    fn before_waiting(&mut self) -> Result<(), ChannelError> {
        if self.has_dropped {
            return Err(ChannelError::Closed);
        }
        self.held.take().map_or(Ok(()), |held| self.pass(held))
    }
}

impl<C: Channel> Channel for Cheating<'_, C> {
    crate::forward_channel!(
        inner:
        set_timing set_deadline flush tick bytes_sent bytes_received sent_digest received_digest
        set_progress round_trip
    );

    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        Ok(&mut self.space.insert((kind, vec![0; len])).1)
    }

    fn send_commit(&mut self) -> Result<(), ChannelError> {
        let frame = self.space.take().expect("send_space was called");
        let held = self.held.take();
        let sent = match self.change {
            Some((number, Change::Reflect)) if number == self.given.len() => {
                vec![self.reflected()?]
            }
            Some((number, change)) if number == self.given.len() => {
                self.changed(frame.clone(), change)
            }
            _ => vec![frame.clone()],
        };
        let is_due = self.change.is_some_and(|(number, _)| number == self.given.len());
        if is_due && sent == [frame.clone()] {
            self.record(Seen::Unchanged);
        }
        self.given.push(frame);
        sent.into_iter().chain(held).try_for_each(|frame| self.pass(frame))
    }

    fn recv(&mut self) -> Result<Kind, ChannelError> {
        self.before_waiting()?;
        if let Some((kind, payload)) = self.early.take() {
            self.payload = Some(payload);
            return Ok(kind);
        }
        self.payload = None;
        let kind = self.inner.recv()?;
        self.record(Seen::Received(kind as u8, self.inner.payload().to_vec()));
        Ok(kind)
    }

    fn try_recv(&mut self) -> Result<Option<Kind>, ChannelError> {
        assert!(self.early.is_none(), "malicious sessions always wait");
        self.payload = None;
        self.inner.try_recv()
    }

    fn payload(&self) -> &[u8] {
        self.payload.as_deref().unwrap_or(self.inner.payload())
    }

    fn abort(&mut self, reason: &str) {
        self.record(Seen::Aborted(reason.to_owned()));
        self.inner.abort(reason);
    }

    fn close(&mut self) -> Result<(), ChannelError> {
        self.before_waiting()?;
        self.inner.close()
    }
}
