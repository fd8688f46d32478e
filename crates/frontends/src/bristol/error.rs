//! Errors in a line, and errors in writing a circuit.

use super::Format;
use halfgate_circuit::Wire;
use std::io;
use thiserror::Error;

/// Errors in a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum Problem {
    #[error("the word starting {0:?} is too long for a gate's name")]
    WordTooLong(String),
    #[error("{0:?} after the gate's name {1}: a gate ends with its name")]
    AfterName(char, String),
    #[error("more than {0} numbers in one line")]
    LineTooLong(usize),

    #[error("the file ends before {0}")]
    EndsBefore(&'static str),
    #[error("expected {expected}, found {found}")]
    Expected { expected: &'static str, found: String },
    #[error("the line announces {announced} {what} widths and gives {given}")]
    Widths { what: &'static str, announced: u64, given: usize },
    #[error("{gates} gates and {wires} wires: a circuit has at most {} wires", Wire::MAX)]
    TooLarge { gates: u64, wires: u64 },
    #[error("the {what} have {bits} bits in all, more than the {wires} wires of the first line")]
    PortsTooWide { what: &'static str, bits: u128, wires: u64 },
    #[error("{gates} gates and {inputs} input bits make more than the {wires} wires announced")]
    TooFewWires { gates: u64, inputs: u64, wires: u64 },
    #[error("{0} output bits are inputs passed through: at most {1} may be")]
    PassedThrough(u64, u64),

    #[error("a gate without its name (XOR, AND, INV, EQ, EQW, MAND, OR, NAND, NOR or XNOR)")]
    NoName,
    #[error(
        "unknown gate {0}: known are XOR, AND, INV (or NOT), EQ, EQW (or BUF), MAND, OR, NAND, NOR \
         and XNOR"
    )]
    UnknownGate(String),
    #[error("{gate} is written `{form}`; found {found}")]
    Form { gate: &'static str, form: &'static str, found: String },
    #[error("EQ takes the constant 0 or 1, not {0}")]
    Constant(u64),
    #[error("wire {wire} is out of range: the header announces {wires} wires, from 0")]
    WireRange { wire: u64, wires: u64 },
    #[error("wire {0} is assigned, but it is an input")]
    AssignsInput(u32),
    #[error("wire {0} is assigned a second time")]
    AssignedTwice(u32),
    #[error(
        "wire {wire} is read here and assigned only on line {assigned}: a gate must come after the gates it reads, and cycles cannot be computed"
    )]
    ReadTooEarly { wire: u32, assigned: u64 },
    #[error("wire {0} is read, but no gate assigns it")]
    NeverAssigned(u32),
    #[error("the header announces {announced} gates; the file ends after {found}")]
    MissingGates { announced: u64, found: u64 },
    #[error("a line after the last of the {0} gates that the header announces")]
    TrailingLine(u64),
    #[error("the header announces {announced} wires; inputs and gates make {found}")]
    WireCount { announced: u64, found: u64 },
}

/// Errors in writing a circuit.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output cannot be written, or the temporary file of a long circuit.
    #[error("cannot write the circuit: {0}")]
    Io(#[from] io::Error),
    /// Flip-flops, cycles or per-cycle ports.
    #[error("the circuit is sequential ({0}), and Bristol files hold combinational circuits only")]
    Sequential(&'static str),
    /// The circuit has several inputs that an old file must join, but their order does not allow
    /// this.
    #[error(
        "an old Bristol file has two inputs; this circuit has {0}, which can be joined only where \
         all of the garbler's come before all of the evaluator's: write Bristol Fashion instead"
    )]
    Inputs(usize),
    /// The circuit has outputs but no input. An old file makes constants from inputs.
    #[error(
        "an old Bristol file makes constants from inputs, and this circuit has none: write \
         Bristol Fashion instead"
    )]
    NoInput,
    /// The written circuit would have more wires than a circuit may have.
    #[error("with its inverters as gates the circuit has {wires} wires in {format:?} form, more than {max}", max = Wire::MAX)]
    TooLarge {
        /// Wires that the file would have.
        wires: u64,
        /// The requested format.
        format: Format,
    },
}
