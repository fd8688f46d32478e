//! Runs code on labels, chunk by chunk and cycle by cycle, for either role.

use crate::EngineError;
use crate::checked::{MAX_ANDS, check_length};
use crate::cpu::chunk::{Chunk, Gives, Loads};
use crate::cpu::code::Code;
use crate::cpu::role::{Garbler, Role, Run};
use crate::cpu::threads::Threads;
use crate::io::{Counters, Garbling, RunKey};
use halfgate_compiler::Program;
use halfgate_kernels::ops::{Move, Ops, Segment};
use halfgate_kernels::{Delta, Kernel, Label, LabelMemory, State, wipe};
use rayon::iter::ParallelIterator;
use rayon::slice::ParallelSliceMut;
use zeroize::Zeroizing;

/// A program and its code.
pub(super) struct CpuProgram<'p> {
    pub program: &'p Program,
    pub code: Code,
    pub kernel: &'static Kernel,
    pub threads: Threads,
}

/// Garblings in one pass over the code. More would only take more memory: the code is read from
/// main memory once for all of them.
const TOGETHER: usize = 16;

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
        let mut runs = [OneRun::new(self, key, role)];
        self.run_all(&mut runs, cycles)?;
        Ok(Counters {
            gates: self.program.gates_per_cycle().saturating_mul(cycles),
            ands: runs[0].state.ands(),
            cycles,
        })
    }

    fn garble_together(
        &self,
        cycles: u64,
        garblings: &mut [Garbling<'_>],
    ) -> Result<(), EngineError> {
        self.check(cycles)?;
        let share = garblings.len().div_ceil(self.threads.count.get()).clamp(1, TOGETHER);
        let pool = match garblings.len() > share {
            true => self.threads.pool(),
            false => None,
        };
        match pool {
            Some(pool) => pool.install(|| {
                garblings
                    .par_chunks_mut(share)
                    .try_for_each(|part| self.garble_in_pass(cycles, part))
            }),
            None => garblings
                .chunks_mut(TOGETHER)
                .try_for_each(|part| self.garble_in_pass(cycles, part)),
        }
    }
}

impl CpuProgram<'_> {
    fn check(&self, cycles: u64) -> Result<(), EngineError> {
        if cycles != 1 && !self.code.repeatable {
            return Err(EngineError::OneCycleOnly { cycles });
        }
        check_length("cpu", (cycles, u64::MAX), self.program.ands_per_cycle(), MAX_ANDS)
    }

    /// Garbles `garblings` in one pass over the code.
    fn garble_in_pass(
        &self,
        cycles: u64,
        garblings: &mut [Garbling<'_>],
    ) -> Result<(), EngineError> {
        // Runs are made on this stack, where earlier ones were, and move to the heap.
        wipe::stack();
        let mut runs: Vec<OneRun<Garbler>> = garblings
            .iter_mut()
            .map(|garbling| OneRun::new(self, garbling.key, garbling.role(self.kernel)))
            .collect();
        let ran = self.run_all(&mut runs, cycles);
        wipe::stack();
        ran
    }

    /// Runs each of `runs` to its end: every chunk for all of them before the next chunk.
    fn run_all<R: Role>(&self, runs: &mut [OneRun<R>], cycles: u64) -> Result<(), EngineError> {
        let code = &self.code;
        for run in &mut *runs {
            run.start(code)?;
        }
        let mut chunks = code.chunks();
        for cycle in 0..cycles {
            let is_last = cycle + 1 == cycles;
            chunks.rewind();
            while let Some(chunk) = chunks.next()? {
                for run in &mut *runs {
                    run.chunk(chunk, cycle, is_last)?;
                }
            }
            for run in &mut *runs {
                run.end_cycle(code, cycle, is_last)?;
            }
        }
        Ok(())
    }
}

/// One run of the code, at some place.
struct OneRun<R> {
    role: R,
    memory: LabelMemory,
    state: State,
    buffer: Zeroizing<Vec<Label>>,
    /// Operations since progress was last reported. A cycle counts as at least one, because the
    /// body may be short or empty.
    unreported: usize,
}

impl<R: Role> OneRun<R> {
    fn new(program: &CpuProgram<'_>, key: RunKey, role: R) -> OneRun<R> {
        OneRun {
            role,
            memory: LabelMemory::new(program.code.memory),
            state: program.kernel.start(key.suite, key.point),
            buffer: Zeroizing::new(Vec::new()),
            unreported: 0,
        }
    }

    /// Runs the steps before the first cycle.
    fn start(&mut self, code: &Code) -> Result<(), EngineError> {
        if let Some(address) = code.start.constant {
            self.memory.set(address, self.role.constant()?);
        }
        self.load(0, &code.start.inputs)?;
        self.moves(&code.start.moves)
    }

    fn chunk(&mut self, chunk: &Chunk, cycle: u64, is_last: bool) -> Result<(), EngineError> {
        self.load(cycle, chunk.inputs(cycle))?;
        self.role.ops(&mut self.state, &mut self.memory, &chunk.ops())?;
        self.give(cycle, &chunk.outputs_each)?;
        if is_last {
            self.give(cycle, &chunk.outputs_last)?;
        }
        self.report(cycle, chunk.moves.len() + chunk.xors.len() + chunk.ands.len())
    }

    fn end_cycle(&mut self, code: &Code, cycle: u64, is_last: bool) -> Result<(), EngineError> {
        if !is_last {
            self.moves(&code.latch)?;
        }
        self.report(cycle, 1 + code.latch.len())?;
        self.state.next_cycle();
        Ok(())
    }

    /// Counts `operations`, and reports progress if there is much to report.
    fn report(&mut self, cycle: u64, operations: usize) -> Result<(), EngineError> {
        self.unreported += operations;
        if self.unreported >= PROGRESS_INTERVAL_GATES {
            self.unreported = 0;
            self.role.progress(cycle, self.state.ands())?;
        }
        Ok(())
    }

    /// Fetches input labels into their addresses.
    fn load(&mut self, cycle: u64, loads: &Loads) -> Result<(), EngineError> {
        if loads.wires.is_empty() {
            return Ok(());
        }
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

    /// Gives output labels from their addresses to the caller.
    fn give(&mut self, cycle: u64, gives: &Gives) -> Result<(), EngineError> {
        if gives.bits.is_empty() {
            return Ok(());
        }
        let (memory, buffer) = (&self.memory, &mut self.buffer);
        let offset = self.role.offset();
        buffer.clear();
        wipe::reserve(buffer, gives.bits.len());
        buffer.extend(
            gives
                .addresses
                .iter()
                .zip(&gives.inverted)
                .map(|(&address, &inverted)| memory.get(address) ^ offset.masked(inverted)),
        );
        self.role.outputs(cycle, &gives.bits, buffer)
    }

    /// Runs moves only.
    fn moves(&mut self, moves: &[Move]) -> Result<(), EngineError> {
        if moves.is_empty() {
            return Ok(());
        }
        let segments = [Segment { moves: moves.len() as u32, xors: 0, ands: 0 }];
        let ops = Ops { segments: &segments, moves, xors: &[], ands: &[], positions: &[] };
        self.role.ops(&mut self.state, &mut self.memory, &ops)
    }
}

/// Operations between progress reports: some ten microseconds.
const PROGRESS_INTERVAL_GATES: usize = 1 << 14;
