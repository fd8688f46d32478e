//! The wide core in SystemVerilog: its ports, the core as an engine, and the device, which adds the
//! link's port.

use crate::engine::wide::{Clocks, ModelledCore};
use crate::engine::{ChipError, Clocked, WideEngine};
use halfgate_engine::{EngineError, kernels};
use halfgate_machine::rtl::failed;
use halfgate_mobile_model::names::{STATUS_NO_ITEM, STATUS_NO_SLOT};
use halfgate_mobile_model::wide::{Comes, Job, Seen, State, UNITS};
use halfgate_verilated::{Design, Error, In, Library, Mutation, Out, Simulation};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

/// How the core is built and run.
#[derive(Clone, Debug)]
pub struct WideOptions {
    /// Number of AND units, one to eight.
    pub units: usize,
    /// Runs the model beside the RTL, and compares them in each clock cycle.
    pub modelled: bool,
    /// Compiles for speed and without assertions. This takes longer, and pays off in long runs.
    pub fast: bool,
    /// File for the waveforms of every run. They contain every label.
    pub waveforms: Option<PathBuf>,
    /// Faults that are injected into the SystemVerilog; tests must find them.
    pub mutations: Vec<Mutation>,
}

impl Default for WideOptions {
    fn default() -> WideOptions {
        WideOptions {
            units: UNITS,
            modelled: false,
            fast: false,
            waveforms: None,
            mutations: Vec::new(),
        }
    }
}

impl WideOptions {
    /// The design to build.
    pub fn design(&self) -> Design {
        let mut design = Design::of("mobile_wide").for_sessions(self.fast);
        design = design.param("Units", self.units as u64);
        for Mutation { file, from, to } in &self.mutations {
            design = design.mutate(file, from, to);
        }
        if self.waveforms.is_some() {
            design = design.traced();
        }
        design
    }

    /// Returns a core after its reset.
    ///
    /// # Errors
    /// If the core cannot be built, or the simulation fails.
    pub fn core(&self) -> Result<WideCore, EngineError> {
        self.of(&self.design().build().map_err(failed)?)
    }

    fn of(&self, library: &Library) -> Result<WideCore, EngineError> {
        let model = self.modelled.then(|| ModelledCore::new(kernels::best(), self.units));
        WideCore::new(library, model, self.waveforms.as_deref())
    }

    /// Returns the engine. The core is built on first use.
    pub fn engine(self) -> WideEngine {
        let built: Mutex<Option<Library>> = Mutex::default();
        let make = move || {
            let mut built = built.lock().unwrap_or_else(PoisonError::into_inner);
            if built.is_none() {
                *built = Some(self.design().build().map_err(failed)?);
            }
            let core = self.of(built.as_ref().expect("it was built"))?;
            Ok(Box::new(core) as Box<dyn Clocks>)
        };
        WideEngine::new("rtl:mobile-wide (Verilator)", Arc::new(make))
    }
}

/// A simulated core.
pub struct WideCore {
    sim: Simulation,
    ports: Ports,
    /// A model that runs beside the RTL and is compared in each clock cycle.
    model: Option<ModelledCore>,
    clocks: u64,
}

struct Ports {
    clear: In,
    valid: In,
    ready: Out,
    count: In,
    bytes: In,
    give_valid: Out,
    give_ready: In,
    give: Out,
    wrong: Out,
    slot: Out,
    over: Out,
    wipes: Out,
    items: Out,
    job: Out,
    write: Out,
    written: Out,
}

impl Ports {
    fn new(sim: &Simulation) -> Result<Ports, Error> {
        Ok(Ports {
            clear: sim.input("clear_i", 1)?,
            valid: sim.input("valid_i", 1)?,
            ready: sim.output("ready_o", 1)?,
            count: sim.input("count_i", 5)?,
            bytes: sim.input("bytes_i", 128)?,
            give_valid: sim.output("give_valid_o", 1)?,
            give_ready: sim.input("give_ready_i", 1)?,
            give: sim.output("give_o", 8)?,
            wrong: sim.output("wrong_o", 1)?,
            slot: sim.output("slot_o", 1)?,
            over: sim.output("over_o", 1)?,
            wipes: sim.output("wipes_o", 1)?,
            items: sim.output("items_o", 3)?,
            job: sim.output("job_o", 23)?,
            write: sim.output("write_o", 1)?,
            written: sim.output("written_o", 11)?,
        })
    }
}

const STATES: [State; 5] = [State::Parse, State::Take, State::Row, State::RowLast, State::Failed];

/// Value of `WhatBegin` in the RTL.
const BEGINS: u64 = 4;

