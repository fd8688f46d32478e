//! The instruction set's numbers.
//!
//! Generated from `machines/haac/spec/isa.toml`: change that file and run `make spec`.

use crate::encoding::compact::class::Class;

/// Version of the instruction set.
pub const VERSION: u32 = 1;

/// Code of the operation `nop`: no operation; all fields are 0, and there is no output address.
pub const OP_NOP: u8 = 0;
/// Code of the operation `xor`: out = a ^ b.
pub const OP_XOR: u8 = 1;
/// Code of the operation `and`: out = a & b, with the next table.
pub const OP_AND: u8 = 2;
/// Code of the operation `unary`: a copy of a, or its inverse; field b selects which.
pub const OP_UNARY: u8 = 3;

/// Field b of the unary operation `copy`: out = a; brings an out-of-range wire back into the
/// window.
pub const UNARY_COPY: u8 = 1;
/// Field b of the unary operation `inv`: out = not a; the garbler's result is a ^ delta, the
/// evaluator's is a.
pub const UNARY_INV: u8 = 2;

/// Bits of the field `op`: operation.
pub const fn op_bits(_slot: u32) -> u32 {
    2
}

/// Bits of the field `a`: slot of the first operand; 0: the operand comes from the out-of-range
/// queue.
pub const fn a_bits(slot: u32) -> u32 {
    slot
}

/// Bits of the field `b`: slot of the second operand; 0: it comes from the out-of-range queue; of
/// UNARY: the code of the unary operation.
pub const fn b_bits(slot: u32) -> u32 {
    slot
}

/// Bits of the field `live`: 1: the output is also written to memory.
pub const fn live_bits(_slot: u32) -> u32 {
    1
}

/// Bits of an instruction, if the number of a slot has `slot` bits.
pub const fn instruction_bits(slot: u32) -> u32 {
    op_bits(slot) + a_bits(slot) + b_bits(slot) + live_bits(slot)
}

/// Bytes of a word of an out-of-range stream.
pub const OOR_WORD_BYTES: u32 = 4;
/// Mask of the field `address` of an out-of-range word: address of the wire.
pub const OOR_ADDRESS: u32 = 0x7fffffff;
/// Mask of the field `last` of an out-of-range word: 1: this is the last read of the wire's label
/// in memory; a host may free it, hardware ignores the bit.
pub const OOR_LAST: u32 = 0x80000000;

/// Bits of a wire's address.
pub const ADDRESS_BITS: u32 = 31;
/// Bits of the number of an AND in a launch.
pub const AND_NUMBER_BITS: u32 = 32;
/// Bytes of a label.
pub const LABEL_BYTES: u32 = 16;
/// Bytes of a garbled table.
pub const TABLE_BYTES: u32 = 32;
/// Bytes of a memory burst.
pub const BURST_BYTES: u32 = 64;

/// Class tables of the encoding `compact`.
#[rustfmt::skip]
pub const COMPACT_TABLES: [&[Class]; 16] = [
    &[
        Class::Full,
        Class::Recent(4, 7),
        Class::Up(3),
        Class::OutOfRange,
        Class::Recent(3, 3),
        Class::Left(8),
        Class::Cross(1),
        Class::Recent(2, 2),
        Class::Distance(6),
        Class::Distance(12),
        Class::Left(5),
        Class::Left(1),
        Class::Recent(4, 4),
        Class::Left(0),
        Class::Distance(9),
        Class::Distance(2),
    ],
    &[
        Class::Distance(7),
        Class::Distance(3),
        Class::Left(1),
        Class::Cross(2),
    ],
    &[
        Class::Cross(3),
        Class::Distance(12),
        Class::Distance(9),
        Class::Recent(3, 4),
        Class::Recent(3, 0),
        Class::Recent(2, 3),
        Class::Left(1),
        Class::Distance(6),
    ],
    &[
        Class::Distance(7),
        Class::Left(1),
        Class::Left(0),
        Class::Recent(4, 5),
        Class::Recent(2, 2),
        Class::Distance(3),
        Class::Up(3),
        Class::Cross(5),
    ],
    &[
        Class::Full,
        Class::Left(1),
        Class::Distance(11),
        Class::Distance(2),
        Class::Left(0),
        Class::Cross(6),
        Class::Distance(7),
        Class::Distance(4),
    ],
    &[
        Class::Left(1),
    ],
    &[
        Class::Distance(7),
        Class::Distance(12),
        Class::Full,
        Class::Recent(2, 4),
        Class::Distance(10),
        Class::Recent(3, 2),
        Class::Recent(4, 5),
        Class::Cross(1),
    ],
    &[
        Class::Distance(8),
        Class::Recent(2, 3),
        Class::Left(1),
        Class::Left(0),
    ],
    &[
        Class::Left(0),
        Class::Left(1),
        Class::Distance(3),
        Class::Distance(7),
    ],
    &[
        Class::Left(0),
        Class::Recent(2, 0),
        Class::Distance(3),
        Class::Recent(2, 2),
        Class::Left(1),
        Class::Up(4),
        Class::Recent(3, 4),
        Class::Distance(9),
    ],
    &[
        Class::Distance(1),
        Class::Left(1),
    ],
    &[
        Class::Left(0),
    ],
    &[
        Class::Cross(3),
        Class::Recent(4, 3),
        Class::Cross(1),
        Class::Left(5),
        Class::Recent(4, 6),
        Class::Left(2),
        Class::Recent(3, 5),
        Class::Recent(3, 2),
    ],
    &[
        Class::Distance(9),
        Class::Distance(7),
        Class::Full,
        Class::Distance(4),
        Class::Distance(11),
        Class::Recent(4, 4),
        Class::Recent(2, 3),
        Class::Cross(1),
    ],
    &[
        Class::Distance(7),
        Class::Distance(3),
        Class::Left(1),
        Class::OutOfRange,
        Class::Recent(3, 5),
        Class::Recent(2, 3),
        Class::Distance(16),
        Class::Distance(11),
    ],
    &[
        Class::Distance(10),
        Class::Distance(6),
        Class::Recent(2, 3),
        Class::Distance(2),
    ],
];
