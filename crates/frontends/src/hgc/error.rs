//! Errors in a line, and errors in writing a circuit.

use super::{FLAT_VERSION, MAGIC, MAX_FRACTION, MAX_NAME_BYTES, MAX_RANGE, VERSION};
use halfgate_circuit::Wire;
use halfgate_circuit::structured::StructureError;
use halfgate_circuit::structured::verify::MAX_NESTING;
use std::io;
use thiserror::Error;

/// Errors in a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum Problem {
    #[error(
        "expected `{MAGIC} {FLAT_VERSION}` or `{MAGIC} {VERSION}` in the first line: this is not a \
         file in HGC format"
    )]
    NoMagic,
    #[error(
        "the file is in version {0} of the HGC format, and this Halfgate reads versions \
         {FLAT_VERSION} and {VERSION}: use a newer Halfgate"
    )]
    Version(String),
    #[error(
        "`{0}` needs version {VERSION} of the HGC format, which has functions and calls: begin the \
         file with `{MAGIC} {VERSION}`"
    )]
    Reserved(String),
    #[error("unknown word {word:?}: a line begins with {known}")]
    UnknownWord { word: String, known: &'static str },
    #[error(
        "`{word}` comes too late, after {after}: the order is functions, cycles, inputs, \
         flip-flops, gates and calls, then outputs and next states"
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

    #[error(
        "outputs have {bits} bits so far, in a file of {bytes} bytes whose gates and calls drive \
         {driven} wires: a file may repeat at most {allowed} bits"
    )]
    TooManyOutputBits { bits: u64, bytes: u64, driven: u64, allowed: u64 },
    #[error(transparent)]
    Call(#[from] CallProblem),
}

/// Errors in a function or a call, in version 2.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum CallProblem {
    #[error(
        "the circuit calls functions, and this reader gives circuits without calls: read it with \
         `hgc::read_structured`, and flatten it if its gates are needed"
    )]
    NotFlat,
    #[error(
        "`{0}` in a function: its lines begin with the number of a wire, shared, slice, list, \
         bits, return or end-function"
    )]
    InFunction(&'static str),
    #[error("`{0}` outside of a function")]
    OutsideFunction(&'static str),
    #[error("`{0}` after `return`: only `bits` and `end-function` may follow it")]
    AfterReturn(&'static str),
    #[error("`end-function` without `return` before it: every function has outputs")]
    NoReturn,
    #[error("a function has {found} {what}: it has from 1 to {}", Wire::MAX)]
    Width { what: &'static str, found: u64 },
    #[error("the function has {outputs} outputs, but this line gives more")]
    TooManyReturned { outputs: u32 },
    #[error("the function has {outputs} outputs, but only {found} of them come before this line")]
    TooFewReturned { outputs: u32, found: usize },
    #[error("a function returns wires, never a constant: leave this output out")]
    ConstantReturned,

    #[error("no function before this line is named {0:?}: a body calls only functions before it")]
    NoSuchName(String),
    #[error("{functions} functions come before this line, so there is no function {number}")]
    NoSuchNumber { number: u64, functions: usize },
    #[error("the function calls itself, and functions do not recurse: fold it over steps")]
    Recursive,
    #[error("several functions are named {0:?}: call this one by its number, from 0")]
    Ambiguous(String),
    #[error(
        "unknown form {0:?}: a call runs `once`, or is a `map LANES` or a `fold STEPS state BITS`"
    )]
    UnknownForm(String),
    #[error("the call runs 0 times: leave it out")]
    NeverRuns,
    #[error(
        "the call folds {state} bits of state through a function of {inputs} inputs and {outputs} \
         outputs"
    )]
    State { state: u64, inputs: u32, outputs: usize },
    #[error(
        "the call drives {count} wires, {first} to {}, so its line begins with {}",
        first + (count - 1),
        Wires(*first, first + (count - 1))
    )]
    Driven { first: u64, count: u64 },
    #[error("a gate drives one wire, not several")]
    WideGate,
    #[error("calls are nested more than {MAX_NESTING} deep: put the function's gates here")]
    TooDeep,
    #[error("64 bits cannot count the gates of this body: call functions fewer times")]
    TooManyGates,

    #[error("`{0}` without a call before it whose inputs are missing")]
    NoCall(&'static str),
    #[error("the function has {inputs} inputs, but this line gives more")]
    TooManyPassed { inputs: u32 },
    #[error("the function has {inputs} inputs, but only {found} bits are passed in the next lines")]
    TooFewPassed { inputs: u32, found: u32 },
    #[error("the list has {bits} bits for {runs} runs of {width}, but this line gives more")]
    TooManyListed { bits: u64, runs: u64, width: u32 },
    #[error(
        "a list of {width} bits for {runs} runs needs {missing} bits more, which should come \
         before this line"
    )]
    TooFewListed { runs: u64, width: u32, missing: u64 },
    #[error("an argument has no bits: leave it out")]
    EmptyArgument,
    #[error("the first {state} inputs are state, which is given once: share them")]
    StateNotShared { state: u32 },
    #[error("an argument is wires, never a constant: make a function for that constant")]
    ConstantArgument,
    #[error("wire {wire} is not driven before the call: there are {wires} wires before it, from 0")]
    NotDriven { wire: u128, wires: u64 },
    #[error(
        "{0} is more than {MAX_RANGE} wires: write several ranges (outputs may have long ones)"
    )]
    LongRange(String),
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
    /// The circuit has calls and is not valid.
    #[error(transparent)]
    Invalid(#[from] StructureError),
    /// A name takes more bytes than readers accept.
    #[error("a name takes {bytes} bytes in a file, more than {MAX_NAME_BYTES}")]
    NameTooLong {
        /// Bytes that the name takes.
        bytes: usize,
    },
}

/// Formats the wires from the first number to the last, as at the beginning of a call's line.
pub(super) struct Wires(pub(super) u64, pub(super) u64);

impl std::fmt::Display for Wires {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Wires(first, last) if first == last => write!(f, "{first}"),
            Wires(first, last) => write!(f, "{first}..{last}"),
        }
    }
}
