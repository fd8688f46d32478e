//! Where an overlay's clocks go.

use super::{Garbles, Group, Machine};

/// Clocks of a run by what became of the group of gates at hand: each clock has exactly one cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Went {
    /// All its operands are asked for, and it goes on.
    pub issue: u64,
    /// The next words of commands were not there.
    pub commands: u64,
    /// The first group of a batch waited until the batch before was written.
    pub batch: u64,
    /// Groups before it had all places: they waited for operands, or for cells.
    pub cells: u64,
    /// Operands were left to be asked for: banks of block RAM and ports of DDR serve one at a time.
    pub operands: u64,
    /// There were no more commands, and the last labels and tables were written.
    pub finish: u64,
}

impl Went {
    /// Every cause with its name, in the order of the fields.
    pub fn named(&self) -> [(&'static str, u64); 6] {
        [
            ("issue", self.issue),
            ("commands", self.commands),
            ("batch", self.batch),
            ("cells", self.cells),
            ("operands", self.operands),
            ("finish", self.finish),
        ]
    }

    /// All of them together: the clocks of the run.
    pub fn sum(&self) -> u64 {
        self.named().iter().map(|(_, clocks)| clocks).sum()
    }
}

impl<G: Garbles> Machine<G> {
    /// Where the run's clocks went so far.
    pub fn went(&self) -> Went {
        self.went
    }

    /// Counts a clock of a run, in which this group was sent, if one was.
    pub(super) fn count_went(&mut self, sent: Option<&Group>) {
        let is_whole = self.left > 0 && self.words.len() >= self.needed();
        let has_slot = self.operands.len() < self.shape.slots as usize;
        let waits_for_others = self.shape.serial && !self.first && !self.operands.is_empty();
        let went = &mut self.went;
        *match () {
            () if sent.is_some() => &mut went.issue,
            () if self.ended => &mut went.finish,
            () if !is_whole => &mut went.commands,
            () if self.first && self.under_way > 0 => &mut went.batch,
            () if !has_slot || waits_for_others => &mut went.cells,
            () => &mut went.operands,
        } += 1;
    }
}
