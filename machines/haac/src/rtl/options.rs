//! Options for building a machine, and for its memory.

use super::fault::Fault;
use crate::engine::Disturbance;
use crate::synthesis::designs::FOLDED;
use halfgate_circuit::Party;
use halfgate_dram::Configuration;
use halfgate_haac_model::model::config::{Config, ConfigError};
use halfgate_haac_model::{Forwarding, Machine};
pub use halfgate_machine::args::Pace as Keeper;
use halfgate_verilated::{Aes, Design, Effort, Mutation};
use std::path::PathBuf;

/// Options in addition to the machine's description.
#[derive(Clone, Debug)]
pub struct Options {
    /// The implementation of AES.
    pub aes: Aes,
    /// Number of AXI4 ports, and data bits of a port (64, 128, 256 or 512), instead of those in the
    /// description. If ports lack bandwidth, responses are late.
    pub ports: Option<(u32, u32)>,
    /// The half-gate unit folded, with its shortest latency, and no counters: the form that is
    /// placed on an FPGA. An AND takes ten cycles, so cycles are not the model's; counters read as
    /// zero.
    pub folded: bool,
    /// How much the compiler optimises. [`Effort::High`] also leaves assertions out.
    pub effort: Effort,
    /// File for waveforms of every launch. They contain every label and delta.
    pub waveforms: Option<PathBuf>,
    /// Memory responds late and refuses requests at random, and engines stall. This breaks the
    /// contract.
    pub disturbance: Option<Disturbance>,
    /// A DRAM at the ports, with its times. This breaks the contract too.
    pub dram: Option<Configuration>,
    /// Who keeps the memory contract.
    pub keeper: Keeper,
    /// An injected fault.
    pub fault: Option<Fault>,
    /// Changes to the SystemVerilog: faults that tests must find.
    pub mutations: Vec<Mutation>,
    /// Cycles without a response after which the machine considers memory dead.
    pub timeout: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            aes: Aes::default(),
            ports: None,
            folded: false,
            effort: Effort::Middle,
            waveforms: None,
            disturbance: None,
            dram: None,
            keeper: Keeper::default(),
            fault: None,
            mutations: Vec::new(),
            timeout: 1 << 16,
        }
    }
}

/// Number of input bursts and live labels in flight for which the machine has space, in addition to
/// those that bandwidth and latency require.
const SLACK: u64 = 8;

impl Options {
    /// Number of AXI4 ports of a machine, and data bits of a port.
    pub(super) fn ports(&self, machine: &Machine) -> (u32, u32) {
        self.ports.unwrap_or((machine.rtl.ports, machine.rtl.data_bits))
    }

    /// The design of a machine with these options.
    ///
    /// # Errors
    /// If a number of the machine is impossible; the error has its name.
    pub(super) fn design(&self, machine: &Machine, role: Party) -> Result<Design, ConfigError> {
        let config = Config::new(machine, role)?;
        ConfigError::check("memory's latency", config.latency, 1, 255)?;
        // Number of input bursts in flight at once. Bandwidth and the loader's requests limit it.
        let bytes = config.credit_step * (config.latency + SLACK);
        let held = bytes.div_ceil(config.credit_byte * 64) + u64::from(config.loader_bursts);
        let held = held.min(u64::from(config.loader_bursts) * (config.latency + SLACK)).max(64);
        let (role, garbler) = match role {
            Party::Garbler => ("garbler", 1),
            Party::Evaluator => ("evaluator", 0),
        };
        let (ports, data_bits) = self.ports(machine);
        let (interval, latency) = match self.folded {
            true => FOLDED,
            false => (1, config.and.into()),
        };
        let mut design = Design::of("haac_machine").effort(self.effort);
        for (name, value) in [
            ("Engines", u64::from(machine.shape.engines)),
            ("WindowLabels", machine.shape.window.into()),
            ("Banks", config.banks.into()),
            ("ForwardAll", u64::from(config.forwarding == Forwarding::All)),
            ("XorLatency", config.xor.into()),
            ("AndLatency", latency),
            ("AndInterval", interval),
            ("Counters", u64::from(!self.folded)),
            ("IssueDepth", config.issue.into()),
            ("TableDepth", config.tables.into()),
            ("OorAddressDepth", config.oor_addresses.into()),
            ("OorWireDepth", config.oor_wires.into()),
            ("LiveDepth", config.live.into()),
            ("InstrBursts", config.instruction_bursts),
            ("LoaderBursts", config.loader_bursts.into()),
            ("InputHold", held.next_power_of_two()),
            ("NumPorts", ports.into()),
            ("DataWidth", data_bits.into()),
            ("Garbler", garbler),
            ("AesImpl", self.aes as u64),
        ] {
            design = design.param(name, value);
        }
        for Mutation { file, from, to } in &self.mutations {
            design = design.mutate(file, from, to);
        }
        if self.effort == Effort::High {
            design = design.unchecked();
        }
        if self.waveforms.is_some() {
            design = design.traced();
        } else if self.aes != Aes::Dpi && !self.folded {
            // All pipelines are equal, so they are compiled once, as a block of their own.
            // Waveforms would not show the signals in such blocks. Folded units have none.
            design = design.hierarchical();
        }
        let folded = if self.folded { "-folded" } else { "" };
        Ok(design.named(&format!("{}-{role}{folded}-{}", machine.name, self.aes)))
    }
}
