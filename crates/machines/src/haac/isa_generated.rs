//! The instruction set's numbers. Generated from `spec/isa.toml` by `make spec`: change that.

use crate::haac::encoding::compact::Class::{self, Cross, Distance, Full, Left, OutOfRange, Up};

/// The version of the instruction set.
pub const VERSION: u32 = 1;

/// Code of the operation `nop`: nothing; all fields are 0, and it has no output address.
pub const OP_NOP: u8 = 0;
/// Code of the operation `xor`: out = a ^ b.
pub const OP_XOR: u8 = 1;
/// Code of the operation `and`: out = a & b, with the next table.
pub const OP_AND: u8 = 2;
/// Code of the operation `unary`: field b says which: see below.
pub const OP_UNARY: u8 = 3;

/// Field b of the unary operation `copy`: out = a: brings a wire that is out of range back into the window.
pub const UNARY_COPY: u8 = 1;
/// Field b of the unary operation `inv`: out = not a: the garbler takes a ^ delta, the evaluator a.
pub const UNARY_INV: u8 = 2;

/// Bits of the field `op`, where `slot` bits number the window's labels: the operation.
pub const fn op_bits(_slot: u32) -> u32 {
    2
}

/// Bits of the field `a`.
pub const fn a_bits(slot: u32) -> u32 {
    slot
}

/// Bits of the field `b`.
pub const fn b_bits(slot: u32) -> u32 {
    slot
}

/// Bits of the field `live`.
pub const fn live_bits(_slot: u32) -> u32 {
    1
}

/// Bits of an instruction, where `slot` bits number the window's labels.
pub const fn instruction_bits(slot: u32) -> u32 {
    op_bits(slot) + a_bits(slot) + b_bits(slot) + live_bits(slot)
}

/// Bits of the field `address` of an out-of-range word.
pub const OOR_ADDRESS_BITS: u32 = 31;
/// Bits of the field `last` of an out-of-range word.
pub const OOR_LAST_BITS: u32 = 1;
/// Bytes of an out-of-range word.
pub const OOR_WORD_BYTES: u32 = 4;

/// Bits of a wire's address.
pub const ADDRESS_BITS: u32 = 31;
/// Bits.
pub const AND_NUMBER_BITS: u32 = 32;
/// Bytes.
pub const LABEL_BYTES: u32 = 16;
/// Bytes.
pub const TABLE_BYTES: u32 = 32;
/// Bytes.
pub const BURST_BYTES: u32 = 64;

/// The tables of classes of the encoding `compact`.
pub const COMPACT_TABLES: [&[Class]; 16] = [
    &[OutOfRange, Left(0), Left(2), Cross(2), Up(6), Distance(10), Distance(13), Full],
    &[Left(0), Cross(1), Left(6), Left(1), Distance(16), Distance(9), Up(5), Distance(12)],
    &[OutOfRange, Distance(9), Left(2), Left(0)],
    &[
        Distance(7),
        Left(9),
        Left(3),
        Distance(11),
        Up(3),
        Left(0),
        Distance(13),
        Left(7),
        Full,
        Left(1),
        OutOfRange,
        Up(5),
        Up(0),
        Distance(10),
        Distance(4),
        Cross(1),
    ],
    &[Up(0)],
    &[Left(1)],
    &[OutOfRange],
    &[Left(0), Left(1)],
    &[Distance(13), Left(0), Cross(2), Left(1), Distance(10), Up(5), Distance(6), OutOfRange],
    &[Up(0), Up(5), Left(3), Full],
    &[Left(6), Left(1)],
    &[Left(0)],
    &[Distance(5), Distance(12), Distance(9), Left(1), Cross(6), Full, Cross(2), Left(0)],
    &[Up(6), Distance(15), Left(6), OutOfRange, Left(0), Full, Left(1), Left(4)],
    &[Left(0), Left(1), Distance(5), Distance(9)],
    &[Distance(11), Distance(7), Distance(14), Distance(3)],
];
