//! Observes the machine cycle by cycle, for traces.

use super::engine::Engine;
use super::memory::Memory;
use crate::model::Cause;

/// The visible state of the machine in a cycle.
pub struct Snapshot<'a> {
    /// The cycle.
    pub cycle: u64,
    /// For each engine, the cause of this cycle.
    pub causes: &'a [Cause],
    levels: Levels<'a>,
}

/// The source of the queue levels, which are computed on demand only.
enum Levels<'a> {
    Model { engines: &'a [Engine], in_flight: usize },
    Known(QueueLevels),
}

/// Entries in queues, summed over the engines, at the end of a cycle.
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
    /// Requests without a response.
    pub in_flight: u32,
}

impl<'a> Snapshot<'a> {
    pub(super) fn new(
        cycle: u64,
        causes: &'a [Cause],
        engines: &'a [Engine],
        memory: &Memory<'_>,
    ) -> Snapshot<'a> {
        let levels = Levels::Model { engines, in_flight: memory.in_flight() };
        Snapshot { cycle, causes, levels }
    }

    /// The state of a machine other than the model.
    pub fn of(cycle: u64, causes: &'a [Cause], levels: QueueLevels) -> Snapshot<'a> {
        Snapshot { cycle, causes, levels: Levels::Known(levels) }
    }

    /// Fill levels of the queues.
    pub fn queues(&self) -> QueueLevels {
        let (engines, in_flight) = match self.levels {
            Levels::Known(levels) => return levels,
            Levels::Model { engines, in_flight } => (engines, in_flight),
        };
        let mut sum = QueueLevels { in_flight: in_flight as u32, ..QueueLevels::default() };
        for Engine { levels, .. } in engines {
            sum.issue += levels.fifo;
            sum.tables += levels.tables;
            sum.addresses += levels.addresses;
            sum.wires += levels.wires;
            sum.live += levels.live;
        }
        sum
    }
}

/// Observes the exact model.
pub trait Watch {
    /// Called at the end of each cycle.
    fn cycle(&mut self, snapshot: &Snapshot<'_>);
}

/// Observes nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoWatch;

impl Watch for NoWatch {
    #[inline]
    fn cycle(&mut self, _snapshot: &Snapshot<'_>) {}
}
