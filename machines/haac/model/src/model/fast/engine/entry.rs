//! An instruction between dispatcher and unit.

use crate::code::OOR_LAST;
use crate::instruction::{Instruction, Op, Unary};
use crate::issue::Issue;

/// Flags of an [`Entry`].
pub mod op {
    use super::{Instruction, Op, Unary};

    pub const AND: u8 = 1;
    pub const UNARY: u8 = 2;
    pub const INVERT: u8 = 4;
    pub const LIVE: u8 = 8;
    /// Reads an input from the window.
    pub const INPUT: u8 = 16;

    pub fn of(instruction: Instruction) -> u8 {
        let kind = match instruction.op() {
            Op::And => AND,
            Op::Unary if instruction.unary() == Some(Unary::Inv) => UNARY | INVERT,
            Op::Unary => UNARY,
            Op::Xor | Op::Nop => 0,
        };
        kind | if instruction.is_live() { LIVE } else { 0 }
    }
}

/// An instruction between dispatcher and unit. Times are modulo 2^32.
#[derive(Clone, Copy, Default)]
pub struct Entry {
    /// Addresses of the operands in the window, 0 for those from the out-of-range queue. When an
    /// operand is taken from the queue, its out-of-range word replaces the 0.
    pub a: u32,
    pub b: u32,
    pub out: u32,
    pub and: u32,
    /// The cycle in which the instruction left R1. Before that: the first of two out-of-range
    /// words.
    pub(super) left: u32,
    /// The cycle from which on all operands are there, except those in `missing`.
    pub(super) ready: u32,
    pub flags: u8,
    /// Number of labels still to be taken from the out-of-range queue.
    pub pops: u8,
    /// Operands not yet computed by an issued instruction at the last check: 1 for `a`, 2 for `b`.
    pub(super) missing: u8,
    /// Operands that came from the out-of-range queue: 1 for `a`, 2 for `b`.
    pub(super) queued: u8,
    /// Operands that have won their banks: 1 for `a`, 2 for `b`.
    pub(super) won: u8,
    /// Those of them that come over the bus: 1 for `a`, 2 for `b`.
    pub(super) awaited: u8,
}

impl Entry {
    #[inline]
    pub fn new(
        instruction: Instruction,
        [a, b]: [u32; 2],
        out: u32,
        and: u64,
        reads_input: bool,
    ) -> Entry {
        let flags = op::of(instruction) | if reads_input { op::INPUT } else { 0 };
        let pops = instruction.pops() as u8;
        Entry { a, b, out, flags, pops, and: and as u32, ..Entry::default() }
    }

    /// Operands that need an access to a bank: 1 for `a`, 2 for `b`.
    #[inline]
    pub(super) fn wants(&self) -> u8 {
        u8::from(self.a != 0) | u8::from(self.b != self.a && self.b != 0) << 1
    }

    /// Whether the instruction has won all accesses that it needs.
    #[inline]
    pub(super) fn has_all(&self) -> bool {
        self.wants() & !self.won == 0
    }

    /// Takes the last out-of-range word. If both operands come from the queue, `first` is the first
    /// word.
    pub(super) fn take(&mut self, word: u32, first: u32) {
        if self.queued == 3 {
            (self.a, self.b) = (first, word);
        } else if self.flags & op::UNARY != 0 {
            (self.a, self.b, self.queued) = (word, word, 3);
        } else if self.a == 0 {
            (self.a, self.queued) = (word, 1);
        } else {
            (self.b, self.queued) = (word, 2);
        }
    }

    /// The event for the sink.
    #[inline]
    pub(super) fn issue(&self, cycle: u64, e: usize) -> Issue {
        let is = |flag| self.flags & flag != 0;
        // Addresses have no bit 31.
        let is_last = |bit, word| self.queued & bit != 0 && word & OOR_LAST != 0;
        let op = match () {
            () if is(op::AND) => Op::And,
            () if is(op::UNARY) => Op::Unary,
            () => Op::Xor,
        };
        Issue {
            cycle,
            engine: e as u32,
            op,
            invert: is(op::INVERT),
            live: is(op::LIVE),
            out: self.out,
            operands: [self.a & !OOR_LAST, self.b & !OOR_LAST],
            last_from_memory: [is_last(1, self.a), is_last(2, self.b)],
            and: if is(op::AND) { u64::from(self.and) } else { 0 },
        }
    }
}
