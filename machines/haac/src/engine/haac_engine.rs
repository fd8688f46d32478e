//! The engine: a machine, the lowering of programs for it, and the model that simulates it.

use super::host::{lowered, verified};
use super::modelled::{Model, Modelled};
use super::run::HaacProgram;
use crate::dram::Attachment;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, EngineError, Prepared, Simulated};
use halfgate_haac_model::lower::Lowering;
use halfgate_haac_model::model::exact::{Disturbance, Extra, Mutation};
use halfgate_haac_model::{Code, Machine};
use halfgate_kernels::{KernelError, choose};
use std::sync::Arc;

/// Garbles and evaluates on a model of HAAC, and counts its clock cycles.
///
/// Clones share the sums of [`simulated`](Engine::simulated).
#[derive(Clone, Debug)]
pub struct HaacEngine {
    modelled: Modelled,
    lowering: Lowering,
}

impl HaacEngine {
    /// `machine` with the lowering [`Lowering::BEST`], the fast model, and the best kernel for
    /// labels that this processor supports.
    pub fn new(machine: Machine) -> HaacEngine {
        HaacEngine { modelled: Modelled::new(machine), lowering: Lowering::BEST }
    }

    /// The same engine with another lowering.
    pub fn with_lowering(self, lowering: Lowering) -> HaacEngine {
        HaacEngine { lowering, ..self }
    }

    /// The same engine with another model.
    pub fn with_model(mut self, model: Model) -> HaacEngine {
        self.modelled.model = model;
        self
    }

    /// The same engine with a DRAM behind the machine's ports. Tables and outputs stay the same.
    pub fn with_dram(mut self, dram: Attachment) -> HaacEngine {
        self.modelled.machine = Arc::new(dram.attach((*self.modelled.machine).clone()));
        self.modelled.dram = Some(dram);
        self
    }

    /// The same engine, with its labels computed by the kernel `name`.
    ///
    /// # Errors
    /// If there is no such kernel, or the processor cannot run it.
    pub fn with_kernel(mut self, name: &str) -> Result<HaacEngine, KernelError> {
        self.modelled.kernel = choose::by_name(name)?;
        Ok(self)
    }

    /// The same engine on the exact model, with a memory that responds late and engines that stall
    /// at random. Tables and outputs stay the same.
    pub fn with_disturbance(self, disturbance: Disturbance) -> HaacEngine {
        self.exactly(|extra| extra.disturbance = Some(disturbance))
    }

    /// The same engine on the exact model, with a fault that tests must find.
    pub fn with_mutation(self, mutation: Mutation) -> HaacEngine {
        self.exactly(|extra| extra.mutation = Some(mutation))
    }

    /// The same engine on the exact model, with changed options.
    fn exactly(mut self, change: impl FnOnce(&mut Extra)) -> HaacEngine {
        self.modelled.model = Model::Exact;
        change(&mut self.modelled.extra);
        self
    }

    /// Prepares `program` with code that exists already, for example in a file.
    ///
    /// # Errors
    /// If the code is for another shape of machine, or does not compute the program. All of it is
    /// [verified](halfgate_haac_model::verify).
    pub fn prepare_code<'p>(
        &self,
        program: &'p Program,
        code: Code,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let code = verified(&self.modelled.machine, program, code)?;
        Ok(Box::new(HaacProgram::new(self.modelled.clone(), program, code)))
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.modelled.machine
    }
}

impl Engine for HaacEngine {
    fn name(&self) -> String {
        let Machine { name, memory, shape, .. } = &*self.modelled.machine;
        let (engines, window) = (shape.engines, shape.window);
        format!("model:{name} ({engines} engines, {window} labels, {})", memory.name)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let code = lowered(&self.modelled.machine, program, self.lowering)?;
        Ok(Box::new(HaacProgram::new(self.modelled.clone(), program, code)))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.modelled.simulated())
    }
}
