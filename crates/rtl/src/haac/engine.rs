//! The engine: a machine, how it is built, and how programs are lowered for it.

use super::image::Image;
use super::measure::Measured;
use super::options::Options;
use super::run::RtlProgram;
use crate::{Error, Library};
use halfgate_compiler::Program;
use halfgate_engine::haac::host::{Host, lowered, verified};
use halfgate_engine::{Engine, EngineError, Prepared, Simulated};
use halfgate_machines::haac::lower::Lowering;
use halfgate_machines::haac::machine::Role;
use halfgate_machines::haac::model::config::Config;
use halfgate_machines::haac::model::exact::Watch;
use halfgate_machines::haac::model::rows::survey;
use halfgate_machines::haac::{Code, Machine};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Sees every cycle of every launch.
pub type Watcher = Arc<Mutex<dyn Watch + Send>>;

/// Garbles and evaluates on a simulated machine, and counts its clock cycles.
///
/// Clones share libraries and what was measured.
#[derive(Clone)]
pub struct RtlEngine {
    pub(super) machine: Arc<Machine>,
    lowering: Lowering,
    pub(super) options: Options,
    pub(super) watcher: Option<Watcher>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    garbler: Option<Library>,
    evaluator: Option<Library>,
    simulated: Simulated,
    measured: Option<Measured>,
}

impl RtlEngine {
    /// `machine`, with the better of its lowerings.
    pub fn new(machine: Machine, options: Options) -> RtlEngine {
        RtlEngine {
            machine: Arc::new(machine),
            lowering: Lowering::BEST,
            options,
            watcher: None,
            shared: Arc::default(),
        }
    }

    /// The same machine with another lowering.
    pub fn with_lowering(self, lowering: Lowering) -> RtlEngine {
        RtlEngine { lowering, ..self }
    }

    /// The same machine; somebody sees what it does in every cycle, which takes longer.
    pub fn with_watcher(self, watcher: Watcher) -> RtlEngine {
        RtlEngine { watcher: Some(watcher), ..self }
    }

    /// Builds and loads the machine of a role, unless that was done. Runs do so, too; but it takes
    /// minutes where there is nothing in the cache, for which a peer should not wait.
    ///
    /// # Errors
    /// If the machine is impossible, or cannot be built.
    pub fn build(&self, role: Role) -> Result<Library, EngineError> {
        let mut shared = self.shared();
        let place = match role {
            Role::Garbler => &mut shared.garbler,
            Role::Evaluator => &mut shared.evaluator,
        };
        if let Some(library) = place {
            return Ok(library.clone());
        }
        let design = self.options.design(&self.machine, role).map_err(EngineError::Unsupported)?;
        let built = design.build().map_err(|error| match error {
            Error::Failed { .. } => EngineError::Machine(error.to_string()),
            error => EngineError::Unsupported(format!("{}: {error}", self.name())),
        })?;
        Ok(place.insert(built).clone())
    }

    /// Whether the machine of a role need not be built any more.
    ///
    /// # Errors
    /// If the machine is impossible, or nothing can be built here.
    pub fn is_built(&self, role: Role) -> Result<bool, EngineError> {
        let design = self.options.design(&self.machine, role).map_err(EngineError::Unsupported)?;
        let error = |error| EngineError::Unsupported(format!("{}: {error}", self.name()));
        design.is_built().map_err(error)
    }

    /// The machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// The counters of the last launch.
    pub fn measured(&self) -> Option<Measured> {
        self.shared().measured.clone()
    }

    /// `program` on code that it was lowered to before.
    ///
    /// # Errors
    /// As [`HaacEngine::prepare_code`](halfgate_engine::haac::HaacEngine::prepare_code).
    pub fn prepare_code<'p>(
        &self,
        program: &'p Program,
        code: Code,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        self.prepared(program, verified(&self.machine, program, code)?)
    }

    fn prepared<'p>(
        &self,
        program: &'p Program,
        code: Code,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let config = Config::new(&self.machine, Role::Garbler).map_err(EngineError::Unsupported)?;
        let survey = survey(&code, &config)?
            .map_err(|what| EngineError::Machine(format!("its code: {what}")))?;
        let image = Image::new(&code, survey)?;
        let host = Host::new(&self.machine.name, program, code);
        Ok(Box::new(RtlProgram { engine: self.clone(), host, image }))
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a launch to what was simulated.
    pub(super) fn launched(&self, measured: Measured) {
        let mut shared = self.shared();
        shared.simulated.clock_cycles += measured.report.cycles;
        shared.simulated.launches += 1;
        shared.simulated.mhz = f64::from(self.machine.mhz);
        shared.measured = Some(measured);
    }
}

impl Engine for RtlEngine {
    fn name(&self) -> String {
        let Machine { name, memory, shape, .. } = &*self.machine;
        let (engines, window, aes) = (shape.engines, shape.window, self.options.aes);
        let memory = &memory.name;
        format!("rtl:{name} ({engines} engines, {window} labels, {memory}, AES {aes}, Verilator)")
    }

    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        self.prepared(program, lowered(&self.machine, program, self.lowering)?)
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.shared().simulated)
    }
}
