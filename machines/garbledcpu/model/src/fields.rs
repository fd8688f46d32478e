//! Positions of the fields of words, for the evaluator of GarbledCPU.
//!
//! Generated from `machines/garbledcpu/spec/words.toml`: change that file and run `make spec`.

use halfgate_model::Field;

/// Operand: bank.
pub const OPERAND_BANK: Field = Field { low: 0, width: 6 };

/// Operand: address of the first of its words.
pub const OPERAND_ADDRESS: Field = Field { low: 6, width: 16 };

/// Operand: binary logarithm of the number of its words.
pub const OPERAND_COPIES: Field = Field { low: 22, width: 4 };

/// Operand: round - back is the netlist cycle of the label; modulo the number of words it selects
/// the word.
pub const OPERAND_BACK: Field = Field { low: 26, width: 10 };

/// Operand: first netlist cycle in which the operand is in a bank; before it, it is in the input
/// memory.
pub const OPERAND_FIRST: Field = Field { low: 36, width: 8 };

/// Operand: address in the input memory for netlist cycle 0; those of the next cycles follow.
pub const OPERAND_START: Field = Field { low: 44, width: 16 };

/// Operand: set if the operand is in the input memory in all netlist cycles, at `address`; `bank`
/// is ignored.
pub const OPERAND_INPUTS: Field = Field { low: 60, width: 1 };

/// Operand: set if there is an operand.
pub const OPERAND_VALID: Field = Field { low: 61, width: 1 };

/// Bits of the place of an operand of an entry.
pub const OPERAND_BITS: u32 = 62;

/// Place: bank.
pub const PLACE_BANK: Field = Field { low: 0, width: 6 };

/// Place: address of the first of its words.
pub const PLACE_ADDRESS: Field = Field { low: 6, width: 16 };

/// Place: binary logarithm of the number of its words.
pub const PLACE_COPIES: Field = Field { low: 22, width: 4 };

/// Place: set if the label is written.
pub const PLACE_VALID: Field = Field { low: 26, width: 1 };

/// Bits of the place to which a label is written.
pub const PLACE_BITS: u32 = 27;

/// Entry: operands a, b and c.
pub const ENTRY_OPERANDS: Field = Field { low: 0, width: 62 };

/// Entry: places to which the result is written.
pub const ENTRY_PLACES: Field = Field { low: 186, width: 27 };

/// Entry: rounds by which the gate's netlist cycle is behind.
pub const ENTRY_STAGE: Field = Field { low: 267, width: 10 };

/// Entry: for an AND, its number in the run minus that of the round's first AND, signed; under a
/// fixed key, its index in the body.
pub const ENTRY_NUMBER: Field = Field { low: 277, width: 32 };

/// Entry: tag with which the host receives the label.
pub const ENTRY_TAG: Field = Field { low: 309, width: 16 };

/// Entry: set if the host receives the label.
pub const ENTRY_KEEP: Field = Field { low: 325, width: 1 };

/// Entry: set if c is XORed to a.
pub const ENTRY_XOR_A: Field = Field { low: 326, width: 1 };

/// Entry: set if c is XORed to b.
pub const ENTRY_XOR_B: Field = Field { low: 327, width: 1 };

/// Entry: set if c is XORed to the result of the AND.
pub const ENTRY_XOR_OUT: Field = Field { low: 328, width: 1 };

/// Entry: set if the gate is an AND.
pub const ENTRY_IS_AND: Field = Field { low: 329, width: 1 };

/// Entry: set if there is a gate.
pub const ENTRY_VALID: Field = Field { low: 330, width: 1 };

/// Bits of a gate: a ^ b, or ((a ^ c?) & (b ^ c?)) ^ c?, where each c? is the third operand or 0.
pub const ENTRY_BITS: u32 = 331;

/// Request: the first of its words in the input memory.
pub const REQUEST_ADDRESS: Field = Field { low: 0, width: 16 };

/// Request: binary logarithm of the number of its words.
pub const REQUEST_COPIES: Field = Field { low: 16, width: 4 };

/// Request: rounds by which the label's netlist cycle is behind.
pub const REQUEST_STAGE: Field = Field { low: 20, width: 10 };

/// Request: set if a label is requested.
pub const REQUEST_VALID: Field = Field { low: 30, width: 1 };

/// Bits of the input label that a word of the gate memory requests.
pub const REQUEST_BITS: u32 = 31;
