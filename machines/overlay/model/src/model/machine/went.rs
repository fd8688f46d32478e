//! Counts an overlay's clock cycles by cause.

use super::{Garbles, Group, Machine};

/// Clock cycles of a run, by the state of the current group. Each clock cycle has exactly one
/// cause.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Went {
    /// All operands are requested, and the group is issued.
    pub issue: u64,
    /// The next words of commands were missing.
    pub commands: u64,
    /// The first group of a batch waited until the batch before was written.
    pub batch: u64,
    /// All slots were occupied by groups that waited for operands or for cells.
    pub cells: u64,
    /// Some operands were still to be requested. Each bank of block RAM and each port of DDR serves
    /// one operand per clock cycle.
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

    /// Sum of all causes: the clock cycles of the run.
    pub fn sum(&self) -> u64 {
        self.named().iter().map(|(_, clocks)| clocks).sum()
    }
}

impl<G: Garbles> Machine<G> {
    /// Clock cycles of the run so far, by cause.
    pub fn went(&self) -> Went {
        self.went
    }

    /// Counts a clock cycle of a run; `sent` is the group issued in it.
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
