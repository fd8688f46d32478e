//! Runs code on labels, chunk by chunk and cycle by cycle, for either role.

use crate::EngineError;
use crate::cpu::chunk::{Gives, Loads};
use crate::cpu::instances;
use crate::cpu::program::{CpuProgram, PROGRESS_INTERVAL_GATES};
use crate::cpu::role::{Role, Run};
use crate::io::{Counters, Garbling, RunKey};
use halfgate_kernels::ops::{Move, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State, wipe};
use zeroize::Zeroizing;

impl Run for CpuProgram<'_> {
    fn kernel(&self) -> &'static Kernel {
        self.kernel
    }

    fn run(
        &self,
        key: RunKey,
        cycles: u64,
        _: Option<&Delta>,
        mut role: impl Role,
    ) -> Result<Counters, EngineError> {
        self.check(cycles)?;
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
        // Operations since progress was last reported. A cycle counts as at least one, because the
        // body may be short or empty.
        let mut unreported = 0;
        for cycle in 0..cycles {
            chunks.rewind();
            while let Some(chunk) = chunks.next()? {
                load(&mut role, &mut memory, &mut buffer, cycle, chunk.inputs(cycle))?;
                role.ops(&mut state, &mut memory, &chunk.ops())?;
                give(&mut role, &memory, &mut buffer, cycle, &chunk.outputs_each)?;
                if cycle + 1 == cycles {
                    give(&mut role, &memory, &mut buffer, cycle, &chunk.outputs_last)?;
                }
                unreported += chunk.moves.len() + chunk.xors.len() + chunk.ands.len();
                if unreported >= PROGRESS_INTERVAL_GATES {
                    unreported = 0;
                    role.progress(cycle, state.ands())?;
                }
            }
            if cycle + 1 < cycles {
                moves(&mut role, &mut state, &mut memory, &code.latch)?;
            }
            unreported += 1 + code.latch.len();
            if unreported >= PROGRESS_INTERVAL_GATES {
                unreported = 0;
                role.progress(cycle, state.ands())?;
            }
            state.next_cycle();
            counters.cycles += 1;
            counters.gates = counters.gates.saturating_add(self.program.gates_per_cycle());
        }
        counters.ands = state.ands();
        Ok(counters)
    }

    fn garble_together(
        &self,
        cycles: u64,
        garblings: &mut [Garbling<'_>],
    ) -> Result<(), EngineError> {
        self.check(cycles)?;
        instances::garble(self, cycles, garblings)
    }

    fn most_together(&self) -> usize {
        instances::MAX_SIDE_BY_SIDE * self.threads.count.get()
    }
}

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
    wipe::reserve(buffer, loads.wires.len().saturating_sub(buffer.len()));
    buffer.resize(loads.wires.len(), Label::ZERO);
    role.inputs(cycle, &loads.wires, buffer)?;
    for (&address, &label) in loads.addresses.iter().zip(buffer.iter()) {
        memory.set(address, label);
    }
    Ok(())
}

/// Gives output labels from their addresses to the caller.
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
    wipe::reserve(buffer, gives.bits.len());
    buffer.extend(
        gives
            .addresses
            .iter()
            .zip(&gives.inverted)
            .map(|(&address, &inverted)| memory.get(address) ^ offset.masked(inverted)),
    );
    role.outputs(cycle, &gives.bits, buffer)
}

/// Runs moves only.
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
