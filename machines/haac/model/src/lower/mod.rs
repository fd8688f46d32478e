//! Lowers a program to code for a machine of gate engines (HAAC, section 4). Two passes over the
//! gates; read them in this order:
//!
//! 1. [`uses`] goes backwards and notes for each gate when its operands and its result are read
//!    next.
//! 2. [`layout`] gives addresses to the inputs.
//! 3. [`rename`] goes forwards. It gives each result the next address, finds operands in the window
//!    or out of range, and inserts INV and COPY instructions where they are needed or worth it.
//! 4. [`spent`] holds instructions back until their results leave the window. Only then is it known
//!    which results are read from memory later; their instructions get the live bit.
//! 5. [`assign`] gives instructions to engines, and [`streams`] writes rows and out-of-range words.
//!
//! [`choose`] does all of this in several ways, times the results and takes the fastest code.
//!
//! # Names and inversions
//!
//! A label at an address stands for a wire of the program or for its inverse. Inverting the output
//! of an XOR or AND costs nothing, since only the noted polarity of the wire changes. An operand of
//! an AND must have the polarity that the gate requires, as its table depends on the polarity. If
//! it has the other one, an INV instruction computes the inverse, which later gates use as well.
//! Programs in the orders `haac:baseline`, `haac:full` and `haac:segment` have no such operands.
//!
//! So a wire may have two addresses, one for each polarity, and a COPY adds a newer address. When
//! an address leaves the window, it is forgotten unless it is the wire's newest address. A result
//! is read out of range if and only if its address is the newest of its wire when it leaves the
//! window, and the wire is read again. So the live bit is exact.
//!
//! # Memory
//!
//! The wires alive at once (8 MiB, or at most 64 bytes per wire, twice), 24 bytes for each label of
//! the window and eight for each no-op inserted, the bits of ports and flip-flops, and the
//! in-memory shares of the lists, which are fixed: notes (32 MiB), rows and out-of-range words. The
//! rest of a longer list is in temporary files.

mod assign;
pub mod choose;
mod layout;
mod rename;
mod spent;
mod streams;
mod uses;

#[cfg(test)]
pub(crate) mod tests;

pub use assign::Timing;

use crate::code::{Code, Stats};
use crate::machine::Shape;
use assign::Engines;
use halfgate_compiler::Program;
use rename::Renamer;
use std::io;
use streams::Streams;
use thiserror::Error;
use uses::Uses;

/// How a program is lowered.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Lowering {
    /// Order of the inputs' addresses.
    pub inputs: InputLayout,
    /// Where COPY instructions are inserted.
    pub copies: Copies,
    /// Treatment of AND operands that have the wrong polarity.
    pub inversions: Inversions,
    /// How instructions are assigned to engines.
    pub assignment: Assignment,
}

impl Lowering {
    /// The paper's lowering: no COPY, no INV, inputs in the order of the ports.
    pub const PAPER: Lowering = Lowering {
        inputs: InputLayout::Ports,
        copies: Copies::Never,
        inversions: Inversions::Refuse,
        assignment: Assignment::RoundRobin,
    };

    /// Fewest bytes: wires that will be read again soon are brought back into the window.
    pub const BEST: Lowering = Lowering {
        inputs: InputLayout::FirstUse,
        copies: Copies::Auto,
        inversions: Inversions::Insert,
        assignment: Assignment::RoundRobin,
    };
}

/// Order of the addresses of inputs (input bits and flip-flops).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputLayout {
    /// All inputs, in the order of ports and flip-flops.
    Ports,
    /// In the order in which the program first reads them. Inputs of the same gate are in the order
    /// of ports; inputs that are only outputs come last. Inputs that nothing needs get no address.
    FirstUse,
}

