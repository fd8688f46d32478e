//! One instruction: operation, two operand slots, live bit (HAAC, section 3.1.3).

use crate::isa;
use std::fmt;

/// The operation of an instruction. A variant's number is its code, two bits in the encoding.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Op {
    /// A no-op: fills a place in a row and has no output address.
    Nop = isa::OP_NOP,
    /// `a ^ b`.
    Xor = isa::OP_XOR,
    /// `a & b`, with one garbled table.
    And = isa::OP_AND,
    /// A copy or an inversion of `a`; the second operand field selects which ([`Unary`]).
    Unary = isa::OP_UNARY,
}

impl Op {
    /// The operation with this code of two bits; higher bits are ignored.
    #[inline]
    pub const fn from_code(code: u8) -> Op {
        match code & 3 {
            isa::OP_NOP => Op::Nop,
            isa::OP_XOR => Op::Xor,
            isa::OP_AND => Op::And,
            _ => Op::Unary,
        }
    }
}

/// The second operand field of [`Op::Unary`]. No code is 0, so a field of 0 always means "from the
/// out-of-range queue".
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Unary {
    /// The output is the operand. This brings an out-of-range wire back into the window.
    Copy = isa::UNARY_COPY,
    /// The output is the inverted operand: the garbler adds Δ, the evaluator copies.
    Inv = isa::UNARY_INV,
}

/// An instruction. An operand is a slot of the window, or 0 for the head of the engine's
/// out-of-range queue. If both operands are 0, the first operand is taken first.
///
/// [`to_bits`](Instruction::to_bits) documents the packed form.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Instruction(u64);

/// Bits of an operand in the packed form, enough for windows of 2^28 labels.
const FIELD: u32 = 28;
const MASK: u64 = (1 << FIELD) - 1;

impl Instruction {
    /// The instruction that does nothing.
    pub const NOP: Instruction = Instruction(0);

    /// The instruction `op` on slots `a` and `b`. `live` means that the output is also written to
    /// memory.
    #[inline]
    pub const fn new(op: Op, a: u32, b: u32, live: bool) -> Instruction {
        debug_assert!((a as u64) <= MASK && (b as u64) <= MASK);
        Instruction(op as u64 | (live as u64) << 2 | (a as u64) << 8 | (b as u64) << (8 + FIELD))
    }

    /// The operation.
    #[inline]
    pub const fn op(self) -> Op {
        Op::from_code(self.0 as u8)
    }

    /// The slot of the first operand; 0 if it is out of range.
    #[inline]
    pub const fn a(self) -> u32 {
        (self.0 >> 8 & MASK) as u32
    }

    /// The slot of the second operand (0 if it is out of range), or the code of a [`Unary`].
    #[inline]
    pub const fn b(self) -> u32 {
        (self.0 >> (8 + FIELD) & MASK) as u32
    }

    /// The unary operation, if the second field holds the code of one.
    #[inline]
    pub const fn unary(self) -> Option<Unary> {
        match (self.op(), self.b()) {
            (Op::Unary, b) if b == Unary::Copy as u32 => Some(Unary::Copy),
            (Op::Unary, b) if b == Unary::Inv as u32 => Some(Unary::Inv),
            _ => None,
        }
    }

    /// Whether the output is written to memory.
    #[inline]
    pub const fn is_live(self) -> bool {
        self.0 & 4 != 0
    }

    /// The same instruction with another live bit.
    #[inline]
    pub const fn with_live(self, live: bool) -> Instruction {
        Instruction(self.0 & !4 | (live as u64) << 2)
    }

    /// Whether this is a no-op.
    #[inline]
    pub const fn is_nop(self) -> bool {
        self.0 & 3 == 0
    }

    /// Number of operands from the engine's out-of-range queue: 0 to 2.
    #[inline]
    pub const fn pops(self) -> u32 {
        match self.op() {
            Op::Nop => 0,
            Op::Unary => (self.a() == 0) as u32,
            Op::Xor | Op::And => (self.a() == 0) as u32 + (self.b() == 0) as u32,
        }
    }

    /// The packed form: bits 1..0 operation, 2 live, 35..8 first operand, 63..36 second. It is for
    /// lists in memory and temporary files; the machine's own encodings are narrower.
    #[inline]
    pub const fn to_bits(self) -> u64 {
        self.0
    }

    /// The inverse of [`to_bits`](Instruction::to_bits).
    #[inline]
    pub const fn from_bits(bits: u64) -> Instruction {
        Instruction(bits)
    }
}

impl fmt::Debug for Instruction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let live = if self.is_live() { " live" } else { "" };
        match self.op() {
            Op::Nop => f.write_str("nop"),
            op => write!(f, "{op:?} {} {}{live}", self.a(), self.b()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_survive_packing() {
        for op in [Op::Nop, Op::Xor, Op::And, Op::Unary] {
            for live in [false, true] {
                let i = Instruction::new(op, MASK as u32, 5, live);
                assert_eq!((i.op(), i.a(), i.b(), i.is_live()), (op, MASK as u32, 5, live));
                assert_eq!(Instruction::from_bits(i.to_bits()), i);
                assert_eq!(i.with_live(!live).is_live(), !live);
            }
        }
        assert_eq!(Instruction::new(Op::Xor, 0, 0, false).pops(), 2);
        assert_eq!(Instruction::new(Op::Unary, 0, 1, false).pops(), 1);
        assert!(Instruction::NOP.is_nop());
    }
}