/// Decodes a `wide_job_t`.
fn job(bits: u64) -> Option<Job> {
    let field = |from: u32, width: u32| bits >> from & ((1 << width) - 1);
    (field(22, 1) == 1).then(|| Job {
        last: field(21, 1) == 1,
        first: field(20, 1) == 1,
        what: field(17, 3) as u8,
        to: field(14, 3) as u8,
        unit: field(11, 3) as u8,
        // A netlist cycle has no slot.
        out: if field(17, 3) == BEGINS { 0 } else { field(0, 11) as u32 },
    })
}

impl WideCore {
    /// Returns a core after its reset. If `model` is given, it is compared with the RTL in each
    /// clock cycle.
    ///
    /// # Errors
    /// If the library contains another module, or the simulation fails.
    pub fn new(
        library: &Library,
        model: Option<ModelledCore>,
        waveforms: Option<&Path>,
    ) -> Result<WideCore, EngineError> {
        let mut sim = Simulation::new(library).map_err(failed)?;
        if let Some(path) = waveforms {
            sim.trace(path).map_err(failed)?;
        }
        let ports = Ports::new(&sim).map_err(failed)?;
        sim.reset().map_err(failed)?;
        Ok(WideCore { sim, ports, model, clocks: 0 })
    }

    /// Observed events of a clock cycle, read before its edge.
    fn seen(&self) -> Seen {
        let (sim, ports) = (&self.sim, &self.ports);
        let wrong = if sim.is_set(ports.slot) { STATUS_NO_SLOT } else { STATUS_NO_ITEM };
        Seen {
            ready: sim.is_set(ports.ready),
            gives: sim.is_set(ports.give_valid).then(|| sim.get_u64(ports.give) as u8),
            wrong: sim.is_set(ports.wrong).then_some(wrong),
            over: sim.is_set(ports.over),
            wipes: sim.is_set(ports.wipes),
            items: STATES[sim.get_u64(ports.items) as usize],
            job: job(sim.get_u64(ports.job)),
            writes: sim.is_set(ports.write).then(|| sim.get_u64(ports.written) as u32),
        }
    }
}

impl Clocks for WideCore {
    fn clock(&mut self, comes: Comes<'_>) -> Result<Seen, EngineError> {
        // The outputs depend only on registers.
        let seen = self.seen();
        if let Some(model) = &mut self.model {
            let modelled = model.clock(comes)?;
            if modelled != seen {
                let clock = self.clocks;
                let (rtl, model) = (format!("{seen:?}"), format!("{modelled:?}"));
                return Err(EngineError::machine(ChipError::Differs { clock, rtl, model }));
            }
        }
        self.clocks += 1;
        let mut row = [0; 16];
        row[..comes.bytes.len()].copy_from_slice(comes.bytes);
        let (sim, ports) = (&mut self.sim, &self.ports);
        sim.set_bit(ports.clear, comes.clear);
        sim.set_bit(ports.valid, !comes.bytes.is_empty());
        sim.set_u64(ports.count, comes.bytes.len() as u64);
        sim.set_u128(ports.bytes, u128::from_le_bytes(row));
        sim.set_bit(ports.give_ready, comes.takes);
        sim.clock().map_err(failed)?;
        Ok(seen)
    }
}

/// A simulated device: the wide core and the link's port. It sends and receives bytes of the link.
pub struct WideDevice {
    sim: Simulation,
    rx_valid: In,
    rx_byte: In,
    tx_valid: Out,
    tx_ready: In,
    tx_byte: Out,
}

impl WideDevice {
    /// The design to build.
    pub fn design() -> Design {
        Design::of("mobile_wide_device").for_sessions(false)
    }

    /// Returns a device after its reset.
    ///
    /// # Errors
    /// If the device cannot be built, or the simulation fails.
    pub fn new() -> Result<WideDevice, EngineError> {
        WideDevice::of(&WideDevice::design().build().map_err(failed)?).map_err(failed)
    }

    fn of(library: &Library) -> Result<WideDevice, Error> {
        let mut sim = Simulation::new(library)?;
        sim.reset()?;
        Ok(WideDevice {
            rx_valid: sim.input("rx_valid_i", 1)?,
            rx_byte: sim.input("rx_byte_i", 8)?,
            tx_valid: sim.output("tx_valid_o", 1)?,
            tx_ready: sim.input("tx_ready_i", 1)?,
            tx_byte: sim.output("tx_byte_o", 8)?,
            sim,
        })
    }
}

impl Clocked for WideDevice {
    fn clock(&mut self, comes: Option<u8>, takes: bool) -> Result<Option<u8>, EngineError> {
        let sim = &mut self.sim;
        // The outputs depend only on registers.
        let sends = sim.is_set(self.tx_valid).then(|| sim.get_u64(self.tx_byte) as u8);
        sim.set_bit(self.rx_valid, comes.is_some());
        sim.set_u64(self.rx_byte, comes.unwrap_or(0).into());
        sim.set_bit(self.tx_ready, takes);
        sim.clock().map_err(failed)?;
        Ok(sends)
    }
}
