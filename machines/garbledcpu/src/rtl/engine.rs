//! The engine of a machine in SystemVerilog: builds it and runs programs on it.

use super::machine::Machine as Simulated;
use crate::engine::{Lowered, MHZ, Supply};
use halfgate_compiler::Program;
use halfgate_engine::Simulated as Time;
use halfgate_engine::{
    Counters, Engine, EngineError, EvaluatesOnly, EvaluatorIo, Prepared, RunKey, Suite, checked,
};
use halfgate_garbledcpu_model::encode::{self, Numbered, Size};
use halfgate_garbledcpu_model::{Form, Machine};
use halfgate_machine::MAX_CYCLES;
use halfgate_machine::rtl::{self, check_depth};
use halfgate_scheduled::Measured;
use halfgate_scheduled_model::model::Seen;
use halfgate_verilated::{Design, Library};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The build options, without the machine's shape.
pub type Options = rtl::Options<Size>;

/// A callback for every clock cycle of every run.
pub type Watcher = Arc<Mutex<dyn FnMut(&Seen) + Send>>;

/// Evaluates on a simulated machine, and counts its clock cycles.
///
/// Clones share the built machine and the counters of the last run.
#[derive(Clone)]
pub struct RtlGarbledCpu {
    machine: Machine,
    options: Options,
    watcher: Option<Watcher>,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    library: Option<Library>,
    time: Time,
    measured: Option<Measured>,
}

impl RtlGarbledCpu {
    /// Makes the engine. Memories have the [usual](Size::USUAL) capacities, unless the options give
    /// others.
    pub fn new(machine: Machine, options: Options) -> RtlGarbledCpu {
        RtlGarbledCpu { machine, options, watcher: None, shared: Arc::default() }
    }

    /// Returns the same engine, which calls `watcher` in every clock cycle. This makes runs slower.
    pub fn with_watcher(self, watcher: Watcher) -> RtlGarbledCpu {
        RtlGarbledCpu { watcher: Some(watcher), ..self }
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
        let library = self.design()?.build().map_err(rtl::built(&self.name()))?;
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

    /// The suite of the machine. The published machine uses one key for all gates.
    fn suite(&self) -> Suite {
        match self.machine.form {
            Form::Paper => Suite::HalfGatesFixedKey,
            _ => Suite::HalfGates,
        }
    }

    fn size(&self) -> Size {
        self.options.size.unwrap_or(Size::USUAL)
    }

    fn design(&self) -> Result<Design, EngineError> {
        let (size, shape) = (self.size(), self.machine.shape());
        for (name, value, limit) in [
            ("gates", size.gates, Size::MOST.gates),
            ("bank", size.bank, Size::MOST.bank),
            ("inputs", size.inputs, Size::MOST.inputs),
        ] {
            check_depth(name, value, 2, limit)
                .map_err(|error| EngineError::unavailable(&self.name(), error))?;
        }
        let stages = if self.machine.form == Form::Folded { 0 } else { shape.and };
        let fixed = u32::from(self.suite() == Suite::HalfGatesFixedKey);
        let params = [
            ("Pipelines", shape.pipelines),
            ("Stages", stages),
            ("Fixed", fixed),
            ("Banks", shape.banks),
            ("GateDepth", size.gates),
            ("BankDepth", size.bank),
            ("InputDepth", size.inputs),
            ("Impl", self.options.aes as u32),
        ];
        Ok(self.options.of("garbledcpu", &self.machine.name(), &params, stages > 0))
    }

    /// The engine's name without options.
    fn plain_name(&self) -> String {
        format!("rtl:{}", self.machine.name())
    }

    fn shared(&self) -> MutexGuard<'_, Shared> {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Engine for RtlGarbledCpu {
    fn name(&self) -> String {
        format!("rtl:{} (AES {}, Verilator)", self.machine.name(), self.options.aes)
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let mut lowered = Lowered::new(self.plain_name(), program, self.machine, self.size())?;
        let engine = self.clone();
        Ok(Box::new(EvaluatesOnly::new(self.name(), move |key, cycles, io| {
            engine.evaluate((program, &mut lowered), key, cycles, io)
        })))
    }

    fn simulated(&self) -> Option<Time> {
        Some(self.shared().time)
    }
}

impl RtlGarbledCpu {
    fn evaluate(
        &self,
        (program, lowered): (&Program, &mut Lowered),
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let size = self.size();
        checked(&self.name(), &[self.suite()], program, key, cycles, MAX_CYCLES)?;
        lowered.fit(program, cycles, size)?;
        let code = &lowered.code;
        let (numbered, ands) = match self.suite() {
            Suite::HalfGates => (Numbered::InRun, code.body.ands),
            _ => (Numbered::InBody, 0),
        };
        let limit = |exceeded| EngineError::Limit { engine: self.plain_name(), exceeded };
        let words = encode::words(code, size, numbered).map_err(limit)?;
        let library = self.build()?;
        let mut supply = Supply::begin(program, code, cycles, io)?;
        let observed = (self.options.waveforms.as_deref(), self.options.stalls);
        let mut machine = Simulated::new(&library, observed, code, (&words, ands))?;
        let mut watch = self.watcher.as_ref().map(|watcher| {
            |seen: &Seen| (watcher.lock().unwrap_or_else(PoisonError::into_inner))(seen)
        });
        let watch = watch.as_mut().map(|watch| watch as &mut dyn FnMut(&Seen));
        let measured = machine.run(cycles, key.point, &mut supply, watch)?;
        let mut shared = self.shared();
        shared.time.clock_cycles += measured.clocks + measured.stalls;
        shared.time.launches += 1;
        shared.time.mhz = f64::from(MHZ);
        shared.measured = Some(measured);
        drop(shared);
        supply.finish()
    }
}
