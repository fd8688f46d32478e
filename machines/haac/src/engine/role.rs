//! The half-gate units of the two roles. The garbler's units make tables; the evaluator's use
//! tables that were fetched.

use super::error::RunError;
use super::host::{Evaluator, Garbler, Side};
use super::tables::{TABLE, Tables};
use halfgate_engine::EngineError;
use halfgate_kernels::ops::{And, Ops, Segment};
use halfgate_kernels::{Kernel, LabelMemory, State};

/// Largest number of tables in a piece from or to the caller.
const PIECE: usize = 4096;

/// Smallest number of tables that are handed on or requested together, unless fewer are left.
pub(super) const LEAST_PIECE: usize = PIECE / 8;

/// The half-gate units of one role.
pub(super) trait Units: Side {
    /// Evaluator: fetches the tables up to number `last` of a launch with `all` tables.
    fn fetch(&mut self, tables: &mut Tables, last: u64, all: u64) -> Result<(), EngineError>;

    /// Runs ANDs. `state` must be at the number, in the run, of the first of them.
    fn run(
        &mut self,
        kernel: &'static Kernel,
        state: &mut State,
        memory: &mut LabelMemory,
        batch: Batch,
        tables: &mut Tables,
    ) -> Result<(), EngineError>;

    /// Garbler: hands on the finished tables in order. Unless `all` is set, fewer tables than a
    /// piece may be kept.
    fn hand_on(&mut self, tables: &mut Tables, all: bool) -> Result<(), EngineError>;
}

/// Independent ANDs with consecutive numbers.
pub(super) struct Batch<'a> {
    /// Number of the first AND in its launch.
    pub first: u64,
    /// The ANDs, on gathered labels.
    pub ands: &'a [And],
    /// One position per AND. `half-gates` ignores them.
    pub positions: &'a [u32],
    /// Buffer for the ANDs' tables.
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

impl Units for Garbler<'_> {
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

impl Units for Evaluator<'_> {
    fn fetch(&mut self, tables: &mut Tables, last: u64, all: u64) -> Result<(), EngineError> {
        if last >= all {
            return Err(EngineError::machine(RunError::BeyondEnd { number: last, all }));
        }
        while tables.fetched <= last {
            let count = (all - tables.fetched).min(LEAST_PIECE as u64);
            let bytes = self.io.tables(count as usize * TABLE).map_err(EngineError::Io)?;
            for came in bytes.as_chunks::<TABLE>().0 {
                *tables.row(tables.fetched)? = *came;
                tables.fetched += 1;
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
