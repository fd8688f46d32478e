//! The operations that differ between garbler and evaluator.

use crate::EngineError;
use crate::cpu::piece::{Labels, Piece};
use crate::io::{EvaluatorIo, GarblerIo};
use halfgate_circuit::Wire;
use halfgate_kernels::ops::Ops;
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State, wipe};

/// The operations that differ between garbler and evaluator.
pub(super) trait Role {
    /// The label that an inversion XORs to a label: Δ for the garbler, zero for the evaluator.
    fn offset(&self) -> Label;
    fn constant(&mut self) -> Result<Label, EngineError>;
    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError>;
    fn ops(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
    ) -> Result<(), EngineError>;
    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError>;
    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError>;
    /// Begins a cycle of a program that skips.
    fn begin(&mut self, cycle: u64, table_bytes: u64) -> Result<(), EngineError>;
    fn note(&mut self, what: &str) -> Result<(), EngineError>;
    /// Runs some of the gates that remain of the cycle.
    fn piece(
        &mut self,
        state: &mut State,
        labels: &mut Labels,
        piece: &Piece<'_>,
    ) -> Result<(), EngineError>;
}

pub(super) struct Garbler<'a> {
    pub kernel: &'static Kernel,
    pub delta: &'a Delta,
    pub io: &'a mut dyn GarblerIo,
}

impl Role for Garbler<'_> {
    fn offset(&self) -> Label {
        self.delta.label()
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        self.io.constant().map_err(EngineError::Io)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.false_labels(cycle, w, labels).map_err(EngineError::Io)
    }

    fn ops(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
    ) -> Result<(), EngineError> {
        if ops.ands.is_empty() {
            wipe::far_below(|| self.kernel.garble(state, self.delta, memory, ops, &mut []));
            return Ok(());
        }
        let bytes = ops.ands.len() * state.suite().table_bytes();
        let tables = self.io.table_space(bytes).map_err(EngineError::Io)?;
        wipe::far_below(|| self.kernel.garble(state, self.delta, memory, ops, tables));
        self.io.tables_ready().map_err(EngineError::Io)
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    fn begin(&mut self, cycle: u64, table_bytes: u64) -> Result<(), EngineError> {
        self.io.begin_cycle(cycle, table_bytes).map_err(EngineError::Io)
    }

    fn note(&mut self, what: &str) -> Result<(), EngineError> {
        self.io.note(what).map_err(EngineError::Io)
    }

    fn piece(
        &mut self,
        state: &mut State,
        labels: &mut Labels,
        piece: &Piece<'_>,
    ) -> Result<(), EngineError> {
        let (kernel, delta, size) = (self.kernel, self.delta, state.suite().table_bytes());
        if piece.ands == 0 {
            piece.run(state, labels, |_, _, _, _| unreachable!("no ANDs"));
            return Ok(());
        }
        let tables = self.io.table_space(piece.ands * size).map_err(EngineError::Io)?;
        wipe::far_below(|| {
            piece.run(state, labels, |state, memory, ops, at| {
                kernel.garble(state, delta, memory, ops, &mut tables[at * size..][..size]);
            });
        });
        self.io.tables_ready().map_err(EngineError::Io)
    }
}

pub(super) struct Evaluator<'a> {
    pub kernel: &'static Kernel,
    pub io: &'a mut dyn EvaluatorIo,
}

impl Role for Evaluator<'_> {
    fn offset(&self) -> Label {
        Label::ZERO
    }

    fn constant(&mut self) -> Result<Label, EngineError> {
        self.io.constant().map_err(EngineError::Io)
    }

    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError> {
        self.io.active_labels(cycle, w, labels).map_err(EngineError::Io)
    }

    fn ops(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
    ) -> Result<(), EngineError> {
        let bytes = ops.ands.len() * state.suite().table_bytes();
        let tables =
            if bytes == 0 { &[] } else { self.io.tables(bytes).map_err(EngineError::Io)? };
        wipe::far_below(|| self.kernel.evaluate(state, memory, ops, tables));
        Ok(())
    }

    fn outputs(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), EngineError> {
        self.io.output(cycle, bits, labels).map_err(EngineError::Io)
    }

    fn progress(&mut self, cycles: u64, ands: u64) -> Result<(), EngineError> {
        self.io.progress(cycles, ands).map_err(EngineError::Io)
    }

    fn begin(&mut self, cycle: u64, table_bytes: u64) -> Result<(), EngineError> {
        self.io.begin_cycle(cycle, table_bytes).map_err(EngineError::Io)
    }

    fn note(&mut self, what: &str) -> Result<(), EngineError> {
        self.io.note(what).map_err(EngineError::Io)
    }

    fn piece(
        &mut self,
        state: &mut State,
        labels: &mut Labels,
        piece: &Piece<'_>,
    ) -> Result<(), EngineError> {
        let (kernel, size) = (self.kernel, state.suite().table_bytes());
        let tables = match piece.ands {
            0 => &[],
            ands => self.io.tables(ands * size).map_err(EngineError::Io)?,
        };
        wipe::far_below(|| {
            piece.run(state, labels, |state, memory, ops, at| {
                kernel.evaluate(state, memory, ops, &tables[at * size..][..size]);
            });
        });
        Ok(())
    }
}
