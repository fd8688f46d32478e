//! Where the wide core's clocks go.

use super::Seen;
use super::items::State;

/// Clocks by what the core was at: each clock has exactly one cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Went {
    /// It read an operand of an item.
    pub operands: u64,
    /// It sent a byte of a label, and read no operand.
    pub results: u64,
    /// It could take no more bytes and read no operand: the label or an AND unit was not there yet,
    /// or the item was being decoded.
    pub waits: u64,
    /// It could take bytes, and had no operand to read.
    pub bytes: u64,
    /// Nothing was left to read, or to take: it was done, or what came was no item.
    pub end: u64,
}

impl Went {
    /// Counts a clock in which no labels are wiped.
    pub fn count(&mut self, seen: &Seen) {
        let cause = if seen.job.is_some() {
            &mut self.operands
        } else if seen.gives.is_some() {
            &mut self.results
        } else if seen.over || seen.items == State::Failed {
            &mut self.end
        } else if seen.ready {
            &mut self.bytes
        } else {
            &mut self.waits
        };
        *cause += 1;
    }

    /// Every cause with its name, in the order of the fields.
    pub fn named(&self) -> [(&'static str, u64); 5] {
        [
            ("operands", self.operands),
            ("results", self.results),
            ("waits", self.waits),
            ("bytes", self.bytes),
            ("end", self.end),
        ]
    }
}

impl std::ops::AddAssign for Went {
    fn add_assign(&mut self, more: Went) {
        self.operands += more.operands;
        self.results += more.results;
        self.waits += more.waits;
        self.bytes += more.bytes;
        self.end += more.end;
    }
}
