//! The garbler's and the evaluator's side of a run, behind one interface for labels and tables.

use halfgate_circuit::Wire;
use halfgate_engine::{Delta, EngineError, EvaluatorIo, GarblerIo, Label};
use halfgate_kernels::ops::{And, Ops, Segment};
use halfgate_kernels::{Kernel, LabelMemory, State};

/// The party that the machine is in this run.
pub(crate) enum Role<'a> {
    Garbler(&'a Delta, &'a mut dyn GarblerIo),
    Evaluator(&'a mut dyn EvaluatorIo),
}

impl Role<'_> {
    /// The offset that inverts a label by XOR: Δ for the garbler, 0 for the evaluator.
    pub fn offset(&self) -> Label {
        match self {
            Role::Garbler(delta, _) => delta.label(),
            Role::Evaluator(_) => Label::ZERO,
        }
    }

    pub fn constant(&mut self) -> Result<Label, EngineError> {
        match self {
            Role::Garbler(_, io) => io.constant(),
            Role::Evaluator(io) => io.constant(),
        }
        .map_err(EngineError::Io)
    }

    pub fn inputs(
        &mut self,
        cycle: u64,
        bits: &[Wire],
        labels: &mut [Label],
    ) -> Result<(), EngineError> {
        match self {
            Role::Garbler(_, io) => io.false_labels(cycle, bits, labels),
            Role::Evaluator(io) => io.active_labels(cycle, bits, labels),
        }
        .map_err(EngineError::Io)
    }

    /// Executes one AND: the garbler sends its table, the evaluator receives it.
    pub fn and(
        &mut self,
        kernel: &Kernel,
        state: &mut State,
        memory: &mut LabelMemory,
        and: And,
    ) -> Result<(), EngineError> {
        let ops = Ops {
            segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
            moves: &[],
            xors: &[],
            ands: &[and],
            // Only the fixed-key suites read positions.
            positions: &[0],
        };
        let bytes = state.suite().table_bytes();
        match self {
            Role::Garbler(delta, io) => {
                let table = io.table_space(bytes).map_err(EngineError::Io)?;
                kernel.garble(state, delta, memory, &ops, table);
                io.tables_ready().map_err(EngineError::Io)
            }
            Role::Evaluator(io) => {
                let table = io.tables(bytes).map_err(EngineError::Io)?;
                kernel.evaluate(state, memory, &ops, table);
                Ok(())
            }
        }
    }

    pub fn output(
        &mut self,
        cycle: u64,
        bits: &[u32],
        labels: &[Label],
    ) -> Result<(), EngineError> {
        match self {
            Role::Garbler(_, io) => io.output(cycle, bits, labels),
            Role::Evaluator(io) => io.output(cycle, bits, labels),
        }
        .map_err(EngineError::Io)
    }

    pub fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        match self {
            Role::Garbler(_, io) => io.progress(cycles, ands),
            Role::Evaluator(io) => io.progress(cycles, ands),
        }
        .map_err(EngineError::Io)
    }
}
