//! The host's side of the link. It sends items in frames and receives labels in order, even if the
//! link loses frames.
//!
//! It does no input or output and has no clock. The caller passes received bytes to
//! [`receive`](Transport::receive), transmits the bytes that [`sends`](Transport::sends) returns,
//! and calls [`retransmit`](Transport::retransmit) after a timeout. Memory: the unacknowledged
//! frames, and the bytes of items that are not in a frame yet.

use super::frame::{Deframer, Frame, PAYLOAD, Receiver, Sender};
use super::names::*;
use super::{SLOTS, Slot};
use halfgate_model::Traffic;
use std::collections::VecDeque;
use zeroize::{Zeroize, Zeroizing};

/// Bytes per label.
const LABEL: usize = 16;
/// Number of labels after which an acknowledgement is sent, if none was sent before.
const PROGRESS_INTERVAL_LABELS: u32 = 8;
/// Maximum retransmissions before the peer is considered gone.
const MAX_RETRANSMISSIONS: u32 = 12;
/// Maximum bytes without progress before the peer is rejected as not being a coprocessor.
const MAX_BYTES_WITHOUT_PROGRESS: usize = 16 << 10;

/// Why the link or the peer failed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// No byte was received before a run began.
    #[error(
        "no response from the port: check that it is the coprocessor's port and that the coprocessor is configured"
    )]
    Idle,
    /// No byte is received any more.
    #[error("the coprocessor stopped responding: check its cable and power")]
    Gone,
    /// Bytes are received, but no frame that a coprocessor would send now.
    #[error(
        "the device at the port does not follow the coprocessor's protocol: check the port and its rate"
    )]
    Noise,
    /// The bitstream implements another version of the link.
    #[error(
        "the coprocessor's bitstream has version {found} of the link, this program has version {ours}: configure it with the bitstream of this version",
        ours = FORMAT_VERSION
    )]
    Version {
        /// Version of the bitstream.
        found: u8,
    },
    /// The chip lacks the suite.
    #[error("the coprocessor does not support this suite")]
    Suite,
    /// The chip has more slots than items can name, or too few slots.
    #[error("the coprocessor has 2^{0} label slots; there should be 2^3 to 2^13")]
    Slots(u8),
    /// The chip reports frames of another run.
    #[error("the coprocessor received frames of another run or program")]
    OtherRun,
    /// The chip reports bytes that are no items.
    #[error("the coprocessor received bytes that are no items")]
    NoItem,
    /// The chip reports an item with a slot that the chip does not have.
    #[error("the coprocessor received an item with a slot that it does not have")]
    NoSlot,
    /// The chip reports an unknown status.
    #[error("the coprocessor reports status {0}")]
    Status(u8),
    /// The chip sent a label of another length.
    #[error("the coprocessor sent a label of {0} bytes")]
    Label(usize),
}

/// The host's side of the link during one run.
pub struct Transport {
    run: u16,
    suite: u8,
    sender: Option<Sender>,
    slots: Slot,
    receiver: Receiver,
    deframer: Deframer,
    unsent: Zeroizing<Vec<u8>>,
    is_flushed: bool,
    /// Frames without payload to transmit next.
    out: Vec<u8>,
    /// Whether all unacknowledged frames must be retransmitted.
    is_again: bool,
    labels: VecDeque<Zeroizing<Vec<u8>>>,
    /// Whether a retransmission was requested from the chip; and (`unreported`) the number of
    /// labels that are not acknowledged yet.
    is_requested: bool,
    unreported: u32,
    is_over: bool,
    /// Largest free space that the chip reported since the last newly acknowledged frame.
    space: u8,
    /// Number of timeouts since the last progress; and (`came`) whether a byte was received since
    /// the last timeout.
    tries: u32,
    came: bool,
    /// Bytes received since the last progress.
    noise: usize,
    traffic: Traffic,
}

