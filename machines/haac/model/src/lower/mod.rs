//! From a program to code for a machine of gate engines (HAAC, section 4). Two passes over the gates,
//! read top to bottom:
//!
//! 1. [`uses`] goes backwards and notes for each gate when its operands and its result are read next.
//! 2. [`layout`] gives addresses to the inputs.
//! 3. [`rename`] goes forwards: gives each result the next address, finds operands in the window or
//!    out of range, and puts INV and COPY instructions where they are needed or worth it.
//! 4. [`spent`] holds instructions back until the window has left their results, when it is known
//!    which of them are read from memory later: those get the live bit.
//! 5. [`assign`] gives instructions to engines, and [`streams`] writes rows and out-of-range words.
//!
//! [`choose`] does all of it in several ways, times the results and takes the fastest.
//!
//! # Names and inversions
//!
//! A wire of the program is the label at an address, perhaps inverted: inversions of XORs and of
//! outputs of ANDs cost nothing, since only the polarity that is noted for the wire changes. An
//! operand of an AND must have the polarity that the gate says, as its table depends on it; where it
//! does not, an INV instruction makes the inverse, which later gates use as well. A program that
//! `haac:baseline`, `haac:full` or `haac:segment` ordered has no such operand.
//!
//! A wire may so have two addresses, one for each polarity, and a COPY gives it a newer one. All but
//! the newest are forgotten when they leave the window. So an instruction's result is read out of
//! range if and only if, when the window leaves it, it is its wire's newest address and the wire
//! is read again; what the live bit says is exact.
//!
//! # Memory
//!
//! The wires alive at once (8 MiB, or at most 64 bytes each, twice), 24 bytes for each label of the
//! window and eight for each no-op put into it, the bits of ports and flip-flops, and the fixed
//! shares of the lists: notes (32 MiB), rows and out-of-range words. What is longer goes to temporary
//! files.

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
    /// Which addresses inputs have.
    pub inputs: InputLayout,
    /// Where COPY instructions are put.
    pub copies: Copies,
    /// What is done about operands of ANDs that have the wrong polarity.
    pub inversions: Inversions,
    /// Which engine gets which instruction.
    pub assignment: Assignment,
}

impl Lowering {
    /// What the paper does: no COPY, no INV, inputs as the ports have them.
    pub const PAPER: Lowering = Lowering {
        inputs: InputLayout::Ports,
        copies: Copies::Never,
        inversions: Inversions::Refuse,
        assignment: Assignment::RoundRobin,
    };

    /// As few bytes as possible: wires that will be read again soon are brought back into the window.
    pub const BEST: Lowering = Lowering {
        inputs: InputLayout::FirstUse,
        copies: Copies::Auto,
        inversions: Inversions::Insert,
        assignment: Assignment::RoundRobin,
    };
}

/// Which addresses inputs (input bits and flip-flops) have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum InputLayout {
    /// As ports and flip-flops have them, all of them.
    Ports,
    /// In the order in which the program first reads them, those read by one gate as ports have them;
    /// those that are only outputs last. Those that nothing needs have none.
    FirstUse,
}

/// Where COPY instructions are put.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Copies {
    /// Nowhere (but for copy gates of the program, which only order `given` keeps).
    Never,
    /// Where a wire is read out of range and will be read again while its copy is in the window: the
    /// copy costs one instruction, and spares at least one read of a label and of its address.
    Auto,
    /// As `Auto`, and also of wires in the window before it leaves them, instead of writing them to
    /// memory and reading them back. Each copy keeps a wire for a half of the window more.
    Keep {
        /// The most halves of the window that a wire is kept so, counted from the half in which it is
        /// copied first to that in which it is read; taken as 1 if 0.
        halves: u32,
    },
}

/// What is done about operands of ANDs that have the wrong polarity.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Inversions {
    /// An INV instruction is put before the AND.
    Insert,
    /// The program is refused.
    Refuse,
}

/// Which engine gets which instruction.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Assignment {
    /// Each the next.
    RoundRobin,
    /// Both round robin and an assignment to engines that are not waiting (no-ops for the others) are
    /// timed by a small model, and what is faster is taken.
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
    /// An operand of an AND is inverted, and no INV may be put in.
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
/// Memory: as the [module](self) says.
///
/// # Errors
/// See [`LowerError`].
pub fn lower(program: &Program, shape: Shape, how: Lowering) -> Result<Code, LowerError> {
    Ok(run(program, shape, how, true)?.0)
}

/// What [`lower`] would count, without keeping rows and out-of-range words.
///
/// # Errors
/// See [`LowerError`].
pub fn statistics(program: &Program, shape: Shape, how: Lowering) -> Result<Stats, LowerError> {
    Ok(run(program, shape, how, false)?.0.stats)
}

/// The code, and the time that the small model of an assignment by simulation gave it.
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
