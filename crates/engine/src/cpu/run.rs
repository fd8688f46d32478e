//! Runs a flat program on labels, in either role.

use crate::EngineError;
use crate::cpu::chunk::{Gives, Loads};
use crate::cpu::instances;
use crate::cpu::program::CpuProgram;
use crate::cpu::role::{Role, Run};
use crate::cpu::walk::{Steps, walk};
use crate::io::{Counters, Garbling, RunKey};
use halfgate_kernels::ops::Ops;
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
        role: impl Role,
    ) -> Result<Counters, EngineError> {
        self.check(cycles)?;
        let mut alone = Alone {
            role,
            memory: LabelMemory::new(self.code.memory),
            state: self.kernel.start(key.suite, key.point),
            buffer: Zeroizing::new(Vec::new()),
        };
        walk(&self.code, cycles, &mut alone)?;
        let gates = self.program.gates_per_cycle().saturating_mul(cycles);
        Ok(Counters { gates, ands: alone.state.ands(), cycles })
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

/// One run.
struct Alone<R> {
    role: R,
    memory: LabelMemory,
    state: State,
    buffer: Zeroizing<Vec<Label>>,
}

impl<R: Role> Steps for Alone<R> {
    fn constant(&mut self, address: u32) -> Result<(), EngineError> {
        self.memory.set(address, self.role.constant()?);
        Ok(())
    }

    fn load(&mut self, cycle: u64, loads: &Loads) -> Result<(), EngineError> {
        let buffer = &mut self.buffer;
        let more = loads.wires.len().saturating_sub(buffer.len());
        wipe::reserve(buffer, more);
        buffer.resize(loads.wires.len(), Label::ZERO);
        self.role.inputs(cycle, &loads.wires, buffer)?;
        for (&address, &label) in loads.addresses.iter().zip(buffer.iter()) {
            self.memory.set(address, label);
        }
        Ok(())
    }

    fn ops(&mut self, ops: &Ops<'_>) -> Result<(), EngineError> {
        self.role.ops(&mut self.state, &mut self.memory, ops)
    }

    fn give(&mut self, cycle: u64, gives: &Gives) -> Result<(), EngineError> {
        let (memory, buffer, offset) = (&self.memory, &mut self.buffer, self.role.offset());
        buffer.clear();
        wipe::reserve(buffer, gives.bits.len());
        let places = gives.addresses.iter().zip(&gives.inverted);
        buffer.extend(
            places.map(|(&address, &inverted)| memory.get(address) ^ offset.masked(inverted)),
        );
        self.role.outputs(cycle, &gives.bits, buffer)
    }

    fn progress(&mut self, cycle: u64) -> Result<(), EngineError> {
        self.role.progress(cycle, self.state.ands())
    }

    fn next_cycle(&mut self) {
        self.state.next_cycle();
    }
}
