//! The model as an engine.

use super::host::{Evaluates, Sent};
use super::model::{Faulty, Link, Linked, Modelled};
use super::watch::Watched;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Engine, EngineError, EvaluatesOnly, EvaluatorIo, Prepared, RunKey, Simulated,
};
use halfgate_kernels::{Kernel, KernelError, choose};
use halfgate_mobile_model::model::{Form, Went};
use halfgate_mobile_model::{SLOTS, Slot};
use halfgate_model::Traffic;
use std::sync::{Arc, Mutex, PoisonError};

/// Clock of the chip on its board, in MHz. The board's PLL makes it from 12 MHz, and the placed and
/// routed design allows it.
pub const MHZ: f64 = 40.5;

/// Evaluates like the mobile coprocessor, and counts its clock cycles.
///
/// Clones share their counters.
#[derive(Clone)]
pub struct MobileEngine {
    kernel: &'static Kernel,
    form: Form,
    link: Link,
    slots: Slot,
    /// Seed of the faults, and the mean number of bytes per fault.
    faults: Option<(u64, u64)>,
    counted: Arc<Mutex<Counted>>,
}

#[derive(Clone, Copy, Default)]
struct Counted {
    simulated: Simulated,
    /// Counts of all runs together.
    traffic: Traffic,
    /// Clock cycles of all runs together.
    went: Went,
    /// Counts of the last run.
    sent: Sent,
    after_last_table: u64,
}

impl Default for MobileEngine {
    fn default() -> MobileEngine {
        MobileEngine::new(Link::spi(MHZ, 30.0))
    }
}

impl MobileEngine {
    /// Returns the model behind a link, with the best kernel of this processor.
    pub fn new(link: Link) -> MobileEngine {
        MobileEngine {
            kernel: choose::best(),
            form: Form::default(),
            link,
            slots: SLOTS,
            faults: None,
            counted: Arc::default(),
        }
    }

    /// Selects the kernel of this name, which computes labels.
    ///
    /// # Errors
    /// If the kernel is unknown, or this processor lacks it.
    pub fn with_kernel(self, name: &str) -> Result<MobileEngine, KernelError> {
        Ok(MobileEngine { kernel: choose::by_name(name)?, ..self })
    }

    /// Sets the form of the chip.
    pub fn with_form(self, form: Form) -> MobileEngine {
        MobileEngine { form, ..self }
    }

    /// Limits the number of label slots that a run uses.
    pub fn with_slots(self, slots: Slot) -> MobileEngine {
        MobileEngine { slots, ..self }
    }

    /// Makes the link lose, duplicate or alter one in `well` bytes, at random. `seed` determines
    /// which.
    pub fn with_faults(self, seed: u64, well: u64) -> MobileEngine {
        MobileEngine { faults: Some((seed, well)), ..self }
    }

    /// Counts of the last run.
    pub fn sent(&self) -> Sent {
        self.counted().sent
    }

    /// Clock cycles of the last run between the request for the last table and the results.
    pub fn after_last_table(&self) -> u64 {
        self.counted().after_last_table
    }

    /// Clock cycles of all runs, by cause.
    pub fn went(&self) -> Went {
        self.counted().went
    }

    fn counted(&self) -> Counted {
        *self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn evaluate(
        &self,
        program: &Program,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let mut port = Linked::new(Modelled::new(self.form, self.kernel), self.link)?;
        // The clock cycles in which the memory is wiped before the run do not count.
        port.chip().went = Went::default();
        let (seed, well) = self.faults.unwrap_or((1, u64::MAX));
        let mut io = Watched::new(io, port.clock());
        let mut faulty = Faulty::new(&mut port, seed, well);
        let run = Evaluates::new(&self.name(), program, key, cycles, &mut faulty)?;
        let (counters, sent) = run.with_slots(self.slots).run(cycles, &mut io)?;
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.simulated.clock_cycles += port.clocks();
        counted.simulated.launches += 1;
        counted.simulated.mhz = MHZ;
        counted.traffic += sent.traffic;
        counted.went += port.chip().went;
        (counted.sent, counted.after_last_table) = (sent, io.since());
        Ok(counters)
    }
}

impl Engine for MobileEngine {
    fn name(&self) -> String {
        "model:mobile".to_owned()
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
        Some(self.counted().simulated)
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.counted().traffic)
    }
}
