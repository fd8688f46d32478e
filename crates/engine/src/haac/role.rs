//! What the two roles do differently: where labels come from, and which way tables go.

use super::tables::{TABLE, Tables};
use crate::EngineError;
use crate::io::{EvaluatorIo, GarblerIo};
use halfgate_circuit::Wire;
use halfgate_kernels::ops::{And, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State};
use halfgate_machines::haac::machine;

/// Tables that pass to or from the caller in one piece, at most.
const PIECE: usize = 4096;

/// Tables that are handed on or asked for together, at least, unless fewer are left.
pub(super) const LEAST_PIECE: usize = PIECE / 8;

/// Garbler or evaluator.
pub(super) trait Role {
    /// Which machine it takes.
    const MACHINE: machine::Role;

    /// What an inversion adds to a label.
    fn offset(&self) -> Label;
    fn constant(&mut self) -> Result<Label, EngineError>;
    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError>;
    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError>;
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError>;

    /// The next launch begins.
    fn next_launch(&mut self) {}

    /// Makes sure that the tables up to number `last` of a launch with `all` are there, if they come
    /// from outside.
    fn fetch(&mut self, tables: &mut Tables, last: u64, all: u64) -> Result<(), EngineError>;

    /// Runs ANDs, of which `state` has the number that the first one has in the run.
    fn run(
        &mut self,
        kernel: &'static Kernel,
        state: &mut State,
        memory: &mut LabelMemory,
        batch: Batch,
        tables: &mut Tables,
    ) -> Result<(), EngineError>;

    /// Hands on tables that are done in turn, if they go outside, at least when `all` of those that
    /// there are must go.
    fn hand_on(&mut self, tables: &mut Tables, all: bool) -> Result<(), EngineError>;
}

/// Independent ANDs with consecutive numbers.
pub(super) struct Batch<'a> {
    /// The number of the first in its launch.
    pub first: u64,
    /// The ANDs, on gathered labels.
    pub ands: &'a [And],
    /// As many positions, which `half-gates` does not look at.
    pub positions: &'a [u32],
    /// Room for their tables.
    pub rows: &'a mut Vec<u8>,
}

impl Batch<'_> {
    fn ops<'s>(&'s self, segments: &'s [Segment; 1]) -> Ops<'s> {
        Ops { segments, moves: &[], xors: &[], ands: self.ands, positions: self.positions }
    }

    fn segments(&self) -> [Segment; 1] {
        [Segment { moves: 0, xors: 0, ands: self.ands.len() as u32 }]
    }
}

/// Makes tables.
pub(super) struct Garbler<'a> {
    pub delta: &'a Delta,
    pub io: &'a mut dyn GarblerIo,
}

impl Role for Garbler<'_> {
    const MACHINE: machine::Role = machine::Role::Garbler;

    fn offset(&self) -> Label {
        self.delta.label()
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        self.io.constant().map_err(EngineError::Io)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.false_labels(cycle, w, labels).map_err(EngineError::Io)
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    fn fetch(&mut self, _: &mut Tables, _: u64, _: u64) -> Result<(), EngineError> {
        Ok(())
    }

    fn run(
        &mut self,
        kernel: &'static Kernel,
        state: &mut State,
        memory: &mut LabelMemory,
        batch: Batch,
        tables: &mut Tables,
    ) -> Result<(), EngineError> {
        let mut rows = std::mem::take(batch.rows);
        rows.resize(batch.ands.len() * TABLE, 0);
        kernel.garble(state, self.delta, memory, &batch.ops(&batch.segments()), &mut rows);
        for (number, made) in (batch.first..).zip(rows.as_chunks::<TABLE>().0) {
            *tables.row(number)? = *made;
            tables.set_done(number);
        }
        *batch.rows = rows;
        Ok(())
    }

    fn hand_on(&mut self, tables: &mut Tables, all: bool) -> Result<(), EngineError> {
        loop {
            let count = tables.in_turn(PIECE);
            if count == 0 || (count < LEAST_PIECE && !all) {
                return Ok(());
            }
            let space = self.io.table_space(count * TABLE).map_err(EngineError::Io)?;
            let space = space.as_chunks_mut::<TABLE>().0;
            tables.leave(count, |i, row| space[i] = *row);
            self.io.tables_ready().map_err(EngineError::Io)?;
        }
    }
}

/// Uses tables.
pub(super) struct Evaluator<'a> {
    pub io: &'a mut dyn EvaluatorIo,
    /// Tables of the launch that have come.
    pub fetched: u64,
}

impl Role for Evaluator<'_> {
    const MACHINE: machine::Role = machine::Role::Evaluator;

    fn offset(&self) -> Label {
        Label::ZERO
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        self.io.constant().map_err(EngineError::Io)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.active_labels(cycle, w, labels).map_err(EngineError::Io)
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    fn next_launch(&mut self) {
        self.fetched = 0;
    }

    fn fetch(&mut self, tables: &mut Tables, last: u64, all: u64) -> Result<(), EngineError> {
        if last >= all {
            let what = format!("it ran AND {last} of a program that has {all}");
            return Err(EngineError::Machine(what));
        }
        while self.fetched <= last {
            let count = (all - self.fetched).min(LEAST_PIECE as u64);
            let bytes = self.io.tables(count as usize * TABLE).map_err(EngineError::Io)?;
            for came in bytes.as_chunks::<TABLE>().0 {
                *tables.row(self.fetched)? = *came;
                self.fetched += 1;
            }
        }
        Ok(())
    }

    fn run(
        &mut self,
        kernel: &'static Kernel,
        state: &mut State,
        memory: &mut LabelMemory,
        batch: Batch,
        tables: &mut Tables,
    ) -> Result<(), EngineError> {
        let mut rows = std::mem::take(batch.rows);
        rows.clear();
        for number in batch.first..batch.first + batch.ands.len() as u64 {
            rows.extend_from_slice(tables.row(number)?);
            tables.set_done(number);
        }
        kernel.evaluate(state, memory, &batch.ops(&batch.segments()), &rows);
        *batch.rows = rows;
        Ok(())
    }

    fn hand_on(&mut self, tables: &mut Tables, _: bool) -> Result<(), EngineError> {
        loop {
            match tables.in_turn(PIECE) {
                0 => return Ok(()),
                count => tables.leave(count, |_, _| ()),
            }
        }
    }
}
