//! A program in the form that a machine runs: the result of a lowering and the input of a model.

use crate::machine::Shape;
use halfgate_circuit::Wire;
use halfgate_compiler::ProgramHash;
use halfgate_compiler::spool::Spool;

/// A lowered program.
///
/// Instructions are one list of rows with `shape.engines` places each; no-ops fill the last row.
/// Place `e` of a row goes to engine `e`. Read row by row, from left to right and without no-ops,
/// the instructions are the program's gates in order, with COPY and INV instructions inserted.
///
/// Memory: the inputs and outputs, and the in-memory shares of the lists. The rest of the lists is
/// in temporary files.
#[derive(Debug)]
pub struct Code {
    /// The shape that the program was lowered for.
    pub shape: Shape,
    /// Hash of the program.
    pub program: ProgramHash,
    /// The input bits and flip-flops of the circuit in the order of their addresses. The first has
    /// address 1; [`Shape::next_address`] gives the others.
    pub inputs: Vec<Wire>,
    /// Number of `inputs`, counted from the first, that lie in memory only. The others are in the
    /// window when the program starts.
    pub inputs_in_memory_only: usize,
    /// Output bits of all outputs, in order.
    pub outputs: Vec<Source>,
    /// Next bits of the flip-flops, in order.
    pub nexts: Vec<Source>,
    /// The address of the first instruction's output.
    pub first_output: u32,
    /// Instructions in rows, packed by [`Instruction::to_bits`](super::Instruction::to_bits).
    pub rows: Spool<8>,
    /// For each engine its out-of-range words, in the order in which it takes them. Bits 30..0 are
    /// the address. Bit 31 is set if no later out-of-range read, and no output, needs the wire.
    pub oor: Vec<Spool<4>>,
    /// Counts over the program.
    pub stats: Stats,
}

/// Bit 31 of an out-of-range word: this is the last read of the wire.
pub const OOR_LAST: u32 = 1 << 31;

/// Where the value of an output, or of a flip-flop's next bit, is after the program has run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Source {
    /// A public constant.
    Constant(bool),
    /// The label at `address` in memory.
    Wire {
        /// Address of an input or of a live instruction.
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
    /// Live instructions whose output is an output of the circuit or a flip-flop's next value.
    pub live_outputs: u64,
    /// Operands read from the out-of-range queues.
    pub oor_reads: u64,
    /// Out-of-range reads of inputs.
    pub oor_input_reads: u64,
    /// Inputs that are loaded into the window.
    pub inputs_loaded: u64,
}

impl Stats {
    /// Instructions that are not no-ops.
    pub fn instructions(&self) -> u64 {
        self.gates + self.copies + self.invs
    }
}
