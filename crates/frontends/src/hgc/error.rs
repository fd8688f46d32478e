//! Errors in a line, and errors in writing a circuit.

use super::{MAGIC, MAX_FRACTION, MAX_NAME_BYTES, VERSION};
use halfgate_circuit::Wire;
use std::io;
use thiserror::Error;

/// Errors in a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum Problem {
    #[error("expected `{MAGIC} {VERSION}` in the first line: this is not a file in HGC format")]
    NoMagic,
    #[error(
        "the file is in version {0} of the HGC format, and this Halfgate reads version {VERSION}: \
         use a newer Halfgate"
    )]
    Version(String),
    #[error(
        "`{0}` needs version 2 of the HGC format, which will have functions and calls; this \
         Halfgate reads version {VERSION}, so write the circuit with all its gates"
    )]
    Reserved(String),
    #[error(
        "unknown word {0:?}: a line begins with cycles, input, flip-flop, output, bits, next, end \
         or the number of the wire that a gate drives"
    )]
    UnknownWord(String),
    #[error(
        "`{word}` comes too late, after {after}: the order is cycles, inputs, flip-flops, gates, \
         then outputs and next states"
    )]
    TooLate { word: &'static str, after: &'static str },
    #[error("a word starting {0:?}… is too long")]
    WordTooLong(String),
    #[error("the line ends before {what}; it is written `{form}`")]
    Missing { what: &'static str, form: &'static str },
    #[error("{found:?} after the end of `{form}`")]
    Extra { found: String, form: &'static str },
    #[error("expected {expected}, found {found:?}")]
    Expected { expected: &'static str, found: String },

    #[error("cycles are given a second time")]
    CyclesTwice,
    #[error("the circuit runs for 0 cycles; it needs at least 1")]
    NoCycles,
    #[error(
        "{0} cycles are all the same, as the circuit has neither flip-flops nor per-cycle ports: \
         leave the line out"
    )]
    IdleCycles(u64),

    #[error("a name starts with {0:?}: put it in quotation marks, as a JSON string")]
    NameNeedsQuotes(char),
    #[error("the name is no JSON string: {0}")]
    BadString(String),
    #[error("the quotation marks around the name are not closed in this line")]
    OpenString,
    #[error("a name is empty")]
    EmptyName,
    #[error("the name takes more than {MAX_NAME_BYTES} bytes")]
    NameTooLong,
    #[error("two {ports} are named {name:?}: rename one")]
    SameName { ports: &'static str, name: String },
    #[error("{0:?} is no owner: an input is the `garbler`'s or the `evaluator`'s")]
    Party(String),
    #[error("{name:?} has {width} bits: a port has from 1 to {}", Wire::MAX)]
    Width { name: String, width: u64 },
    #[error("the type of {name:?}: {problem}")]
    Type { name: String, problem: TypeProblem },
    #[error("input {name:?} cannot be a set: a set has unsigned elements, and is of the whole run")]
    Set { name: String },
    #[error("with these the circuit has more than {} wires", Wire::MAX)]
    TooManyWires,

    #[error("{what} {found} is out of order, expected {expected}: wires are numbered without gaps")]
    WireNumber { what: &'static str, expected: u64, found: u64 },
    #[error(
        "flip-flop {flip_flop} starts from wire {wire}, which is no bit of a per-run input: start \
         it from one, or from false or true"
    )]
    InitialWire { flip_flop: u64, wire: u64 },
    #[error("flip-flop {0} starts from an inverted wire; there is no gate before the first cycle")]
    InitialInverted(u64),
    #[error(
        "wire {wire} is read by the gate that drives wire {own}: a gate reads lower wires only \
         (a value is fed back through a flip-flop)"
    )]
    ReadTooEarly { wire: u64, own: u64 },
    #[error("a gate reads wires, never a constant: leave out the gate, its value is known")]
    ConstantOperand,
    #[error("unknown gate {0:?}: known are and, nand, xor, xnor, copy and not")]
    UnknownGate(String),

    #[error("wire {wire} does not exist: the circuit has {wires} wires, from 0")]
    NoSuchWire { wire: u64, wires: u64 },
    #[error("`bits` without an output before it that still needs bits")]
    BitsWithoutOutput,
    #[error("a `bits` line without bits")]
    NoBits,
    #[error("output {name:?} has {width} bits, but this line gives more")]
    TooManyBits { name: String, width: u64 },
    #[error("output {name:?} has {width} bits, but only {found} of them come before this line")]
    TooFewBits { name: String, width: u64, found: u64 },
    #[error("a next state, but all flip-flops have one already (or there are no flip-flops)")]
    TooManyNext,
    #[error("{missing} flip-flops have no next state, the first of them wire {wire}")]
    TooFewNext { wire: u64, missing: u64 },
    #[error("the file ends before the line `end`: it was cut short")]
    NoEnd,
    #[error("a line after `end`")]
    AfterEnd,
}

/// Errors in the type of a port.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum TypeProblem {
    #[error(
        "{0:?} is unknown: known are unsigned, signed, bytes and text, each alone or with the bits \
         of an element as in signed:32; fixed:32.16 and fixed-unsigned:32.16 with the bits after \
         the point; float32 and float64"
    )]
    Unknown(String),
    #[error("an element of {0} bits has none")]
    NoBits(u32),
    #[error("the port's {port} bits are no multiple of an element's {element}")]
    NoMultiple { port: u32, element: u32 },
    #[error("a number of this kind has {expected} bits, not {found}")]
    FloatWidth { expected: u32, found: u32 },
    #[error("{0} bits after the point are more than {MAX_FRACTION}")]
    Fraction(u32),
}

/// Errors in writing a circuit.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output cannot be written.
    #[error("cannot write the circuit: {0}")]
    Io(#[from] io::Error),
    /// A port has a type that readers reject.
    #[error("the type of port {name:?} cannot be written: {problem}")]
    Type {
        /// Name of the port.
        name: String,
        /// The error in the type.
        problem: TypeProblem,
    },
    /// A name takes more bytes than readers accept.
    #[error("a port's name takes {bytes} bytes in a file, more than {MAX_NAME_BYTES}")]
    NameTooLong {
        /// Bytes that the name takes.
        bytes: usize,
    },
}
