//! What the host finds wrong with a machine, its code, or the tables that it makes.

use halfgate_haac_model::machine::Shape;
use halfgate_haac_model::verify::VerifyError;

/// Why code that was made before is not for a machine or a program.
#[derive(Debug, thiserror::Error)]
pub enum CodeError {
    /// It is for another shape of machine.
    #[error("the code is for {code:?}, not {machine:?}")]
    Shape {
        /// That of the code.
        code: Shape,
        /// That of the machine.
        machine: Shape,
    },
    /// It does not compute the program.
    #[error("the code is not the program's: {0}")]
    NotTheProgram(VerifyError),
}

/// Something that a machine did or did not do. ANDs and tables have their numbers in the launch,
/// engines count from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RunError {
    /// It came to its end before all ANDs were done.
    #[error("it never ran AND {due} of {all}")]
    NeverRan {
        /// The first AND that is not done.
        due: u64,
        /// ANDs of a launch.
        all: u64,
    },
    /// An operand has no label.
    #[error(
        "in clock cycle {cycle} engine {engine} took wire {wire} for wire {out}, and that has no \
         label there"
    )]
    NoLabel {
        /// The clock cycle.
        cycle: u64,
        /// The engine.
        engine: u32,
        /// The operand.
        wire: u32,
        /// What it is an operand of.
        out: u32,
    },
    /// There is no such AND.
    #[error("it ran AND {number} of a program that has {all}")]
    BeyondEnd {
        /// The AND.
        number: u64,
        /// ANDs of a launch.
        all: u64,
    },
    /// The AND was done before.
    #[error("it ran AND {number} twice")]
    Twice {
        /// The AND.
        number: u64,
    },
    /// ANDs are done in order, but for some.
    #[error("AND {number} came more than a window before AND {due}")]
    TooEarly {
        /// The AND.
        number: u64,
        /// The first AND that is not done.
        due: u64,
    },
    /// An output was not written.
    #[error("wire {address} is an output, and is not in memory at the end")]
    Output {
        /// Its address.
        address: u32,
    },
    /// It made too few tables, or not those that come first.
    #[error("it made {made} tables in turn, not {all}")]
    Tables {
        /// Tables in turn.
        made: u64,
        /// Tables of a launch.
        all: u64,
    },
    /// Its code ends before the last table.
    #[error("its code has fewer ANDs than were counted")]
    FewerAnds,
    /// An engine makes or takes a table for which it has no AND.
    #[error("engine {engine} has more tables than ANDs")]
    MoreTables {
        /// The engine.
        engine: usize,
    },
}
