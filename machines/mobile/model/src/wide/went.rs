//! Counts the wide core's clock cycles by cause.

use super::Seen;
use super::items::State;

/// Clock cycles by cause. Each clock cycle has exactly one cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Went {
    /// Read an operand of an item.
    pub operands: u64,
    /// Sent a byte of a label, and read no operand.
    pub results: u64,
    /// Read no operand and could take no more bytes, because a label or an AND unit was not
    /// available or the item was being decoded.
    pub waits: u64,
    /// Read no operand, because bytes of the next item were missing.
    pub bytes: u64,
    /// Nothing was left to read or to take: the run was done, or bytes were no item.
    pub end: u64,
}

impl Went {
    /// Counts a clock cycle in which no labels are wiped.
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
