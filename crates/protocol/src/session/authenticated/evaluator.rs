//! The evaluator's part of a window, once its masks are known: figure 3 of the paper, with half
//! gates.

use super::garbler::{ACTIVE_LABELS, AND_CHECK, TABLE_BYTES, when};
use super::link::Link;
use super::outputs::{Given, Outputs};
use super::ready::{Place, Ready};
use super::shares::{Rows, tick};
use super::walks::{Turn, Walk};
use crate::correlations::opening::{DIGEST_BYTES, LabelDigest, bit, equal, pack};
use crate::frame::Kind;
use crate::session::{Event, SessionError};
use halfgate_circuit::Party;
use halfgate_engine::io::PIECE_ANDS;
use halfgate_engine::{Delta, Label};
use zeroize::Zeroizing;

/// The evaluator's online part.
pub(super) struct Evaluator<'a> {
    pub evaluating: Walk,
    pub delta: &'a Delta,
}

impl Evaluator<'_> {
    /// Sends the masked values of the evaluator's input bits of a window.
    ///
    /// # Errors
    /// If the connection is lost.
    pub fn begin(&self, link: &mut Link<'_>, mine: &[bool]) -> Result<(), SessionError> {
        link.send(Kind::MaskedBits, &pack(mine.iter().copied()), INPUTS)?;
        link.flush(INPUTS)
    }

    /// Evaluates a window, checks that its tables were right, and opens the outputs. `mine` are the
    /// masked values that [`begin`](Evaluator::begin) sent. Returns the window's rows.
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
        let inputs = receive_inputs(link, mine, &ready)?;
        let rows = std::mem::take(&mut ready.rows);
        self.evaluating.go(Box::new(Turn { rows, inputs, ..Turn::default() }));
        let (mut turn, _) = self.evaluating.stop(|| tick(link))?;
        ready.check_walk(&turn)?;
        let labels = || turn.rows.iter().map(|row| row[2]);
        let mut digest = LabelDigest::new(ACTIVE_LABELS);
        digest.add(labels());
        link.send(Kind::MaskedBits, &pack(labels().map(Label::colour)), EVALUATING)?;
        link.send(Kind::Check, &digest.finish(), EVALUATING)?;
        link.flush(EVALUATING)?;

        // The tables were right if the masked values of each AND fit the masks.
        let delta = self.delta.label();
        let mut digest = LabelDigest::new(AND_CHECK);
        digest.add(turn.rows.iter().zip(ready.shares.iter()).map(|(row, key)| {
            let [first, second, output] = row.map(Label::colour);
            let constant = when((first & second) ^ output, delta);
            when(first, key[1]) ^ when(second, key[0]) ^ key[2] ^ constant
        }));
        let proof = link.receive(Kind::Check, DIGEST_BYTES, CHECKING)?;
        if !equal(&digest.finish(), &proof) {
            return Err(link.cheated("the check of its tables"));
        }
        let masked = std::mem::take(&mut turn.outputs);
        let given = Given { open: &ready.open, keys: &ready.keys, masked };
        outputs.send(link, &given)?;
        link.flush(CHECKING)?;
        outputs.receive(link, &given, delta, events)?;
        Ok([std::mem::take(&mut turn.rows), ready.shares])
    }
}

/// Receives the tables of a window. `rows` are MACs, and become the rows that evaluate the window.
///
/// # Errors
/// If the connection is lost.
pub(super) fn receive_tables(
    link: &mut Link<'_>,
    rows: &mut [[Label; 3]],
) -> Result<(), SessionError> {
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
    let colours = link.receive_bits(Kind::PublicBits, rows.len(), RECEIVING)?;
    for (gate, row) in rows.iter_mut().enumerate() {
        row[2] ^= Label::from_u128(bit(&colours, gate).into());
    }
    Ok(())
}

/// Receives the masked values of the garbler's input bits, and the active labels of all. Their
/// colour bits must be the masked values.
fn receive_inputs(
    link: &mut Link<'_>,
    mine: &[bool],
    ready: &Ready,
) -> Result<Zeroizing<Vec<Label>>, SessionError> {
    let count = ready.count(Party::Garbler);
    let theirs = link.receive_bits(Kind::MaskedBits, count, INPUTS)?;
    let bytes = link.receive_secret(Kind::Labels, 16 * ready.inputs.len(), INPUTS)?;
    let (labels, _) = bytes.as_chunks::<16>();
    let labels = Zeroizing::new(labels.iter().copied().map(Label::from_bytes).collect::<Vec<_>>());
    let mut places = [Place::default(); 2];
    for (input, label) in ready.inputs.iter().zip(labels.iter()) {
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
