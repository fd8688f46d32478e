//! The numbers that both models use, derived from a description and checked once.

use crate::machine::{Forwarding, Machine, Shape};
use halfgate_circuit::Party;

/// Bytes of a burst.
pub const BURST: u32 = 64;
/// Bytes of a table.
pub const TABLE_BYTES: u32 = 32;
/// Tables in a burst.
pub const BURST_TABLES: u32 = BURST / TABLE_BYTES;
/// Out-of-range addresses in a burst.
pub const BURST_ADDRESSES: u32 = BURST / 4;
/// Labels in a burst.
pub const BURST_LABELS: u32 = BURST / 16;
/// Accesses to a bank in a cycle.
pub const BANK_ACCESSES: u32 = 2;
/// Largest number of engines in the models.
pub const MAX_ENGINES: u32 = 64;
/// Longest latency of a unit.
pub const MAX_UNIT_LATENCY: u32 = 200;

/// A machine in one role, in the models' units.
#[derive(Clone, Debug)]
pub struct Config {
    /// Engines and window.
    pub shape: Shape,
    /// Garbler or evaluator.
    pub role: Party,
    /// Engines.
    pub engines: usize,
    /// Binary logarithm of the window.
    pub window_bits: u32,
    /// Banks, a power of two.
    pub banks: u32,
    /// Stages that take results from the bus.
    pub forwarding: Forwarding,
    /// Cycles of an XOR or UNARY.
    pub xor: u32,
    /// Cycles of an AND in this role.
    pub and: u32,
    /// Instructions in an engine's issue FIFO.
    pub issue: u32,
    /// FIFO level from which on the engine counts as late, so that its window reads have priority.
    pub late: u32,
    /// Tables in an engine's queue.
    pub tables: u32,
    /// Addresses in an engine's queue.
    pub oor_addresses: u32,
    /// Labels in an engine's out-of-range queue.
    pub oor_wires: u32,
    /// Labels in an engine's live queue.
    pub live: u32,
    /// Bursts in the instruction queue.
    pub instruction_bursts: u64,
    /// Largest number of bursts per cycle that the loader requests, and that it writes into the
    /// window.
    pub loader_bursts: u32,
    /// Largest number of instruction bursts requested in a cycle.
    pub instruction_grants: u32,
    /// Credit added in each cycle.
    pub credit_step: u64,
    /// Credit that a byte costs.
    pub credit_byte: u64,
    /// Largest credit.
    pub credit_cap: u64,
    /// Cycles from acceptance to response.
    pub latency: u64,
    /// Bytes that an access to a label counts.
    pub wire_bytes: u32,
}

/// Why a machine is impossible.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ConfigError {
    /// A number is outside its range.
    #[error("{what} must be {least} to {most}, not {value}")]
    Range {
        /// Name of the number.
        what: &'static str,
        /// Its value.
        value: u64,
        /// Its smallest value.
        least: u32,
        /// Its largest value.
        most: u32,
    },
    /// The window is no power of two.
    #[error("window must be a power of two, not {labels}")]
    Window {
        /// Labels of the window.
        labels: u32,
    },
}

impl ConfigError {
    /// Checks that a number is in its range.
    ///
    /// # Errors
    /// If `value` is outside `least` to `most`. The error has the name `what`.
    pub fn check(what: &'static str, value: u64, least: u32, most: u32) -> Result<(), ConfigError> {
        match (u64::from(least)..=u64::from(most)).contains(&value) {
            true => Ok(()),
            false => Err(ConfigError::Range { what, value, least, most }),
        }
    }
}

