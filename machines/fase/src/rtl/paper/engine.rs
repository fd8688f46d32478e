//! The engine of a published machine in SystemVerilog: builds it and runs programs on it.

use super::super::machine::Secrets;
use super::machine::{Clock, Machine};
use super::options::Published;
use crate::engine::{MHZ, begin};
use crate::rtl::Options;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, Exceeded, GarblerIo, Prepared, RunKey,
    Simulated, Suite, checked,
};
use halfgate_fase_model::paper::{Code, Report, Size};
use halfgate_machine::rtl::built;
use halfgate_machine::{MAX_CYCLES, only_garbles};
use halfgate_verilated::{Design, Library};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A callback for every clock cycle of every run.
pub type Watcher = Arc<Mutex<dyn FnMut(&Clock) + Send>>;

/// Garbles on a simulated published machine, and counts its clock cycles.
///
/// Clones share the built machine and the counters of the last run.
#[derive(Clone)]
pub struct RtlPaper {
    pipelines: usize,
    suite: Suite,
    options: Options<Size>,
    watcher: Option<Watcher>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    library: Option<Library>,
    simulated: Simulated,
    measured: Option<Report>,
}

impl RtlPaper {
    /// Makes the machine with this number of [pipelines](super::PIPELINES), for
    /// `half-gates-fixed-key`.
    pub fn new(pipelines: usize, options: Options<Size>) -> RtlPaper {
        let suite = Suite::HalfGatesFixedKey;
        RtlPaper { pipelines, suite, options, watcher: None, shared: Arc::default() }
    }

    /// Returns the machine with the hash of the public RTL. That hash reveals Δ, so use it for
    /// comparison only.
    pub fn like_the_public_rtl(self) -> RtlPaper {
        RtlPaper { suite: Suite::HalfGatesFase, ..self }
    }

    /// Returns the same machine, which calls `watcher` in every clock cycle. This makes runs
    /// slower.
    pub fn with_watcher(self, watcher: Watcher) -> RtlPaper {
        RtlPaper { watcher: Some(watcher), ..self }
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
    pub fn measured(&self) -> Option<Report> {
        self.shared().measured
    }

    fn design(&self) -> Result<Design, EngineError> {
        let design = self.options.paper(self.pipelines, self.suite);
        design.map_err(|error| EngineError::unavailable(&self.name(), error))
    }

    /// Makes the error for a program that exceeds a capacity.
    fn limit(&self, exceeded: Exceeded) -> EngineError {
        let engine = format!("rtl:fase-paper-{}", self.pipelines);
        EngineError::Limit { engine, exceeded }
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for RtlPaper {
    fn name(&self) -> String {
        format!("rtl:fase-paper-{} (AES {}, Verilator)", self.pipelines, self.options.aes)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let code = Code::of(&program.circuit, self.pipelines);
        code.fits(self.options.depths()).map_err(|error| self.limit(error))?;
        Ok(Box::new(PaperProgram { engine: self.clone(), program, code }))
    }

    fn makes_labels(&self) -> bool {
        true
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.shared().simulated)
    }
}

struct PaperProgram<'p> {
    engine: RtlPaper,
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
        checked(&engine.name(), &[engine.suite], program, key, cycles, MAX_CYCLES)?;
        let words = code.encode(engine.options.depths());
        let words = words.map_err(|error| engine.limit(error))?;
        let library = engine.build()?;
        let (seed, mut delivery) = begin(&engine.name(), program, &code.body, cycles, delta, io)?;
        let mut machine = Machine::new(&library, &engine.options, code, &words)?;
        let secrets = Secrets {
            delta: delta.label(),
            seed: seed.bytes(),
            constant: delivery.constant(),
            point: key.point,
        };
        let mut watch = engine.watcher.as_ref().map(|watcher| {
            |clock: &Clock| (watcher.lock().unwrap_or_else(PoisonError::into_inner))(clock)
        });
        let watch = watch.as_mut().map(|watch| watch as &mut dyn FnMut(&Clock));
        let measured = machine.run(cycles, &secrets, &mut delivery, watch)?;
        let mut shared = engine.shared();
        shared.simulated.clock_cycles += measured.clocks;
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
