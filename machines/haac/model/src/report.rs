//! The results of a model's run. `machines/haac/spec/machine.md` defines every counter.

use std::iter::Sum;
use std::ops::{Add, AddAssign};

/// The causes of engines' cycles: each cycle of each engine has exactly one cause.
///
/// In a cycle without an issue, an instruction may be waiting at the units; then its wait is the
/// cause. Otherwise a gap has reached the units. Its cause is the reason why an earlier stage
/// handed no instruction on, as many cycles ago as the gap took to reach the units.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Causes {
    /// An instruction was issued.
    pub issue: u64,
    /// Waited for an operand that another instruction still computes.
    pub operand: u64,
    /// Lost an access to a bank of the window, reading.
    pub bank: u64,
    /// Waited for other engines, or for writes, at the end of a half of the window.
    pub interlock: u64,
    /// The out-of-range queue was empty, or both operands came from it.
    pub oor_empty: u64,
    /// An input was not loaded yet.
    pub input: u64,
    /// The table queue was empty (evaluator) or full (garbler).
    pub table: u64,
    /// The queue of live labels was full.
    pub live_full: u64,
    /// The bank had no free write in the cycle of write-back.
    pub write_port: u64,
    /// The instruction queue did not have a whole row yet.
    pub instructions: u64,
    /// The next row waited for free space in another engine's queue.
    pub behind: u64,
    /// A row had a no-op for the engine.
    pub nop: u64,
    /// The engine has no instructions left.
    pub finished: u64,
}

impl Causes {
    /// Every cause with its name, in the order of the fields.
    pub fn named(&self) -> [(&'static str, u64); 13] {
        [
            ("issue", self.issue),
            ("operand", self.operand),
            ("bank", self.bank),
            ("interlock", self.interlock),
            ("oor_empty", self.oor_empty),
            ("input", self.input),
            ("table", self.table),
            ("live_full", self.live_full),
            ("write_port", self.write_port),
            ("instructions", self.instructions),
            ("behind", self.behind),
            ("nop", self.nop),
            ("finished", self.finished),
        ]
    }

    /// The sum of all causes: the cycles of the run.
    pub fn sum(&self) -> u64 {
        self.named().iter().map(|(_, cycles)| cycles).sum()
    }
}

impl AddAssign for Causes {
    fn add_assign(&mut self, more: Causes) {
        self.issue += more.issue;
        self.operand += more.operand;
        self.bank += more.bank;
        self.interlock += more.interlock;
        self.oor_empty += more.oor_empty;
        self.input += more.input;
        self.table += more.table;
        self.live_full += more.live_full;
        self.write_port += more.write_port;
        self.instructions += more.instructions;
        self.behind += more.behind;
        self.nop += more.nop;
        self.finished += more.finished;
    }
}

impl Add for Causes {
    type Output = Causes;

    fn add(mut self, more: Causes) -> Causes {
        self += more;
        self
    }
}

impl Sum for Causes {
    fn sum<I: Iterator<Item = Causes>>(all: I) -> Causes {
        all.fold(Causes::default(), Add::add)
    }
}

/// Bytes moved between machine and memory, by kind.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Bytes {
    /// Encoded instructions.
    pub instructions: u64,
    /// Tables.
    pub tables: u64,
    /// Out-of-range addresses.
    pub oor_addresses: u64,
    /// Out-of-range labels.
    pub oor_wires: u64,
    /// Live labels, outputs and flip-flops' next labels among them.
    pub live: u64,
    /// Part of `live`: outputs and flip-flops' next labels.
    pub live_outputs: u64,
    /// Input labels loaded into the window.
    pub inputs: u64,
}

impl Bytes {
    /// The sum of all kinds.
    pub fn sum(&self) -> u64 {
        self.instructions
            + self.tables
            + self.oor_addresses
            + self.oor_wires
            + self.live
            + self.inputs
    }
}

/// Requests that memory accepted, by kind. A burst is 64 bytes.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Bursts of encoded instructions.
    pub instruction_bursts: u64,
    /// Bursts of two tables.
    pub table_bursts: u64,
    /// Bursts of 16 out-of-range addresses.
    pub oor_address_bursts: u64,
    /// Reads of out-of-range labels.
    pub oor_wires: u64,
    /// Writes of live labels.
    pub live: u64,
    /// Part of `live`: outputs and flip-flops' next labels.
    pub live_outputs: u64,
    /// Bursts of four input labels.
    pub input_bursts: u64,
}

impl Traffic {
    /// Bytes by kind, if an access to a single label moves `wire_bytes`: 16 as the paper counts, 64
    /// for whole bursts.
    pub fn bytes(&self, wire_bytes: u32) -> Bytes {
        let wire = u64::from(wire_bytes);
        Bytes {
            instructions: 64 * self.instruction_bursts,
            tables: 64 * self.table_bursts,
            oor_addresses: 64 * self.oor_address_bursts,
            oor_wires: wire * self.oor_wires,
            live: wire * self.live,
            live_outputs: wire * self.live_outputs,
            inputs: 64 * self.input_bursts,
        }
    }
}

/// How often parts of the machine were used.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Activity {
    /// ANDs issued.
    pub ands: u64,
    /// XORs and UNARYs issued.
    pub xors: u64,
    /// Cycles in which a half-gate unit held at least one AND, added over the engines.
    pub half_gate_cycles: u64,
    /// Reads of the window that were granted and used.
    pub window_reads: u64,
    /// Writes into the window, loaded inputs among them.
    pub window_writes: u64,
    /// Operands that came over the forwarding bus.
    pub forwarded: u64,
    /// Operands that came from out-of-range queues.
    pub oor_pops: u64,
}

/// A run of a model.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Report {
    /// Cycles from the start to the last write into the window or acknowledged write to memory.
    pub cycles: u64,
    /// The cycle of the first issue, that is, the time until the pipeline starts.
    pub first_issue: u64,
    /// The cycle of the last write into the window.
    pub last_write_back: u64,
    /// Causes of each engine's cycles; each engine's sum is `cycles`.
    pub engines: Vec<Causes>,
    /// Memory traffic while the program ran.
    pub traffic: Traffic,
    /// Bytes in queues and window before the first cycle, for a preloaded start.
    pub preloaded_bytes: u64,
    /// Cycles in which a request waited only because the bandwidth was used up.
    pub memory_bound_cycles: u64,
    /// Bytes that an access to a label counts against the bandwidth.
    pub wire_bytes: u32,
    /// Bandwidth of memory in bytes per cycle, as a fraction.
    pub bytes_per_cycle: (u32, u32),
    /// Use counts of the machine's parts.
    pub activity: Activity,
}

impl Report {
    /// Causes of all engines' cycles.
    pub fn causes(&self) -> Causes {
        self.engines.iter().copied().sum()
    }

    /// Bytes by kind, as counted against the bandwidth.
    pub fn bytes(&self) -> Bytes {
        self.traffic.bytes(self.wire_bytes)
    }

    /// The fraction of the bandwidth that was used: 0 to 1.
    pub fn memory_share(&self) -> f64 {
        let (bytes, cycles) = self.bytes_per_cycle;
        let can = self.cycles as f64 * f64::from(bytes) / f64::from(cycles.max(1));
        if can > 0.0 { self.bytes().sum() as f64 / can } else { 0.0 }
    }

    /// Cycles from the first issue to the last write into the window, both included. The paper's
    /// Table 5 counts time in this way.
    pub fn busy_cycles(&self) -> u64 {
        self.last_write_back + 1 - self.first_issue.min(self.last_write_back + 1)
    }
}
