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

/// The chip's clock on the board for which it is placed, in MHz: what the board's PLL makes of 12 MHz below what place and route allow.
pub const MHZ: f64 = 40.5;

/// Evaluates as the mobile coprocessor does behind SPI at 30 MHz, and counts its clocks.
///
/// Clones share what was counted.
#[derive(Clone)]
pub struct MobileEngine {
    kernel: &'static Kernel,
    form: Form,
    link: Link,
    slots: Slot,
    /// A seed, and bytes that go well for each that does not.
    faults: Option<(u64, u64)>,
    counted: Arc<Mutex<Counted>>,
}

#[derive(Clone, Copy, Default)]
struct Counted {
    simulated: Simulated,
    /// Of all runs.
    traffic: Traffic,
    /// Of all runs.
    went: Went,
    /// Of the last run.
    sent: Sent,
    after_last_table: u64,
}

impl Default for MobileEngine {
    fn default() -> MobileEngine {
        MobileEngine::new(Link::spi(MHZ, 30.0))
    }
}

impl MobileEngine {
    /// Behind a link, with the best kernel that this processor has.
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

    /// The same, with labels by a kernel.
    ///
    /// # Errors
    /// If there is none of that name, or this processor lacks it.
    pub fn with_kernel(self, name: &str) -> Result<MobileEngine, KernelError> {
        Ok(MobileEngine { kernel: choose::by_name(name)?, ..self })
    }

    /// The same, in a form.
    pub fn with_form(self, form: Form) -> MobileEngine {
        MobileEngine { form, ..self }
    }

    /// The same, with so many label slots of the chip in use at most.
    pub fn with_slots(self, slots: Slot) -> MobileEngine {
        MobileEngine { slots, ..self }
    }

    /// The same, with a link that loses, doubles or alters one in so many bytes.
    pub fn with_faults(self, seed: u64, well: u64) -> MobileEngine {
        MobileEngine { faults: Some((seed, well)), ..self }
    }

    /// What went over the link in the last run.
    pub fn sent(&self) -> Sent {
        self.counted().sent
    }

    /// Clocks from when the last run's last table was there to when its results were.
    pub fn after_last_table(&self) -> u64 {
        self.counted().after_last_table
    }

    /// Where the clocks of all runs went.
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
        // Before the run it wiped its memory, which is not counted.
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

    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
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
