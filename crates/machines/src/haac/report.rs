//! What a model measured.

/// Where engine cycles went: each cycle of each engine has exactly one cause.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Causes {
    /// An instruction was issued.
    pub issue: u64,
    /// Waited for an operand that another instruction computes.
    pub operand: u64,
    /// Lost a bank of the window, or its operands are on the way.
    pub bank: u64,
    /// Waited for other engines at the end of a half of the window.
    pub interlock: u64,
    /// The out-of-range queue was empty.
    pub oor_empty: u64,
    /// An input was not loaded yet.
    pub input: u64,
    /// The table queue was empty (evaluator) or full (garbler).
    pub table: u64,
    /// The queue of live labels was full.
    pub live_full: u64,
    /// Both writes of a bank in the cycle of write-back were taken.
    pub write_port: u64,
    /// Nothing was dispatched to the engine.
    pub empty: u64,
    /// The engine has nothing more to do.
    pub finished: u64,
}

/// Bytes moved between machine and memory.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Traffic {
    /// Encoded instructions.
    pub instructions: u64,
    /// Tables.
    pub tables: u64,
    /// Out-of-range addresses.
    pub oor_addresses: u64,
    /// Out-of-range labels.
    pub oor_wires: u64,
    /// Live labels, outputs among them.
    pub live: u64,
    /// Input labels loaded into the window.
    pub inputs: u64,
}

/// A run of a model.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Report {
    /// Cycles from the start to the last write-back or acknowledged write.
    pub cycles: u64,
    /// The cycle of the first issue.
    pub first_issue: u64,
    /// The cycle of the last write into the window.
    pub last_write_back: u64,
    /// Where the cycles of each engine went; each sums to `cycles`.
    pub engines: Vec<Causes>,
    /// Bytes, with labels counted as the memory's `wire_bytes`.
    pub traffic: Traffic,
}
