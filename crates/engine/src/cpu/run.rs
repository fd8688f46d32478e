//! Runs code on labels: chunk after chunk, cycle after cycle, for either role.

use crate::cpu::code::{Code, Gives, Loads};
use crate::cpu::skip::{Labels, Piece};
use crate::io::{Counters, EvaluatorIo, GarblerIo, RunKey};
use crate::{EngineError, Prepared};
use halfgate_circuit::Wire;
use halfgate_compiler::Program;
use halfgate_kernels::ops::{Move, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State};
use zeroize::Zeroizing;

/// A program and its code.
pub(super) struct CpuProgram<'p> {
    pub program: &'p Program,
    pub code: Code,
    pub kernel: &'static Kernel,
}

impl Prepared for CpuProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Garbler { kernel: self.kernel, delta, io })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Evaluator { kernel: self.kernel, io })
    }
}

impl CpuProgram<'_> {
    fn run(&self, key: RunKey, cycles: u64, mut role: impl Role) -> Result<Counters, EngineError> {
        if cycles != 1 && !self.code.repeatable {
            return Err(EngineError::Unsupported(format!(
                "a circuit without flip-flops and without per-cycle inputs or outputs runs for \
                 one cycle, not {cycles}"
            )));
        }
        let ands = self.program.ands_per_cycle().checked_mul(cycles);
        if ands.is_none_or(|ands| ands >= MAX_ANDS) {
            let an_and = self.program.ands_per_cycle();
            return Err(EngineError::Unsupported(format!(
                "{cycles} cycles of {an_and} ANDs are more than can be numbered: a run has fewer \
                 than 2^63"
            )));
        }
        let code = &self.code;
        let mut memory = LabelMemory::new(code.memory);
        let mut buffer = Zeroizing::new(Vec::new());
        let mut state = self.kernel.start(key.suite, key.point);

        if let Some(address) = code.start.constant {
            memory.set(address, role.constant()?);
        }
        load(&mut role, &mut memory, &mut buffer, 0, &code.start.inputs)?;
        moves(&mut role, &mut state, &mut memory, &code.start.moves)?;

        let mut counters = Counters::default();
        let mut chunks = code.chunks();
        // Operations since progress was told, a cycle counting as one: a short body is over before
        // anything has changed.
        let mut untold = 0;
        for cycle in 0..cycles {
            chunks.rewind();
            while let Some(chunk) = chunks.next()? {
                load(&mut role, &mut memory, &mut buffer, cycle, chunk.inputs(cycle))?;
                role.ops(&mut state, &mut memory, &chunk.ops())?;
                give(&mut role, &memory, &mut buffer, cycle, &chunk.outputs_each)?;
                if cycle + 1 == cycles {
                    give(&mut role, &memory, &mut buffer, cycle, &chunk.outputs_last)?;
                }
                untold += chunk.moves.len() + chunk.xors.len() + chunk.ands.len();
                if untold >= TELL {
                    untold = 0;
                    role.progress(cycle, state.ands())?;
                }
            }
            if cycle + 1 < cycles {
                moves(&mut role, &mut state, &mut memory, &code.latch)?;
            }
            untold += 1 + code.latch.len();
            if untold >= TELL {
                untold = 0;
                role.progress(cycle, state.ands())?;
            }
            state.next_cycle();
            counters.cycles += 1;
            counters.gates = counters.gates.saturating_add(self.program.gates_per_cycle());
        }
        counters.ands = state.ands();
        Ok(counters)
    }
}

/// One more than the most ANDs of a run: each takes two numbers of 64 bits.
const MAX_ANDS: u64 = 1 << 63;

/// Operations after which progress is told: some ten microseconds.
const TELL: usize = 1 << 14;

/// Fetches input labels into their addresses.
fn load(
    role: &mut impl Role,
    memory: &mut LabelMemory,
    buffer: &mut Vec<Label>,
    cycle: u64,
    loads: &Loads,
) -> Result<(), EngineError> {
    if loads.wires.is_empty() {
        return Ok(());
    }
    buffer.resize(loads.wires.len(), Label::ZERO);
    role.inputs(cycle, &loads.wires, buffer)?;
    for (&address, &label) in loads.addresses.iter().zip(buffer.iter()) {
        memory.set(address, label);
    }
    Ok(())
}

/// Gives out output labels from their addresses.
fn give(
    role: &mut impl Role,
    memory: &LabelMemory,
    buffer: &mut Vec<Label>,
    cycle: u64,
    gives: &Gives,
) -> Result<(), EngineError> {
    if gives.bits.is_empty() {
        return Ok(());
    }
    let offset = role.offset();
    buffer.clear();
    buffer.extend(
        gives
            .addresses
            .iter()
            .zip(&gives.inverted)
            .map(|(&address, &inverted)| memory.get(address) ^ offset.masked(inverted)),
    );
    role.outputs(cycle, &gives.bits, buffer)
}

/// Runs moves and nothing else.
fn moves(
    role: &mut impl Role,
    state: &mut State,
    memory: &mut LabelMemory,
    moves: &[Move],
) -> Result<(), EngineError> {
    if moves.is_empty() {
        return Ok(());
    }
    let segments = [Segment { moves: moves.len() as u32, xors: 0, ands: 0 }];
    let ops = Ops { segments: &segments, moves, xors: &[], ands: &[], positions: &[] };
    role.ops(state, memory, &ops)
}

/// What the two roles do differently.
pub(super) trait Role {
    /// What an inversion adds to a label.
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
    /// A cycle of a program that skips begins.
    fn begin(&mut self, cycle: u64, table_bytes: u64) -> Result<(), EngineError>;
    fn note(&mut self, what: &str) -> Result<(), EngineError>;
    /// Runs some of the gates that are left of it.
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
            self.kernel.garble(state, self.delta, memory, ops, &mut []);
            return Ok(());
        }
        let bytes = ops.ands.len() * state.suite().table_bytes();
        let tables = self.io.table_space(bytes).map_err(EngineError::Io)?;
        self.kernel.garble(state, self.delta, memory, ops, tables);
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
        piece.run(state, labels, |state, memory, ops, at| {
            kernel.garble(state, delta, memory, ops, &mut tables[at * size..][..size]);
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
        self.kernel.evaluate(state, memory, ops, tables);
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
        piece.run(state, labels, |state, memory, ops, at| {
            kernel.evaluate(state, memory, ops, &tables[at * size..][..size]);
        });
        Ok(())
    }
}