/// Where COPY instructions are inserted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// Nowhere. Only copy gates of the program become copies; only the order `given` keeps such
    /// gates.
    Never,
    /// Where a wire is read out of range and will be read again while its copy is in the window.
    /// The copy costs one instruction and saves at least one read of a label and of its address.
    Auto,
    /// As `Auto`. Also, wires in the window are copied before they leave it, which saves writing
    /// them to memory and reading them back. Each copy keeps a wire for another half of the window.
    Keep {
        /// The largest number of halves of the window for which copies keep a wire: from the half
        /// of its first copy to that of its read. 0 counts as 1.
        halves: u32,
    },
}

/// Treatment of AND operands that have the wrong polarity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inversions {
    /// An INV instruction is inserted before the AND.
    Insert,
    /// The program is refused with an error.
    Refuse,
}

/// How instructions are assigned to engines.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Assignment {
    /// To each engine in turn.
    RoundRobin,
    /// A small model times two assignments: round robin, and one that passes over waiting engines
    /// (with no-ops for them). The faster assignment is taken.
    Simulated(Timing),
}

/// Why a program could not be lowered.
#[derive(Debug, Error)]
pub enum LowerError {
    /// The machine's shape is impossible.
    #[error(
        "cannot lower for {engines} engines and a window of {window} labels: the window must be a \
         power of two, {} to {} labels and at least 2 for each of at least 1 engine",
        Shape::LEAST_WINDOW,
        Shape::MOST_WINDOW
    )]
    Shape {
        /// Engines of the shape.
        engines: u32,
        /// Labels of its window.
        window: u32,
    },
    /// An operand of an AND is inverted, and INV instructions are not allowed.
    #[error(
        "gate {gate} is an AND of an inverted operand, which needs an INV instruction: use an order \
         of haac, or allow INV"
    )]
    Inverted {
        /// The gate's number in the program.
        gate: u64,
    },
    /// There are more wires than addresses.
    #[error(
        "the lowered program has more than 2^31 - 2 wires: make its body shorter and repeat it"
    )]
    TooLong,
    /// A temporary file could not be written or read.
    #[error("cannot use a temporary file (in TMPDIR) for the lowered program: {0}")]
    Spool(#[from] io::Error),
}

/// Lowers `program`.
///
/// Memory: see the [module](self).
///
/// # Errors
/// See [`LowerError`].
pub fn lower(program: &Program, shape: Shape, how: Lowering) -> Result<Code, LowerError> {
    Ok(run(program, shape, how, true)?.0)
}

/// The statistics of [`lower`], without keeping rows and out-of-range words.
///
/// # Errors
/// See [`LowerError`].
pub fn statistics(program: &Program, shape: Shape, how: Lowering) -> Result<Stats, LowerError> {
    Ok(run(program, shape, how, false)?.0.stats)
}

/// The code and, with an assignment by simulation, its time in the small model.
fn run(
    program: &Program,
    shape: Shape,
    how: Lowering,
    keep: bool,
) -> Result<(Code, Option<u64>), LowerError> {
    if !shape.is_possible() {
        let Shape { engines, window } = shape;
        return Err(LowerError::Shape { engines, window });
    }
    let Assignment::Simulated(timing) = how.assignment else {
        let engines = Engines::round_robin(shape, None);
        return pass(program, shape, how, engines, keep);
    };
    let in_turn = Engines::round_robin(shape, Some(timing));
    let in_turn = pass(program, shape, how, in_turn, keep)?;
    let simulated = pass(program, shape, how, Engines::simulated(shape, timing), keep)?;
    Ok(if simulated.1 < in_turn.1 { simulated } else { in_turn })
}

fn pass(
    program: &Program,
    shape: Shape,
    how: Lowering,
    engines: Engines,
    keep: bool,
) -> Result<(Code, Option<u64>), LowerError> {
    let circuit = &program.circuit;
    let mut uses = Uses::of(circuit)?;
    let inputs = layout::inputs(circuit, &uses, how.inputs);
    let streams = Streams::new(shape.engines, keep);
    let mut renamer = Renamer::new(shape, how, inputs, &uses, engines, streams)?;
    for gate in circuit.gates.iter() {
        let next = uses.pop()?.expect("one note was made for each gate");
        renamer.gate(gate, next)?;
    }
    renamer.finish(program)
}
