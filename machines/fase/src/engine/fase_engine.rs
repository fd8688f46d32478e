//! The model of a scheduled machine as an engine.

use super::delivery::begin;
use super::labels::Garbling;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Simulated,
    Suite, checked,
};
use halfgate_fase_model::code::Size;
use halfgate_fase_model::model::Machine;
use halfgate_fase_model::{Code, Shape};
use halfgate_kernels::{Kernel, KernelError, choose};
use halfgate_machine::{MAX_CYCLES, only_garbles};
use halfgate_scheduled::assumed_cycles;
use std::sync::{Arc, Mutex, PoisonError};

/// The clock frequency of the published machine in MHz (section 6.1). We assume it for our machine
/// too, which was never placed.
pub const MHZ: u32 = 80;

/// Garbles as a scheduled FASE does, and counts its clock cycles.
///
/// Clones share the totals that [`simulated`](Engine::simulated) returns.
#[derive(Clone, Debug)]
pub struct FaseEngine {
    shape: Shape,
    kernel: &'static Kernel,
    simulated: Arc<Mutex<Simulated>>,
}

impl FaseEngine {
    /// Makes the machine of this shape, with the best kernel for this processor.
    pub fn new(shape: Shape) -> FaseEngine {
        FaseEngine { shape, kernel: choose::best(), simulated: Arc::default() }
    }

    /// Returns the same machine with labels computed by the kernel called `name`.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn with_kernel(self, name: &str) -> Result<FaseEngine, KernelError> {
        Ok(FaseEngine { kernel: choose::by_name(name)?, ..self })
    }
}

impl Engine for FaseEngine {
    fn name(&self) -> String {
        format!("model:{}", self.shape.name())
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let lowered = Lowered::new(self.name(), program, self.shape, Size::MOST)?;
        Ok(Box::new(FaseProgram { engine: self.clone(), program, lowered }))
    }

    fn makes_labels(&self) -> bool {
        true
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(*self.simulated.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Makes a program's code for `cycles` netlist cycles, on a machine of this capacity.
///
/// # Errors
/// [`EngineError::Limit`] of the engine called `engine`, if the program exceeds a capacity.
fn lowered(
    engine: &str,
    program: &Program,
    shape: Shape,
    cycles: u64,
    size: Size,
) -> Result<Code, EngineError> {
    let limit = |exceeded| EngineError::Limit { engine: engine.to_owned(), exceeded };
    let code = Code::of(&program.circuit, shape, cycles).map_err(limit)?;
    code.fits(size).map_err(limit)?;
    Ok(code)
}

/// A program's code, and whether its netlist cycles overlap.
pub struct Lowered {
    /// The code.
    pub code: Code,
    /// The engine's name without options.
    engine: String,
    overlaps: bool,
}

impl Lowered {
    /// Makes the code for the [assumed](assumed_cycles) number of netlist cycles.
    ///
    /// # Errors
    /// As [`lowered`].
    pub fn new(
        engine: String,
        program: &Program,
        shape: Shape,
        size: Size,
    ) -> Result<Lowered, EngineError> {
        let cycles = assumed_cycles(&program.circuit);
        let code = lowered(&engine, program, shape, cycles, size)?;
        Ok(Lowered { code, engine, overlaps: cycles > 1 })
    }

    /// Replaces the code if it suits a different number of netlist cycles: code for several netlist
    /// cycles overlaps them, code for one does not.
    ///
    /// # Errors
    /// As [`lowered`].
    pub fn fit(&mut self, program: &Program, cycles: u64, size: Size) -> Result<(), EngineError> {
        if (cycles > 1) != self.overlaps {
            self.code = lowered(&self.engine, program, self.code.shape, cycles, size)?;
            self.overlaps = cycles > 1;
        }
        Ok(())
    }
}

struct FaseProgram<'p> {
    engine: FaseEngine,
    program: &'p Program,
    lowered: Lowered,
}

impl Prepared for FaseProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        let (engine, program) = (&self.engine, self.program);
        checked(&engine.name(), &[Suite::HalfGates], program, key, cycles, MAX_CYCLES)?;
        self.lowered.fit(program, cycles, Size::MOST)?;
        let code = &self.lowered.code;
        let (seed, delivery) = begin(&engine.name(), program, &code.body, cycles, delta, io)?;
        let mut garbling = Garbling::new(engine.kernel, key, delta, seed, delivery);
        let mut machine = Machine::new(code, cycles);
        let clocks = garbling.run(|labels| machine.clock(labels))?;
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
