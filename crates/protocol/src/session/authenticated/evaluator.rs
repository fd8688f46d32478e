//! The evaluator's part of a window, once its masks are known: figure 3 of the paper, with half
//! gates.

use super::correlate::Masks;
use super::garbler::{ACTIVE_LABELS, AND_CHECK, TABLE_BYTES, when};
use super::link::Link;
use super::outputs::{Given, Outputs};
use super::run::{Own, Place};
use super::shares::{Stopped, tick};
use super::walks::{Turn, Walk};
use crate::correlations::opening::{DIGEST_BYTES, LabelDigest, bit, equal, pack};
use crate::frame::Kind;
use crate::session::SessionError;
use halfgate_circuit::Party;
use halfgate_engine::io::PIECE_ANDS;
use halfgate_engine::{Delta, Label};
use zeroize::Zeroizing;

/// The evaluator's walk after those of shares.
pub(super) struct Evaluator<'a> {
    pub evaluating: Walk,
    pub delta: &'a Delta,
}

impl Evaluator<'_> {
    /// Evaluates a window, checks that its tables were right, and opens the outputs.
    ///
    /// # Errors
    /// If the connection is lost, an engine fails, or a check fails.
    pub fn window(
        &mut self,
        link: &mut Link<'_>,
        (masks, stopped): (Masks, Stopped),
        own: &mut Own<'_, '_>,
        outputs: &mut Outputs<'_>,
    ) -> Result<(), SessionError> {
        let ands = stopped.ands;
        let mine = own.masked(&stopped, &masks.inputs)?;
        link.send(Kind::MaskedBits, &pack(mine.iter().copied()), INPUTS)?;
        link.flush(INPUTS)?;
        let rows = receive_tables(link, &masks.macs[..ands])?;
        let inputs = receive_inputs(link, &mine, &stopped)?;

        let mut turn = Box::new(Turn { rows, inputs, ..Turn::default() });
        self.evaluating.go(turn);
        (turn, _) = self.evaluating.stop(|| tick(link))?;
        let labels = || turn.rows.iter().map(|row| row[2]);
        let mut digest = LabelDigest::new(ACTIVE_LABELS);
        digest.add(labels());
        link.send(Kind::MaskedBits, &pack(labels().map(Label::colour)), EVALUATING)?;
        link.send(Kind::Check, &digest.finish(), EVALUATING)?;
        link.flush(EVALUATING)?;

        // The tables were right if the masked values of each AND fit the masks.
        let delta = self.delta.label();
        let mut digest = LabelDigest::new(AND_CHECK);
        digest.add(turn.rows.iter().zip(masks.keys.iter()).map(|(row, key)| {
            let [first, second, output] = row.map(Label::colour);
            let constant = when((first & second) ^ output, delta);
            when(first, key[1]) ^ when(second, key[0]) ^ key[2] ^ constant
        }));
        let proof = link.receive(Kind::Check, DIGEST_BYTES, CHECKING)?;
        if !equal(&digest.finish(), &proof) {
            return Err(link.cheated("the check of its tables"));
        }
        let given = Given { shares: stopped.outputs, masked: std::mem::take(&mut turn.outputs) };
        outputs.send(link, &given)?;
        link.flush(CHECKING)?;
        outputs.receive(link, &given, delta, own.events)
    }
}

/// Receives the tables of a window. Returns the rows that evaluate it.
fn receive_tables(
    link: &mut Link<'_>,
    macs: &[[Label; 3]],
) -> Result<Zeroizing<Vec<[Label; 3]>>, SessionError> {
    let mut rows = Zeroizing::new(macs.to_vec());
    for piece in rows.chunks_mut(PIECE_ANDS) {
        let tables = link.receive(Kind::Tables, piece.len() * TABLE_BYTES, RECEIVING)?;
        let (tables, _) = tables.as_chunks::<16>();
        for (row, table) in piece.iter_mut().zip(tables.chunks_exact(2)) {
            // The row has the masks of the first and the second input; a table's halves need the
            // other one.
            let [first, second, output] = *row;
            let [g0, g1] = [table[0], table[1]].map(Label::from_bytes);
            *row = [g0 ^ second, g1 ^ first, output];
        }
    }
    let colours = link.receive(Kind::PublicBits, macs.len().div_ceil(8), RECEIVING)?;
    for (gate, row) in rows.iter_mut().enumerate() {
        row[2] ^= Label::from_u128(bit(&colours, gate).into());
    }
    Ok(rows)
}

/// Receives the masked values of the garbler's input bits, and the active labels of all. Their
/// colour bits must be the masked values.
fn receive_inputs(
    link: &mut Link<'_>,
    mine: &[bool],
    stopped: &Stopped,
) -> Result<Zeroizing<Vec<Label>>, SessionError> {
    let count = stopped.inputs_of(Party::Garbler).count();
    let theirs = link.receive(Kind::MaskedBits, count.div_ceil(8), INPUTS)?;
    let bytes = link.receive_secret(Kind::Labels, 16 * stopped.inputs.len(), INPUTS)?;
    let (labels, _) = bytes.as_chunks::<16>();
    let labels = Zeroizing::new(labels.iter().copied().map(Label::from_bytes).collect::<Vec<_>>());
    let mut places = [Place::default(); 2];
    for (input, label) in stopped.inputs.iter().zip(labels.iter()) {
        let masked = match input.owner {
            Party::Garbler => bit(&theirs, places[0].next()),
            Party::Evaluator => mine[places[1].next()],
        };
        if masked != label.colour() {
            return Err(link.cheated("the colour bits of its input labels"));
        }
    }
    Ok(labels)
}

const RECEIVING: &str = "receiving tables";
const INPUTS: &str = "exchanging masked inputs";
const EVALUATING: &str = "returning masked values";
const CHECKING: &str = "checking the ANDs";
