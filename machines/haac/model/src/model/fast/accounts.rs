//! The dispatcher's actions of the last cycles. They are the causes of gaps at engines that get no
//! instruction.

use crate::model::Cause;

/// The dispatcher's actions, as causes for an engine that got no instruction: the row had a no-op
/// for it, no whole row had arrived, another engine had no free space, or no row is left.
pub const STATUSES: [Cause; 4] = [Cause::Nop, Cause::Instructions, Cause::Behind, Cause::Finished];

/// Stages from the dispatcher to the units. A gap reaches the units this many cycles after the
/// dispatcher left it.
const DELAY: usize = 6;

/// The dispatcher's actions in the last cycles.
pub struct Dispatched {
    /// Actions of the last cycles, newest first, as indices into [`STATUSES`].
    recent: [u8; DELAY],
    /// For each status, the number of cycles whose gaps have reached the units.
    arrived: [u64; 4],
}

impl Dispatched {
    pub fn new() -> Dispatched {
        Dispatched { recent: [1; DELAY], arrived: [0; 4] }
    }

    /// The cause of a gap that reaches the units in this cycle.
    #[inline]
    pub fn cause(&self) -> Cause {
        STATUSES[self.recent[DELAY - 1] as usize]
    }

    /// For each status, the number of cycles before this one in which its gap reached the units.
    #[inline]
    pub fn arrived(&self) -> [u64; 4] {
        self.arrived
    }

    /// The same counts, including this cycle.
    #[inline]
    pub fn arrived_with_this(&self) -> [u64; 4] {
        let mut arrived = self.arrived;
        arrived[self.recent[DELAY - 1] as usize] += 1;
        arrived
    }

    /// Records the dispatcher's action of this cycle, and ends the cycle.
    #[inline]
    pub fn note(&mut self, status: u8) {
        self.arrived[self.recent[DELAY - 1] as usize] += 1;
        self.recent.copy_within(..DELAY - 1, 1);
        self.recent[0] = status;
    }

    /// Repeats the last action for `cycles` cycles.
    pub fn skip(&mut self, cycles: u64) {
        let status = self.recent[0];
        for _ in 0..cycles.min(DELAY as u64) {
            self.note(status);
        }
        self.arrived[status as usize] += cycles.saturating_sub(DELAY as u64);
    }
}
