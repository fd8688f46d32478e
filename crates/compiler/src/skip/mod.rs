//! Skips gates whose result is public in the current cycle.
//!
//! Consider a garbled processor that runs a public program. Both parties know most of the values
//! that it computes: its program counter, the instruction, which register is written. If a program
//! *skips*, both parties decide before garbling a cycle which of its gates remain. This follows
//! ARM2GC (Songhori, Riazi, Hussain, Sadeghi, Koushanfar, DAC 2019), after TinyGarble. The first
//! public values are the constant initial values of flip-flops.
//!
//! [`Skipper`] goes over the body twice per cycle. The **forward** pass finds for each wire whether
//! it is public, equals an earlier wire or its inverse, or needs a new label:
//!
//! - An XOR with a public operand needs no gate, nor does an AND with a public operand or with
//!   equal or opposite operands.
//! - The XOR of equal or opposite operands is public.
//! - If an XOR `p ^ q` remains, its XOR with `p` is `q`. So a multiplexer `(s & (a ^ b)) ^ b` with
//!   a public `s` is `a` or `b`.
//!
//! The **backward** pass keeps a gate if a flip-flop's next value, an output of this cycle or a
//! remaining gate needs it. In the last cycle, next values of flip-flops are not needed. The next
//! value of a flip-flop that can never change an output is not needed in any cycle.
//!
//! The decision uses no labels, so both parties find the same gates without communication. An AND
//! keeps its number: the cycle times the number of the body's ANDs, plus its index among them.
//! Skipped ANDs leave gaps in the numbers.
//!
//! [`Known`] supplies values that gates cannot show to be public. For example, a processor's
//! counter depends on a secret after a branch, but is public again where both paths meet.

mod decide;
mod known;
mod signal;

pub use decide::{Decided, Op, Skipper};
pub use known::{Follow, Known, State};
pub use signal::Signal;

use crate::Program;

/// Counts the ANDs that remain in `cycles` cycles of `program`, without a run. Passes remarks for
/// the user to `note`.
///
/// Time: two passes over the body for each cycle.
pub fn left(program: &Program, cycles: u64, note: &mut dyn FnMut(&str)) -> u64 {
    let mut skipper = Skipper::new(program);
    let mut ands = 0;
    for cycle in 0..cycles {
        let decided = skipper.decide(cycle + 1 == cycles);
        ands += decided.ands;
        decided.note.iter().for_each(|what| note(what));
        skipper.latch();
    }
    ands
}

#[cfg(test)]
mod tests;