impl Transport {
    /// Begins a run with this tag and this number of its suite.
    pub fn new(run: u16, suite: u8) -> Transport {
        let mut transport = Transport {
            run,
            suite,
            sender: None,
            slots: 0,
            receiver: Receiver::new(run),
            deframer: Deframer::default(),
            // The capacity is enough for a frame and an item, so the buffer is never reallocated.
            unsent: Zeroizing::new(Vec::with_capacity(2 * PAYLOAD)),
            is_flushed: false,
            out: Vec::new(),
            is_again: false,
            labels: VecDeque::new(),
            is_requested: false,
            unreported: 0,
            is_over: false,
            space: 0,
            tries: 0,
            came: false,
            noise: 0,
            traffic: Traffic::default(),
        };
        transport.reset();
        transport
    }

    /// Queues a reset frame. The zero byte before it ends a frame that was not complete.
    fn reset(&mut self) {
        self.out.push(0);
        self.out.extend_from_slice(&Frame::Reset { run: self.run }.encode());
    }

    /// Ends the run, whether it succeeded or not. Drops all unsent and unacknowledged bytes, and
    /// returns the reset frame that makes the chip wipe its labels. No response is needed.
    pub fn leave(&mut self) -> Zeroizing<Vec<u8>> {
        self.sender = None;
        self.unsent.zeroize();
        self.out.clear();
        self.reset();
        self.sends()
    }

    /// Number of label slots of the chip; `None` before its greeting.
    pub fn slots(&self) -> Option<Slot> {
        self.sender.as_ref().map(|_| self.slots)
    }

    /// Counts of the bytes and frames on the link.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Whether the caller may queue more items: at most one frame's bytes are queued.
    pub fn has_space(&self) -> bool {
        self.unsent.len() < PAYLOAD
    }

