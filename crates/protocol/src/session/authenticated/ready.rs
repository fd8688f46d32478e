//! Windows that are ready for their inputs: what the online part of a run needs.

use super::correlate::Masks;
use super::outputs::Outputs;
use super::shares::{InputRead, Rows, Stopped};
use super::walks::Turn;
use crate::session::inputs::{InputBit, Values};
use crate::session::{SessionError, contract};
use halfgate_circuit::Party;
use halfgate_engine::{ContractError, Counters, Label};
use zeroize::Zeroizing;

/// A window that is ready for its inputs. Its labels are wiped on drop.
pub(super) struct Ready {
    /// Shares of the masks, for the check of the ANDs: MACs of the garbler, keys of the evaluator.
    pub shares: Rows,
    /// The garbler: garbled rows, of which only the output labels are used. The evaluator: the rows
    /// that its walk takes.
    pub rows: Rows,
    /// The masks of this party's own input bits.
    pub masks: Zeroizing<Vec<bool>>,
    /// The input bits that the window reads, in order.
    pub inputs: Vec<InputRead>,
    /// MACs of the masks of outputs that the peer learns.
    pub open: Zeroizing<Vec<Label>>,
    /// Keys of the masks of outputs that this party learns.
    pub keys: Zeroizing<Vec<Label>>,
    /// If the run ends with this window.
    pub ended: Option<Counters>,
}

impl Ready {
    /// A window of `party` whose masks are known. It lacks the tables: `rows` are the shares from
    /// which the garbler garbles, and to which the evaluator adds the tables.
    pub fn new(party: Party, masks: Masks, stopped: &Stopped, outputs: &Outputs<'_>) -> Ready {
        let Masks { mut keys, mut macs, inputs: own } = masks;
        keys.truncate(stopped.ands);
        macs.truncate(stopped.ands);
        let (shares, rows) = match party {
            Party::Garbler => (macs, keys),
            Party::Evaluator => (keys, macs),
        };
        Ready {
            shares,
            rows,
            masks: own,
            inputs: stopped.inputs.iter().map(|input| input.read).collect(),
            open: outputs.labels_of(party.other(), &stopped.outputs[1]),
            keys: outputs.labels_of(party, &stopped.outputs[0]),
            ended: stopped.ended,
        }
    }

    /// ANDs of the window.
    pub fn ands(&self) -> usize {
        self.shares.len()
    }

    /// The number of input bits of `party`.
    pub fn count(&self, party: Party) -> usize {
        self.inputs.iter().filter(|input| input.owner == party).count()
    }

    /// The masked values of this party's own input bits.
    ///
    /// # Errors
    /// If a feed fails.
    pub fn masked(&self, values: &mut Values<'_>) -> Result<Vec<bool>, SessionError> {
        let party = values.party();
        let own = self.inputs.iter().filter(|input| input.owner == party);
        own.zip(self.masks.iter())
            .map(|(input, mask)| {
                let (cycle, wire) = (input.cycle, input.wire);
                let bit = InputBit { sequence: 0, cycle, part: cycle, wire };
                let value = values.get(bit)?;
                #[cfg(test)]
                let value = value ^ (crate::cheating::inside().flipped_input == Some(wire));
                Ok(value ^ mask)
            })
            .collect()
    }

    /// Checks that a walk has read what the walk of shares read.
    ///
    /// # Errors
    /// If it has not: then the engine is another one.
    pub fn check_walk(&self, turn: &Turn) -> Result<(), SessionError> {
        let requested = turn.requested.iter().copied();
        let same = requested.eq(self.inputs.iter().map(|input| (input.cycle, input.wire)));
        match same && turn.done == self.ands() {
            true => Ok(()),
            false => Err(contract(ContractError::InputOrder)),
        }
    }
}

/// Counts up.
#[derive(Clone, Copy, Default)]
pub(super) struct Place(usize);

impl Place {
    /// The next place.
    pub fn next(&mut self) -> usize {
        self.0 += 1;
        self.0 - 1
    }
}
