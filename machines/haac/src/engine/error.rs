//! Errors that the host finds in a machine, its code, or its tables.

use halfgate_haac_model::machine::Shape;
use halfgate_haac_model::verify::VerifyError;

/// Why existing code cannot run on a machine or for a program.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// The code is for another shape of machine.
    #[error("the code is for {code:?}, not {machine:?}")]
    Shape {
        /// The shape of the code.
        code: Shape,
        /// The shape of the machine.
        machine: Shape,
    },
    /// The code does not compute the program.
    #[error("the code is not the program's: {0}")]
    NotTheProgram(VerifyError),
}

/// An error in the behaviour of a machine. ANDs and tables are numbered in each launch, and engines
/// from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// The launch ended before all ANDs were done.
    #[error("it never ran AND {due} of {all}")]
    NeverRan {
        /// Number of the first AND that is not done.
        due: u64,
        /// Number of ANDs of a launch.
        all: u64,
    },
    /// An operand has no label.
    #[error(
        "in clock cycle {cycle} engine {engine} read wire {wire} to compute wire {out}, but wire \
         {wire} has no label there"
    )]
    NoLabel {
        /// The clock cycle.
        cycle: u64,
        /// The engine.
        engine: u32,
        /// The operand.
        wire: u32,
        /// Address of the instruction's output.
        out: u32,
    },
    /// The AND's number is too high.
    #[error("it ran AND {number} of a program that has {all}")]
    BeyondEnd {
        /// Number of the AND.
        number: u64,
        /// Number of ANDs of a launch.
        all: u64,
    },
    /// The AND was done already.
    #[error("it ran AND {number} twice")]
    Twice {
        /// Number of the AND.
        number: u64,
    },
    /// The AND came too far out of order.
    #[error("AND {number} came more than a window before AND {due}")]
    TooEarly {
        /// Number of the AND.
        number: u64,
        /// Number of the first AND that is not done.
        due: u64,
    },
    /// An output was not written to memory.
    #[error("wire {address} is an output, and is not in memory at the end")]
    Output {
        /// Its address.
        address: u32,
    },
    /// The machine made too few tables, or not the first ones.
    #[error("it made {made} tables in turn, not {all}")]
    Tables {
        /// Number of tables made, up to the first that is missing.
        made: u64,
        /// Number of tables of a launch.
        all: u64,
    },
    /// The code has fewer ANDs than expected.
    #[error("its code has fewer ANDs than were counted")]
    FewerAnds,
    /// An engine makes or requests a table beyond its ANDs.
    #[error("engine {engine} has more tables than ANDs")]
    MoreTables {
        /// The engine.
        engine: usize,
    },
}
