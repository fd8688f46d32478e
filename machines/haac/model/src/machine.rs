//! A machine: the parameters with which a HAAC is built. Their values come from
//! `machines/haac/spec/machines/*.toml` through a [`Description`](crate::Description).

use crate::isa::{
    ADDRESS_BITS, AND_NUMBER_BITS, LABEL_BYTES, OOR_WORD_BYTES, TABLE_BYTES, instruction_bits,
};
use halfgate_circuit::Party;

/// The parameters of a machine for which a program is lowered. Encodings depend on no others.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
pub struct Shape {
    /// Gate engines, at least 1.
    pub engines: u32,
    /// Labels in the window: a power of two, at least [`Shape::LEAST_WINDOW`] and at least two per
    /// engine.
    pub window: u32,
}

impl Shape {
    /// The smallest window, in labels.
    pub const LEAST_WINDOW: u32 = 16;
    /// The largest window, in labels (4 GB of them).
    pub const MOST_WINDOW: u32 = 1 << 28;

    /// Whether a machine can have this shape: see [`Shape::window`] and [`Shape::engines`].
    pub const fn is_possible(self) -> bool {
        self.window.is_power_of_two()
            && Shape::LEAST_WINDOW <= self.window
            && self.window <= Shape::MOST_WINDOW
            && 1 <= self.engines
            && self.engines <= self.window / 2
    }

    /// Bits of an operand field: log2 of the window.
    #[inline]
    pub const fn slot_bits(self) -> u32 {
        self.window.ilog2()
    }

    /// Bits of an instruction in the encoding `plain`: 37 for a window of 2 MB.
    #[inline]
    pub const fn instruction_bits(self) -> u32 {
        instruction_bits(self.slot_bits())
    }

    /// Labels in half of the window; the window slides by halves.
    #[inline]
    pub const fn half(self) -> u32 {
        self.window / 2
    }

    /// Number of the half that holds `address`. A half is half a window of addresses.
    #[inline]
    pub const fn half_of(self, address: u32) -> u32 {
        // A shift: a division would take most of the time of a lowering.
        address >> self.half().trailing_zeros()
    }

    /// The slot of `address`; never 0 for an address of a wire.
    #[inline]
    pub const fn slot(self, address: u32) -> u32 {
        address & (self.window - 1)
    }

    /// Whether the window holds `operand`, an earlier address, when the instruction with output
    /// address `output` reads it.
    #[inline]
    pub const fn in_window(self, operand: u32, output: u32) -> bool {
        self.half_of(operand) + 1 >= self.half_of(output)
    }

    /// The address after `address`: the next number that is no multiple of the window.
    #[inline]
    pub const fn next_address(self, address: u32) -> u32 {
        let next = address + 1;
        if self.slot(next) == 0 { next + 1 } else { next }
    }
}

/// Off-chip memory under the contract of `machine.md`: responses in order, a fixed latency, a fixed
/// bandwidth.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Memory {
    /// `ddr4`, `hbm2`, or a name that the description defines.
    pub name: String,
    /// Bytes per cycle as a fraction: numerator and denominator, neither 0.
    pub bytes_per_cycle: (u32, u32),
    /// Cycles from the acceptance of a request to its data or acknowledgement; at least 1.
    pub latency: u32,
    /// Bytes that an access to one label moves: 16, as the paper counts, or a burst of 64.
    pub wire_bytes: u32,
}

/// Depths of the queues, in entries. `instruction_bytes` and `inputs` are for all engines together;
/// each engine has its own queues of the other kinds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Queues {
    /// Bytes of encoded instructions, for all engines together, in whole bursts.
    pub instruction_bytes: u32,
    /// Instructions that an engine may be behind the dispatcher.
    pub issue: u32,
    /// Tables of 32 bytes: read ahead for the evaluator's ANDs, or waiting to be written for the
    /// garbler. At least 2, which is a burst.
    pub tables: u32,
    /// Out-of-range addresses of 4 bytes. At least 16, which is a burst.
    pub oor_addresses: u32,
    /// Out-of-range labels.
    pub oor_wires: u32,
    /// Live labels waiting to be written.
    pub live: u32,
    /// Input labels per cycle that the loader moves from memory into the window, for all engines
    /// together: a multiple of four, which is a burst. The loader needs no queue behind it, since
    /// its accesses to banks are always granted.
    pub inputs: u32,
}

/// Bytes of memory that queues of these depths need for all engines of `shape`. An entry is as wide
/// as its contents: a live label or input with its address, a waiting instruction with its output's
/// address and its AND number.
pub fn queue_bytes(queues: &Queues, shape: Shape) -> u64 {
    let times = |depth: u32, bytes: u32| u64::from(depth) * u64::from(bytes);
    let address = ADDRESS_BITS.div_ceil(8);
    let issue_bits = shape.instruction_bits() + ADDRESS_BITS + AND_NUMBER_BITS;
    let engine = times(queues.issue, issue_bits).div_ceil(8)
        + times(queues.tables, TABLE_BYTES)
        + times(queues.oor_addresses, OOR_WORD_BYTES)
        + times(queues.oor_wires, LABEL_BYTES)
        + times(queues.live, LABEL_BYTES + address);
    engine * u64::from(shape.engines)
        + u64::from(queues.instruction_bytes)
        + times(queues.inputs, LABEL_BYTES + address)
}

