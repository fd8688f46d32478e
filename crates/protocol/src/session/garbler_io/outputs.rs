//! The garbler's outputs: checkpoints during the run, and the end of a run.
//!
//! When a [window](crate::session::outputs) is full, the garbler sends a checkpoint, which is the
//! digest of everything it has sent, and continues garbling. The evaluator responds with its own
//! digest and with the labels that the garbler learns. Only then does the garbler send decoding
//! data, and only for the cycles before the checkpoint.

use super::{GarblerSide, PEER, broke, lost};
use crate::frame::Kind;
use crate::ot::{OtField, OtMode, message_bytes};
use crate::session::decoding::{DECODING_BYTES, DecodingHash, FRAME_BITS, value_of};
use crate::session::inputs::BATCH;
use crate::session::outputs::{MAX_PENDING, Window};
use crate::session::reports::Ended;
use crate::session::transfer::{MAX_STASH, expect, expect_done};
use crate::session::{SessionError, digest_payload};
use halfgate_circuit::{Bits, Party};
use halfgate_engine::Label;
use halfgate_engine::wipe::Buffer;
use zeroize::Zeroizing;

/// A window whose checkpoint is sent, and the part of the response that the evaluator has sent.
pub(super) struct Pending {
    first: u64,
    cycles: u64,
    /// False labels of the bits that the garbler learns, and the values of the first ones.
    own: Zeroizing<Vec<Label>>,
    values: Bits,
    /// False labels of the bits that the evaluator learns.
    theirs: Zeroizing<Vec<Label>>,
    responded: bool,
}

impl Pending {
    fn labels(&self) -> usize {
        self.own.len() + self.theirs.len()
    }
}

