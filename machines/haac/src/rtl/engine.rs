//! The engine: a machine, its build options, and the lowering of programs for it.

use super::error::HardwareError;
use super::hardware::Hardware;
use super::image::Image;
use super::measure::Measured;
pub use super::observe::Watcher;
use super::options::Options;
use super::run::RtlProgram;
use crate::engine::host::{Host, lowered, verified};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, EngineError, Prepared, Simulated};
use halfgate_haac_model::lower::Lowering;
use halfgate_haac_model::model::config::Config;
use halfgate_haac_model::model::rows::survey;
use halfgate_haac_model::{Code, Machine};
use halfgate_verilated::Library;

/// Garbles and evaluates on a simulated machine, and counts its clock cycles.
///
/// Clones share libraries and measurements.
#[derive(Clone)]
pub struct RtlEngine {
    hardware: Hardware,
    lowering: Lowering,
}

impl RtlEngine {
    /// An engine of `machine` with the lowering [`Lowering::BEST`].
    pub fn new(machine: Machine, options: Options) -> RtlEngine {
        RtlEngine { hardware: Hardware::new(machine, options), lowering: Lowering::BEST }
    }

    /// The same engine with another lowering.
    pub fn with_lowering(self, lowering: Lowering) -> RtlEngine {
        RtlEngine { lowering, ..self }
    }

    /// The same engine with an observer of every cycle, which makes it slower.
    pub fn with_watcher(mut self, watcher: Watcher) -> RtlEngine {
        self.hardware.watcher = Some(watcher);
        self
    }

    /// Builds and loads the machine of a role, unless this was done. Runs also build it if needed.
    /// But a build takes minutes if the machine is not in the cache, and a peer should not wait for
    /// it.
    ///
    /// # Errors
    /// If the machine is impossible, or cannot be built.
    pub fn build(&self, role: Party) -> Result<Library, EngineError> {
        self.hardware.build(role)
    }

    /// Whether the machine of a role is in the cache.
    ///
    /// # Errors
    /// If the machine is impossible, or machines cannot be built on this computer.
    pub fn is_built(&self, role: Party) -> Result<bool, EngineError> {
        self.hardware.is_built(role)
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.hardware.machine
    }

    /// The counters of the last launch.
    pub fn measured(&self) -> Option<Measured> {
        self.hardware.measured()
    }

    /// Prepares `program` with existing code.
    ///
    /// # Errors
    /// As [`HaacEngine::prepare_code`](crate::engine::HaacEngine::prepare_code).
    pub fn prepare_code<'p>(
        &self,
        program: &'p Program,
        code: Code,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        self.prepared(program, verified(&self.hardware.machine, program, code)?)
    }

    fn prepared<'p>(
        &self,
        program: &'p Program,
        code: Code,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let config = Config::new(&self.hardware.machine, Party::Garbler)
            .map_err(|error| EngineError::unavailable(&self.hardware.name(), error))?;
        let survey = survey(&code, &config)?
            .map_err(|error| EngineError::machine(HardwareError::Code(error)))?;
        let image = Image::new(&self.hardware.machine.name, &code, survey)?;
        let host = Host::new(&self.hardware.machine.name, program, code);
        Ok(Box::new(RtlProgram { hardware: self.hardware.clone(), host, image }))
    }
}

impl Engine for RtlEngine {
    fn name(&self) -> String {
        self.hardware.name()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        self.prepared(program, lowered(&self.hardware.machine, program, self.lowering)?)
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.hardware.simulated())
    }
}
