//! The parts of a run of a program with functions.
//!
//! Both parties' engines may run functions as such. The run then has parts, which follow each other
//! as cycles do: the inputs of a part are exchanged when the part before is over, and the outputs
//! that maps give in it are decoded while the run goes on. So neither party holds the labels of all
//! inputs or outputs.
//!
//! **Where a part ends.** The outermost body is read [block by block](halfgate_circuit::structured::blocks). A part takes blocks
//! until they read [`BATCH`](super::inputs::BATCH) input bits of a party
//! first, or give as many output bits. Each part has ANDs.
//! The division depends on the program alone.
//!
//! Memory: 24 bytes for each part, and 8 for each sequence of output bits that a part gives.

use halfgate_circuit::Wire;
use halfgate_circuit::structured::blocks::Blocks;
use std::ops::Range;

/// The parts of a run.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    ends: Vec<End>,
    /// The sequences of output bits that parts give, in order.
    given: Vec<Range<u32>>,
}

/// What a run has up to the end of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct End {
    ands: u64,
    /// Uses of the garbler's and of the evaluator's input bits.
    uses: [u64; 2],
    /// Sequences of output bits given.
    given: u32,
}

impl Parts {
    /// The parts of a body of `ands` ANDs, each of which ends with `full` input or output bits.
    /// `is_evaluators` says whether an input bit is the evaluator's.
    pub fn of(
        mut blocks: Blocks<'_>,
        ands: u64,
        full: usize,
        mut is_evaluators: impl FnMut(Wire) -> bool,
    ) -> Parts {
        let mut parts = Parts::default();
        let (mut begin, mut end, mut given_before) = (End::default(), End::default(), 0);
        let mut given = 0;
        let mut wires = Vec::new();
        while let Some(block) = blocks.next(&mut wires) {
            let inputs = (0..2).any(|party| end.uses[party] - begin.uses[party] >= full as u64);
            let is_full = inputs || given - given_before >= full;
            if is_full && begin.ands < end.ands && end.ands < ands {
                parts.ends.push(end);
                (begin, given_before) = (end, given);
                // The next part's outputs are separate, also where they follow.
                end.given = parts.given.len() as u32;
            }
            for wire in wires.drain(..) {
                end.uses[usize::from(is_evaluators(wire))] += 1;
            }
            end.ands += block.ands;
            given += block.given.len();
            parts.give(block.given, begin.given);
            end.given = parts.given.len() as u32;
        }
        parts.ends.push(end);
        parts
    }

    /// Adds output bits. They extend the last sequence if they follow it and that is of this part,
    /// which begins with sequence `first`.
    fn give(&mut self, bits: Range<u32>, first: u32) {
        let own = first as usize;
        match self.given[own..].last_mut() {
            _ if bits.is_empty() => {}
            Some(last) if last.end == bits.start => last.end = bits.end,
            _ => self.given.push(bits),
        }
    }

    /// Number of parts, at least 1.
    pub fn count(&self) -> u64 {
        self.ends.len() as u64
    }

    /// ANDs up to and including a part.
    pub fn ands(&self, part: u64) -> u64 {
        self.ends[part as usize].ands
    }

    /// Uses of the garbler's and of the evaluator's input bits up to and including a part.
    pub fn uses(&self, part: u64) -> [u64; 2] {
        self.ends[part as usize].uses
    }

    /// The most uses in a part, of the garbler's and of the evaluator's bits.
    pub fn most_uses(&self) -> [u64; 2] {
        let mut most = [0; 2];
        let mut before = [0; 2];
        for end in &self.ends {
            for party in 0..2 {
                most[party] = most[party].max(end.uses[party] - before[party]);
            }
            before = end.uses;
        }
        most
    }

    /// The output bits that a part gives.
    pub fn given(&self, part: u64) -> &[Range<u32>] {
        let before = (part as usize).checked_sub(1).map_or(0, |before| self.ends[before].given);
        &self.given[before as usize..self.ends[part as usize].given as usize]
    }

    /// The output bits that any part gives.
    pub fn all_given(&self) -> &[Range<u32>] {
        &self.given
    }
}
