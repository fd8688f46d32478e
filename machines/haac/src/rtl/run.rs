//! A program on the simulated machine.

use super::LABEL;
use super::axi::Bus;
use super::error::{Beyond, HardwareError};
use super::fault::Fault;
use super::hardware::Hardware;
use super::image::{self, Image};
use super::machine::{Contract, Launch, Machine};
use super::measure::measure;
use super::memory::Memory;
use super::options::Keeper;
use super::pace::Pace;
use super::tables::Tables;
use crate::dram::fits;
use crate::engine::host::{Evaluator, Garbler, Host, Launcher};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_dram::Dram;
use halfgate_engine::{
    Counters, Delta, EngineError, EvaluatorIo, GarblerIo, Label, Prepared, RunKey,
};
use halfgate_haac_model::Code;
use halfgate_haac_model::model::config::Config;
use halfgate_haac_model::model::layout::Region;
use zeroize::Zeroizing;

/// Cycles of a request's way to a port and of its response's way back: as in the shortest path of
/// `docs/memory.md`. The models have them in the DRAM's path.
const PATH_CYCLES: u64 = 4;

/// Clock cycles between progress reports.
const PROGRESS_INTERVAL_CYCLES: u64 = 1 << 12;

/// A program, its code, and the contents of the machine's memory.
pub(super) struct RtlProgram<'p> {
    pub hardware: Hardware,
    pub host: Host<'p>,
    pub image: Image,
}

impl Prepared for RtlProgram<'_> {
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Garbler { delta, io })
    }

    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError> {
        self.run(key, cycles, Evaluator { io })
    }
}

impl RtlProgram<'_> {
    fn run<S: Tables>(&self, key: RunKey, cycles: u64, side: S) -> Result<Counters, EngineError> {
        self.host.check(key, cycles)?;
        let (hardware, code, role) = (&self.hardware, self.host.code(), S::ROLE);
        let options = &hardware.options;
        let library = hardware.build(role)?;
        let mut descriptor = self.image.descriptor(role);
        if let Some(fault) = options.fault {
            fault.descriptor(&mut descriptor);
        }
        let (ports, data_bits) = options.ports(&hardware.machine);
        let config = self.config(role)?;
        let pace = Pace::new(options.disturbance, options.fault.and_then(Fault::memory));
        let pace = match options.keeper {
            Keeper::Memory => pace.with_contract(&config),
            Keeper::Registers | Keeper::Nobody => pace,
        };
        let mut machine = Machine::new(
            &library,
            (image::config(code.shape, role), code.shape.engines),
            (ports, data_bits / 8),
            pace,
            options.waveforms.as_deref(),
        )?;
        if let Some(configuration) = &options.dram {
            let unavailable = |error| EngineError::unavailable(&hardware.name(), error);
            let mut dram = Dram::new(configuration, hardware.machine.mhz).map_err(unavailable)?;
            dram.shorten_path(PATH_CYCLES);
            fits(&self.image.layout, configuration.bytes())
                .map_err(|error| EngineError::unavailable(&hardware.name(), error))?;
            machine.attach(dram);
        }
        if let Some(watcher) = &hardware.watcher {
            machine.observe(watcher.clone())?;
        }
        let mut memory = Memory::new(&self.image, code, descriptor);
        memory.wrong = options.fault.and_then(Fault::byte);
        let mut running = Running {
            hardware,
            program: self.host.program(),
            image: &self.image,
            code,
            machine,
            attached: Attached { memory, side },
            point: key.point,
        };
        let contract = self.contract(&config)?;
        running.machine.set_up(&contract, &mut running.attached)?;
        self.host.run(key, cycles, &mut running)
    }

    fn config(&self, role: Party) -> Result<Config, EngineError> {
        let hardware = &self.hardware;
        let unavailable = |error| EngineError::unavailable(&hardware.name(), error);
        Config::new(&hardware.machine, role).map_err(unavailable)
    }

    fn contract(&self, config: &Config) -> Result<Contract, EngineError> {
        let hardware = &self.hardware;
        let (wire_bytes, timeout) = (config.wire_bytes, hardware.options.timeout);
        let options = &hardware.options;
        let is_loose = options.disturbance.is_some() || options.dram.is_some();
        if is_loose || options.keeper != Keeper::Registers {
            return Ok(Contract { latency: 0, credit: [0; 3], wire_bytes, timeout });
        }
        let credit = [config.credit_step, config.credit_byte, config.credit_cap];
        let narrow = |value: u64| u32::try_from(value).ok();
        match (narrow(config.latency), credit.map(narrow)) {
            (Some(latency), [Some(step), Some(byte), Some(cap)]) => {
                Ok(Contract { latency, credit: [step, byte, cap], wire_bytes, timeout })
            }
            _ => Err(EngineError::unavailable(&hardware.name(), Beyond::Registers)),
        }
    }
}

