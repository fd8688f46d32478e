//! Fitting a program to a set of instructions: no option of a compiler does that.
//!
//! Assembly goes in as the compiler writes it, with the assembler's pseudo-instructions and a delay slot here and there, and
//! comes out with instructions of the set alone, each one word, all delay slots written out. What the set lacks is made of
//! what it has: constants of sums and shifts, shifts of additions, branches of other branches, products and quotients by
//! [routines](ROUTINES). Registers 1, 26 and 27 (`at`, `k0`, `k1`), which no compiler uses, hold what is between.
//!
//! In here: `assembly` (lines and what they are), `pseudo` (the assembler's own instructions), `rules` (what stands for
//! what), `slots` (delay slots).

mod assembly;
mod pseudo;
mod rules;
mod slots;

use crate::isa::{InstructionSet, Op};
use assembly::{Instruction, Item};
use thiserror::Error;

/// Multiplication and division where the processor has none, in assembly.
pub const ROUTINES: &str = include_str!("routines.s");

/// Why a program cannot be fitted to a set.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum LowerError {
    /// Nothing in the set can do what the instruction does.
    #[error("{place}: the set {set:?} has nothing for `{text}`: {why}")]
    Nothing {
        /// File and line of the source, or the line of the assembly.
        place: String,
        /// The set's name.
        set: &'static str,
        /// The instruction.
        text: String,
        /// What to do.
        why: &'static str,
    },
    /// The line is no instruction that is known.
    #[error("{place}: `{text}`: {why}")]
    Unknown {
        /// File and line of the source, or the line of the assembly.
        place: String,
        /// The instruction.
        text: String,
        /// What is wrong.
        why: &'static str,
    },
}

/// A program that fits.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Lowered {
    /// Its assembly.
    pub text: String,
    /// Whether it calls [`ROUTINES`].
    pub calls_routines: bool,
}

/// `text`, assembly, in instructions of `set`; `file` is what messages call it.
///
/// # Errors
/// With the first instruction for which the set has nothing, or that is none.
pub fn lower(text: &str, set: InstructionSet, file: &str) -> Result<Lowered, LowerError> {
    let items = assembly::parse(text, file)?;
    let items = pseudo::real(items)?;
    let mut rules = rules::Rules::new(set);
    let items = rules.apply(items)?;
    let items = slots::fill(items);
    Ok(Lowered { text: assembly::write(&items), calls_routines: rules.calls_routines })
}

/// The registers that an instruction reads and those that it writes, as masks.
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

/// Labels and directives that stand between instructions without a meaning for what is executed.
fn is_transparent(item: &Item) -> bool {
    matches!(item, Item::Text(_))
}

#[cfg(test)]
mod tests;
