//! What a model tells whoever follows it: which instruction is executed when, on which wires.

use crate::instruction::Op;

/// An instruction enters its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Issue {
    /// The cycle in which it does, from the start of the launch.
    pub cycle: u64,
    /// The engine.
    pub engine: u32,
    /// What it does; never [`Op::Nop`].
    pub op: Op,
    /// For [`Op::Unary`]: whether it inverts.
    pub invert: bool,
    /// Whether the output is written to memory.
    pub live: bool,
    /// The address of its output.
    pub out: u32,
    /// Addresses of the wires whose labels its operands are, as they came through the machine; `b`
    /// is `a` for a unary operation.
    pub operands: [u32; 2],
    /// For each operand: whether it came from the out-of-range queue, and was in the program's order
    /// the last read of that wire from memory. Engines drift apart, so another engine may have an
    /// earlier read of it yet to come; but all of those are done when an instruction is issued whose
    /// output is two halves of the window or more after this one's (interlock (b)), and then the
    /// label can be forgotten.
    pub last_from_memory: [bool; 2],
    /// For an AND: its number in the program's order, from 0 in each launch.
    pub and: u64,
}

/// Follows a model. Issues come in the order of time; those of one cycle in the order of engines.
pub trait Sink {
    /// Why following stopped.
    type Error;

    /// The next issue.
    ///
    /// # Errors
    /// The sink's own; the model stops and hands it on.
    fn issue(&mut self, issue: &Issue) -> Result<(), Self::Error>;
}

/// Follows nothing: for timing alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSink;

impl Sink for NoSink {
    type Error = std::convert::Infallible;

    #[inline]
    fn issue(&mut self, _issue: &Issue) -> Result<(), Self::Error> {
        Ok(())
    }
}
