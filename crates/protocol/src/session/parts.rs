//! The parts of a run of a program with functions.
//!
//! If both parties' engines run functions without flattening, a run has parts, which follow each
//! other as cycles do. The inputs of a part are exchanged when the part before is over. The outputs
//! that maps give in a part are decoded while the run goes on. So neither party holds the labels of
//! all inputs or outputs.
//!
//! **Where a part ends.** The outermost body is read [block by
//! block](halfgate_circuit::structured::blocks). A part consists of whole blocks. It ends once its
//! blocks read [`BATCH`](super::inputs::BATCH) input bits of one party that no part before read, or
//! give as many output bits. If there are several parts, each has at least one AND. The division
//! depends on the program alone.
//!
//! Memory: 32 bytes for each part, and 8 for each sequence of output bits that a part gives.

use halfgate_circuit::Wire;
use halfgate_circuit::structured::blocks::Blocks;
use std::ops::Range;

/// The parts of a run.
#[derive(Debug, Default)]
pub(crate) struct Parts {
    ends: Vec<End>,
    /// The sequences of output bits that parts give, in order.
    given: Vec<Range<u32>>,
    /// The highest number of uses in one part: of the garbler's bits, and of the evaluator's.
    most_uses: [u64; 2],
}

/// Totals of a run at the end of a part.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct End {
    ands: u64,
    /// Uses of the garbler's and of the evaluator's input bits.
    uses: [u64; 2],
    /// Sequences of output bits given.
    given: u32,
}

impl Parts {
    /// Divides a body of `ands` ANDs into parts. A part ends once it has `full` input bits of one
    /// party or `full` output bits. `is_evaluators` says whether an input bit is the evaluator's.
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
                parts.end(end);
                (begin, given_before) = (end, given);
                // The next part's output bits begin a new sequence, even if they follow the last
                // one.
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
        parts.end(end);
        parts
    }

    /// Adds a part.
    fn end(&mut self, end: End) {
        let before = self.ends.last().copied().unwrap_or_default();
        for (party, most) in self.most_uses.iter_mut().enumerate() {
            *most = (*most).max(end.uses[party] - before.uses[party]);
        }
        self.ends.push(end);
    }

    /// Adds output bits that a part gives. They extend the part's last sequence if they follow it.
    /// The part's first sequence has index `first`.
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

    /// ANDs up to and including the part that AND number `and` belongs to.
    pub fn end_of(&self, and: u64) -> u64 {
        let part = self.ends.partition_point(|end| end.ands <= and);
        self.ends.get(part).map_or(u64::MAX, |end| end.ands)
    }

    /// Uses of the garbler's and of the evaluator's input bits up to and including a part.
    pub fn uses(&self, part: u64) -> [u64; 2] {
        self.ends[part as usize].uses
    }

    /// The highest number of uses in one part: of the garbler's bits, and of the evaluator's.
    pub fn most_uses(&self) -> [u64; 2] {
        self.most_uses
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
