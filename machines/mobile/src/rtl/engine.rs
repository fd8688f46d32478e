//! Engine that runs programs on the simulated chip behind a link.

use super::machine::{Machine, Memory};
use crate::engine::MHZ;
use crate::engine::{Evaluates, Link, Linked, Modelled, Sent};
use halfgate_compiler::Program;
use halfgate_engine::kernels;
use halfgate_engine::{
    Counters, Engine, EngineError, EvaluatesOnly, EvaluatorIo, Prepared, RunKey, Simulated,
};
use halfgate_machine::rtl::failed;
use halfgate_mobile_model::model::Form;
use halfgate_mobile_model::{SLOTS, Slot};
use halfgate_model::Traffic;
use halfgate_verilated::{Design, Library, Mutation};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

/// How the chip is built and run.
#[derive(Clone, Debug)]
pub struct Options {
    /// Form of the chip: how much of the FPGA it uses.
    pub form: Form,
    /// The link to the host.
    pub link: Link,
    /// Timing of the label memory.
    pub memory: Memory,
    /// Maximum number of label slots to use.
    pub slots: Slot,
    /// Runs the model beside the RTL, and compares them in each clock cycle.
    pub modelled: bool,
    /// Compiles for speed and without assertions. This takes longer, and pays off in long runs.
    pub fast: bool,
    /// File for the waveforms of every run. They contain every label.
    pub waveforms: Option<PathBuf>,
    /// Faults that are injected into the SystemVerilog; tests must find them.
    pub mutations: Vec<Mutation>,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            form: Form::default(),
            link: Link::spi(MHZ, 30.0),
            memory: Memory::Prompt,
            slots: SLOTS,
            modelled: false,
            fast: false,
            waveforms: None,
            mutations: Vec::new(),
        }
    }
}

/// Evaluates on the simulated chip, and counts its clock cycles.
///
/// Clones share the library and the counters.
#[derive(Clone)]
pub struct RtlMobile {
    options: Options,
    shared: Arc<Mutex<Shared>>,
}

#[derive(Default)]
struct Shared {
    library: Option<Library>,
    time: Simulated,
    sent: Sent,
    traffic: Traffic,
}

impl RtlMobile {
    /// Returns an engine with these options. The chip is built on first use.
    pub fn new(options: Options) -> RtlMobile {
        RtlMobile { options, shared: Arc::default() }
    }

    /// Counts of the last run.
    pub fn sent(&self) -> Sent {
        self.shared.lock().unwrap_or_else(PoisonError::into_inner).sent
    }

    /// Builds the simulated chip, or takes it from the cache if the sources are unchanged.
    ///
    /// # Errors
    /// If Verilator is missing, or rejects the sources.
    pub fn build(&self) -> Result<Library, EngineError> {
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(library) = &shared.library {
            return Ok(library.clone());
        }
        let library = self.design().build().map_err(failed)?;
        shared.library = Some(library.clone());
        Ok(library)
    }

    /// Whether the built chip is in the cache.
    ///
    /// # Errors
    /// If Verilator is missing, or sources cannot be read.
    pub fn is_built(&self) -> Result<bool, EngineError> {
        self.design().is_built().map_err(failed)
    }

    fn design(&self) -> Design {
        let is_round = self.options.form == Form::Round;
        let mut design = Design::of("mobile").for_sessions(self.options.fast);
        design = design.param("Round", u64::from(is_round));
        for Mutation { file, from, to } in &self.options.mutations {
            design = design.mutate(file, from, to);
        }
        if self.options.waveforms.is_some() {
            design = design.traced();
        }
        design
    }

    /// Returns a chip after its reset.
    ///
    /// # Errors
    /// If the chip cannot be built, or the simulation fails.
    pub fn chip(&self) -> Result<Machine, EngineError> {
        let Options { form, memory, modelled, waveforms, .. } = &self.options;
        let model = modelled.then(|| Modelled::new(*form, kernels::best()));
        Machine::new(&self.build()?, *memory, model, waveforms.as_deref())
    }
}

impl Engine for RtlMobile {
    fn name(&self) -> String {
        "rtl:mobile (Verilator)".to_owned()
    }

    fn prepare_flat<'p>(
        &self,
        program: &'p Program,
    ) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        let engine = self.clone();
        Ok(Box::new(EvaluatesOnly::new(self.name(), move |key, cycles, io| {
            engine.evaluate(program, key, cycles, io)
        })))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.shared.lock().unwrap_or_else(PoisonError::into_inner).time)
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.shared.lock().unwrap_or_else(PoisonError::into_inner).traffic)
    }
}

impl RtlMobile {
    fn evaluate(
        &self,
        program: &Program,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let mut port = Linked::new(self.chip()?, self.options.link)?;
        let run = Evaluates::new(&self.name(), program, key, cycles, &mut port)?;
        let (counters, sent) = run.with_slots(self.options.slots).run(cycles, io)?;
        let mut shared = self.shared.lock().unwrap_or_else(PoisonError::into_inner);
        shared.time.clock_cycles += port.clocks();
        shared.time.launches += 1;
        shared.time.mhz = MHZ;
        shared.sent = sent;
        shared.traffic += sent.traffic;
        Ok(counters)
    }
}
