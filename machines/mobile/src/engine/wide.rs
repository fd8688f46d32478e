//! The [wide core](halfgate_mobile_model::wide) on a link that never keeps it waiting: it receives
//! 16 bytes in each clock cycle in which it can take them. The simulated link checks the frames,
//! and the host uses the same protocol as on all other links.

use super::error::ChipError;
use super::host::{Evaluates, Port, Sent};
use super::model::Hasher;
use super::watch::Watched;
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Engine, EngineError, EvaluatesOnly, EvaluatorIo, Prepared, RunKey, Simulated,
};
use halfgate_kernels::Kernel;
use halfgate_mobile_model::Slot;
use halfgate_mobile_model::frame::{Deframer, Frame, PAYLOAD};
use halfgate_mobile_model::names::*;
use halfgate_mobile_model::wide::{COME, Comes, Core, SLOTS, Seen, Went};
use halfgate_model::Traffic;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroizing;

/// Clock of the core on its board, in MHz. The board's PLL makes it from 25 MHz, and the routed
/// design allows it (`make place`).
pub const MHZ: f64 = 55.0;

/// Free space that is reported, in frames: the maximum number of unacknowledged frames.
const SPACE: u8 = 31;

/// Timeout in clock cycles without progress.
const PATIENCE: u64 = 4_000;

/// A wide core that is simulated clock cycle by clock cycle.
pub trait Clocks {
    /// Runs a clock cycle.
    ///
    /// # Errors
    /// If the simulation fails.
    fn clock(&mut self, comes: Comes<'_>) -> Result<Seen, EngineError>;
}

/// The model of the core.
pub struct ModelledCore {
    core: Core,
    hasher: Hasher,
}

impl ModelledCore {
    /// Returns a core after its reset, with `units` AND units.
    pub fn new(kernel: &'static Kernel, units: usize) -> ModelledCore {
        ModelledCore { core: Core::new(units), hasher: Hasher::new(kernel) }
    }
}

impl Clocks for ModelledCore {
    fn clock(&mut self, comes: Comes<'_>) -> Result<Seen, EngineError> {
        Ok(self.core.clock(comes, &mut self.hasher))
    }
}

/// A core behind a link that is simulated without delay. Together they are a port.
pub struct Direct<C> {
    core: C,
    /// Number of clock cycles, except those in which labels are wiped.
    clocks: Arc<AtomicU64>,
    /// Clock cycles by cause.
    went: Went,
    deframer: Deframer,
    run: u16,
    /// Number of the next expected frame; and (`label_number`) number of the next label's frame.
    next: u8,
    label_number: u8,
    label: Zeroizing<Vec<u8>>,
    /// Bytes that the core has not taken.
    waits: Zeroizing<Vec<u8>>,
    status: u8,
    to_host: Vec<u8>,
    /// Whether the timeout has passed.
    is_late: bool,
}

impl<C: Clocks> Direct<C> {
    /// Returns a port for this core.
    pub fn new(core: C) -> Direct<C> {
        Direct {
            core,
            clocks: Arc::default(),
            went: Went::default(),
            deframer: Deframer::default(),
            run: 0,
            next: 0,
            label_number: 0,
            label: Zeroizing::default(),
            waits: Zeroizing::default(),
            status: STATUS_FINE,
            to_host: Vec::new(),
            is_late: false,
        }
    }

    /// Returns the core.
    pub fn core(&self) -> &C {
        &self.core
    }

    /// Number of clock cycles so far, except those in which labels were wiped.
    pub fn clocks(&self) -> u64 {
        self.clocks.load(Ordering::Relaxed)
    }

    fn response(&mut self) {
        let Direct { next: number, run, status, .. } = *self;
        let response = Frame::Ack { number, run, space: SPACE, status, again: false };
        self.to_host.extend_from_slice(&response.encode());
    }

    /// Runs a clock cycle that offers the next row of bytes. Returns whether the core took it.
    fn step(&mut self) -> Result<bool, EngineError> {
        let count = self.waits.len().min(COME);
        let row = Zeroizing::new(self.waits[..count].to_vec());
        let seen = self.core.clock(Comes { clear: false, bytes: &row, takes: true })?;
        if !seen.wipes {
            self.clocks.fetch_add(1, Ordering::Relaxed);
            self.went.count(&seen);
        }
        if seen.ready {
            self.waits.drain(..count);
        }
        if let Some(byte) = seen.gives {
            self.label.push(byte);
        }
        if self.label.len() == COME {
            let payload = std::mem::take(&mut self.label);
            let frame = Frame::Data { number: self.label_number, run: self.run, payload };
            self.to_host.extend_from_slice(&frame.encode());
            self.label_number = (self.label_number + 1) % 64;
        }
        let status = match (self.status, seen.wrong) {
            (STATUS_FINE, Some(wrong)) => wrong,
            (STATUS_FINE, None) if seen.over => STATUS_OVER,
            (status, _) => status,
        };
        if status != self.status {
            self.status = status;
            self.response();
        }
        Ok(seen.ready && count > 0)
    }

