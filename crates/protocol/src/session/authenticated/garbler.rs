//! The garbler's part of a window, once its masks are known: figure 3 of the paper, with half
//! gates.

use super::link::Link;
use super::outputs::{Given, Outputs};
use super::ready::{Place, Ready};
use super::shares::{Rows, tick};
use super::walks::{Turn, Walk, false_label};
use crate::correlations::opening::{DIGEST_BYTES, LabelDigest, bit, equal, pack};
use crate::frame::Kind;
use crate::session::{Event, SessionError};
use halfgate_circuit::Party;
use halfgate_engine::io::PIECE_ANDS;
use halfgate_engine::wipe::Buffer;
use halfgate_engine::{Delta, Label, LabelSeed};
use zeroize::Zeroizing;

/// Bytes of a table.
pub(super) const TABLE_BYTES: usize = 32;

/// The garbler's online part.
pub(super) struct Garbler<'a> {
    /// Walks the masked values, for the check.
    pub masked: Walk,
    pub delta: &'a Delta,
    /// The false labels of input bits.
    pub seed: &'a LabelSeed,
    /// The number of the next input bit.
    pub number: u64,
}

impl Garbler<'_> {
    /// Lets the evaluator evaluate a window, proves that its tables are right, and opens the
    /// outputs. `mine` are the masked values of the garbler's input bits. Returns the window's
    /// rows.
    ///
    /// # Errors
    /// If the connection is lost, an engine fails, or a check fails.
    pub fn window(
        &mut self,
        link: &mut Link<'_>,
        (mut ready, mine): (Ready, &[bool]),
        events: &mut dyn FnMut(Event),
        outputs: &mut Outputs<'_>,
    ) -> Result<[Rows; 2], SessionError> {
        let ands = ready.ands();
        let masked = self.exchange_inputs(link, &ready, mine)?;

        // The evaluator's masked values, and the proof that they are those of its labels.
        let values = link.receive_bits(Kind::MaskedBits, ands, EVALUATING)?;
        let proof = link.receive(Kind::Check, DIGEST_BYTES, EVALUATING)?;
        let delta = self.delta.label();
        let mut digest = LabelDigest::new(ACTIVE_LABELS);
        digest.add(ready.rows.iter().enumerate().map(|(gate, row)| {
            let label = Label::from_u128(row[2].to_u128() & !1);
            label ^ when(bit(&values, gate), delta)
        }));
        if !equal(&digest.finish(), &proof) {
            return Err(link.cheated("the masked values that it returned"));
        }

        let value = |set: bool| Label::from_u128(set.into());
        let mut rows = std::mem::take(&mut ready.rows);
        for (gate, row) in rows.iter_mut().enumerate() {
            *row = [value(bit(&values, gate)), Label::ZERO, Label::ZERO];
        }
        let mut turn = Box::new(Turn { rows, ..Turn::default() });
        turn.inputs = Zeroizing::new(masked.iter().map(|set| value(*set)).collect());
        self.masked.go(turn);
        let (mut turn, _) = self.masked.stop(|| tick(link))?;
        ready.check_walk(&turn)?;

        let mut digest = LabelDigest::new(AND_CHECK);
        digest.add(turn.rows.iter().zip(ready.shares.iter()).map(|(row, mac)| {
            when(row[0].colour(), mac[1]) ^ when(row[1].colour(), mac[0]) ^ mac[2]
        }));
        link.send(Kind::Check, &digest.finish(), CHECKING)?;
        let masked = std::mem::take(&mut turn.outputs);
        let given = Given { open: &ready.open, keys: &ready.keys, masked };
        outputs.send(link, &given)?;
        link.flush(CHECKING)?;
        outputs.receive(link, &given, delta, events)?;
        Ok([std::mem::take(&mut turn.rows), ready.shares])
    }

    /// Exchanges masked values of input bits, and sends the active labels. Returns all masked
    /// values in order.
    fn exchange_inputs(
        &mut self,
        link: &mut Link<'_>,
        ready: &Ready,
        mine: &[bool],
    ) -> Result<Vec<bool>, SessionError> {
        link.send(Kind::MaskedBits, &pack(mine.iter().copied()), INPUTS)?;
        link.flush(INPUTS)?;
        let count = ready.count(Party::Evaluator);
        let theirs = link.receive_bits(Kind::MaskedBits, count, INPUTS)?;
        let mut places = [Place::default(); 2];
        let all: Vec<bool> = ready
            .inputs
            .iter()
            .map(|input| match input.owner {
                Party::Garbler => mine[places[0].next()],
                Party::Evaluator => bit(&theirs, places[1].next()),
            })
            .collect();
        let delta = self.delta.label();
        let mut labels = Buffer::with_capacity(16 * all.len());
        for (number, masked) in (self.number..).zip(&all) {
            let label = false_label(self.seed, number) ^ when(*masked, delta);
            labels.extend_from_slice(&label.to_bytes());
        }
        self.number += all.len() as u64;
        link.send(Kind::Labels, &labels, INPUTS)?;
        link.flush(INPUTS)?;
        Ok(all)
    }
}

/// Sends the tables of a garbled window, and the colour bits of the output labels. Nothing stays in
/// a buffer, where it would be counted as part of the next phase.
pub(super) fn send_tables(link: &mut Link<'_>, rows: &[[Label; 3]]) -> Result<(), SessionError> {
    let mut message = Vec::with_capacity(PIECE_ANDS.min(rows.len()) * TABLE_BYTES);
    for piece in rows.chunks(PIECE_ANDS) {
        message.clear();
        for [first, second, _] in piece {
            message.extend_from_slice(&first.to_bytes());
            message.extend_from_slice(&second.to_bytes());
        }
        link.send(Kind::Tables, &message, SENDING)?;
    }
    let colours = pack(rows.iter().map(|row| row[2].colour()));
    link.send(Kind::PublicBits, &colours, SENDING)?;
    link.flush(SENDING)
}

/// The label if a public bit is set, zero otherwise.
pub(super) fn when(set: bool, label: Label) -> Label {
    label.masked_publicly(set)
}

/// What the digests of a window are of.
pub(super) const ACTIVE_LABELS: &str = "halfgate 1 active labels of a window";
pub(super) const AND_CHECK: &str = "halfgate 1 check of the ANDs of a window";

const SENDING: &str = "sending tables";
const INPUTS: &str = "exchanging masked inputs";
const EVALUATING: &str = "waiting for masked values";
const CHECKING: &str = "checking the ANDs";
