//! Positions of the fields of words, for the scheduled FASE machine.
//!
//! Generated from `machines/scheduled/spec/words.toml`: change that file and run `make spec`.

use halfgate_model::Field;

/// Operand: bank.
pub const OPERAND_BANK: Field = Field { low: 0, width: 6 };

/// Operand: address of the first of its words.
pub const OPERAND_ADDRESS: Field = Field { low: 6, width: 12 };

/// Operand: binary logarithm of the number of its words.
pub const OPERAND_COPIES: Field = Field { low: 18, width: 4 };

/// Operand: round - back is the netlist cycle of the label; modulo the number of words it selects
/// the word.
pub const OPERAND_BACK: Field = Field { low: 22, width: 10 };

/// Operand: first netlist cycle in which the operand is in a bank; before it, it is in the input
/// memory.
pub const OPERAND_FIRST: Field = Field { low: 32, width: 8 };

/// Operand: address in the input memory for netlist cycle 0; those of the next cycles follow.
pub const OPERAND_START: Field = Field { low: 40, width: 12 };

/// Operand: set if the operand is in the input memory in all netlist cycles, at `address`; `bank`
/// is ignored.
pub const OPERAND_INPUTS: Field = Field { low: 52, width: 1 };

/// Bits of the place of an operand of a slot.
pub const OPERAND_BITS: u32 = 53;

/// Place: bank.
pub const PLACE_BANK: Field = Field { low: 0, width: 6 };

/// Place: address of the first of its words.
pub const PLACE_ADDRESS: Field = Field { low: 6, width: 12 };

/// Place: binary logarithm of the number of its words.
pub const PLACE_COPIES: Field = Field { low: 18, width: 4 };

/// Place: set if the label is written.
pub const PLACE_VALID: Field = Field { low: 22, width: 1 };

/// Bits of the place to which a label is written.
pub const PLACE_BITS: u32 = 23;

/// Slot: operands; a copy has only the lower one.
pub const SLOT_OPERANDS: Field = Field { low: 0, width: 53 };

/// Slot: places to which the result is written.
pub const SLOT_PLACES: Field = Field { low: 106, width: 23 };

/// Slot: rounds by which the gate's netlist cycle is behind.
pub const SLOT_STAGE: Field = Field { low: 152, width: 10 };

/// Slot: for an AND, its number in the run minus that of the round's first AND, signed.
pub const SLOT_NUMBER: Field = Field { low: 162, width: 32 };

/// Slot: tag with which the host receives the label.
pub const SLOT_TAG: Field = Field { low: 194, width: 12 };

/// Slot: set if the host receives the label.
pub const SLOT_KEEP: Field = Field { low: 206, width: 1 };

/// Slot: set if the first operand of an AND is inverted.
pub const SLOT_INVERT_A: Field = Field { low: 207, width: 1 };

/// Slot: set if the second operand of an AND is inverted.
pub const SLOT_INVERT_B: Field = Field { low: 208, width: 1 };

/// Slot: set if the result is inverted.
pub const SLOT_INVERT: Field = Field { low: 209, width: 1 };

/// Slot: set if the gate is a copy.
pub const SLOT_COPY: Field = Field { low: 210, width: 1 };

/// Slot: set if the gate is an AND.
pub const SLOT_IS_AND: Field = Field { low: 211, width: 1 };

/// Slot: set if there is a gate.
pub const SLOT_VALID: Field = Field { low: 212, width: 1 };

/// Bits of a slot of a kernel word.
pub const SLOT_BITS: u32 = 213;

/// Expand: the first of its words in the input memory.
pub const EXPAND_ADDRESS: Field = Field { low: 0, width: 12 };

/// Expand: binary logarithm of the number of its words.
pub const EXPAND_COPIES: Field = Field { low: 12, width: 4 };

/// Expand: rounds by which the label's netlist cycle is behind.
pub const EXPAND_STAGE: Field = Field { low: 16, width: 10 };

/// Expand: number of the input bit in netlist cycle 0.
pub const EXPAND_FIRST: Field = Field { low: 26, width: 16 };

/// Expand: for later netlist cycles, the input bit's number minus that of the round's first input
/// bit, signed.
pub const EXPAND_AGAIN: Field = Field { low: 42, width: 32 };

/// Expand: set if a label is made.
pub const EXPAND_VALID: Field = Field { low: 74, width: 1 };

/// Bits of the input label that a kernel word makes.
pub const EXPAND_BITS: u32 = 75;

/// Initial: address of its word.
pub const INITIAL_ADDRESS: Field = Field { low: 0, width: 12 };

/// Initial: number of the input bit.
pub const INITIAL_NUMBER: Field = Field { low: 12, width: 16 };

/// Initial: set if the label is that of the constant 0, not of an input bit.
pub const INITIAL_CONSTANT: Field = Field { low: 28, width: 1 };

/// Initial: set if the label is inverted.
pub const INITIAL_INVERT: Field = Field { low: 29, width: 1 };

/// Bits of a label that is made in the input memory at the start.
pub const INITIAL_BITS: u32 = 30;

/// Paper_operand: slot that makes the label; for an input, its number among the inputs of netlist
/// cycle 0.
pub const PAPER_OPERAND_WORD: Field = Field { low: 0, width: 16 };

/// Paper_operand: for a per-cycle input, its number among the inputs of any later netlist cycle.
pub const PAPER_OPERAND_AGAIN: Field = Field { low: 16, width: 16 };

/// Paper_operand: set if the operand is inverted.
pub const PAPER_OPERAND_INVERT: Field = Field { low: 32, width: 1 };

/// Paper_operand: set if the operand is the constant 0.
pub const PAPER_OPERAND_IS_CONSTANT: Field = Field { low: 33, width: 1 };

/// Paper_operand: set if the operand is an input.
pub const PAPER_OPERAND_IS_INPUT: Field = Field { low: 34, width: 1 };

/// Paper_operand: set if the operand is a per-cycle input.
pub const PAPER_OPERAND_PER_CYCLE: Field = Field { low: 35, width: 1 };

/// Bits of the source of an operand of the published machine's slot.
pub const PAPER_OPERAND_BITS: u32 = 36;

/// Paper_slot: for a gate, its operands (a copy has only the lower one); for a flip-flop, its next
/// state, then its initial value.
pub const PAPER_SLOT_OPERANDS: Field = Field { low: 0, width: 36 };

/// Paper_slot: set if the result is inverted.
pub const PAPER_SLOT_INVERT: Field = Field { low: 72, width: 1 };

/// Paper_slot: set if the gate is a copy.
pub const PAPER_SLOT_COPY: Field = Field { low: 73, width: 1 };

/// Paper_slot: set if the gate is an AND.
pub const PAPER_SLOT_IS_AND: Field = Field { low: 74, width: 1 };

/// Paper_slot: set if the slot is a flip-flop.
pub const PAPER_SLOT_FLIP_FLOP: Field = Field { low: 75, width: 1 };

/// Paper_slot: set if the host receives the label.
pub const PAPER_SLOT_KEEP: Field = Field { low: 76, width: 1 };

/// Bits of a flip-flop or a gate of the published machine's netlist.
pub const PAPER_SLOT_BITS: u32 = 77;
