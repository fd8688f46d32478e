//! Skips gates whose result is public in the current cycle.
//!
//! A processor that runs a public program is garbled gate by gate, although both parties know most
//! of what it computes: its program counter, the instruction, which register is written. In a
//! program that *skips*, both parties decide for each cycle, before garbling, which gates remain.
//! This follows ARM2GC (Songhori, Riazi, Hussain, Sadeghi, Koushanfar, DAC 2019), after TinyGarble.
//! The public values start from the constants that flip-flops start from.
//!
//! [`Skipper`] goes over the body twice a cycle. The **forward** pass finds for each wire whether
//! it is public, equals an earlier wire (perhaps inverted), or has a label of its own:
//!
//! - XOR with a public operand, and AND with a public operand or with equal or opposite operands,
//!   needs no gate;
//! - XOR of equal or opposite operands is public;
//! - XOR of `p ^ q`, itself a remaining XOR, with `p` is `q`: so a multiplexer `(s & (a ^ b)) ^ b`
//!   with a public `s` is `a` or `b`.
//!
//! The **backward** pass keeps a gate if a flip-flop's next value, an output of this cycle or a
//! remaining gate needs it. In the last cycle flip-flops need nothing. A flip-flop that can never
//! change an output needs nothing in any cycle.
//!
//! The decision uses no labels, so both parties reach the same gates without communication. An AND
//! keeps its number: the cycle times the body's ANDs, plus its index among them. Skipped ANDs leave
//! gaps.
//!
//! [`Known`] supplies what gates cannot show: for example, that a processor's counter, chosen by a
//! secret, is the same again after either branch.

mod decide;
mod known;
mod signal;

pub use decide::{Decided, Op, Skipper};
pub use known::{Follow, Known, State};
pub use signal::Signal;

use crate::Program;

/// Counts the ANDs that remain in `cycles` cycles of `program`, before a run. Passes the remarks
/// for the user to `note`.
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
