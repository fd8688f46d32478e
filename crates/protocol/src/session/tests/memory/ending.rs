//! A channel that ends a session in one of the ways in which sessions end.

use crate::channel::{Channel, ChannelError, Deadline, Timing};
use crate::frame::{Kind, Transcript};

/// What a party's channel does to its session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// Nothing.
    None,
    /// It is gone at this call of those that send or receive, counted from 0.
    Gone { call: u64 },
    /// It finds another digest of what it received.
    Digest,
}

/// A channel with a fault.
pub(super) struct Ending {
    channel: Box<dyn Channel>,
    fault: Fault,
    pub calls: u64,
}

impl Ending {
    pub fn new(channel: Box<dyn Channel>, fault: Fault) -> Ending {
        Ending { channel, fault, calls: 0 }
    }

    fn call(&mut self) -> Result<(), ChannelError> {
        self.calls += 1;
        match self.fault {
            Fault::Gone { call } if self.calls > call => Err(ChannelError::Closed),
            _ => Ok(()),
        }
    }
}

impl Channel for Ending {
    fn set_timing(&mut self, timing: Timing) {
        self.channel.set_timing(timing);
    }

    fn set_deadline(&mut self, deadline: Option<Deadline>) {
        self.channel.set_deadline(deadline);
    }

    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        self.call()?;
        self.channel.send_space(kind, len)
    }

    fn send_commit(&mut self) -> Result<(), ChannelError> {
        self.channel.send_commit()
    }

    fn flush(&mut self) -> Result<(), ChannelError> {
        self.channel.flush()
    }

    fn recv(&mut self) -> Result<Kind, ChannelError> {
        self.call()?;
        self.channel.recv()
    }

    fn try_recv(&mut self) -> Result<Option<Kind>, ChannelError> {
        self.channel.try_recv()
    }

    fn payload(&self) -> &[u8] {
        self.channel.payload()
    }

    fn tick(&mut self) -> Result<(), ChannelError> {
        self.channel.tick()
    }

    fn abort(&mut self, reason: &str) {
        self.channel.abort(reason);
    }

    fn close(&mut self) -> Result<(), ChannelError> {
        self.channel.close()
    }

    fn bytes_sent(&self) -> u64 {
        self.channel.bytes_sent()
    }

    fn bytes_received(&self) -> u64 {
        self.channel.bytes_received()
    }

    fn sent_digest(&mut self) -> Transcript {
        self.channel.sent_digest()
    }

    fn received_digest(&self) -> Transcript {
        let digest = self.channel.received_digest();
        match self.fault {
            Fault::Digest => Transcript(!digest.0),
            _ => digest,
        }
    }

    fn set_progress(&mut self, ands: u64) {
        self.channel.set_progress(ands);
    }
}
