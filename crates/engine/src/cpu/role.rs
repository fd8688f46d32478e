//! The operations that differ between garbler and evaluator.

use crate::cpu::piece::{Labels, Piece};
use crate::io::{Counters, EvaluatorIo, GarblerIo, Garbling, PIECE_ANDS, RunKey};
use crate::{Authenticated, EngineError, Prepared};
use halfgate_circuit::Wire;
use halfgate_kernels::ops::{Ops, Wide};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State, Suite, wipe};

/// A program that is ready to run in any role, several times at once.
pub(super) trait Run: Send + Sync {
    fn kernel(&self) -> &'static Kernel;
    /// Runs the program: garbles with `delta`, or evaluates without it.
    fn run(
        &self,
        key: RunKey,
        cycles: u64,
        delta: Option<&Delta>,
        role: impl Role,
    ) -> Result<Counters, EngineError>;
    /// Runs the program on the caller's thread alone.
    fn run_alone(
        &self,
        key: RunKey,
        cycles: u64,
        role: impl Role,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, None, role)
    }
    /// See [`Prepared::garble_together`].
    fn garble_together(
        &self,
        cycles: u64,
        garblings: &mut [Garbling<'_>],
    ) -> Result<(), EngineError> {
        for garbling in garblings {
            self.run(garbling.key, cycles, Some(garbling.delta), garbling.role(self.kernel()))?;
        }
        Ok(())
    }
    /// See [`Prepared::most_together`].
    fn most_together(&self) -> usize {
        1
    }
}

impl<T: Run> Prepared for T {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Some(delta), Garbler { kernel: self.kernel(), delta, io })
    }

    fn garble_together(
        &mut self,
        cycles: u64,
        garblings: &mut [Garbling<'_>],
    ) -> Result<(), EngineError> {
        Run::garble_together(self, cycles, garblings)
    }

    fn most_together(&self) -> usize {
        Run::most_together(self)
    }

    fn authenticated(&self) -> Option<&dyn Authenticated> {
        Some(self)
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, None, Evaluator { kernel: self.kernel(), io })
    }
}

/// The operations that differ between garbler and evaluator.
pub(super) trait Role {
    /// The label that an inversion XORs to a label: Δ for the garbler, zero for the evaluator. In
    /// authenticated runs, only shares have an offset.
    fn offset(&self) -> Label;
    fn constant(&mut self) -> Result<Label, EngineError>;
    fn inputs(&mut self, cycle: u64, w: &[Wire], labels: &mut [Label]) -> Result<(), EngineError>;
    fn ops(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
    ) -> Result<(), EngineError>;
    /// Runs operations in the frame that begins at `base`.
    fn ops_at(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        base: u32,
        ops: &Ops,
    ) -> Result<(), EngineError>;
    /// Runs operations on several lanes.
    fn ops_wide(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
    ) -> Result<(), EngineError>;
    /// Receives the tables of the next ANDs into `tables`, if the role evaluates.
    fn receive_tables(&mut self, suite: Suite, tables: &mut [u8]) -> Result<(), EngineError>;
    /// Gives `tables` as those of the next ANDs, if the role garbles.
    fn give_tables(&mut self, suite: Suite, tables: &[u8]) -> Result<(), EngineError>;
    /// See [`GarblerIo::part_end`].
    fn part_end(&self, and: u64) -> u64;
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

impl Garbling<'_> {
    /// The garbler of this garbling.
    pub(super) fn role(&mut self, kernel: &'static Kernel) -> Garbler<'_> {
        Garbler { kernel, delta: self.delta, io: self.io }
    }
}

impl Garbler<'_> {
    /// Runs `work` with space for this many bytes of tables.
    fn with_tables(
        &mut self,
        bytes: usize,
        work: impl FnOnce(&mut [u8]),
    ) -> Result<(), EngineError> {
        if bytes == 0 {
            wipe::far_below(|| work(&mut []));
            return Ok(());
        }
        let tables = self.io.table_space(bytes).map_err(EngineError::Io)?;
        wipe::far_below(|| work(tables));
        self.io.tables_ready().map_err(EngineError::Io)
    }
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
        self.ops_at(state, memory, 0, ops)
    }

    fn ops_at(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        base: u32,
        ops: &Ops,
    ) -> Result<(), EngineError> {
        let (kernel, delta) = (self.kernel, self.delta);
        self.with_tables(ops.ands.len() * state.suite().table_bytes(), |tables| {
            kernel.garble_at(state, delta, memory, base, ops, tables);
        })
    }

    fn ops_wide(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
    ) -> Result<(), EngineError> {
        let (kernel, delta) = (self.kernel, self.delta);
        let bytes = ops.ands.len() * wide.lanes * state.suite().table_bytes();
        self.with_tables(bytes, |tables| {
            kernel.garble_wide(state, delta, memory, ops, wide, tables);
        })
    }

    fn receive_tables(&mut self, _: Suite, _: &mut [u8]) -> Result<(), EngineError> {
        Ok(())
    }

    fn give_tables(&mut self, suite: Suite, tables: &[u8]) -> Result<(), EngineError> {
        let mut pieces = tables.chunks(PIECE_ANDS * suite.table_bytes());
        pieces.try_for_each(|piece| self.io.give_tables(piece)).map_err(EngineError::Io)
    }

    fn part_end(&self, and: u64) -> u64 {
        self.io.part_end(and)
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

impl Evaluator<'_> {
    /// The next `bytes` bytes of tables.
    fn tables(&mut self, bytes: usize) -> Result<&[u8], EngineError> {
        if bytes == 0 { Ok(&[]) } else { self.io.tables(bytes).map_err(EngineError::Io) }
    }
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
        self.ops_at(state, memory, 0, ops)
    }

    fn ops_at(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        base: u32,
        ops: &Ops,
    ) -> Result<(), EngineError> {
        let kernel = self.kernel;
        let tables = self.tables(ops.ands.len() * state.suite().table_bytes())?;
        wipe::far_below(|| kernel.evaluate_at(state, memory, base, ops, tables));
        Ok(())
    }

    fn ops_wide(
        &mut self,
        state: &mut State,
        memory: &mut LabelMemory,
        ops: &Ops,
        wide: Wide<'_>,
    ) -> Result<(), EngineError> {
        let kernel = self.kernel;
        let tables = self.tables(ops.ands.len() * wide.lanes * state.suite().table_bytes())?;
        wipe::far_below(|| kernel.evaluate_wide(state, memory, ops, wide, tables));
        Ok(())
    }

    fn receive_tables(&mut self, suite: Suite, tables: &mut [u8]) -> Result<(), EngineError> {
        for piece in tables.chunks_mut(PIECE_ANDS * suite.table_bytes()) {
            piece.copy_from_slice(self.tables(piece.len())?);
        }
        Ok(())
    }

    fn give_tables(&mut self, _: Suite, _: &[u8]) -> Result<(), EngineError> {
        Ok(())
    }

    fn part_end(&self, and: u64) -> u64 {
        self.io.part_end(and)
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
