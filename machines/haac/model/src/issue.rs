//! The events of a model: which instruction is issued in which cycle, on which wires.

use crate::instruction::Op;

/// An instruction enters its unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Issue {
    /// The cycle of the issue, counted from the start of the launch.
    pub cycle: u64,
    /// The engine.
    pub engine: u32,
    /// The operation; never [`Op::Nop`].
    pub op: Op,
    /// For [`Op::Unary`]: whether it inverts.
    pub invert: bool,
    /// Whether the output is written to memory.
    pub live: bool,
    /// Address of the output.
    pub out: u32,
    /// Addresses of the operands' wires, as carried through the machine. For a unary operation `b`
    /// is `a`.
    pub operands: [u32; 2],
    /// For each operand: whether it came from the out-of-range queue and was, in program order, the
    /// last read of its wire from memory. Engines drift apart, so another engine may still have to
    /// do an earlier read of that wire. All such reads are done once an instruction issues whose
    /// output is at least two halves of the window after this instruction's output (interlock (b)).
    /// From then on the label in memory is not needed.
    pub last_from_memory: [bool; 2],
    /// For an AND: its number in program order, from 0 in each launch.
    pub and: u64,
}

/// Receives the issues of a model in the order of cycles, and within a cycle in the order of
/// engines.
pub trait Sink {
    /// Why the sink stopped.
    type Error;

    /// Takes the next issue.
    ///
    /// # Errors
    /// The sink's own; the model stops and returns it.
    fn issue(&mut self, issue: &Issue) -> Result<(), Self::Error>;
}

/// Ignores all issues, for timing alone.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoSink;

impl Sink for NoSink {
    type Error = std::convert::Infallible;

    #[inline]
    fn issue(&mut self, _issue: &Issue) -> Result<(), Self::Error> {
        Ok(())
    }
}
