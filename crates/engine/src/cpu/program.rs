//! A flat program that is ready to run.

use crate::EngineError;
use crate::checked::{MAX_ANDS, check_length};
use crate::cpu::code::Code;
use crate::cpu::threads::Threads;
use halfgate_compiler::Program;
use halfgate_kernels::Kernel;
use rayon::ThreadPool;
use std::sync::OnceLock;

/// A program and its code.
pub(super) struct CpuProgram<'p> {
    pub program: &'p Program,
    pub code: Code,
    pub kernel: &'static Kernel,
    pub threads: Threads,
    pool: OnceLock<Option<ThreadPool>>,
}

impl<'p> CpuProgram<'p> {
    pub fn new(
        program: &'p Program,
        code: Code,
        kernel: &'static Kernel,
        threads: Threads,
    ) -> CpuProgram<'p> {
        CpuProgram { program, code, kernel, threads, pool: OnceLock::new() }
    }

    /// The threads, started when they are first needed. `None` if the system has too few.
    pub fn pool(&self) -> Option<&ThreadPool> {
        self.pool.get_or_init(|| self.threads.pool()).as_ref()
    }

    /// Checks that a run may have this many cycles.
    pub fn check(&self, cycles: u64) -> Result<(), EngineError> {
        if cycles != 1 && !self.code.repeatable {
            return Err(EngineError::OneCycleOnly { cycles });
        }
        check_length("cpu", (cycles, u64::MAX), self.program.ands_per_cycle(), MAX_ANDS)
    }
}
