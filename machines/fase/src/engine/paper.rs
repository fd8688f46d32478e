//! The model of a published machine as an engine.

use super::delivery::begin;
use super::fase_engine::MHZ;
use super::labels::Garbling;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Simulated,
    Suite, checked,
};
use halfgate_fase_model::paper::{Code, Machine};
use halfgate_kernels::{Kernel, KernelError, choose};
use halfgate_machine::{MAX_CYCLES, only_garbles};
use std::sync::{Arc, Mutex, PoisonError};

/// The suites of the published machines: the first for sessions, the second to compare with the
/// public RTL.
pub const PAPER_SUITES: [Suite; 2] = [Suite::HalfGatesFixedKey, Suite::HalfGatesFase];

/// Garbles as a published FASE does, and counts its clock cycles.
///
/// Clones share the totals that [`simulated`](Engine::simulated) returns.
#[derive(Clone, Debug)]
pub struct PaperEngine {
    pipelines: usize,
    kernel: &'static Kernel,
    simulated: Arc<Mutex<Simulated>>,
}

impl PaperEngine {
    /// Makes the machine with this number of pipelines, at least one, and with the best kernel for
    /// this processor.
    pub fn new(pipelines: usize) -> PaperEngine {
        PaperEngine { pipelines, kernel: choose::best(), simulated: Arc::default() }
    }

    /// Returns the same machine with labels computed by the kernel called `name`.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn with_kernel(self, name: &str) -> Result<PaperEngine, KernelError> {
        Ok(PaperEngine { kernel: choose::by_name(name)?, ..self })
    }
}

impl Engine for PaperEngine {
    fn name(&self) -> String {
        format!("model:fase-paper-{}", self.pipelines)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let code = Code::of(&program.circuit, self.pipelines);
        Ok(Box::new(PaperProgram { engine: self.clone(), program, code }))
    }

    fn makes_labels(&self) -> bool {
        true
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(*self.simulated.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

struct PaperProgram<'p> {
    engine: PaperEngine,
    program: &'p Program,
    code: Code,
}

impl Prepared for PaperProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        let (engine, program, code) = (&self.engine, self.program, &self.code);
        checked(&engine.name(), &PAPER_SUITES, program, key, cycles, MAX_CYCLES)?;
        let (seed, delivery) = begin(&engine.name(), program, &code.body, cycles, delta, io)?;
        let mut garbling = Garbling::new(engine.kernel, key, delta, seed, delivery);
        let mut machine = Machine::new(code, cycles);
        let clocks = garbling.run(|labels| machine.clock(labels, true))?;
        let mut all = engine.simulated.lock().unwrap_or_else(PoisonError::into_inner);
        all.clock_cycles += clocks;
        all.launches += 1;
        all.mhz = f64::from(MHZ);
        garbling.delivery.finish()
    }

    fn evaluate(
        &mut self,
        _: RunKey,
        _: u64,
        _: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        Err(only_garbles(&self.engine.name()))
    }
}
