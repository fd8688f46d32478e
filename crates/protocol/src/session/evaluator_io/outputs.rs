//! The evaluator's outputs: responses to checkpoints during the run, and the end of a run.
//!
//! The module of the garbler's outputs describes checkpoints. The evaluator responds to a
//! checkpoint when it has both the garbler's digest and all labels of the
//! [window](crate::session::outputs) before the checkpoint.

use super::{EvaluatorSide, PEER, broke, lost};
use crate::frame::Kind;
use crate::session::decoding::{DECODING_BYTES, DecodingHash, FRAME_BITS, decode};
use crate::session::outputs::{MAX_PENDING, Window};
use crate::session::reports::Ended;
use crate::session::transfer::{expect, expect_done};
use crate::session::{SessionError, digest_payload};
use halfgate_circuit::{Bits, Party};
use halfgate_engine::Label;
use halfgate_engine::wipe::Buffer;
use std::time::{Duration, Instant};
use zeroize::Zeroizing;

/// How long a response may wait in the buffer for others, if nothing else sends it.
const LINGER: Duration = Duration::from_millis(1);

/// A window whose checkpoint has its response, and the part of it that is decoded.
pub(super) struct Undecoded {
    first: u64,
    cycles: u64,
    /// Active labels of the bits that the evaluator learns, and the values of the first ones.
    own: Zeroizing<Vec<Label>>,
    values: Bits,
}

impl EvaluatorSide<'_> {
    /// Checks the garbler's digest at a checkpoint.
    pub(super) fn checkpoint(&mut self) -> Result<(), SessionError> {
        let seen = digest_payload(self.run.number, self.channel.received_digest());
        if self.channel.payload() != seen {
            return Err(SessionError::Digest { sender: PEER });
        }
        self.checkpoints += 1;
        Ok(())
    }

    /// Handles a full window: responds to its checkpoint, waiting for it if necessary.
    pub(super) fn close_window(&mut self, window: &Window) -> Result<(), SessionError> {
        while self.checkpoints == 0 {
            self.pull("waiting for a checkpoint")?;
        }
        self.checkpoints -= 1;
        self.response(Kind::Checkpoint, window)?;
        // The garbler waits here too, and may send more than fits in transit.
        self.set_tables_aside()?;
        while self.undecoded_labels() > MAX_PENDING {
            match self.channel.recv().map_err(lost(DECODING))? {
                Kind::Decoding => self.decoding()?,
                _ => return Err(broke(GOES_ON)),
            }
        }
        match self.last_response.elapsed() > LINGER {
            true => self.send_responses(),
            false => {
                self.unsent = true;
                Ok(())
            }
        }
    }

    fn undecoded_labels(&self) -> usize {
        self.undecoded.iter().map(|window| window.own.len()).sum()
    }

    /// Sends responses that have waited long enough.
    pub(super) fn linger(&mut self) -> Result<(), SessionError> {
        if self.unsent && self.last_response.elapsed() > LINGER {
            self.send_responses()
        } else {
            Ok(())
        }
    }

    fn send_responses(&mut self) -> Result<(), SessionError> {
        self.unsent = false;
        self.last_response = Instant::now();
        self.channel.flush().map_err(lost("responding to a checkpoint"))
    }

    /// Sends the digest of all sent frames and the active labels of the bits that the garbler
    /// learns. The labels of own bits are kept for the decoding data.
    fn response(&mut self, kind: Kind, window: &Window) -> Result<(), SessionError> {
        let doing = "comparing digests";
        let digest = digest_payload(self.run.number, self.channel.sent_digest());
        self.channel.send(kind, &digest).map_err(lost(doing))?;
        let of = |party| self.outputs.layout.learned_by(party, window);
        let (theirs, own) = (of(Party::Garbler), of(Party::Evaluator));
        let mut frame = Buffer::with_capacity(theirs.len().min(FRAME_BITS) * 16);
        for labels in theirs.chunks(FRAME_BITS) {
            frame.clear();
            labels.iter().for_each(|label| frame.extend_from_slice(&label.to_bytes()));
            self.channel.send(Kind::OutputLabels, &frame).map_err(lost("returning labels"))?;
        }
        let (first, cycles) = (window.first, window.cycles);
        self.undecoded.push_back(Undecoded { first, cycles, own, values: Bits::new() });
        self.release();
        Ok(())
    }

    /// Decodes bits of the oldest undecoded window by the frame of decoding data just received.
    pub(super) fn decoding(&mut self) -> Result<(), SessionError> {
        let Some(window) = self.undecoded.front_mut() else {
            return Err(broke("it sent decoding data that is not due"));
        };
        let labels = &window.own[window.values.len()..];
        let mut hashes = Zeroizing::new(labels[..labels.len().min(FRAME_BITS)].to_vec());
        let (data, rest) = self.channel.payload().as_chunks::<DECODING_BYTES>();
        if data.len() != hashes.len() || !rest.is_empty() {
            return Err(broke("it sent decoding data of the wrong length"));
        }
        DecodingHash::new(self.run.number, self.key).hash(self.decoded, &mut hashes);
        self.decoded += hashes.len() as u64;
        for (data, hash) in data.iter().zip(hashes.iter()) {
            let value = decode(*hash, data);
            let what = "its decoding data fits no label; the tables were wrong or damaged";
            window.values.push(value.ok_or_else(|| broke(what))?);
        }
        self.release();
        Ok(())
    }

    /// Releases windows that are completely decoded.
    fn release(&mut self) {
        let complete = |window: &mut Undecoded| window.values.len() == window.own.len();
        while let Some(window) = self.undecoded.pop_front_if(complete) {
            let Undecoded { first, cycles, values, .. } = window;
            self.learned.add(&self.outputs.layout, (first, cycles), &values, self.events);
        }
    }

    /// Ends the run. Receives the outstanding decoding data, compares digests of everything with
    /// the garbler, returns the labels that the garbler learns, then decodes the last window. Once
    /// this party's outputs are verified, it keeps them whatever happens.
    pub fn finish(mut self) -> Result<Ended, SessionError> {
        self.settle()?;
        self.outputs.check_complete()?;
        let doing = "comparing digests";
        while !self.undecoded.is_empty() {
            self.pull(DECODING)?;
        }
        if self.is_anything_left() || self.checkpoints > 0 {
            return Err(broke("it sent more tables or labels than the program has"));
        }
        expect(self.channel, Kind::Digest, PEER, doing)?;
        let seen = digest_payload(self.run.number, self.channel.received_digest());
        if self.channel.payload() != seen {
            return Err(SessionError::Digest { sender: PEER });
        }
        let last = self.outputs.take_last();
        self.response(Kind::Digest, &last)?;
        let end = self.exchange_last();
        let verified = self.undecoded.is_empty() && self.learned.is_something();
        match end {
            Err(error) if !verified => Err(error),
            end => {
                let (outputs, phases) = (self.learned.into_values(), Vec::new());
                Ok(Ended { outputs, phases, error: end.err() })
            }
        }
    }

    /// Decodes the last window and notifies the garbler.
    fn exchange_last(&mut self) -> Result<(), SessionError> {
        while !self.undecoded.is_empty() {
            expect(self.channel, Kind::Decoding, PEER, DECODING)?;
            self.decoding()?;
        }
        expect_done(self.channel, PEER, DECODING)?;
        self.channel.send(Kind::Done, &[]).map_err(lost("ending the run"))?;
        self.channel.flush().map_err(lost("ending the run"))
    }
}

const DECODING: &str = "waiting for decoding data";
const GOES_ON: &str = "it continues without sending the decoding data that is due";
