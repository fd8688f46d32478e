//! A machine as simulated hardware: its libraries, and the measurements of its launches.

use super::measure::Measured;
use super::observe::Watcher;
use super::options::Options;
use halfgate_circuit::Party;
use halfgate_engine::{EngineError, Simulated};
use halfgate_haac_model::Machine;
use halfgate_machine::rtl::built;
use halfgate_verilated::Library;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A machine and its build options.
///
/// Clones share libraries and measurements.
#[derive(Clone)]
pub(super) struct Hardware {
    pub machine: Arc<Machine>,
    pub options: Options,
    pub watcher: Option<Watcher>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    garbler: Option<Library>,
    evaluator: Option<Library>,
    simulated: Simulated,
    measured: Option<Measured>,
}

impl Hardware {
    /// The hardware of `machine`, which is not built yet.
    pub fn new(machine: Machine, options: Options) -> Hardware {
        let shared = Arc::default();
        Hardware { machine: Arc::new(machine), options, watcher: None, shared }
    }

    /// The engine's name, also for error messages.
    pub fn name(&self) -> String {
        let Machine { name, memory, shape, .. } = &*self.machine;
        let (engines, window, aes) = (shape.engines, shape.window, self.options.aes);
        let memory = &memory.name;
        format!("rtl:{name} ({engines} engines, {window} labels, {memory}, AES {aes}, Verilator)")
    }

    /// Builds and loads the machine of a role, unless this was done.
    ///
    /// # Errors
    /// If the machine is impossible, or cannot be built.
    pub fn build(&self, role: Party) -> Result<Library, EngineError> {
        let mut shared = self.shared();
        let place = match role {
            Party::Garbler => &mut shared.garbler,
            Party::Evaluator => &mut shared.evaluator,
        };
        if let Some(library) = place {
            return Ok(library.clone());
        }
        let design = self.options.design(&self.machine, role);
        let design = design.map_err(|error| EngineError::unavailable(&self.name(), error))?;
        let library = design.build().map_err(built(&self.name()))?;
        Ok(place.insert(library).clone())
    }

    /// Whether the machine of a role is in the cache.
    ///
    /// # Errors
    /// If the machine is impossible, or machines cannot be built on this computer.
    pub fn is_built(&self, role: Party) -> Result<bool, EngineError> {
        let design = self.options.design(&self.machine, role);
        let design = design.map_err(|error| EngineError::unavailable(&self.name(), error))?;
        design.is_built().map_err(|error| EngineError::unavailable(&self.name(), error))
    }

    /// The counters of the last launch.
    pub fn measured(&self) -> Option<Measured> {
        self.shared().measured.clone()
    }

    /// The sum of all launches.
    pub fn simulated(&self) -> Simulated {
        self.shared().simulated
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a launch to the sums.
    pub fn launched(&self, measured: Measured) {
        let mut shared = self.shared();
        shared.simulated.clock_cycles += measured.report.cycles;
        shared.simulated.launches += 1;
        shared.simulated.mhz = f64::from(self.machine.mhz);
        shared.measured = Some(measured);
    }
}
