//! A channel that ends a session in a chosen way.

use crate::channel::{Channel, ChannelError};
use crate::frame::{Kind, Transcript};

/// The fault of a party's channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fault {
    /// No fault.
    None,
    /// The connection is lost at this call among those that send or receive, counted from 0.
    Gone { call: u64 },
    /// The digest of received frames is wrong.
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
    crate::forward_channel!(
        channel:
        set_timing set_deadline send_commit flush try_recv payload tick abort close bytes_sent
        bytes_received sent_digest set_progress round_trip
    );

    fn send_space(&mut self, kind: Kind, len: usize) -> Result<&mut [u8], ChannelError> {
        self.call()?;
        self.channel.send_space(kind, len)
    }

    fn recv(&mut self) -> Result<Kind, ChannelError> {
        self.call()?;
        self.channel.recv()
    }

    fn received_digest(&self) -> Transcript {
        let digest = self.channel.received_digest();
        match self.fault {
            Fault::Digest => Transcript(!digest.0),
            _ => digest,
        }
    }
}
