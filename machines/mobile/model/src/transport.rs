//! The host's end of the link: frames of what it says, and labels that come back, in order, whatever is lost on the way.
//!
//! It does no input or output, and knows no time: whoever has the port hands it what was heard, sends what it wants to have sent, and says
//! when nothing comes. Memory: the frames on their way, and what was said and has no frame yet.

use super::frame::{Deframer, Frame, PAYLOAD, Receiver, Sender};
use super::names::*;
use super::{SLOTS, Slot};
use halfgate_model::Traffic;
use std::collections::VecDeque;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of a label.
const LABEL: usize = 16;
/// Labels after which the chip is told that they are there, if nothing else is.
const PROGRESS_INTERVAL_LABELS: u32 = 8;
/// How often something is said again before nobody is believed to be there.
const TRIES: u32 = 12;
/// Bytes that may come without anything new in them before whoever sends them is believed to be something else.
const NOISE: usize = 16 << 10;

/// What is wrong with the other end.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LinkError {
    /// Nothing comes before a run has begun.
    #[error("nothing answers: is it the coprocessor's port, and is the coprocessor configured?")]
    Idle,
    /// Nothing comes any more.
    #[error("the coprocessor does not answer any more")]
    Gone,
    /// Bytes come, and nothing that a coprocessor would say now.
    #[error(
        "what answers does not speak as the coprocessor does: is it the right port, at the right rate?"
    )]
    Noise,
    /// The bitstream is for another link.
    #[error(
        "the coprocessor's bitstream speaks version {found} of the link, this program {ours}: configure it with the bitstream of this version",
        ours = FORMAT_VERSION
    )]
    Version {
        /// Its version.
        found: u8,
    },
    /// It lacks the suite.
    #[error("the coprocessor does not know this suite")]
    Suite,
    /// It has more slots than items can name, or too few.
    #[error("the coprocessor has 2^{0} label slots; there should be 2^3 to 2^13")]
    Slots(u8),
    /// The chip says that frames of another run came.
    #[error("the coprocessor got frames of another run or program")]
    OtherRun,
    /// The chip says that bytes were no items.
    #[error("the coprocessor got bytes that are no items")]
    NoItem,
    /// The chip says that an item named a slot that it has not.
    #[error("the coprocessor got an item with a slot that it has not")]
    NoSlot,
    /// The chip says something else.
    #[error("the coprocessor reports status {0}")]
    Status(u8),
    /// A label of another length came.
    #[error("the coprocessor sent a label of {0} bytes")]
    Label(usize),
}

/// One run's end of the link.
pub struct Transport {
    run: u16,
    suite: u8,
    sender: Option<Sender>,
    slots: Slot,
    receiver: Receiver,
    deframer: Deframer,
    unsent: Zeroizing<Vec<u8>>,
    is_flushed: bool,
    /// Frames without payload that are to be sent.
    out: Vec<u8>,
    /// All that is on its way is to be sent again.
    is_again: bool,
    labels: VecDeque<Zeroizing<Vec<u8>>>,
    /// The chip has been asked to send again, and labels that it has not been told of.
    is_requested: bool,
    unreported: u32,
    is_over: bool,
    /// The most that there was room for since a number went on.
    space: u8,
    /// Silences since anything new came, and whether anything at all came since the last one.
    tries: u32,
    came: bool,
    /// Bytes that came since anything new was in them.
    noise: usize,
    traffic: Traffic,
}

impl Transport {
    /// Begins a run with this tag in a suite of this number.
    pub fn new(run: u16, suite: u8) -> Transport {
        let mut transport = Transport {
            run,
            suite,
            sender: None,
            slots: 0,
            receiver: Receiver::new(run),
            deframer: Deframer::default(),
            // An item more than a frame at most: it never moves.
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

    /// An end before it, for whatever was on its way.
    fn reset(&mut self) {
        self.out.push(0);
        self.out.extend_from_slice(&Frame::Reset { run: self.run }.encode());
    }

    /// The run is over, however it went: nothing that is on its way is wanted any more, and the chip is to wipe its labels. Gives what
    /// is to be sent; nothing needs to come.
    pub fn leave(&mut self) -> Zeroizing<Vec<u8>> {
        self.sender = None;
        self.unsent.zeroize();
        self.out.clear();
        self.reset();
        self.sends()
    }

    /// How many slots the chip has, when it has said so.
    pub fn slots(&self) -> Option<Slot> {
        self.sender.as_ref().map(|_| self.slots)
    }

    /// What has gone over the link.
    pub fn traffic(&self) -> Traffic {
        self.traffic
    }

    /// Whether there is room for more to say: a frame's worth waits at most.
    pub fn has_space(&self) -> bool {
        self.unsent.len() < PAYLOAD
    }

    /// Says something; it goes when it fills a frame, or when it is flushed.
    pub fn send(&mut self, bytes: &[u8]) {
        self.unsent.extend_from_slice(bytes);
        self.is_flushed = false;
    }

    /// What was said goes now.
    pub fn flush(&mut self) {
        self.is_flushed = true;
    }

    /// Whether the chip has all that was said.
    pub fn is_acknowledged(&self) -> bool {
        self.unsent.is_empty() && self.sender.as_ref().is_some_and(Sender::is_done)
    }

    /// Whether the chip says that it has done all of it.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// The next label that came.
    pub fn label(&mut self) -> Option<u128> {
        let label: [u8; LABEL] = self.labels.pop_front()?[..].try_into().expect("its length");
        Some(u128::from_le_bytes(label))
    }

    /// What is to be sent now.
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
        // It never moves: tables and labels are in it.
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

    /// Bytes that came. Gives whether there was anything new in them: a greeting, a number that goes on, more room, the end, a label
    /// that was waited for.
    ///
    /// # Errors
    /// What the chip says is wrong.
    pub fn receive(&mut self, bytes: &[u8]) -> Result<bool, LinkError> {
        self.came |= !bytes.is_empty();
        let mut is_new = false;
        for &byte in bytes {
            self.traffic.from_chip += u64::from(byte != 0);
            self.noise += 1;
            if self.noise > NOISE {
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

    /// A frame; whether there was anything new in it.
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

    /// Asks for labels again, once until the right one comes.
    fn request(&mut self) {
        if self.sender.is_some() && !std::mem::replace(&mut self.is_requested, true) {
            self.receiver.garbled();
            self.report_progress();
        }
    }

    /// Nothing new has come for longer than anything should take: what may have been lost is sent again, and asked for.
    ///
    /// # Errors
    /// If that has happened too often.
    pub fn retransmit(&mut self) -> Result<(), LinkError> {
        self.tries += 1;
        let came = std::mem::take(&mut self.came);
        if self.tries > TRIES {
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