    fn reset(&mut self, run: u16) -> Result<(), EngineError> {
        self.core.clock(Comes { clear: true, ..Comes::default() })?;
        while self.core.clock(Comes::default())?.wipes {}
        (self.run, self.next, self.label_number, self.status) = (run, 0, 0, STATUS_FINE);
        (self.label, self.waits) = Default::default();
        let slots = SLOTS.ilog2() as u8;
        let suites = 1 << SUITE_HALF_GATES;
        let hello = Frame::Hello { run, version: FORMAT_VERSION, suites, slots, space: SPACE };
        self.to_host = hello.encode().to_vec();
        Ok(())
    }

    fn frame(&mut self, frame: Frame) -> Result<(), EngineError> {
        match frame {
            Frame::Reset { run } => self.reset(run)?,
            Frame::Data { number, payload, .. } => {
                if number == self.next {
                    self.next = (self.next + 1) % 64;
                    self.waits.extend_from_slice(&payload);
                }
                self.response();
            }
            _ => (),
        }
        Ok(())
    }
}

impl<C: Clocks> Port for Direct<C> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        for &byte in bytes {
            let Some(frame) = self.deframer.push(byte) else { continue };
            let frame = frame.map_err(|error| EngineError::machine(ChipError::Frame(error)))?;
            self.frame(frame)?;
            let mut idle = 0;
            // An incomplete row waits until more bytes arrive, or until the end.
            while self.waits.len() >= COME {
                idle = if self.step()? { 0 } else { idle + 1 };
                if idle > PATIENCE + PAYLOAD as u64 {
                    return Err(EngineError::machine(ChipError::TakesNothing));
                }
            }
        }
        Ok(())
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        let mut idle = 0;
        while waits && self.to_host.is_empty() && idle < PATIENCE {
            idle = if self.step()? { 0 } else { idle + 1 };
        }
        self.is_late |= waits && self.to_host.is_empty();
        Ok(std::mem::take(&mut self.to_host))
    }

    fn is_late(&self) -> bool {
        self.is_late
    }

    fn restart_timeout(&mut self) {
        self.is_late = false;
    }
}

/// Creates a core for a run.
pub type Make = Arc<dyn Fn() -> Result<Box<dyn Clocks>, EngineError> + Send + Sync>;

impl<C: Clocks + ?Sized> Clocks for Box<C> {
    fn clock(&mut self, comes: Comes<'_>) -> Result<Seen, EngineError> {
        (**self).clock(comes)
    }
}

/// Evaluates on the wide core, and counts its clock cycles.
///
/// Clones share their counters.
#[derive(Clone)]
pub struct WideEngine {
    name: String,
    make: Make,
    slots: Slot,
    counted: Arc<Mutex<Counted>>,
}

#[derive(Clone, Copy, Default)]
struct Counted {
    simulated: Simulated,
    traffic: Traffic,
    sent: Sent,
    after_last_table: u64,
    went: Went,
}

impl WideEngine {
    /// Returns an engine with this name. `make` creates a core for each run.
    pub fn new(name: &str, make: Make) -> WideEngine {
        WideEngine { name: name.to_owned(), make, slots: SLOTS, counted: Arc::default() }
    }

    /// The model with `units` AND units; `kernel` computes labels.
    pub fn model(kernel: &'static Kernel, units: usize) -> WideEngine {
        let make: Make = Arc::new(move || Ok(Box::new(ModelledCore::new(kernel, units))));
        WideEngine::new("model:mobile-wide", make)
    }

    /// Limits the number of label slots that a run uses.
    pub fn with_slots(self, slots: Slot) -> WideEngine {
        WideEngine { slots, ..self }
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
        let mut port = Direct::new((self.make)()?);
        let mut io = Watched::new(io, Arc::clone(&port.clocks));
        let run = Evaluates::new(&self.name, program, key, cycles, &mut port)?;
        let (counters, sent) = run.with_slots(self.slots).run(cycles, &mut io)?;
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.simulated.clock_cycles += port.clocks();
        counted.simulated.launches += 1;
        counted.simulated.mhz = MHZ;
        counted.traffic += sent.traffic;
        counted.went += port.went;
        (counted.sent, counted.after_last_table) = (sent, io.since());
        Ok(counters)
    }
}

impl Engine for WideEngine {
    fn name(&self) -> String {
        self.name.clone()
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
