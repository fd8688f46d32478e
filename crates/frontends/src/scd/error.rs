//! Errors in a line, and errors in writing a circuit.

use halfgate_circuit::Wire;
use std::fmt;
use std::io;
use thiserror::Error;

/// Errors in a line of a file.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[allow(missing_docs)] // The messages describe the variants.
pub enum Problem {
    #[error("the file ends before {0}")]
    EndsBefore(&'static str),
    #[error(
        "expected the sizes `g_init e_init g_input e_input flip-flops outputs gates`, found {0} \
         numbers"
    )]
    Sizes(usize),
    #[error("size {0} is negative")]
    NegativeSize(i64),
    #[error("the sizes make {wires} wires: a circuit has at most {}", Wire::MAX)]
    TooLarge { wires: u128 },
    #[error("the sizes announce {announced} {what}; this line ends after {found}")]
    TooFew { what: &'static str, announced: u64, found: u64 },
    #[error("the sizes announce {announced} {what}; this line has more")]
    TooMany { what: &'static str, announced: u64 },
    #[error("a line after the last: an SCD file has seven")]
    TrailingLine,

    #[error(
        "{place} is wire {wire}, but the sizes make {wires} wires, from 0 (constants are -2 for 0 \
         and -3 for 1)"
    )]
    WireRange { place: Place, wire: i64, wires: u32 },
    #[error("{place} is -1, which is no wire: only the second input of a NOT may be -1")]
    NoWire { place: Place },
    #[error(
        "{place} is the gate's own output, wire {wire}: a combinational loop; only a flip-flop \
         can feed a value back"
    )]
    ReadsItself { place: Place, wire: u32 },
    #[error(
        "{place} is wire {wire}, which only gate {driver} drives: a gate must come after the \
         gates it reads, and combinational loops cannot be computed (a flip-flop's data wire may \
         be any)"
    )]
    ReadTooEarly { place: Place, wire: u32, driver: u64 },
    #[error(
        "gate {gate} has the unknown type {code}: known are AND 8, ANDN 4, NAND 7, NANDN 11, \
         OR 14, ORN 13, NOR 1, NORN 2, XOR 6, XNOR 9 and NOT 12"
    )]
    UnknownType { gate: u64, code: i64 },
    #[error("gate {gate} is a NOT with a second input; write -1 there")]
    SecondInput { gate: u64 },
    #[error("gate {gate}, {name}, has no second input (-1): only a NOT has one input")]
    NoSecondInput { gate: u64, name: &'static str },
    #[error(
        "flip-flop {flip_flop} starts from wire {wire}, {what}: it has no value before the \
         first cycle; use a g_init or e_init wire, -2 (0) or -3 (1)"
    )]
    InitialWire { flip_flop: u64, wire: i64, what: &'static str },

    #[error("expected a word of {expected} hexadecimal digits, found {found}")]
    Digits { expected: &'static str, found: u64 },
    #[error("{0:?} is no hexadecimal digit")]
    NotHex(char),
    #[error("more than one word in the line")]
    SecondWord,
    #[error("the word {0:x} has more than 32 bits: the first of nine digits is 0")]
    WordTooWide(u64),
    #[error("the four highest bits of a header word are 0, not {0:x}")]
    HeaderBits(u32),
    #[error("the type field of flip-flop {flip_flop} is {code}: a flip-flop's is 15 (-1)")]
    FlipFlopType { flip_flop: u64, code: u32 },
    #[error(
        "the header announces {announced} records (flip-flops and gates); the file ends after \
         {found}"
    )]
    MissingRecords { announced: u64, found: u64 },
    #[error("a line after the last of the {0} records that the header announces")]
    TrailingRecord(u64),
    #[error("the header announces {announced} outputs; {found} records are marked as outputs")]
    OutputCount { announced: u64, found: u64 },
    #[error(
        "the header announces {announced} free gates (XOR, XNOR and NOT), but {found} gates are free"
    )]
    FreeCount { announced: u64, found: u64 },
}

/// An entry of a file that names a wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// A gate's first input.
    First(u64),
    /// A gate's second input.
    Second(u64),
    /// The data wire of a flip-flop, which gives its next value.
    Data(u64),
    /// An output.
    Output(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Place::First(gate) => write!(f, "the first input of gate {gate}"),
            Place::Second(gate) => write!(f, "the second input of gate {gate}"),
            Place::Data(flip_flop) => write!(f, "the data wire of flip-flop {flip_flop}"),
            Place::Output(output) => write!(f, "output {output}"),
        }
    }
}

/// Errors in writing a circuit.
#[derive(Debug, Error)]
pub enum WriteError {
    /// The output cannot be written.
    #[error("cannot write the circuit: {0}")]
    Io(#[from] io::Error),
    /// The written circuit would have more wires than a circuit may have.
    #[error("with a gate for each inversion after the last gate the circuit has {wires} wires, more than {max}", max = Wire::MAX)]
    TooLarge {
        /// Wires that the file would have.
        wires: u64,
    },
    /// A number is too large for its field in an HSCD file.
    #[error(
        "{what} is {value}, but its field of {bits} bits in an HSCD file holds at most {max}: {} \
         too many; write SCD instead", value - max
    )]
    Field {
        /// Name of the number that is too large.
        what: String,
        /// The number.
        value: u64,
        /// Bits of the field.
        bits: u32,
        /// The largest value that the field holds.
        max: u64,
    },
    /// The circuit has constant outputs but no wires. An HSCD file makes constants from wires.
    #[error(
        "an HSCD file makes constant outputs from wires, and this circuit has none: write SCD \
         instead"
    )]
    NoWire,
}
