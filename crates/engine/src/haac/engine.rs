//! The engine: a machine, how programs are lowered for it, and which model runs.

use super::host::{lowered, verified};
use super::run::HaacProgram;
use crate::{Engine, EngineError, Prepared, Simulated};
use halfgate_compiler::Program;
use halfgate_kernels::{Kernel, KernelError, choose};
use halfgate_machines::haac::lower::Lowering;
use halfgate_machines::haac::model::exact::{Disturbance, Extra, Mutation};
use halfgate_machines::haac::{Code, Machine};
use std::sync::{Arc, Mutex, PoisonError};

/// Which of the two models says what happens when.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Model {
    /// The one that keeps only times: names are the program's own.
    #[default]
    Fast,
    /// The one that goes stage by stage, and moves names as the hardware moves labels.
    Exact,
}

/// Garbles and evaluates as a HAAC does, and counts its clock cycles.
///
/// Clones share what [`simulated`](Engine::simulated) adds up.
#[derive(Clone, Debug)]
pub struct HaacEngine {
    pub(super) machine: Arc<Machine>,
    lowering: Lowering,
    pub(super) model: Model,
    pub(super) extra: Extra,
    pub(super) kernel: &'static Kernel,
    pub(super) simulated: Arc<Mutex<Simulated>>,
}

impl HaacEngine {
    /// `machine`, with the better of its lowerings ([`Lowering::BEST`]), the fast model, and the best
    /// kernel that this processor has for the labels.
    pub fn new(machine: Machine) -> HaacEngine {
        HaacEngine {
            machine: Arc::new(machine),
            lowering: Lowering::BEST,
            model: Model::default(),
            extra: Extra::default(),
            kernel: choose::best(),
            simulated: Arc::default(),
        }
    }

    /// The same machine with another lowering.
    pub fn with_lowering(self, lowering: Lowering) -> HaacEngine {
        HaacEngine { lowering, ..self }
    }

    /// The same machine followed by another model.
    pub fn with_model(self, model: Model) -> HaacEngine {
        HaacEngine { model, ..self }
    }

    /// The same machine, its labels computed by the kernel of that name.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn with_kernel(self, name: &str) -> Result<HaacEngine, KernelError> {
        Ok(HaacEngine { kernel: choose::by_name(name)?, ..self })
    }

    /// The same machine with a memory that answers late and engines that stall at random, which only
    /// the exact model has. Tables and outputs stay the same.
    pub fn with_disturbance(self, disturbance: Disturbance) -> HaacEngine {
        let extra = Extra { disturbance: Some(disturbance), ..self.extra };
        HaacEngine { model: Model::Exact, extra, ..self }
    }

    /// The same machine with a fault, which only the exact model has: for tests that it is found.
    pub fn with_mutation(self, mutation: Mutation) -> HaacEngine {
        let extra = Extra { mutation: Some(mutation), ..self.extra };
        HaacEngine { model: Model::Exact, extra, ..self }
    }

    /// `program` on code that it was lowered to before, as from a file.
    ///
    /// # Errors
    /// If the code is another shape of machine's, or does not compute the program: all of it is
    /// [verified](halfgate_machines::haac::verify).
    pub fn prepare_code<'p>(
        &self,
        program: &'p Program,
        code: Code,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let code = verified(&self.machine, program, code)?;
        Ok(Box::new(HaacProgram::new(self.clone(), program, code)))
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Adds a launch to what was simulated.
    pub(super) fn launched(&self, clock_cycles: u64) {
        let mut all = self.simulated.lock().unwrap_or_else(PoisonError::into_inner);
        all.clock_cycles += clock_cycles;
        all.launches += 1;
        all.mhz = f64::from(self.machine.mhz);
    }
}

impl Engine for HaacEngine {
    fn name(&self) -> String {
        let Machine { name, memory, shape, .. } = &*self.machine;
        let (engines, window) = (shape.engines, shape.window);
        format!("model:{name} ({engines} engines, {window} labels, {})", memory.name)
    }

    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let code = lowered(&self.machine, program, self.lowering)?;
        Ok(Box::new(HaacProgram::new(self.clone(), program, code)))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(*self.simulated.lock().unwrap_or_else(PoisonError::into_inner))
    }
}
