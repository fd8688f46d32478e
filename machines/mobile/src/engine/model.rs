//! The model of the chip behind a link. Together they are a port.

use super::host::Port;
use halfgate_engine::{EngineError, Label, Suite};
use halfgate_kernels::ops::{self, Ops, Segment};
use halfgate_kernels::{Kernel, LabelMemory};
use halfgate_mobile_model::model::{And, Chip, Evaluate, Form, Seen, Went};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zeroize::Zeroizing;

/// Timeout in clock cycles. The chip needs less to wipe its memory.
const PATIENCE: u64 = 40_000;

/// Clock cycles after power-on until the chip has wiped its memory.
const WIPES: u64 = 17_000;

/// Byte rate of a link, measured in the chip's clock cycles.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Link {
    /// The chip's clock, in MHz.
    pub mhz: f64,
    /// Clock cycles from one byte to the next, in each direction.
    pub clocks: f64,
}

impl Link {
    /// SPI at this many MHz. A byte takes eight bits.
    pub fn spi(mhz: f64, spi_mhz: f64) -> Link {
        Link { mhz, clocks: 8.0 * mhz / spi_mhz }
    }

    /// A serial line of this many Mbaud. A byte takes ten bits.
    pub fn serial(mhz: f64, mbaud: f64) -> Link {
        Link { mhz, clocks: 10.0 * mhz / mbaud }
    }
}

/// A chip that is simulated clock cycle by clock cycle.
pub trait Clocked {
    /// Runs a clock cycle. `comes` is the byte received by the chip, and `takes` accepts a byte
    /// that the chip offers. Returns the offered byte.
    ///
    /// # Errors
    /// If the simulation fails.
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError>;
}

/// A chip behind a link. Time is counted in the chip's clock cycles.
pub struct Linked<C> {
    chip: C,
    link: Link,
    clocks: u64,
    /// A copy of `clocks` that other threads can read.
    clock: Arc<AtomicU64>,
    /// Clock cycles from which the next byte may be sent to the chip, and received from it.
    ready: [f64; 2],
    came: Vec<u8>,
    /// Whether a frame from the chip is incomplete; and (`has_ended`) whether a frame is complete.
    is_open: bool,
    has_ended: bool,
    /// Clock cycles of waiting since the last progress.
    waited: u64,
}

impl<C: Clocked> Linked<C> {
    /// Returns a chip that has wiped its memory after power-on, before the first byte on the link.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn new(mut chip: C, link: Link) -> Result<Linked<C>, EngineError> {
        for _ in 0..WIPES {
            chip.clock(None, true)?;
        }
        let (came, ready) = (Vec::new(), [0.0; 2]);
        let clock = Arc::default();
        let (is_open, has_ended) = (false, false);
        Ok(Linked { chip, link, clocks: 0, clock, ready, came, is_open, has_ended, waited: 0 })
    }

    /// Clock cycles so far.
    pub fn clocks(&self) -> u64 {
        self.clocks
    }

    /// A shared counter of the clock cycles so far.
    pub fn clock(&self) -> Arc<AtomicU64> {
        Arc::clone(&self.clock)
    }

    /// The chip's time so far, in seconds.
    pub fn seconds(&self) -> f64 {
        self.clocks as f64 / (self.link.mhz * 1e6)
    }

    /// Runs this many clock cycles without a byte to the chip.
    ///
    /// # Errors
    /// If the simulation fails.
    pub fn rest(&mut self, clocks: u64) -> Result<(), EngineError> {
        (0..clocks).try_for_each(|_| self.step(None))
    }

    /// Returns the chip.
    pub fn chip(&mut self) -> &mut C {
        &mut self.chip
    }

    fn step(&mut self, comes: Option<u8>) -> Result<(), EngineError> {
        let now = self.clocks as f64;
        let takes = now >= self.ready[1];
        if let Some(byte) = self.chip.clock(comes, takes)?.filter(|_| takes) {
            self.ready[1] = now + self.link.clocks;
            self.came.push(byte);
            // A zero byte ends a frame, but not if the byte before was zero, too.
            self.has_ended |= byte == 0 && self.is_open;
            self.is_open = byte != 0;
        }
        self.clocks += 1;
        self.clock.store(self.clocks, Ordering::Relaxed);
        Ok(())
    }
}

