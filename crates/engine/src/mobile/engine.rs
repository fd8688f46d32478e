//! The model as an engine.

use super::host::{Evaluates, Sent};
use super::model::{Faulty, Link, Linked, Modelled};
use super::watch::Watched;
use crate::garbledcpu::only_evaluates;
use crate::{
    Counters, Delta, Engine, EngineError, EvaluatorIo, GarblerIo, Prepared, RunKey, Simulated,
};
use halfgate_compiler::Program;
use halfgate_kernels::{Kernel, choose};
use halfgate_machines::mobile::talk::Traffic;
use halfgate_machines::mobile::{SLOTS, Slot};
use std::sync::{Arc, Mutex, PoisonError};

/// The chip's clock on the board for which it is placed, in MHz: what the board's PLL makes of 12 MHz below what place and route allow.
pub const MHZ: f64 = 40.5;

/// Evaluates as the mobile coprocessor does behind SPI at 30 MHz, and counts its clocks.
///
/// Clones share what was counted.
#[derive(Clone)]
pub struct MobileEngine {
    kernel: &'static Kernel,
    link: Link,
    slots: Slot,
    /// A seed, and bytes that go well for each that does not.
    faults: Option<(u64, u64)>,
    counted: Arc<Mutex<(Simulated, Sent, Traffic, u64)>>,
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
            link,
            slots: SLOTS,
            faults: None,
            counted: Arc::default(),
        }
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
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).1
    }

    /// Clocks from when the last run's last table was there to when its results were.
    pub fn after_last_table(&self) -> u64 {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner).3
    }
}

impl Engine for MobileEngine {
    fn name(&self) -> String {
        "model:mobile".to_owned()
    }

    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError> {
        Ok(Box::new(Prepares { engine: self.clone(), program }))
    }

    fn simulated(&self) -> Option<Simulated> {
        Some(self.counted.lock().unwrap_or_else(PoisonError::into_inner).0)
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.counted.lock().unwrap_or_else(PoisonError::into_inner).2)
    }
}

struct Prepares<'p> {
    engine: MobileEngine,
    program: &'p Program,
}

impl Prepared for Prepares<'_> {
    fn garble(
        &mut self,
        _: RunKey,
        _: &Delta,
        _: u64,
        _: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        Err(only_evaluates(&self.engine.name()))
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let engine = &self.engine;
        let mut port = Linked::new(Modelled::new(engine.kernel), engine.link)?;
        let (seed, well) = engine.faults.unwrap_or((1, u64::MAX));
        let mut io = Watched::new(io, port.clock());
        let mut faulty = Faulty::new(&mut port, seed, well);
        let run = Evaluates::new(&engine.name(), self.program, key, cycles, &mut faulty)?;
        let (counters, sent) = run.with_slots(engine.slots).run(cycles, &mut io)?;
        let mut counted = engine.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.0.clock_cycles += port.clocks();
        counted.0.launches += 1;
        counted.0.mhz = MHZ;
        counted.1 = sent;
        counted.2 += sent.traffic;
        counted.3 = io.since();
        Ok(counters)
    }
}
