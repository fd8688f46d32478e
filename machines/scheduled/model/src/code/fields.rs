//! Where the fields of words are. Generated from `machines/scheduled/spec/words.toml` by `make spec`: change that.

use halfgate_model::Field;

/// Operand: the bank.
pub const OPERAND_BANK: Field = Field { low: 0, width: 6 };

/// Operand: the first of its words.
pub const OPERAND_ADDRESS: Field = Field { low: 6, width: 12 };

/// Operand: their number is two to the power of this.
pub const OPERAND_COPIES: Field = Field { low: 18, width: 4 };

/// Operand: rounds back to the one whose number says which word, modulo their number.
pub const OPERAND_BACK: Field = Field { low: 22, width: 10 };

/// Operand: before this netlist cycle the operand is in the input memory.
pub const OPERAND_FIRST: Field = Field { low: 32, width: 8 };

/// Operand: there, that of netlist cycle 0; others follow.
pub const OPERAND_START: Field = Field { low: 40, width: 12 };

/// Operand: afterwards too: address is one of the input memory, and bank says nothing.
pub const OPERAND_INPUTS: Field = Field { low: 52, width: 1 };

/// Bits of where a slot finds an operand.
pub const OPERAND_BITS: u32 = 53;

/// Place: the bank.
pub const PLACE_BANK: Field = Field { low: 0, width: 6 };

/// Place: the first of its words.
pub const PLACE_ADDRESS: Field = Field { low: 6, width: 12 };

/// Place: their number is two to the power of this.
pub const PLACE_COPIES: Field = Field { low: 18, width: 4 };

/// Place: whether it is written.
pub const PLACE_VALID: Field = Field { low: 22, width: 1 };

/// Bits of where a label is written.
pub const PLACE_BITS: u32 = 23;

/// Slot: the operands; a copy has the lower one.
pub const SLOT_OPERANDS: Field = Field { low: 0, width: 53 };

/// Slot: where the result goes.
pub const SLOT_PLACES: Field = Field { low: 106, width: 23 };

/// Slot: rounds that the gate's netlist cycle is behind.
pub const SLOT_STAGE: Field = Field { low: 152, width: 10 };

/// Slot: of an AND, what its number in the run has over that of the round's first; with a sign.
pub const SLOT_NUMBER: Field = Field { low: 162, width: 32 };

/// Slot: the tag under which the host gets the label.
pub const SLOT_TAG: Field = Field { low: 194, width: 12 };

/// Slot: whether it does.
pub const SLOT_KEEP: Field = Field { low: 206, width: 1 };

/// Slot: the first operand is inverted; of an AND.
pub const SLOT_INVERT_A: Field = Field { low: 207, width: 1 };

/// Slot: the second operand is inverted; of an AND.
pub const SLOT_INVERT_B: Field = Field { low: 208, width: 1 };

/// Slot: the result is inverted.
pub const SLOT_INVERT: Field = Field { low: 209, width: 1 };

/// Slot: the gate is a copy.
pub const SLOT_COPY: Field = Field { low: 210, width: 1 };

/// Slot: the gate is an AND.
pub const SLOT_IS_AND: Field = Field { low: 211, width: 1 };

/// Slot: there is a gate.
pub const SLOT_VALID: Field = Field { low: 212, width: 1 };

/// Bits of what a slot does in a word of the kernel.
pub const SLOT_BITS: u32 = 213;

/// Expand: the first of its words in the input memory.
pub const EXPAND_ADDRESS: Field = Field { low: 0, width: 12 };

/// Expand: their number is two to the power of this.
pub const EXPAND_COPIES: Field = Field { low: 12, width: 4 };

/// Expand: rounds that its netlist cycle is behind.
pub const EXPAND_STAGE: Field = Field { low: 16, width: 10 };

/// Expand: the input bit's number in netlist cycle 0.
pub const EXPAND_FIRST: Field = Field { low: 26, width: 16 };

/// Expand: in others, what it has over the round's first; with a sign.
pub const EXPAND_AGAIN: Field = Field { low: 42, width: 32 };

/// Expand: whether one is made.
pub const EXPAND_VALID: Field = Field { low: 74, width: 1 };

/// Bits of the input label that is made in a word of the kernel.
pub const EXPAND_BITS: u32 = 75;

/// Initial: the word.
pub const INITIAL_ADDRESS: Field = Field { low: 0, width: 12 };

/// Initial: the input bit's number.
pub const INITIAL_NUMBER: Field = Field { low: 12, width: 16 };

/// Initial: it is the label of the constant 0, and no input bit's.
pub const INITIAL_CONSTANT: Field = Field { low: 28, width: 1 };

/// Initial: it is inverted.
pub const INITIAL_INVERT: Field = Field { low: 29, width: 1 };

/// Bits of a label of the input memory that is made at the start.
pub const INITIAL_BITS: u32 = 30;

/// Paper_operand: the slot whose label it is; of an input its number among those of netlist cycle 0.
pub const PAPER_OPERAND_WORD: Field = Field { low: 0, width: 16 };

/// Paper_operand: of a per-cycle input its number among those of any other netlist cycle.
pub const PAPER_OPERAND_AGAIN: Field = Field { low: 16, width: 16 };

/// Paper_operand: whether it is inverted.
pub const PAPER_OPERAND_INVERT: Field = Field { low: 32, width: 1 };

/// Paper_operand: it is the constant 0.
pub const PAPER_OPERAND_IS_CONSTANT: Field = Field { low: 33, width: 1 };

/// Paper_operand: it is an input.
pub const PAPER_OPERAND_IS_INPUT: Field = Field { low: 34, width: 1 };

/// Paper_operand: it is a per-cycle input.
pub const PAPER_OPERAND_PER_CYCLE: Field = Field { low: 35, width: 1 };

/// Bits of where a slot of the published machine finds an operand.
pub const PAPER_OPERAND_BITS: u32 = 36;

/// Paper_slot: a gate's operands, of which a copy has the lower one; what a flip-flop takes over, and what it starts from.
pub const PAPER_SLOT_OPERANDS: Field = Field { low: 0, width: 36 };

/// Paper_slot: the result is inverted.
pub const PAPER_SLOT_INVERT: Field = Field { low: 72, width: 1 };

/// Paper_slot: the gate is a copy.
pub const PAPER_SLOT_COPY: Field = Field { low: 73, width: 1 };

/// Paper_slot: the gate is an AND.
pub const PAPER_SLOT_IS_AND: Field = Field { low: 74, width: 1 };

/// Paper_slot: it is a flip-flop.
pub const PAPER_SLOT_FLIP_FLOP: Field = Field { low: 75, width: 1 };

/// Paper_slot: the host gets its label.
pub const PAPER_SLOT_KEEP: Field = Field { low: 76, width: 1 };

/// Bits of a flip-flop or a gate of the published machine's netlist.
pub const PAPER_SLOT_BITS: u32 = 77;
