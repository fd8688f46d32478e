//! Records the chip's time at which the garbler's last table is requested.

use halfgate_circuit::Wire;
use halfgate_engine::{EvaluatorIo, IoError, Label};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// Forwards all calls to `io`, and records the time of the last request for tables.
pub struct Watched<'a> {
    io: &'a mut dyn EvaluatorIo,
    clock: Arc<AtomicU64>,
    last: u64,
    /// Time of the last progress report. A report is made when the results of a netlist cycle are
    /// complete.
    reported: u64,
}

impl<'a> Watched<'a> {
    /// Forwards calls to `io`, and reads the time from `clock`.
    pub fn new(io: &'a mut dyn EvaluatorIo, clock: Arc<AtomicU64>) -> Watched<'a> {
        Watched { io, clock, last: 0, reported: 0 }
    }

    /// Clock cycles between the request for the last table and the results.
    pub fn since(&self) -> u64 {
        self.reported.saturating_sub(self.last)
    }
}

impl EvaluatorIo for Watched<'_> {
    fn active_labels(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), IoError> {
        self.io.active_labels(cycle, bits, labels)
    }

    fn constant(&mut self) -> Result<Label, IoError> {
        self.io.constant()
    }

    fn tables(&mut self, bytes: usize) -> Result<&[u8], IoError> {
        self.last = self.clock.load(Ordering::Relaxed);
        self.io.tables(bytes)
    }

    fn output(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), IoError> {
        self.io.output(cycle, bits, labels)
    }

    fn begin_cycle(&mut self, cycle: u64, table_bytes: u64) -> Result<(), IoError> {
        self.io.begin_cycle(cycle, table_bytes)
    }

    fn note(&mut self, what: &str) -> Result<(), IoError> {
        self.io.note(what)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), IoError> {
        self.reported = self.clock.load(Ordering::Relaxed);
        self.io.progress(cycles, ands)
    }
}
