//! The engine of a scheduled machine in SystemVerilog: builds it and runs programs on it.

use super::machine::{Machine, Secrets};
use super::options::{Options, Scheduled};
use crate::engine::{Lowered, MHZ, begin};
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Simulated,
    Suite, checked,
};
use halfgate_fase_model::Shape;
use halfgate_fase_model::model::Seen;
use halfgate_machine::rtl::built;
use halfgate_machine::{MAX_CYCLES, only_garbles};
use halfgate_scheduled::Measured;
use halfgate_verilated::{Design, Library};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A callback for every clock cycle of every run.
pub type Watcher = Arc<Mutex<dyn FnMut(&Seen) + Send>>;

/// Garbles on a simulated machine, and counts its clock cycles.
///
/// Clones share the built machine and the counters of the last run.
#[derive(Clone)]
pub struct RtlFase {
    shape: Shape,
    options: Options,
    watcher: Option<Watcher>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    library: Option<Library>,
    simulated: Simulated,
    measured: Option<Measured>,
}

impl RtlFase {
    /// Makes the machine of this shape.
    pub fn new(shape: Shape, options: Options) -> RtlFase {
        RtlFase { shape, options, watcher: None, shared: Arc::default() }
    }

    /// Returns the same machine, which calls `watcher` in every clock cycle. This makes runs
    /// slower.
    pub fn with_watcher(self, watcher: Watcher) -> RtlFase {
        RtlFase { watcher: Some(watcher), ..self }
    }

    /// Builds and loads the machine, if this was not done yet.
    ///
    /// # Errors
    /// If the machine's options are invalid, or it cannot be built.
    pub fn build(&self) -> Result<Library, EngineError> {
        let mut shared = self.shared();
        if let Some(library) = &shared.library {
            return Ok(library.clone());
        }
        let library = self.design()?.build().map_err(built(&self.name()))?;
        Ok(shared.library.insert(library).clone())
    }

    /// Whether the machine is built already.
    ///
    /// # Errors
    /// If the machine's options are invalid, or nothing can be built here.
    pub fn is_built(&self) -> Result<bool, EngineError> {
        self.design()?.is_built().map_err(|error| EngineError::unavailable(&self.name(), error))
    }

    /// The counters of the last run.
    pub fn measured(&self) -> Option<Measured> {
        self.shared().measured
    }

    fn design(&self) -> Result<Design, EngineError> {
        let design = self.options.design(self.shape);
        design.map_err(|error| EngineError::unavailable(&self.name(), error))
    }

    /// The engine's name without options.
    fn plain_name(&self) -> String {
        format!("rtl:{}", self.shape.name())
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for RtlFase {
    fn name(&self) -> String {
        format!("rtl:{} (AES {}, Verilator)", self.shape.name(), self.options.aes)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let size = self.options.size(self.shape);
        let lowered = Lowered::new(self.plain_name(), program, self.shape, size)?;
        Ok(Box::new(FaseProgram { engine: self.clone(), program, lowered }))
    }

    fn makes_labels(&self) -> bool {
        true
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.shared().simulated)
    }
}

struct FaseProgram<'p> {
    engine: RtlFase,
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
        let size = engine.options.size(engine.shape);
        checked(&engine.name(), &[Suite::HalfGates], program, key, cycles, MAX_CYCLES)?;
        self.lowered.fit(program, cycles, size)?;
        let code = &self.lowered.code;
        let limit = |exceeded| EngineError::Limit { engine: engine.plain_name(), exceeded };
        let encoded = code.encode(size).map_err(limit)?;
        let library = engine.build()?;
        let (seed, mut delivery) = begin(&engine.name(), program, &code.body, cycles, delta, io)?;
        let mut machine = Machine::new(&library, &engine.options, code, &encoded)?;
        let secrets = Secrets {
            delta: delta.label(),
            seed: seed.bytes(),
            constant: delivery.constant(),
            point: key.point,
        };
        let mut watch = engine.watcher.as_ref().map(|watcher| {
            |seen: &Seen| (watcher.lock().unwrap_or_else(PoisonError::into_inner))(seen)
        });
        let watch = watch.as_mut().map(|watch| watch as &mut dyn FnMut(&Seen));
        let measured = machine.run(cycles, &secrets, &mut delivery, watch)?;
        let mut shared = engine.shared();
        shared.simulated.clock_cycles += measured.clocks + measured.stalls;
        shared.simulated.launches += 1;
        shared.simulated.mhz = f64::from(MHZ);
        shared.measured = Some(measured);
        drop(shared);
        delivery.finish()
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
