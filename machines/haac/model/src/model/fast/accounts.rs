//! Where cycles went: what the dispatcher did six cycles ago, for engines that nothing reaches.

use crate::model::Cause;

/// What the dispatcher did in a cycle, by the cause that it is to an engine which got nothing:
/// a row was given out but had a no-op for it, no row was there, another engine had no room, or
/// there is no row left.
pub const STATUSES: [Cause; 4] = [Cause::Nop, Cause::Instructions, Cause::Behind, Cause::Finished];

/// Stages between the dispatcher and the units: a gap that the dispatcher leaves in a cycle is
/// before the units so many cycles later.
const DELAY: usize = 6;

/// The dispatcher's last cycles.
pub struct Dispatched {
    /// What it did in the last cycles, newest first, as places in [`STATUSES`].
    recent: [u8; DELAY],
    /// How many of the cycles whose gaps have come to the units had each status.
    arrived: [u64; 4],
}

impl Dispatched {
    pub fn new() -> Dispatched {
        Dispatched { recent: [1; DELAY], arrived: [0; 4] }
    }

    /// The cause of a gap that is before the units in this cycle.
    #[inline]
    pub fn cause(&self) -> Cause {
        STATUSES[self.recent[DELAY - 1] as usize]
    }

    /// Cycles before this one, by the status whose gaps were before the units.
    #[inline]
    pub fn arrived(&self) -> [u64; 4] {
        self.arrived
    }

    /// The same with this cycle.
    #[inline]
    pub fn arrived_with_this(&self) -> [u64; 4] {
        let mut arrived = self.arrived;
        arrived[self.recent[DELAY - 1] as usize] += 1;
        arrived
    }

    /// What the dispatcher does in this cycle; ends the cycle.
    #[inline]
    pub fn note(&mut self, status: u8) {
        self.arrived[self.recent[DELAY - 1] as usize] += 1;
        self.recent.copy_within(..DELAY - 1, 1);
        self.recent[0] = status;
    }

    /// So many cycles more of the same.
    pub fn skip(&mut self, cycles: u64) {
        let status = self.recent[0];
        for _ in 0..cycles.min(DELAY as u64) {
            self.note(status);
        }
        self.arrived[status as usize] += cycles.saturating_sub(DELAY as u64);
    }
}
