//! The instruction set's numbers. Generated from `spec/isa.toml` by `make spec`: change that.

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