    /// Queues bytes of items. They are sent when they fill a frame, or after a
    /// [`flush`](Transport::flush).
    pub fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.is_flushed = false;
    }

    /// Sends the queued bytes without waiting for a full frame.
    pub fn flush(&mut self) {
        self.is_flushed = true;
    }

    /// Whether the chip has acknowledged all queued bytes.
    pub fn is_acknowledged(&self) -> bool {
        self.unsent.is_empty() && self.sender.as_ref().is_some_and(Sender::is_done)
    }

    /// Whether the chip reports that it has executed everything.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Returns the next received label.
    pub fn label(&mut self) -> Option<u128> {
        let label: [u8; LABEL] = self.labels.pop_front()?[..].try_into().expect("its length");
        Some(u128::from_le_bytes(label))
    }

    /// Returns the bytes to transmit now.
    pub fn sends(&mut self) -> Zeroizing<Vec<u8>> {
        let is_again = std::mem::take(&mut self.is_again);
        let mut new = 0;
        if let Some(sender) = &mut self.sender {
            while sender.may_send()
                && (self.unsent.len() >= PAYLOAD || (self.is_flushed && !self.unsent.is_empty()))
            {
                let count = self.unsent.len().min(PAYLOAD);
                sender.send(&self.unsent[..count]);
                self.unsent.drain(..count);
                new += 1;
            }
        }
        let kept = || self.sender.iter().flat_map(Sender::again);
        let old = kept().count() - new;
        let frames = || kept().skip(if is_again { 0 } else { old });
        // The buffer is allocated once, because a reallocation would leave tables and labels
        // behind.
        let count = self.out.len() + frames().map(<[u8]>::len).sum::<usize>();
        let mut bytes = Zeroizing::new(Vec::with_capacity(count));
        bytes.append(&mut self.out);
        frames().for_each(|frame| bytes.extend_from_slice(frame));
        if is_again {
            self.traffic.again += old as u64;
        }
        self.traffic.to_chip += bytes.len() as u64;
        bytes
    }

    /// Handles received bytes. Returns whether they made progress. Progress is a greeting, a newly
    /// acknowledged frame, more free space, the end of the run, or an expected label.
    ///
    /// # Errors
    /// If the chip reports an error, or too many bytes were received without progress.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<bool, LinkError> {
        self.came |= !bytes.is_empty();
        let mut is_new = false;
        for &byte in bytes {
            self.traffic.from_chip += u64::from(byte != 0);
            self.noise += 1;
            if self.noise > MAX_BYTES_WITHOUT_PROGRESS {
                return Err(LinkError::Noise);
            }
            match self.deframer.push(byte) {
                None => (),
                Some(Ok(frame)) => is_new |= self.take(frame)?,
                Some(Err(_)) => self.request(),
            }
        }
        if is_new {
            self.tries = 0;
        }
        Ok(is_new)
    }

    /// Handles a frame. Returns whether it made progress.
    fn take(&mut self, frame: Frame) -> Result<bool, LinkError> {
        let mut is_new = false;
        match (frame, &mut self.sender) {
            (Frame::Hello { run, version, suites, slots, space }, None) if run == self.run => {
                if version != FORMAT_VERSION {
                    return Err(LinkError::Version { found: version });
                }
                if suites >> self.suite & 1 == 0 {
                    return Err(LinkError::Suite);
                }
                if !(3..=SLOTS.ilog2()).contains(&slots.into()) {
                    return Err(LinkError::Slots(slots));
                }
                self.slots = 1 << slots;
                self.sender = Some(Sender::new(run, space));
                (self.space, self.noise, is_new) = (space, 0, true);
            }
            (Frame::Ack { number, run, space, status, again }, Some(sender)) if run == self.run => {
                match status {
                    STATUS_FINE => (),
                    STATUS_OVER => {
                        if !std::mem::replace(&mut self.is_over, true) {
                            (self.noise, is_new) = (0, true);
                        }
                    }
                    STATUS_OTHER_RUN => return Err(LinkError::OtherRun),
                    STATUS_NO_ITEM => return Err(LinkError::NoItem),
                    STATUS_NO_SLOT => return Err(LinkError::NoSlot),
                    other => return Err(LinkError::Status(other)),
                }
                match sender.acknowledged(number, space) {
                    None => (),
                    Some(0) => {
                        is_new |= space > self.space;
                        self.space = self.space.max(space);
                    }
                    Some(_) => (self.space, self.noise, is_new) = (space, 0, true),
                }
                self.is_again |= again;
            }
            (Frame::Data { number, run, payload }, Some(_)) if run == self.run => {
                match self.receiver.take(number, payload) {
                    None => self.request(),
                    Some(payload) => {
                        if payload.len() != LABEL {
                            return Err(LinkError::Label(payload.len()));
                        }
                        self.labels.push_back(payload);
                        (self.is_requested, self.noise, is_new) = (false, 0, true);
                        self.unreported += 1;
                        if self.unreported == PROGRESS_INTERVAL_LABELS {
                            self.report_progress();
                        }
                    }
                }
            }
            _ => (),
        }
        Ok(is_new)
    }

    fn report_progress(&mut self) {
        self.unreported = 0;
        self.out.extend_from_slice(&self.receiver.response(0).encode());
    }

    /// Requests a retransmission of labels. Repeats the request only after the expected label
    /// arrived or a timeout.
    fn request(&mut self) {
        if self.sender.is_some() && !std::mem::replace(&mut self.is_requested, true) {
            self.receiver.garbled();
            self.report_progress();
        }
    }

    /// Handles a timeout without progress: retransmits all unacknowledged frames, and requests a
    /// retransmission of labels.
    ///
    /// # Errors
    /// After too many timeouts.
    pub fn retransmit(&mut self) -> Result<(), LinkError> {
        self.tries += 1;
        let came = std::mem::take(&mut self.came);
        if self.tries > MAX_RETRANSMISSIONS {
            return Err(match self.sender {
                Some(_) => LinkError::Gone,
                None if came => LinkError::Noise,
                None => LinkError::Idle,
            });
        }
        if self.sender.is_none() {
            self.reset();
            return Ok(());
        }
        self.is_requested = false;
        self.request();
        self.is_again = true;
        Ok(())
    }
}

#[cfg(test)]
#[path = "transport_tests.rs"]
mod tests;
