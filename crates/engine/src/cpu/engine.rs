//! The engine that uses the processor.

use crate::cpu::ENGINE;
use crate::cpu::lower::{Lowering, lower};
use crate::cpu::program::CpuProgram;
use crate::cpu::skip::Skipping;
use crate::cpu::structured::StructuredRun;
use crate::cpu::threads::Threads;
use crate::{Engine, EngineError, Prepared};
use halfgate_compiler::{Program, StructuredProgram};
use halfgate_kernels::{Kernel, KernelError, choose};

/// Garbles and evaluates on the processor, by default on one core and with the best kernel for it.
#[derive(Clone, Copy, Debug)]
pub struct CpuEngine {
    kernel: &'static Kernel,
    lowering: Lowering,
    threads: Threads,
}

impl CpuEngine {
    /// Creates the engine with the kernel of that name, or with the best one if `kernel` is `None`.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn new(kernel: Option<&str>) -> Result<CpuEngine, KernelError> {
        let kernel = match kernel {
            Some(name) => choose::by_name(name)?,
            None => choose::best(),
        };
        Ok(CpuEngine { kernel, lowering: Lowering::default(), threads: Threads::default() })
    }

    /// Replaces the lowering, for example by one with a smaller window or other chunks.
    pub fn with_lowering(self, lowering: Lowering) -> CpuEngine {
        CpuEngine { lowering, ..self }
    }

    /// Sets the threads that run the blocks of large maps, and garblings that run together.
    pub fn with_threads(self, threads: Threads) -> CpuEngine {
        CpuEngine { threads, ..self }
    }

    /// The kernel in use.
    pub fn kernel(&self) -> &'static Kernel {
        self.kernel
    }
}

impl Engine for CpuEngine {
    fn name(&self) -> String {
        format!("cpu ({})", self.kernel.name)
    }

    fn runs_functions(&self) -> bool {
        true
    }

    fn skips(&self) -> bool {
        true
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        if program.skips.is_some() {
            return Ok(Box::new(Skipping { program, kernel: self.kernel }));
        }
        let code = lower(program, self.lowering)?;
        Ok(Box::new(CpuProgram::new(program, code, self.kernel, self.threads)))
    }

    /// Runs functions, unless the outermost body has state or per-cycle ports: then it flattens.
    fn prepare_structured<'p>(
        &self,
        program: &'p StructuredProgram,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        if program.circuit.has_cycles() || program.circuit.body.calls.is_empty() {
            let flat = program.flat().map_err(|error| EngineError::program(ENGINE, error))?;
            return self.prepare_flat(flat);
        }
        Ok(Box::new(StructuredRun::new(program, self.kernel, self.threads)?))
    }
}