/// Parameters that only the hardware has; the model's cycles do not depend on them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Rtl {
    /// AXI4 ports: a power of two, at most the number of engines.
    pub ports: u32,
    /// Data bits of a port: 64, 128, 256 or 512.
    pub data_bits: u32,
}

/// Latencies of the units, in clock cycles.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Latency {
    /// XOR and UNARY.
    pub xor: u32,
    /// AND, garbling.
    pub and_garbler: u32,
    /// AND, evaluating.
    pub and_evaluator: u32,
    /// Stages in which operands are read: 3.
    pub read: u32,
    /// Stages in which a result is written back: 2.
    pub write_back: u32,
}

impl Latency {
    /// Latency of an AND in `role`, in clock cycles.
    pub const fn and(self, role: Party) -> u32 {
        match role {
            Party::Garbler => self.and_garbler,
            Party::Evaluator => self.and_evaluator,
        }
    }
}

/// The stages in which an operand takes a result from the bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub enum Forwarding {
    /// All stages: D, R1, R2, R3 and X.
    #[default]
    All,
    /// The stages after the read, R2, R3 and X. An operand whose result is on the bus while it is
    /// in D or R1 reads the window again.
    AfterRead,
}

impl Forwarding {
    /// All forms, each with its name.
    pub const NAMES: [(Forwarding, &str); 2] =
        [(Forwarding::All, "all"), (Forwarding::AfterRead, "after-read")];

    /// The form with this name.
    pub fn named(name: &str) -> Option<Forwarding> {
        Forwarding::NAMES.into_iter().find(|(_, known)| *known == name).map(|(form, _)| form)
    }
}

/// One figure per component of a machine; the components are those of HAAC's Table 4.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Components {
    /// Half-gate units of all engines.
    pub half_gate: f64,
    /// XOR units of all engines.
    pub free_xor: f64,
    /// The forwarding network.
    pub forwarding: f64,
    /// The crossbar between engines and banks.
    pub crossbar: f64,
    /// The window's memory.
    pub window: f64,
    /// The queues' memory.
    pub queues: f64,
    /// The interface to HBM2, which the paper counts separately.
    pub phy: f64,
}

/// Power and area of one machine, from which those of other machines are scaled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Silicon {
    /// Engines of that machine.
    pub engines: u32,
    /// Labels of that machine's window.
    pub window: u32,
    /// Bytes of that machine's queues.
    pub queue_bytes: u32,
    /// Average power, in mW.
    pub power_mw: Components,
    /// Area, in square mm.
    pub area_mm2: Components,
}

/// A whole machine.
#[derive(Clone, PartialEq, Debug)]
pub struct Machine {
    /// The description's name: `haac-16ge`.
    pub name: String,
    /// Engines and window.
    pub shape: Shape,
    /// Banks per engine; the total is rounded up to a power of two.
    pub banks_per_engine: u32,
    /// Stages that take results from the bus.
    pub forwarding: Forwarding,
    /// Latencies of the units.
    pub latency: Latency,
    /// Queues.
    pub queues: Queues,
    /// The attached memory.
    pub memory: Memory,
    /// The machine's ports in hardware.
    pub rtl: Rtl,
    /// Clock cycles per microsecond: 1,000 at 1 GHz.
    pub mhz: u32,
    /// The machine from which power and area are scaled.
    pub silicon: Silicon,
}

impl Machine {
    /// Banks of the window: a power of two.
    pub const fn banks(&self) -> u32 {
        (self.shape.engines * self.banks_per_engine).next_power_of_two()
    }

    /// Average power in mW, scaled from [`Silicon`]. Units and forwarding scale with the number of
    /// engines, the crossbar with engines times banks, the window with its labels, queues with
    /// their bytes.
    pub fn power_mw(&self) -> Components {
        self.scaled(self.silicon.power_mw)
    }

    /// Area in square mm, scaled in the same way.
    pub fn area_mm2(&self) -> Components {
        self.scaled(self.silicon.area_mm2)
    }

    fn scaled(&self, of: Components) -> Components {
        let silicon = &self.silicon;
        let engines = f64::from(self.shape.engines) / f64::from(silicon.engines);
        let described = (silicon.engines * self.banks_per_engine).next_power_of_two();
        let banks = f64::from(self.banks()) / f64::from(described);
        let bytes = queue_bytes(&self.queues, self.shape) as f64;
        Components {
            half_gate: of.half_gate * engines,
            free_xor: of.free_xor * engines,
            forwarding: of.forwarding * engines,
            crossbar: of.crossbar * engines * banks,
            window: of.window * f64::from(self.shape.window) / f64::from(silicon.window),
            queues: of.queues * bytes / f64::from(silicon.queue_bytes),
            phy: of.phy,
        }
    }
}
