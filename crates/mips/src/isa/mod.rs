//! The instructions, and sets of them.
//!
//! `spec/mips.toml` is the only definition of the instructions. [`Op`] and [`ROWS`] here and the
//! package that the Verilog reads are generated from it.

#[rustfmt::skip]
mod generated;

pub use generated::{Op, ROWS, SETS};

use thiserror::Error;

/// The bits that identify an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// Bits 31:26.
    Opcode(u8),
    /// Bits 5:0, where the opcode is 0.
    Special(u8),
    /// Bits 20:16, where the opcode is 1.
    RegImm(u8),
}

/// The operands of an instruction in assembly, which determine its fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs, reason = "the names are those of the fields, in order")]
pub enum Form {
    RdRsRt,
    RtRsSigned,
    RtRsUnsigned,
    RtUnsigned,
    RdRtShift,
    RdRtRs,
    RsRt,
    Rd,
    Rs,
    RdRs,
    RtMemory,
    RsRtBranch,
    RsBranch,
    Jump,
    Code,
}

/// Description of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// The operation.
    pub op: Op,
    /// The operation's name in assembly.
    pub name: &'static str,
    /// The family of the operation. For example, the family ADD has four operations.
    pub family: &'static str,
    /// The bits that identify the operation.
    pub code: Code,
    /// The operands.
    pub form: Form,
}

impl Op {
    /// Returns the description.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// Returns the operation with this name in assembly.
    pub fn named(name: &str) -> Option<Op> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    /// Whether the next instruction is executed before this one takes effect.
    pub fn has_delay_slot(self) -> bool {
        matches!(self.row().form, Form::RsRtBranch | Form::RsBranch | Form::Jump)
            || matches!(self, Op::Jr | Op::Jalr)
    }
}

/// A set of operations that a processor executes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstructionSet {
    /// The set's name.
    pub name: &'static str,
    /// Short description.
    pub about: &'static str,
    /// Bit `op as u8` is 1 if the set has `op`.
    pub mask: u64,
}

/// Error: no set has this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no instruction set {name:?}: take one of {}", names())]
pub struct UnknownSet {
    name: String,
}

fn names() -> String {
    SETS.map(|set| set.name).join(", ")
}

impl InstructionSet {
    /// Returns the set with this name.
    ///
    /// # Errors
    /// If no set has this name.
    pub fn named(name: &str) -> Result<InstructionSet, UnknownSet> {
        let found = SETS.iter().find(|set| set.name == name);
        found.copied().ok_or_else(|| UnknownSet { name: name.to_owned() })
    }

    /// Makes a set of `ops` and of the operations that every set has.
    pub fn of(ops: impl IntoIterator<Item = Op>) -> InstructionSet {
        let always = ROWS.iter().filter(|row| row.family == "HALT").map(|row| row.op);
        let mask = always.chain(ops).fold(0, |mask, op| mask | 1 << op as u8);
        let about = "what one program needs";
        InstructionSet { name: "application", about, mask }
    }

    /// Whether the set has `op`.
    pub fn has(&self, op: Op) -> bool {
        self.mask >> op as u8 & 1 == 1
    }

    /// Iterates over the set's operations in the order of [`ROWS`].
    pub fn ops(self) -> impl Iterator<Item = Op> {
        ROWS.iter().map(|row| row.op).filter(move |&op| self.has(op))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_stand_at_their_numbers() {
        for (at, row) in ROWS.iter().enumerate() {
            assert_eq!(row.op as usize, at);
            assert_eq!(Op::named(row.name), Some(row.op));
        }
    }

    #[test]
    fn sets_are_what_the_paper_says() {
        let set = |name| InstructionSet::named(name).unwrap();
        let (full, hamming, alu) = (set("full"), set("hamming"), set("alu"));
        assert_eq!(full.ops().count(), ROWS.len());
        assert!(hamming.has(Op::Addiu) && hamming.has(Op::Beq) && hamming.has(Op::Syscall));
        assert!(!hamming.has(Op::Bne) && !hamming.has(Op::Lui));
        assert!(!alu.has(Op::Sll) && !alu.has(Op::Mult) && !alu.has(Op::Mflo) && alu.has(Op::Nor));
        let unknown = InstructionSet::named("all").unwrap_err().to_string();
        assert!(unknown.contains("\"all\"") && unknown.contains("alu-shift"), "{unknown}");
    }
}
