//! Transfers the labels of the evaluator's own input bits: the OT of [`crate::ot`], batch by batch,
//! over a channel.
//!
//! Both parties know the number of bits, so batches are not requested. Before a cycle begins, the
//! evaluator has sent the messages for all its bits of that cycle and up to two batches more. The
//! garbler reads the messages for the cycle then, and the other messages when they are due.

use super::inputs::{BATCH, InputBit, Values};
use super::{OtMode, SessionError};
use crate::channel::Channel;
use crate::frame::Kind;
use crate::handshake::{Agreement, LabelMode};
use crate::ot::{
    BaseReceiver, BaseResponse, BaseSender, ExtensionReceiver, ExtensionSender, MASKED_PAIR_BYTES,
    OtError, RandomOtHash, tree_bytes,
};
use halfgate_circuit::{Bits, Party};
use halfgate_engine::{Delta, Label, wipe};
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// Batches that the evaluator sends ahead.
const AHEAD: usize = 2;

/// Maximum batches that a garbler stores before it needs them: all that may be sent ahead.
pub(crate) const MAX_STASH: usize = AHEAD + 1;

/// The garbler's side.
pub(crate) struct TransferSender {
    extension: ExtensionSender,
    hash: RandomOtHash,
    mode: LabelMode,
    /// Transfers of this run that have been made, and that are still to come.
    taken: u64,
    remaining: u64,
    /// Batches with unused labels, and the number of used labels of the first one.
    batches: VecDeque<Zeroizing<Vec<Label>>>,
    used: usize,
}

/// The garbler's data that transfers need in a run.
pub(crate) struct Labels<'a> {
    /// Δ of the garbling.
    pub delta: &'a Delta,
    /// The false label of input bit number `sequence`, for masked pairs.
    pub draw: &'a dyn Fn(u64) -> Label,
    /// The evaluator's input bits that are not transferred yet.
    pub bits: &'a mut dyn Iterator<Item = InputBit>,
}

impl TransferSender {
    /// Whether labels come from the garbling's seed, and not from the transfers.
    pub fn is_masked(&self) -> bool {
        self.mode == LabelMode::Masked
    }

    /// Runs the base OTs under the offset `delta`, which is that of the garbling in
    /// [`LabelMode::Correlated`].
    pub fn set_up(
        channel: &mut dyn Channel,
        agreement: &Agreement,
        ot: OtMode,
        delta: &Delta,
    ) -> Result<TransferSender, SessionError> {
        let lost = |error| SessionError::channel(Party::Evaluator, SETTING_UP, error);
        let field = agreement.ot_field;
        let (base, opening) =
            BaseReceiver::new(agreement.session, delta).map_err(failed(Party::Evaluator))?;
        channel.send(Kind::BaseOt, &opening).map_err(lost)?;
        channel.flush().map_err(lost)?;
        expect(channel, Kind::BaseOt, Party::Evaluator, SETTING_UP)?;
        let payload = channel.payload();
        let (challenge, trees) = payload.split_at(payload.len().saturating_sub(tree_bytes(field)));
        let (response, seeds) = base.finish(challenge).map_err(failed(Party::Evaluator))?;
        let extension = ExtensionSender::new(ot, field, &seeds, trees);
        let extension = extension.map_err(failed(Party::Evaluator))?;
        channel.send(Kind::BaseOt, &response).map_err(lost)?;
        channel.flush().map_err(lost)?;
        Ok(TransferSender {
            extension,
            hash: RandomOtHash::new(&agreement.session),
            mode: agreement.labels,
            taken: 0,
            remaining: 0,
            batches: VecDeque::new(),
            used: 0,
        })
    }

    /// Starts a run with `count` transfers.
    pub fn begin(&mut self, count: u64) {
        (self.taken, self.remaining) = (0, count);
        self.batches.clear();
        self.used = 0;
    }

    /// Whether fewer than `due` transfers of this run have been made.
    pub fn wants_batch(&self, due: u64) -> bool {
        self.taken < due && self.remaining > 0
    }

    /// Whether messages of this run's transfers are still to come after the next `messages`.
    pub fn awaits_after(&self, messages: u64) -> bool {
        self.remaining > messages * BATCH as u64
    }

