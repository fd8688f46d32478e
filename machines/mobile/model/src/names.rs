//! Named numbers, for the mobile coprocessor.
//!
//! Generated from `machines/mobile/spec/words.toml`: change that file and run `make spec`.

/// Kind of an item: operands a, b, out; out = a ^ b.
pub const KIND_XOR: u8 = 0;

/// Kind of an item: operands a, b; a = a ^ b.
pub const KIND_XOR_TO_A: u8 = 1;

/// Kind of an item: operands a, b, c, out; out = a ^ b ^ c.
pub const KIND_XOR3: u8 = 2;

/// Kind of an item: operands a, b, c; a = a ^ b ^ c.
pub const KIND_XOR3_TO_A: u8 = 3;

/// Kind of an item: operands a, b, out; out = a & b.
pub const KIND_AND: u8 = 4;

/// Kind of an item: operands a, b; a = a & b.
pub const KIND_AND_TO_A: u8 = 5;

/// Kind of an item: operands a, b; b = a & b.
pub const KIND_AND_TO_B: u8 = 6;

/// Kind of an item: operands a, b, c, out; out = (a & (b ^ c)) ^ c.
pub const KIND_CHOICE: u8 = 7;

/// Kind of an item: operands a, b, c; b = (a & (b ^ c)) ^ c.
pub const KIND_CHOICE_TO_B: u8 = 8;

/// Kind of an item: operands a, b, c; c = (a & (b ^ c)) ^ c.
pub const KIND_CHOICE_TO_C: u8 = 9;

/// Kind of an item: AND with XORs; operands a, b, c, how, perhaps out.
pub const KIND_AND3: u8 = 10;

/// Kind of an item: a slot, and the label to store in it.
pub const KIND_LOAD: u8 = 11;

/// Kind of an item: a slot; its label is sent back.
pub const KIND_READ: u8 = 12;

/// Kind of an item: no item follows.
pub const KIND_END: u8 = 13;

/// Kind of an item: begins a netlist cycle: suite, number, cycle, point.
pub const KIND_BEGIN: u8 = 14;

/// Kind of an item: no second item.
pub const KIND_NONE: u8 = 15;

/// Kind of a frame: a payload of items or labels.
pub const FRAME_DATA: u8 = 0;

/// Kind of a frame: acknowledges all frames before its number.
pub const FRAME_ACK: u8 = 1;

/// Kind of a frame: as ack, and requests the frames from its number on.
pub const FRAME_AGAIN: u8 = 2;

/// Kind of a frame: the host's reset, and the chip's greeting.
pub const FRAME_RESET: u8 = 3;

/// Suite: half-gates, tables of 32 bytes.
pub const SUITE_HALF_GATES: u8 = 0;

/// Suite: grr3, tables of 48 bytes.
pub const SUITE_GRR3: u8 = 1;

/// Status of the chip: no error.
pub const STATUS_FINE: u8 = 0;

/// Status of the chip: a frame of another run arrived.
pub const STATUS_OTHER_RUN: u8 = 1;

/// Status of the chip: bytes arrived that are no item.
pub const STATUS_NO_ITEM: u8 = 2;

/// Status of the chip: an item named a slot that does not exist.
pub const STATUS_NO_SLOT: u8 = 3;

/// Status of the chip: the end was reached without an error.
pub const STATUS_OVER: u8 = 4;

/// Version of the link: the current one.
pub const FORMAT_VERSION: u8 = 1;