impl GarblerSide<'_> {
    /// Whether there are windows without a complete response.
    pub(super) fn has_pending(&self) -> bool {
        !self.pending.is_empty()
    }

    /// Handles a full window: sends its checkpoint, and waits for responses only if too many are
    /// due.
    pub(super) fn close_window(&mut self, window: &Window) -> Result<(), SessionError> {
        let payload = digest_payload(self.run.number, self.channel.sent_digest());
        self.channel.send(Kind::Checkpoint, &payload).map_err(lost("sending a checkpoint"))?;
        self.put_aside(window);
        self.take_responses()?;
        while self.pending.iter().map(Pending::labels).sum::<usize>() > MAX_PENDING {
            self.wait_for_response()?;
        }
        Ok(())
    }

    fn put_aside(&mut self, window: &Window) {
        let of = |party| self.outputs.layout.learned_by(party, window);
        self.pending.push_back(Pending {
            first: window.first,
            cycles: window.cycles,
            own: of(Party::Garbler),
            values: Bits::new(),
            theirs: of(Party::Evaluator),
            responded: false,
        });
    }

    /// Processes frames that have arrived, without waiting.
    pub(super) fn take_responses(&mut self) -> Result<(), SessionError> {
        while self.has_pending() && self.stash.len() < MAX_STASH {
            match self.channel.try_recv().map_err(lost(RESPONSES))? {
                Some(kind) => self.take(kind)?,
                None => break,
            }
        }
        Ok(())
    }

    fn wait_for_response(&mut self) -> Result<(), SessionError> {
        let kind = self.channel.recv().map_err(lost(RESPONSES))?;
        self.take(kind)
    }

    /// Processes a frame that arrived during the run.
    pub(super) fn take(&mut self, kind: Kind) -> Result<(), SessionError> {
        match kind {
            Kind::Checkpoint => self.responded(),
            Kind::OutputLabels => self.returned(),
            Kind::Extension if self.stash.len() < MAX_STASH => self.stash(),
            kind => Err(broke(&format!("it sent {kind:?} in the middle of a run"))),
        }
    }

    /// Stores a message of the evaluator's transfers that arrived before it was due.
    fn stash(&mut self) -> Result<(), SessionError> {
        let before = self.stash.len() as u64;
        if !self.transfer.as_ref().is_some_and(|transfer| transfer.awaits_after(before)) {
            return Err(broke("it sent more transfers than it has input bits"));
        }
        if self.channel.payload().len() > message_bytes(OtMode::Malicious, OtField::One, BATCH) {
            return Err(broke("its message of the transfers exceeds the maximum length"));
        }
        self.stash.push_back(self.channel.payload().to_vec());
        Ok(())
    }

    /// Checks the evaluator's response to the oldest checkpoint: its digest.
    fn responded(&mut self) -> Result<(), SessionError> {
        let Some(pending) = self.pending.front_mut().filter(|pending| !pending.responded) else {
            return Err(broke("it responded to a checkpoint that was not sent"));
        };
        let seen = digest_payload(self.run.number, self.channel.received_digest());
        if self.channel.payload() != seen {
            return Err(SessionError::Digest { sender: PEER });
        }
        pending.responded = true;
        self.release()
    }

    /// Decodes returned labels of the oldest window.
    fn returned(&mut self) -> Result<(), SessionError> {
        let delta = &self.garbling.delta;
        let Some(pending) = self.pending.front_mut().filter(|pending| pending.responded) else {
            return Err(broke("it returned output labels before it responded to the checkpoint"));
        };
        let labels = &pending.own[pending.values.len()..];
        let labels = &labels[..labels.len().min(FRAME_BITS)];
        let (returned, rest) = self.channel.payload().as_chunks::<16>();
        if returned.len() != labels.len() || !rest.is_empty() {
            return Err(broke("it returned the wrong number of output labels"));
        }
        for (returned, label) in returned.iter().zip(labels) {
            let value = value_of(*returned, *label, delta);
            pending.values.push(value.ok_or_else(|| {
                broke("it returned a label that is neither of the two of its bit")
            })?);
        }
        self.release()
    }

    /// Releases the oldest window if the evaluator has returned all of it.
    fn release(&mut self) -> Result<(), SessionError> {
        let complete = |p: &mut Pending| p.responded && p.values.len() == p.own.len();
        let Some(Pending { first, cycles, values, theirs, .. }) =
            self.pending.pop_front_if(complete)
        else {
            return Ok(());
        };
        let layout = &self.outputs.layout;
        self.learned.add(layout, (first, cycles), &values, self.events);
        self.send_decoding(&theirs)
    }

    /// Sends the decoding data of the evaluator's outputs.
    fn send_decoding(&mut self, labels: &[Label]) -> Result<(), SessionError> {
        let hash = DecodingHash::new(self.run.number, self.garbling.key);
        let mut frame = Buffer::with_capacity(labels.len().min(FRAME_BITS) * DECODING_BYTES);
        for labels in labels.chunks(FRAME_BITS) {
            frame.clear();
            hash.decoding(self.decoding_sent, labels, &self.garbling.delta, &mut frame);
            self.decoding_sent += labels.len() as u64;
            self.channel.send(Kind::Decoding, &frame).map_err(lost("sending decoding data"))?;
        }
        Ok(())
    }

    /// Ends the run. Receives the last responses, compares digests of everything with the
    /// evaluator, then decodes the last window: first the labels that the evaluator returns, then
    /// those that it learns. Once this party's outputs are verified, it keeps them whatever
    /// happens.
    pub fn finish(mut self) -> Result<Ended, SessionError> {
        self.outputs.check_complete()?;
        while self.has_pending() {
            self.wait_for_response()?;
        }
        let doing = "comparing digests";
        let digest = digest_payload(self.run.number, self.channel.sent_digest());
        self.channel.send(Kind::Digest, &digest).map_err(lost(doing))?;
        expect(self.channel, Kind::Digest, PEER, doing)?;
        let seen = digest_payload(self.run.number, self.channel.received_digest());
        if self.channel.payload() != seen {
            return Err(SessionError::Digest { sender: PEER });
        }
        let last = self.outputs.take_last();
        self.put_aside(&last);
        if let Some(last) = self.pending.front_mut() {
            last.responded = true;
        }
        let end = self.exchange_last();
        let verified = !self.has_pending() && self.learned.is_something();
        match end {
            Err(error) if !verified => Err(error),
            end => {
                let (outputs, phases) = (self.learned.into_values(), Vec::new());
                Ok(Ended { outputs, phases, error: end.err() })
            }
        }
    }

    /// Receives the labels of the last window, sends its decoding data, and waits until the
    /// evaluator has decoded it.
    fn exchange_last(&mut self) -> Result<(), SessionError> {
        self.release()?;
        while self.has_pending() {
            expect(self.channel, Kind::OutputLabels, PEER, "waiting for output labels")?;
            self.returned()?;
        }
        self.channel.send(Kind::Done, &[]).map_err(lost("sending decoding data"))?;
        self.channel.flush().map_err(lost("sending decoding data"))?;
        expect_done(self.channel, PEER, "waiting for the evaluator to have its outputs")
    }
}

const RESPONSES: &str = "waiting for the response to a checkpoint";