/// The machine's memory, with the role and its caller.
struct Attached<'a, S> {
    memory: Memory<'a>,
    side: S,
}

impl<S: Tables> Bus for Attached<'_, S> {
    fn read(&mut self, address: u64, bytes: &mut [u8]) -> Result<bool, EngineError> {
        self.memory.read(&mut self.side, address, bytes)
    }

    fn write(&mut self, address: u64, bytes: &[u8]) -> Result<bool, EngineError> {
        self.memory.write(&mut self.side, address, bytes)
    }
}

/// A machine that runs a program.
struct Running<'a, S> {
    hardware: &'a Hardware,
    program: &'a Program,
    image: &'a Image,
    code: &'a Code,
    machine: Machine,
    attached: Attached<'a, S>,
    point: u128,
}

impl<S: Tables> Running<'_, S> {
    /// Number of ANDs in all launches before launch `number`.
    fn ands_before(&self, number: u64) -> u64 {
        number * self.program.ands_per_cycle()
    }

    /// Runs until the launch has ended. Reports progress to the caller, which may stop the run.
    fn wait(&mut self, number: u64) -> Result<(), EngineError> {
        let mut reset = match self.hardware.options.fault {
            Some(Fault::ResetAfter(cycles)) => Some(cycles),
            _ => None,
        };
        loop {
            if self.machine.run(reset.unwrap_or(PROGRESS_INTERVAL_CYCLES), &mut self.attached)? {
                return Ok(());
            }
            if reset.take().is_some() {
                self.machine.reset()?;
            }
            let ands = self.ands_before(number) + self.attached.memory.tables_passed();
            self.attached.side.progress(number, ands)?;
        }
    }
}

impl<S: Tables> Launcher for Running<'_, S> {
    type Side = S;

    fn side(&mut self) -> &mut S {
        &mut self.attached.side
    }

    fn set_input(&mut self, address: u32, label: Label) {
        self.attached.memory.set_input(address, label);
    }

    fn launch(&mut self, number: u64) -> Result<(), EngineError> {
        let delta = || {
            let label = Zeroizing::new(self.attached.side.offset().to_u128());
            Zeroizing::new(label.to_le_bytes())
        };
        let launch = Launch {
            descriptor: self.image.layout.start(Region::Descriptor),
            and_base: self.ands_before(number),
            point: self.point,
            delta: (S::ROLE == Party::Garbler).then(delta),
        };
        self.machine.start(&launch, &mut self.attached)?;
        self.wait(number).map_err(|error| match (error, self.attached.memory.refused()) {
            (EngineError::Machine(cause), Some(refused)) => {
                EngineError::machine(HardwareError::Refused { cause, refused })
            }
            (error, _) => error,
        })?;
        self.attached.memory.finish(&mut self.attached.side)?;
        let (hardware, machine) = (self.hardware, &mut self.machine);
        let measured = measure(machine, &mut self.attached, &hardware.machine, self.code)?;
        hardware.launched(measured);
        Ok(())
    }

    fn label(&self, address: u32) -> Option<Label> {
        self.attached.memory.label(address)
    }

    fn clear(&mut self) {
        self.attached.memory.clear();
    }
}

const _: () = assert!(LABEL == size_of::<Label>());