impl Config {
    /// The numbers of `machine` in `role`.
    ///
    /// # Errors
    /// If a number is impossible; the error has its name.
    pub fn new(machine: &Machine, role: Party) -> Result<Config, ConfigError> {
        let shape = machine.shape;
        let queues = &machine.queues;
        let memory = &machine.memory;
        let within = |what, value: u32, least: u32, most: u32| {
            ConfigError::check(what, value.into(), least, most).map(|()| value)
        };
        const MANY: u32 = 1 << 24;
        within("engines", shape.engines, 1, MAX_ENGINES)?;
        within("window", shape.window, 16, 1 << 28)?;
        if !shape.window.is_power_of_two() {
            return Err(ConfigError::Window { labels: shape.window });
        }
        within("banks per engine", machine.banks_per_engine, 1, 64)?;
        within("banks", machine.banks(), BURST_LABELS, MAX_ENGINES * 64)?;
        let (step, byte) = memory.bytes_per_cycle;
        within("memory's bytes per cycle, numerator", step, 1, MANY)?;
        within("memory's bytes per cycle, denominator", byte, 1, MANY)?;
        within("memory's bytes per access to a label", memory.wire_bytes, 1, BURST)?;
        Ok(Config {
            shape,
            role,
            engines: shape.engines as usize,
            window_bits: shape.window.trailing_zeros(),
            banks: machine.banks(),
            forwarding: machine.forwarding,
            xor: within("latency of XOR", machine.latency.xor, 1, MAX_UNIT_LATENCY)?,
            and: within("latency of AND", machine.latency.and(role), 1, MAX_UNIT_LATENCY)?,
            issue: within("issue FIFO", queues.issue, 1, MANY)?,
            late: queues.issue - queues.issue / 4,
            tables: within("table queue", queues.tables, BURST_TABLES, MANY)?,
            oor_addresses: within(
                "queue of out-of-range addresses",
                queues.oor_addresses,
                BURST_ADDRESSES,
                MANY,
            )?,
            oor_wires: within("queue of out-of-range labels", queues.oor_wires, 1, MANY)?,
            live: within("live queue", queues.live, 1, MANY)?,
            instruction_bursts: u64::from(
                within("instruction queue's bytes", queues.instruction_bytes, BURST, MANY)? / BURST,
            ),
            // With at most this many, labels of different bursts that are written together are in
            // different banks.
            loader_bursts: within("input labels in a cycle", queues.inputs, BURST_LABELS, MANY)?
                .min(machine.banks())
                .min(shape.window)
                / BURST_LABELS,
            instruction_grants: shape.engines / 8 + 2,
            credit_step: u64::from(step),
            credit_byte: u64::from(byte),
            credit_cap: u64::from(step) + u64::from(byte) * u64::from(BURST),
            latency: u64::from(within("memory's latency", memory.latency, 1, 1 << 20)?),
            wire_bytes: memory.wire_bytes,
        })
    }

    /// Number of the half that holds an address. A half is half a window of addresses.
    #[inline]
    pub fn half_of(&self, address: u32) -> u32 {
        address >> (self.window_bits - 1)
    }

    /// Parity of the lap of an address.
    #[inline]
    pub fn epoch(&self, address: u32) -> bool {
        address >> self.window_bits & 1 != 0
    }

    /// The bank of an address or slot.
    #[inline]
    pub fn bank(&self, slot: u32) -> usize {
        (slot & (self.banks - 1) & (self.shape.window - 1)) as usize
    }

    /// The address that an operand field with this slot means: the greatest one below `output`. A
    /// wire's slot is never that of an address after the output's.
    #[inline]
    pub fn operand(&self, slot: u32, output: u32) -> u32 {
        let lap = output & !(self.shape.window - 1);
        let address = lap | slot;
        if address < output { address } else { address.wrapping_sub(self.shape.window) }
    }

    /// Number of addresses in half `half` that instructions get, if the program's first instruction
    /// has output address `first_output`.
    pub fn instructions_in_half(&self, half: u32, first_output: u32) -> u32 {
        let size = self.shape.half();
        // Multiples of the window belong to no wire: the first address of every even half.
        let start = u64::from(half) * u64::from(size) + u64::from(half & 1 == 0);
        let end = (u64::from(half) + 1) * u64::from(size);
        end.saturating_sub(start.max(u64::from(first_output))) as u32
    }
}
