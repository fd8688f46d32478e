//! The instructions, and sets of them.
//!
//! `spec/mips.toml` is the one place where they are written down: [`Op`] and [`ROWS`] here and the package that the
//! Verilog reads are made of it.

#[rustfmt::skip]
mod generated;

pub use generated::{Op, ROWS, SETS};

use thiserror::Error;

/// What tells an instruction apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Code {
    /// Bits 31:26.
    Opcode(u8),
    /// Bits 5:0, where the opcode is 0.
    Special(u8),
    /// Bits 20:16, where the opcode is 1.
    RegImm(u8),
}

/// What an instruction has behind its name in assembly, and so in its fields.
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

/// What there is to know of an operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Row {
    /// Which one.
    pub op: Op,
    /// Its name in assembly.
    pub name: &'static str,
    /// The family that it belongs to, as ADD, of which there are four.
    pub family: &'static str,
    /// What tells it apart.
    pub code: Code,
    /// Its fields.
    pub form: Form,
}

impl Op {
    /// What there is to know of it.
    pub fn row(self) -> &'static Row {
        &ROWS[self as usize]
    }

    /// The operation of this name in assembly.
    pub fn named(name: &str) -> Option<Op> {
        ROWS.iter().find(|row| row.name == name).map(|row| row.op)
    }

    /// Whether the instruction behind it is executed before it takes effect.
    pub fn has_delay_slot(self) -> bool {
        matches!(self.row().form, Form::RsRtBranch | Form::RsBranch | Form::Jump)
            || matches!(self, Op::Jr | Op::Jalr)
    }
}

/// The operations that a processor has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InstructionSet {
    /// Its name.
    pub name: &'static str,
    /// What it is.
    pub about: &'static str,
    /// Bit `op as u8` says whether it has `op`.
    pub mask: u64,
}

/// There is no set of this name.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("there is no instruction set {name:?}: take one of {}", names())]
pub struct UnknownSet {
    name: String,
}

fn names() -> String {
    SETS.map(|set| set.name).join(", ")
}

impl InstructionSet {
    /// The set of this name.
    ///
    /// # Errors
    /// If there is none.
    pub fn named(name: &str) -> Result<InstructionSet, UnknownSet> {
        let found = SETS.iter().find(|set| set.name == name);
        found.copied().ok_or_else(|| UnknownSet { name: name.to_owned() })
    }

    /// Those of `ops` and no others, and what every set has.
    pub fn of(ops: impl IntoIterator<Item = Op>) -> InstructionSet {
        let always = ROWS.iter().filter(|row| row.family == "HALT").map(|row| row.op);
        let mask = always.chain(ops).fold(0, |mask, op| mask | 1 << op as u8);
        let about = "what one program needs";
        InstructionSet { name: "application", about, mask }
    }

    /// Whether it has `op`.
    pub fn has(&self, op: Op) -> bool {
        self.mask >> op as u8 & 1 == 1
    }

    /// Its operations, in their order.
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
