//! A program in the machine's own form: what a lowering makes and a model runs.

use crate::machine::Shape;
use halfgate_circuit::Wire;
use halfgate_compiler::ProgramHash;
use halfgate_compiler::spool::Spool;

/// A lowered program.
///
/// Instructions are one list of rows, `shape.engines` to a row, the last filled with no-ops; place
/// `e` of a row goes to engine `e`. Reading rows from left to right and leaving no-ops out gives
/// the program's gates in order, with COPY and INV instructions put between.
///
/// Memory: the layout; lists go on in temporary files.
#[derive(Debug)]
pub struct Code {
    /// What it was lowered for.
    pub shape: Shape,
    /// The program.
    pub program: ProgramHash,
    /// Which input bit or flip-flop of the circuit has which address: the first has address 1, the
    /// others follow as [`Shape::next_address`] says.
    pub inputs: Vec<Wire>,
    /// How many of `inputs`, counted from the first, only lie in memory; the others are in the
    /// window when the program starts.
    pub inputs_in_memory_only: usize,
    /// Output bits, through all outputs in order.
    pub outputs: Vec<Source>,
    /// Next bits of the flip-flops, in order.
    pub nexts: Vec<Source>,
    /// The address of the first instruction's output.
    pub first_output: u32,
    /// Instructions in rows, packed by [`Instruction::to_bits`](super::Instruction::to_bits).
    pub rows: Spool<8>,
    /// For each engine the out-of-range words in the order in which it pops them: bits 30..0 the
    /// address; bit 31 set where no later out-of-range read, and no output, needs the wire.
    pub oor: Vec<Spool<4>>,
    /// What is in it.
    pub stats: Stats,
}

/// Bit 31 of an out-of-range word: the last read of the wire.
pub const OOR_LAST: u32 = 1 << 31;

/// Where an output or a flip-flop's next value is when the program has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A public constant.
    Constant(bool),
    /// The label at `address`, in memory; the value is inverted if `invert`.
    Wire {
        /// The address: an input's or a live instruction's.
        address: u32,
        /// Whether the label's value is the inverse of the output.
        invert: bool,
    },
}

/// Counts over a lowered program (HAAC, Tables 2 and 3).
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Stats {
    /// Rows of instructions.
    pub rows: u64,
    /// Gates of the program: XOR and AND instructions.
    pub gates: u64,
    /// ANDs among them.
    pub ands: u64,
    /// COPY instructions.
    pub copies: u64,
    /// INV instructions.
    pub invs: u64,
    /// No-ops.
    pub nops: u64,
    /// Instructions whose output is written to memory.
    pub live: u64,
    /// Live ones that are outputs or flip-flops' next values.
    pub live_outputs: u64,
    /// Operands read from the out-of-range queues.
    pub oor_reads: u64,
    /// Those of them that are inputs.
    pub oor_input_reads: u64,
    /// Inputs that are loaded into the window.
    pub inputs_loaded: u64,
}

impl Stats {
    /// Instructions that do something.
    pub fn instructions(&self) -> u64 {
        self.gates + self.copies + self.invs
    }
}
