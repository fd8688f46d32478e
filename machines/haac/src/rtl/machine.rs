//! The host's view of the simulated machine: its registers, its clock, and the memory at its ports.

use super::axi::{Bus, Ports, Times};
use super::error::HardwareError;
use super::lite::{Lite, Transaction};
use super::observe::{Observer, Watcher};
use super::pace::Pace;
use crate::rtl::registers::{
    CONTROL_START, FEATURES_DATA_BYTES, FEATURES_PORTS, INTERRUPT_ENABLE, REG_AND_BASE, REG_CONFIG,
    REG_CONTROL, REG_CREDIT_BYTE, REG_CREDIT_CAP, REG_CREDIT_STEP, REG_DELTA, REG_ERROR,
    REG_FEATURES, REG_INTERRUPT, REG_LATENCY, REG_POINT, REG_PROGRAM, REG_STATUS, REG_TIMEOUT,
    REG_WIRE_BYTES, STATUS_DONE, STATUS_FAILED, STATUS_STATE, STATUS_WAS_RESET, State,
};
use halfgate_dram::Dram;
use halfgate_engine::EngineError;
use halfgate_verilated::{In, Library, Out, Simulation};
use std::path::Path;
use zeroize::Zeroizing;

/// Cycles between two reads of the status, in case there is no interrupt.
const LOOK: u64 = 1 << 12;

/// Largest number of status reads while the machine wipes. It is enough for the largest window,
/// whose banks have fewer labels than this.
const PATIENCE: u32 = 1 << 28;

/// Values of the registers that describe memory.
#[derive(Clone, Copy, Debug)]
pub(super) struct Contract {
    /// Cycles from acceptance to response. 0: a response counts as soon as it arrives.
    pub latency: u32,
    /// Credit: step per cycle, cost of a byte, cap. Zeros: no limit.
    pub credit: [u32; 3],
    pub wire_bytes: u32,
    /// Cycles without a response after which memory counts as dead.
    pub timeout: u32,
}

/// Parameters of one launch.
pub(super) struct Launch {
    pub descriptor: u64,
    pub and_base: u64,
    pub point: u128,
    /// The garbler's Δ.
    pub delta: Option<Zeroizing<[u8; 16]>>,
}

/// A machine with memory at its ports.
pub(super) struct Machine {
    sim: Simulation,
    lite: Lite,
    ports: Ports,
    irq: Out,
    stall: In,
    reset: In,
    engines: u32,
    observer: Option<Observer>,
}

fn failed(error: halfgate_verilated::Error) -> EngineError {
    EngineError::machine(error)
}

