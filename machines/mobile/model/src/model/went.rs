//! Counts the chip's clock cycles by cause.

use super::{Seen, State, Step};

/// Clock cycles by cause. Each clock cycle has exactly one cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Went {
    /// Ready for a byte that the link had not delivered.
    pub link: u64,
    /// Took bytes: a table, a label, or the beginning of a netlist cycle.
    pub bytes: u64,
    /// Hashed the operands of an AND.
    pub hash: u64,
    /// Read labels from the memory, or wrote them.
    pub memory: u64,
    /// Sent a label.
    pub results: u64,
    /// Decoded the next item.
    pub decode: u64,
    /// Wiped labels.
    pub wipe: u64,
}

impl Went {
    /// Counts a clock cycle. `starves` is [`Chip::starves`](super::Chip::starves) before this clock
    /// cycle.
    pub fn count(&mut self, seen: &Seen, starves: bool) {
        *match seen.execute {
            Step::Wipe => &mut self.wipe,
            Step::Read | Step::Store | Step::StoreHigh => &mut self.memory,
            Step::Give => &mut self.results,
            Step::Load | Step::Config | Step::Work if seen.takes => &mut self.bytes,
            // While the chip hashes, a missing next item costs no clock cycle.
            Step::Work if !(starves && seen.items == State::Follow) => &mut self.hash,
            Step::Idle if !starves => &mut self.decode,
            Step::Load | Step::Config if !starves => &mut self.decode,
            Step::Load | Step::Config | Step::Work | Step::Idle => &mut self.link,
        } += 1;
    }

    /// Every cause with its name, in the order of the fields.
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("link", self.link),
            ("bytes", self.bytes),
            ("hash", self.hash),
            ("memory", self.memory),
            ("results", self.results),
            ("decode", self.decode),
            ("wipe", self.wipe),
        ]
    }

    /// Sum of all causes.
    pub fn sum(&self) -> u64 {
        self.named().iter().map(|(_, clocks)| clocks).sum()
    }
}

impl std::ops::AddAssign for Went {
    fn add_assign(&mut self, more: Went) {
        self.link += more.link;
        self.bytes += more.bytes;
        self.hash += more.hash;
        self.memory += more.memory;
        self.results += more.results;
        self.decode += more.decode;
        self.wipe += more.wipe;
    }
}
