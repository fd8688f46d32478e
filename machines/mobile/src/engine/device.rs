//! Engine for the chip at a port: on a board, or simulated behind a
//! [pseudo-terminal](super::terminal).

use super::error::ChipError;
use super::host::{Evaluates, Port, Sent, refused, take};
use super::mobile_engine::MHZ;
use super::serial::Serial;
use super::spi;
use super::terminal::{Terminal, Watch};
use halfgate_compiler::Program;
use halfgate_engine::{
    Counters, Engine, EngineError, EvaluatesOnly, EvaluatorIo, Prepared, RunKey, Simulated,
};
use halfgate_mobile_model::names::SUITE_HALF_GATES;
use halfgate_mobile_model::transport::Transport;
use halfgate_mobile_model::{SLOTS, Slot};
use halfgate_model::Traffic;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use zeroize::Zeroizing;

/// Creates a chip, and [serves](Terminal::serve) it at a terminal.
pub type Serve = Arc<dyn Fn(Terminal, &Watch) -> Result<(), EngineError> + Send + Sync>;

/// Default rate in baud: the highest rate that both the adapter and the chip support.
pub const BAUD: u32 = 3_000_000;
/// Default rate of SPI, in Hz.
pub const SPI_HZ: u32 = 30_000_000;

/// Evaluates on the chip at a port.
///
/// Clones share their counters.
#[derive(Clone)]
pub struct DeviceEngine {
    name: String,
    place: Place,
    slots: Slot,
    /// Clock of a simulated chip.
    mhz: f64,
    counted: Arc<Mutex<(Simulated, Traffic)>>,
}

#[derive(Clone)]
enum Place {
    At(PathBuf, u32),
    Spi(PathBuf, u32),
    Simulated(Serve),
}

impl DeviceEngine {
    /// Connects to the chip at a serial port, at this many baud.
    ///
    /// # Errors
    /// If there is no port, or no chip with this version of the link responds.
    pub fn at(path: &Path, baud: u32) -> Result<DeviceEngine, EngineError> {
        let name = format!("mobile:{}", path.display());
        responses(&name, &mut Serial::open(path, baud)?)?;
        Ok(DeviceEngine::of(name, Place::At(path.to_owned(), baud)))
    }

    /// Connects to the chip at an SPI device of Linux, at this many Hz.
    ///
    /// # Errors
    /// As for [a port](DeviceEngine::at).
    pub fn at_spi(path: &Path, hz: u32) -> Result<DeviceEngine, EngineError> {
        let name = format!("mobile:{}", path.display());
        responses(&name, &mut spi::open(path, hz)?)?;
        Ok(DeviceEngine::of(name, Place::Spi(path.to_owned(), hz)))
    }

    /// An engine that creates a simulated chip behind a pseudo-terminal for each run.
    pub fn simulated(name: &str, serve: Serve) -> DeviceEngine {
        DeviceEngine::of(name.to_owned(), Place::Simulated(serve))
    }

    /// Limits the number of label slots that a run uses.
    pub fn with_slots(self, slots: Slot) -> DeviceEngine {
        DeviceEngine { slots, ..self }
    }

    /// Sets the clock of a simulated chip, in MHz. The byte rate of its link is counted in this
    /// clock.
    pub fn with_mhz(self, mhz: f64) -> DeviceEngine {
        DeviceEngine { mhz, ..self }
    }

    fn of(name: String, place: Place) -> DeviceEngine {
        DeviceEngine { name, place, slots: SLOTS, mhz: MHZ, counted: Arc::default() }
    }

    fn add(&self, sent: &Sent, clocks: Option<u64>) {
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.1 += sent.traffic;
        if let Some(clocks) = clocks {
            counted.0.clock_cycles += clocks;
            counted.0.launches += 1;
            counted.0.mhz = self.mhz;
        }
    }
}

/// Resets the chip and waits for its greeting.
fn responses(name: &str, port: &mut dyn Port) -> Result<(), EngineError> {
    let mut transport = Transport::new(0, SUITE_HALF_GATES);
    while transport.slots().is_none() {
        port.send(&transport.sends())?;
        let receive_buffer = Zeroizing::new(port.receive(true)?);
        take(&mut transport, port, &receive_buffer).map_err(|error| refused(name, error))?;
    }
    Ok(())
}

impl Engine for DeviceEngine {
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
        let counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        matches!(self.place, Place::Simulated(..)).then_some(counted.0)
    }

    fn traffic(&self) -> Option<Traffic> {
        Some(self.counted.lock().unwrap_or_else(PoisonError::into_inner).1)
    }
}

impl DeviceEngine {
    /// Runs a program at a port.
    fn run(
        &self,
        program: &Program,
        (key, cycles): (RunKey, u64),
        port: &mut dyn Port,
        io: &mut dyn EvaluatorIo,
    ) -> Result<(Counters, Sent), EngineError> {
        let run = Evaluates::new(&self.name, program, key, cycles, port)?;
        run.with_slots(self.slots).run(cycles, io)
    }

    fn evaluate(
        &self,
        program: &Program,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        let (done, clocks) = match &self.place {
            Place::At(path, baud) => {
                let mut port = Serial::open(path, *baud)?;
                (self.run(program, (key, cycles), &mut port, io)?, None)
            }
            Place::Spi(path, hz) => {
                let mut port = spi::open(path, *hz)?;
                (self.run(program, (key, cycles), &mut port, io)?, None)
            }
            Place::Simulated(serve) => {
                let terminal = Terminal::open()?;
                let (path, watch) = (terminal.path().to_owned(), Watch::default());
                let done = thread::scope(|scope| {
                    let chip = scope.spawn(|| serve(terminal, &watch));
                    let done = Serial::open(&path, BAUD).and_then(|port| {
                        let mut port = Paced { port, watch: &watch };
                        self.run(program, (key, cycles), &mut port, io)
                    });
                    watch.stop.store(true, Ordering::Relaxed);
                    let served = chip
                        .join()
                        .unwrap_or_else(|_| Err(EngineError::machine(ChipError::Panicked)));
                    // The chip's error explains why the host found no device.
                    served.and(done)
                })?;
                (done, Some(watch.clocks.load(Ordering::Relaxed)))
            }
        };
        self.add(&done.1, clocks);
        Ok(done.0)
    }
}

/// The host's port to a simulated chip in the same process. A timeout in real time would depend on
/// the speed of the simulation, so the chip is late only if it rests.
struct Paced<'a> {
    port: Serial,
    watch: &'a Watch,
}

impl Port for Paced<'_> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        self.watch.rests.store(false, Ordering::Relaxed);
        self.port.send(bytes)
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        self.port.receive(waits)
    }

    fn is_late(&self) -> bool {
        self.port.is_late() && self.watch.rests.load(Ordering::Relaxed)
    }

    fn restart_timeout(&mut self) {
        self.port.restart_timeout();
    }
}
