//! Gates that need not be garbled, since what they compute is public in this cycle.
//!
//! A processor that runs a public program is garbled gate by gate although both parties know most
//! of what it computes: its program counter, the instruction, which register is written. Where a
//! program *skips*, both decide, cycle by cycle and before garbling, which gates are left; so
//! ARM2GC (Songhori, Riazi, Hussain, Sadeghi, Koushanfar, DAC 2019) does, after TinyGarble.
//! Constants that flip-flops start from are what is public.
//!
//! [`Skipper`] goes over the body twice a cycle. **Forward**, each wire is found to be public, or
//! to be a wire before it perhaps inverted, or to have a label of its own:
//!
//! - XOR with a public operand, and AND with a public one or with two that are equal or opposite,
//!   is no gate;
//! - XOR of two that are equal or opposite is public;
//! - XOR of `p ^ q`, itself left as an XOR, with `p` is `q`: so a multiplexer `(s & (a ^ b)) ^ b`
//!   with a public `s` is `a` or `b`.
//!
//! **Backward**, a gate is left if a flip-flop's next value, an output of this cycle or a gate that
//! is left needs it; in the last cycle flip-flops need nothing. A flip-flop that can change no
//! output, however long it runs, never does.
//!
//! Nothing here has seen a label, so both parties come to the same gates without a word. An AND
//! keeps its number: the cycle times the body's ANDs, and its index among them; what is skipped
//! leaves gaps.
//!
//! What gates cannot tell, [`Known`] may: that a processor's counter, chosen by a secret, is the
//! same again whichever way was taken.

mod decide;
mod known;
mod signal;

pub use decide::{Decided, Op, Skipper};
pub use known::{Follow, Known, State};
pub use signal::Signal;

use crate::Program;

/// How many ANDs are left in `cycles` cycles of `program`, and what the user may want to know on
/// the way: what both parties find while they run it, found before.
///
/// Time: that of two passes over the body a cycle.
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