    /// Processes the next batch. Its message is `message`, or else the frame last received.
    pub fn fill(
        &mut self,
        channel: &mut dyn Channel,
        message: Option<&[u8]>,
        run: Labels,
    ) -> Result<(), SessionError> {
        let count = self.remaining.min(BATCH as u64) as usize;
        let first = self.extension.produced();
        let mut labels = Zeroizing::new(Vec::with_capacity(count));
        let message = message.unwrap_or_else(|| channel.payload());
        wipe::far_below(|| self.extension.extend(count, message, &mut labels))
            .map_err(failed(Party::Evaluator))?;
        self.remaining -= count as u64;
        self.taken += count as u64;
        tracing::trace!(count, left = self.remaining, "transferred labels");
        if self.mode == LabelMode::Masked {
            // Full capacity at once, here and below: a vector that grows leaves copies behind.
            let mut pairs = Zeroizing::new(Vec::with_capacity(count));
            for bit in run.bits.take(count) {
                let label = (run.draw)(bit.sequence);
                pairs.push((label, label ^ run.delta.label()));
            }
            let mut message = Vec::with_capacity(count * MASKED_PAIR_BYTES);
            let offset = self.extension.delta();
            let hash = &self.hash;
            wipe::far_below(|| hash.mask_pairs(first, &labels, offset, &pairs, &mut message));
            let lost = |error| SessionError::channel(Party::Evaluator, TRANSFERRING, error);
            channel.send(Kind::MaskedPairs, &message).map_err(lost)?;
            for (label, pair) in labels.iter_mut().zip(pairs.iter()) {
                *label = pair.0;
            }
        }
        self.batches.push_back(labels);
        Ok(())
    }

    /// The false label of the next of the evaluator's bits; `None` if it is not transferred yet.
    pub fn next(&mut self) -> Option<Label> {
        let batch = self.batches.front()?;
        let label = batch.get(self.used).copied()?;
        self.used += 1;
        if self.used == batch.len() {
            self.batches.pop_front();
            self.used = 0;
        }
        Some(label)
    }
}

/// The evaluator's side.
pub(crate) struct TransferReceiver {
    extension: ExtensionReceiver,
    hash: RandomOtHash,
    mode: LabelMode,
    /// The check of the garbler's response that ends the base OTs, until that response has arrived.
    response: Option<BaseResponse>,
    /// Transfers of this run whose messages are sent.
    sent: u64,
    /// Batches sent whose labels are not all used.
    ahead: VecDeque<Batch>,
    /// How many of them wait for their masked pairs; 0 in correlated mode.
    masked: usize,
}

/// A batch of the evaluator's transfers. Wiped on drop.
struct Batch {
    first: u64,
    choices: Zeroizing<Vec<u8>>,
    labels: Zeroizing<Vec<Label>>,
    used: usize,
}

impl TransferReceiver {
    /// Runs the base OTs up to the garbler's response, for which [`confirm`](Self::confirm) waits.
    pub fn set_up(
        channel: &mut dyn Channel,
        agreement: &Agreement,
        ot: OtMode,
    ) -> Result<TransferReceiver, SessionError> {
        let lost = |error| SessionError::channel(Party::Garbler, SETTING_UP, error);
        expect(channel, Kind::BaseOt, Party::Garbler, SETTING_UP)?;
        let (mut challenge, seeds, response) =
            BaseSender::respond(agreement.session, channel.payload())
                .map_err(failed(Party::Garbler))?;
        let (extension, trees) = ExtensionReceiver::new(ot, agreement.ot_field, &seeds);
        challenge.extend_from_slice(&trees);
        channel.send(Kind::BaseOt, &challenge).map_err(lost)?;
        channel.flush().map_err(lost)?;
        Ok(TransferReceiver {
            extension,
            hash: RandomOtHash::new(&agreement.session),
            mode: agreement.labels,
            response: Some(response),
            sent: 0,
            ahead: VecDeque::new(),
            masked: 0,
        })
    }

    /// Waits for the end of the base OTs, unless it has arrived. Before that, messages of the
    /// extension may be sent, but nothing from the garbler may be used.
    pub fn confirm(&mut self, channel: &mut dyn Channel) -> Result<(), SessionError> {
        let Some(response) = self.response.take() else { return Ok(()) };
        expect(channel, Kind::BaseOt, Party::Garbler, SETTING_UP)?;
        response.check(channel.payload()).map_err(failed(Party::Garbler))
    }