impl<C: Clocked> Port for Linked<C> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        for &byte in bytes {
            while (self.clocks as f64) < self.ready[0] {
                self.step(None)?;
            }
            // The interval to the next byte begins at the earliest time of this byte, unless this
            // byte is late. So the mean rate is exact, even if a byte takes a fractional number of
            // clock cycles.
            let now = self.clocks as f64;
            self.ready[0] = self.ready[0].max(now - 1.0) + self.link.clocks;
            self.step(Some(byte))?;
        }
        Ok(())
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        let from = self.clocks;
        while waits && !self.has_ended && self.clocks < from + PATIENCE {
            self.step(None)?;
        }
        self.waited += self.clocks - from;
        self.has_ended = false;
        Ok(std::mem::take(&mut self.came))
    }

    fn is_late(&self) -> bool {
        self.waited >= PATIENCE
    }

    fn restart_timeout(&mut self) {
        self.waited = 0;
    }
}

/// A link that loses, duplicates and alters bytes in both directions, at random from a seed.
pub struct Faulty<P> {
    port: P,
    random: u64,
    /// Mean number of bytes per fault.
    well: u64,
    /// Number of faults so far.
    faults: u64,
}

impl<P: Port> Faulty<P> {
    /// Returns a link on which one in `well` bytes has a fault, on average.
    pub fn new(port: P, seed: u64, well: u64) -> Faulty<P> {
        Faulty { port, random: seed | 1, well, faults: 0 }
    }

    /// Number of faulty bytes so far.
    pub fn faults(&self) -> u64 {
        self.faults
    }

    /// Returns the port to which the faults are added.
    pub fn port(&mut self) -> &mut P {
        &mut self.port
    }

    fn disturb(&mut self, bytes: &[u8]) -> Vec<u8> {
        let mut found = Vec::with_capacity(bytes.len());
        for &byte in bytes {
            self.random ^= self.random << 13;
            self.random ^= self.random >> 7;
            self.random ^= self.random << 17;
            let draw = self.random >> 20;
            if !draw.is_multiple_of(self.well) {
                found.push(byte);
                continue;
            }
            self.faults += 1;
            match draw / self.well % 3 {
                0 => (),
                1 => found.extend([byte; 2]),
                _ => found.push(byte ^ 1 << (draw >> 30 & 7)),
            }
        }
        found
    }
}

impl<P: Port> Port for Faulty<P> {
    fn send(&mut self, bytes: &[u8]) -> Result<(), EngineError> {
        let bytes = Zeroizing::new(self.disturb(bytes));
        self.port.send(&bytes)
    }

    fn receive(&mut self, waits: bool) -> Result<Vec<u8>, EngineError> {
        let bytes = Zeroizing::new(self.port.receive(waits)?);
        Ok(self.disturb(&bytes))
    }

    fn is_late(&self) -> bool {
        self.port.is_late()
    }

    fn restart_timeout(&mut self) {
        self.port.restart_timeout();
    }
}

/// Evaluates the model's ANDs with a kernel.
pub struct Hasher {
    kernel: &'static Kernel,
    memory: LabelMemory,
}

impl Hasher {
    /// Returns a hasher with this kernel.
    pub fn new(kernel: &'static Kernel) -> Hasher {
        Hasher { kernel, memory: LabelMemory::new(3) }
    }
}

impl Evaluate for Hasher {
    fn and(&mut self, and: &And<'_>) -> u128 {
        let suite = if and.begin.is_grr3 { Suite::Grr3 } else { Suite::HalfGates };
        let mut state = self.kernel.start(suite, and.begin.point);
        for (slot, label) in (0..).zip([and.a, and.b]) {
            self.memory.set(slot, Label::from_u128(label));
        }
        let ops = Ops {
            segments: &[Segment { moves: 0, xors: 0, ands: 1 }],
            moves: &[],
            xors: &[],
            ands: &[ops::And { a: 0, b: 1, c: 2, flags: 0 }],
            positions: &[and.number as u32],
        };
        if !and.begin.is_grr3 {
            state.go_to(and.number);
        }
        state.go_to_cycle(and.begin.cycle.into());
        self.kernel.evaluate(&mut state, &mut self.memory, &ops, and.table);
        self.memory.get(2).to_u128()
    }
}

/// The model of the chip, with counters.
pub struct Modelled {
    chip: Chip,
    hasher: Hasher,
    /// Events of the last clock cycle.
    pub seen: Option<Seen>,
    /// Clock cycles by cause.
    pub went: Went,
}

impl Modelled {
    /// Returns a chip after its reset.
    pub fn new(form: Form, kernel: &'static Kernel) -> Modelled {
        Modelled {
            chip: Chip::new(form),
            hasher: Hasher::new(kernel),
            seen: None,
            went: Went::default(),
        }
    }
}

impl Clocked for Modelled {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        let starves = self.chip.starves();
        let seen = self.chip.clock(comes, takes, &mut self.hasher);
        self.went.count(&seen, starves);
        self.seen = Some(seen);
        Ok(seen.sends)
    }
}
