//! Numbers that have names. Generated from `machines/mobile/spec/words.toml` by `make spec`: change that.

/// An item: a, b, out: out = a ^ b.
pub const KIND_XOR: u8 = 0;

/// An item: a, b: out being a.
pub const KIND_XOR_TO_A: u8 = 1;

/// An item: a, b, c, out: out = a ^ b ^ c.
pub const KIND_XOR3: u8 = 2;

/// An item: a, b, c: out being a.
pub const KIND_XOR3_TO_A: u8 = 3;

/// An item: a, b, out: out = a & b.
pub const KIND_AND: u8 = 4;

/// An item: a, b: out being a.
pub const KIND_AND_TO_A: u8 = 5;

/// An item: a, b: out being b.
pub const KIND_AND_TO_B: u8 = 6;

/// An item: a, b, c, out: out = (a & (b ^ c)) ^ c.
pub const KIND_CHOICE: u8 = 7;

/// An item: a, b, c: out being b.
pub const KIND_CHOICE_TO_B: u8 = 8;

/// An item: a, b, c: out being c.
pub const KIND_CHOICE_TO_C: u8 = 9;

/// An item: a, b, c, a byte that says how, perhaps out.
pub const KIND_AND3: u8 = 10;

/// An item: a slot and its label.
pub const KIND_LOAD: u8 = 11;

/// An item: a slot whose label is wanted.
pub const KIND_READ: u8 = 12;

/// An item: there is nothing more.
pub const KIND_END: u8 = 13;

/// An item: a netlist cycle begins: suite, number, cycle, point.
pub const KIND_BEGIN: u8 = 14;

/// An item: the second of two, if there is none.
pub const KIND_NONE: u8 = 15;

/// A frame: payload.
pub const FRAME_DATA: u8 = 0;

/// A frame: all before the number are there.
pub const FRAME_ACK: u8 = 1;

/// A frame: the same, and those from the number on are wanted again.
pub const FRAME_AGAIN: u8 = 2;

/// A frame: the beginning of a run, and the answer to it.
pub const FRAME_RESET: u8 = 3;

/// A suite: half-gates, tables of 32 bytes.
pub const SUITE_HALF_GATES: u8 = 0;

/// A suite: grr3, tables of 48 bytes.
pub const SUITE_GRR3: u8 = 1;

/// What the chip says of itself: nothing is wrong.
pub const STATUS_FINE: u8 = 0;

/// What the chip says of itself: a frame of another run came.
pub const STATUS_OTHER_RUN: u8 = 1;

/// What the chip says of itself: bytes came that are no item.
pub const STATUS_NO_ITEM: u8 = 2;

/// What the chip says of itself: an item names a slot that it has not.
pub const STATUS_NO_SLOT: u8 = 3;

/// What the chip says of itself: the last item is done, and nothing was wrong.
pub const STATUS_OVER: u8 = 4;

/// A link: this one.
pub const FORMAT_VERSION: u8 = 1;
