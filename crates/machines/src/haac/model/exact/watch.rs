//! Following the machine cycle by cycle, for traces.

use super::engine::Engine;
use super::memory::Memory;
use crate::haac::model::Cause;

/// What can be seen of the machine in a cycle.
pub struct Snapshot<'a> {
    /// The cycle.
    pub cycle: u64,
    /// What each engine did in it.
    pub causes: &'a [Cause],
    engines: &'a [Engine],
    in_flight: usize,
}

/// Entries in queues, added over the engines, at the end of a cycle.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct QueueLevels {
    /// Instructions in issue FIFOs.
    pub issue: u32,
    /// Tables.
    pub tables: u32,
    /// Out-of-range addresses.
    pub addresses: u32,
    /// Out-of-range labels.
    pub wires: u32,
    /// Live labels.
    pub live: u32,
    /// Requests that memory has not answered.
    pub in_flight: u32,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(
        cycle: u64,
        causes: &'a [Cause],
        engines: &'a [Engine],
        memory: &Memory<'_>,
    ) -> Snapshot<'a> {
        Snapshot { cycle, causes, engines, in_flight: memory.in_flight() }
    }

    /// How full the queues are.
    pub fn queues(&self) -> QueueLevels {
        let mut sum = QueueLevels { in_flight: self.in_flight as u32, ..QueueLevels::default() };
        for Engine { levels, .. } in self.engines {
            sum.issue += levels.fifo;
            sum.tables += levels.tables;
            sum.addresses += levels.addresses;
            sum.wires += levels.wires;
            sum.live += levels.live;
        }
        sum
    }
}

/// Follows the exact model.
pub trait Watch {
    /// The end of a cycle.
    fn cycle(&mut self, snapshot: &Snapshot<'_>);
}

/// Follows nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatch;

impl Watch for NoWatch {
    #[inline]
    fn cycle(&mut self, _snapshot: &Snapshot<'_>) {}
}