impl Machine {
    /// A machine after its reset. Its configuration must be `config`.
    ///
    /// # Errors
    /// If the library is of another design, or the machine has another configuration.
    pub fn new(
        library: &Library,
        (config, engines): (u32, u32),
        (count, beat): (u32, u32),
        pace: Pace,
        waveforms: Option<&Path>,
    ) -> Result<Machine, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let new = |sim: &Simulation| -> Result<_, halfgate_verilated::Error> {
            Ok((
                Lite::new(sim)?,
                Ports::new(sim, count, beat, pace)?,
                sim.output("irq_o", 1)?,
                sim.input("sim_issue_stall_i", engines)?,
                sim.input("rst_ni", 1)?,
            ))
        };
        let (lite, ports, irq, stall, reset) = new(&sim).map_err(failed)?;
        sim.reset().map_err(failed)?;
        let observer = None;
        let mut machine = Machine { sim, lite, ports, irq, stall, reset, engines, observer };
        let bus = &mut Nothing;
        let is = machine.read(REG_CONFIG, bus)?;
        if is != config {
            return Err(EngineError::machine(HardwareError::Config { is, wanted: config }));
        }
        let features = machine.read(REG_FEATURES, bus)?;
        let has = (FEATURES_PORTS.of(features), FEATURES_DATA_BYTES.of(features));
        if has != (count, beat) {
            let wanted = (count, beat);
            return Err(EngineError::machine(HardwareError::Ports { has, wanted }));
        }
        Ok(machine)
    }

    /// Passes each cycle of later launches to `watcher`, from signals that exist in simulation
    /// only.
    ///
    /// # Errors
    /// If the machine was built without these signals.
    pub fn observe(&mut self, watcher: Watcher) -> Result<(), EngineError> {
        self.observer = Some(Observer::new(&self.sim, self.engines, watcher).map_err(failed)?);
        Ok(())
    }

    /// Puts a DRAM behind the ports.
    pub fn attach(&mut self, dram: Dram) {
        self.ports.with_times(Times::new(dram));
    }

    /// Simulates one clock cycle.
    pub fn step(&mut self, bus: &mut impl Bus) -> Result<(), EngineError> {
        self.drive(bus)?;
        if self.observer.is_some() {
            self.sim.settle().map_err(failed)?;
        }
        self.clock()
    }

    /// The clock edge that ends a cycle whose inputs are set. The observer reads the cycle before
    /// the edge, for which the signals must be settled.
    fn clock(&mut self) -> Result<(), EngineError> {
        if let Some(observer) = &mut self.observer {
            observer.cycle(&self.sim);
        }
        self.sim.clock().map_err(failed)
    }

    fn drive(&mut self, bus: &mut impl Bus) -> Result<(), EngineError> {
        self.ports.step(&mut self.sim, bus)?;
        if self.ports.pace.has_stalls() {
            let stalls = self.ports.pace.stalls(self.engines);
            self.sim.set_u64(self.stall, stalls);
        }
        Ok(())
    }

    /// Resets the machine and the bus, as if power had failed.
    pub fn reset(&mut self) -> Result<(), EngineError> {
        self.ports.reset();
        self.sim.set_bit(self.reset, false);
        self.step(&mut Nothing)?;
        self.step(&mut Nothing)?;
        self.sim.set_bit(self.reset, true);
        Ok(())
    }

    /// Reads a register.
    pub fn read(&mut self, register: u32, bus: &mut impl Bus) -> Result<u32, EngineError> {
        let transaction = self.lite.read(&mut self.sim, register);
        self.transact(transaction, bus)
    }

    /// Reads a counter.
    pub fn counter(&mut self, register: u32, bus: &mut impl Bus) -> Result<u64, EngineError> {
        let low = u64::from(self.read(register, bus)?);
        Ok(u64::from(self.read(register + 4, bus)?) << 32 | low)
    }

    /// Writes a register.
    pub fn write(
        &mut self,
        register: u32,
        value: u32,
        bus: &mut impl Bus,
    ) -> Result<(), EngineError> {
        let transaction = self.lite.write(&mut self.sim, register, value);
        self.transact(transaction, bus).map(|_| ())
    }

    fn transact(
        &mut self,
        mut transaction: Transaction,
        bus: &mut impl Bus,
    ) -> Result<u32, EngineError> {
        for _ in 0..Lite::patience() {
            self.drive(bus)?;
            self.sim.settle().map_err(failed)?;
            let ended = self.lite.edge(&self.sim, &mut transaction);
            self.clock()?;
            self.lite.clocked(&mut self.sim, &transaction, ended.is_some());
            if let Some(value) = ended {
                return Ok(value);
            }
        }
        Err(EngineError::machine(HardwareError::Registers))
    }

    fn write_words(
        &mut self,
        register: u32,
        bytes: &[u8],
        bus: &mut impl Bus,
    ) -> Result<(), EngineError> {
        for (word, offset) in bytes.as_chunks::<4>().0.iter().zip((0..).step_by(4)) {
            self.write(register + offset, u32::from_le_bytes(*word), bus)?;
        }
        Ok(())
    }

    /// Writes the registers for later launches.
    pub fn set_up(&mut self, contract: &Contract, bus: &mut impl Bus) -> Result<(), EngineError> {
        let [step, byte, cap] = contract.credit;
        for (register, value) in [
            (REG_LATENCY, contract.latency),
            (REG_CREDIT_STEP, step),
            (REG_CREDIT_BYTE, byte),
            (REG_CREDIT_CAP, cap),
            (REG_WIRE_BYTES, contract.wire_bytes),
            (REG_TIMEOUT, contract.timeout),
            (REG_INTERRUPT, INTERRUPT_ENABLE.at(1)),
        ] {
            self.write(register, value, bus)?;
        }
        Ok(())
    }

    /// Starts a launch, once the machine has finished wiping.
    pub fn start(&mut self, launch: &Launch, bus: &mut impl Bus) -> Result<(), EngineError> {
        self.wait_until_ready(bus)?;
        self.write_words(REG_PROGRAM, &launch.descriptor.to_le_bytes(), bus)?;
        self.write_words(REG_AND_BASE, &launch.and_base.to_le_bytes(), bus)?;
        self.write_words(REG_POINT, &launch.point.to_le_bytes(), bus)?;
        if let Some(delta) = &launch.delta {
            self.write_words(REG_DELTA, &delta[..], bus)?;
        }
        self.write(REG_CONTROL, CONTROL_START.at(1), bus)
    }

    fn wait_until_ready(&mut self, bus: &mut impl Bus) -> Result<(), EngineError> {
        for _ in 0..PATIENCE {
            let state = STATUS_STATE.of(self.read(REG_STATUS, bus)?);
            match State::from_code(state) {
                Some(State::Wiping | State::Draining) => self.step(bus)?,
                _ => return Ok(()),
            }
        }
        Err(EngineError::machine(HardwareError::Wipes))
    }

    /// Runs until the launch has ended, or for `cycles` cycles. Returns whether it has ended.
    ///
    /// # Errors
    /// If the machine stops with an error, or does not run.
    pub fn run(&mut self, cycles: u64, bus: &mut impl Bus) -> Result<bool, EngineError> {
        for cycle in 1..=cycles {
            self.step(bus)?;
            let look = self.sim.is_set(self.irq) || cycle.is_multiple_of(LOOK);
            if look && self.has_ended(bus)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the launch has ended without an error.
    fn has_ended(&mut self, bus: &mut impl Bus) -> Result<bool, EngineError> {
        let status = self.read(REG_STATUS, bus)?;
        let is = |bits: crate::rtl::registers::Bits| bits.of(status) == 1;
        if is(STATUS_FAILED) {
            let error = self.read(REG_ERROR, bus)?;
            return Err(EngineError::machine(HardwareError::Stopped(error)));
        }
        if is(STATUS_DONE) {
            return Ok(true);
        }
        let state = State::from_code(STATUS_STATE.of(status));
        if state == Some(State::Idle) {
            return Err(EngineError::machine(match is(STATUS_WAS_RESET) {
                true => HardwareError::WasReset,
                false => HardwareError::DidNotStart,
            }));
        }
        Ok(false)
    }
}

/// The memory while no launch is running: it has no data.
pub(super) struct Nothing;

impl Bus for Nothing {
    fn read(&mut self, _: u64, _: &mut [u8]) -> Result<bool, EngineError> {
        Ok(false)
    }

    fn write(&mut self, _: u64, _: &[u8]) -> Result<bool, EngineError> {
        Ok(false)
    }
}
