//! Where the fields of words are. Generated from `machines/garbledcpu/spec/words.toml` by `make spec`: change that.

use halfgate_model::Field;

/// Operand: the bank.
pub const OPERAND_BANK: Field = Field { low: 0, width: 6 };

/// Operand: the first of its words.
pub const OPERAND_ADDRESS: Field = Field { low: 6, width: 16 };

/// Operand: their number is two to the power of this.
pub const OPERAND_COPIES: Field = Field { low: 22, width: 4 };

/// Operand: rounds back to the one whose number says which word, modulo their number.
pub const OPERAND_BACK: Field = Field { low: 26, width: 10 };

/// Operand: before this netlist cycle the operand is in the input memory.
pub const OPERAND_FIRST: Field = Field { low: 36, width: 8 };

/// Operand: there, that of netlist cycle 0; others follow.
pub const OPERAND_START: Field = Field { low: 44, width: 16 };

/// Operand: afterwards too: address is one of the input memory, and bank says nothing.
pub const OPERAND_INPUTS: Field = Field { low: 60, width: 1 };

/// Operand: whether there is one.
pub const OPERAND_VALID: Field = Field { low: 61, width: 1 };

/// Bits of where an entry finds an operand.
pub const OPERAND_BITS: u32 = 62;

/// Place: the bank.
pub const PLACE_BANK: Field = Field { low: 0, width: 6 };

/// Place: the first of its words.
pub const PLACE_ADDRESS: Field = Field { low: 6, width: 16 };

/// Place: their number is two to the power of this.
pub const PLACE_COPIES: Field = Field { low: 22, width: 4 };

/// Place: whether it is written.
pub const PLACE_VALID: Field = Field { low: 26, width: 1 };

/// Bits of where a label is written.
pub const PLACE_BITS: u32 = 27;

/// Entry: the operands a, b and c.
pub const ENTRY_OPERANDS: Field = Field { low: 0, width: 62 };

/// Entry: where the result goes.
pub const ENTRY_PLACES: Field = Field { low: 186, width: 27 };

/// Entry: rounds that the gate's netlist cycle is behind.
pub const ENTRY_STAGE: Field = Field { low: 267, width: 10 };

/// Entry: of an AND, what its number in the run has over that of the round's first, with a sign; under a fixed key its place in the body.
pub const ENTRY_NUMBER: Field = Field { low: 277, width: 32 };

/// Entry: the tag under which the host gets the label.
pub const ENTRY_TAG: Field = Field { low: 309, width: 16 };

/// Entry: whether it does.
pub const ENTRY_KEEP: Field = Field { low: 325, width: 1 };

/// Entry: c is XORed to a.
pub const ENTRY_XOR_A: Field = Field { low: 326, width: 1 };

/// Entry: c is XORed to b.
pub const ENTRY_XOR_B: Field = Field { low: 327, width: 1 };

/// Entry: c is XORed to the AND.
pub const ENTRY_XOR_OUT: Field = Field { low: 328, width: 1 };

/// Entry: the gate is an AND.
pub const ENTRY_IS_AND: Field = Field { low: 329, width: 1 };

/// Entry: there is a gate.
pub const ENTRY_VALID: Field = Field { low: 330, width: 1 };

/// Bits of a gate: ((a ^ c?) & (b ^ c?)) ^ c?, where c? is the third operand or nothing; or a ^ b.
pub const ENTRY_BITS: u32 = 331;

/// Request: the first of its words in the input memory.
pub const REQUEST_ADDRESS: Field = Field { low: 0, width: 16 };

/// Request: their number is two to the power of this.
pub const REQUEST_COPIES: Field = Field { low: 16, width: 4 };

/// Request: rounds that its netlist cycle is behind.
pub const REQUEST_STAGE: Field = Field { low: 20, width: 10 };

/// Request: whether one is wanted.
pub const REQUEST_VALID: Field = Field { low: 30, width: 1 };

/// Bits of the input label that is wanted in a word of the gate memory.
pub const REQUEST_BITS: u32 = 31;
