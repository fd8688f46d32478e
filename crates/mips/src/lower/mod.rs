//! Fits a program to a restricted set of instructions, for which compilers have no option.
//!
//! The input is assembly as the compiler writes it, with pseudo-instructions and some explicit
//! delay slots. The output has only instructions of the set, one word each, with all delay slots
//! explicit. Instructions that the set lacks are built from others: constants from sums and shifts,
//! shifts from additions, and branches from other branches. Products and quotients are computed by
//! [routines](ROUTINES). Intermediate values are in registers 1, 26 and 27 (`at`, `k0`, `k1`),
//! which no compiler uses.
//!
//! Submodules: `assembly` (parser and writer), `pseudo` (pseudo-instructions), `rules`
//! (replacements for missing instructions), `slots` (delay slots).

mod assembly;
mod pseudo;
mod rules;
mod slots;

use crate::isa::{InstructionSet, Op};
use assembly::{Instruction, Item};
use thiserror::Error;

/// Multiplication and division for processors without them, in assembly.
pub const ROUTINES: &str = include_str!("routines.s");

/// Why a program cannot be fitted to a set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LowerError {
    /// The set lacks the instruction, and cannot replace it.
    #[error("{place}: the set {set:?} has nothing for `{text}`: {why}")]
    Nothing {
        /// File and line of the source, or the line of the assembly.
        place: String,
        /// The set's name.
        set: &'static str,
        /// The instruction.
        text: String,
        /// The reason, or what to change.
        why: &'static str,
    },
    /// The line is not a known instruction.
    #[error("{place}: `{text}`: {why}")]
    Unknown {
        /// File and line of the source, or the line of the assembly.
        place: String,
        /// The instruction.
        text: String,
        /// The reason.
        why: &'static str,
    },
}

/// A program that was fitted to a set.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// The program as assembly text.
    pub text: String,
    /// Whether the program calls [`ROUTINES`].
    pub calls_routines: bool,
}

/// Rewrites the assembly `text` in instructions of `set`. Error messages call the text `file`.
///
/// # Errors
/// With the first instruction that is invalid or cannot be replaced.
pub fn lower(text: &str, set: InstructionSet, file: &str) -> Result<Lowered, LowerError> {
    let items = assembly::parse(text, file)?;
    let items = pseudo::real(items)?;
    let mut rules = rules::Rules::new(set);
    let items = rules.apply(items)?;
    let items = slots::fill(items);
    Ok(Lowered { text: assembly::write(&items), calls_routines: rules.calls_routines })
}

/// Returns two masks: the registers that an instruction reads, and the registers that it writes.
fn registers(instruction: &Instruction) -> (u32, u32) {
    use crate::isa::Form;
    let bit = |at: usize| instruction.register(at).map_or(0, |number| 1 << number);
    let base = || instruction.base().map_or(0, |number| 1 << number);
    let Some(op) = instruction.op else { return (u32::MAX, u32::MAX) };
    let stores = matches!(op, Op::Sw | Op::Sh | Op::Sb | Op::Swl | Op::Swr);
    let (reads, writes) = match op.row().form {
        Form::RdRsRt | Form::RdRtRs => (bit(1) | bit(2), bit(0)),
        Form::RtRsSigned | Form::RtRsUnsigned | Form::RdRtShift => (bit(1), bit(0)),
        Form::RtUnsigned | Form::Rd => (0, bit(0)),
        Form::RsRt | Form::RsRtBranch => (bit(0) | bit(1), 0),
        Form::Rs | Form::RsBranch => (bit(0), 0),
        Form::RdRs => (bit(1), bit(0)),
        Form::RtMemory if stores => (bit(0) | base(), 0),
        Form::RtMemory if matches!(op, Op::Lwl | Op::Lwr) => (bit(0) | base(), bit(0)),
        Form::RtMemory => (base(), bit(0)),
        Form::Jump | Form::Code => (0, 0),
    };
    let links = matches!(op, Op::Jal | Op::Bltzal | Op::Bgezal);
    (reads & !1, (writes | if links { 1 << 31 } else { 0 }) & !1)
}

/// Whether an item is a directive, which does not affect execution.
fn is_transparent(item: &Item) -> bool {
    matches!(item, Item::Text(_))
}

#[cfg(test)]
mod tests;