    /// Starts a run.
    pub fn begin(&mut self) {
        self.sent = 0;
    }

    /// Sends batches until `due` transfers of this run are sent, and some more ahead. `bits` are
    /// the uses of own bits that are not transferred yet, `values` their values. Stops early if the
    /// garbler would have to buffer too many replies, and returns whether it did.
    pub fn send_ahead(
        &mut self,
        due: u64,
        channel: &mut dyn Channel,
        values: &mut Values<'_>,
        bits: &mut dyn Iterator<Item = InputBit>,
    ) -> Result<bool, SessionError> {
        while self.sent <= due.saturating_add(((AHEAD - 1) * BATCH) as u64) {
            if self.masked >= AHEAD {
                return Ok(self.sent < due);
            }
            let mut choices = Bits::new();
            for bit in bits.take(BATCH) {
                choices.push(values.get(bit)?);
            }
            let count = choices.len();
            if count == 0 {
                break;
            }
            let mut batch = Batch {
                first: self.extension.produced(),
                choices: Zeroizing::new(choices.to_bytes()),
                labels: Zeroizing::new(Vec::with_capacity(count)),
                used: 0,
            };
            let mut message = Vec::new();
            let Batch { choices, labels, .. } = &mut batch;
            wipe::far_below(|| self.extension.extend(choices, count, &mut message, labels))
                .map_err(failed(Party::Garbler))?;
            let lost = |error| SessionError::channel(Party::Garbler, TRANSFERRING, error);
            channel.send(Kind::Extension, &message).map_err(lost)?;
            channel.flush().map_err(lost)?;
            self.masked += usize::from(self.mode == LabelMode::Masked);
            self.ahead.push_back(batch);
            self.sent += count as u64;
        }
        Ok(false)
    }

    /// Processes the garbler's masked pairs for the next batch that waits for them.
    pub fn unmask(&mut self, message: &[u8]) -> Result<(), SessionError> {
        let open = self.ahead.len() - self.masked;
        let Some(batch) = self.ahead.get_mut(open).filter(|_| self.masked > 0) else {
            let what = "it sent masked labels that were not requested".to_owned();
            return Err(SessionError::Protocol { peer: Party::Garbler, what });
        };
        let Batch { first, choices, labels, .. } = batch;
        wipe::far_below(|| self.hash.unmask(*first, labels, choices, message))
            .map_err(failed(Party::Garbler))?;
        self.masked -= 1;
        Ok(())
    }

    /// The active label of the next own bit; `None` if it has not arrived yet.
    pub fn next(&mut self) -> Option<Label> {
        if self.ahead.len() == self.masked {
            return None;
        }
        let batch = self.ahead.front_mut()?;
        let label = batch.labels.get(batch.used).copied()?;
        batch.used += 1;
        if batch.used == batch.labels.len() {
            self.ahead.pop_front();
        }
        Some(label)
    }

    /// Whether masked pairs are still to come.
    pub fn waits(&self) -> bool {
        self.masked > 0
    }
}

const SETTING_UP: &str = "setting up oblivious transfer";
const TRANSFERRING: &str = "transferring input labels";

fn failed(peer: Party) -> impl Fn(OtError) -> SessionError {
    move |error| SessionError::Ot { peer, error }
}

/// Waits for the peer's `Done`.
pub(crate) fn expect_done(
    channel: &mut dyn Channel,
    peer: Party,
    doing: &'static str,
) -> Result<(), SessionError> {
    expect(channel, Kind::Done, peer, doing)?;
    match channel.payload().is_empty() {
        true => Ok(()),
        false => {
            let what = "its message of the end of the run is not empty".to_owned();
            Err(SessionError::Protocol { peer, what })
        }
    }
}

/// Waits for a frame that must be of `kind`.
pub(crate) fn expect(
    channel: &mut dyn Channel,
    kind: Kind,
    peer: Party,
    doing: &'static str,
) -> Result<(), SessionError> {
    let came = channel.recv().map_err(|error| SessionError::channel(peer, doing, error))?;
    if came != kind {
        let what = format!("it sent {came:?} where {kind:?} was due (while {doing})");
        return Err(SessionError::Protocol { peer, what });
    }
    Ok(())
}
