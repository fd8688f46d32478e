//! Where the fields of words are. Generated from `machines/overlay/spec/words.toml` by `make spec`: change that.

use halfgate_model::Field;

/// Batch: how many.
pub const BATCH_GATES: Field = Field { low: 0, width: 31 };

/// Batch: they are ANDs, else XORs.
pub const BATCH_ANDS: Field = Field { low: 31, width: 1 };

/// Bits of the word before a batch; 0 ends the run.
pub const BATCH_BITS: u32 = 32;

/// Long: it is of block RAM, else of DDR.
pub const LONG_RAM: Field = Field { low: 0, width: 1 };

/// Long: the label.
pub const LONG_ADDRESS: Field = Field { low: 1, width: 31 };

/// Bits of an address as first published.
pub const LONG_BITS: u32 = 32;

/// Short: it is of block RAM, else of DDR.
pub const SHORT_RAM: Field = Field { low: 0, width: 1 };

/// Short: the label.
pub const SHORT_ADDRESS: Field = Field { low: 1, width: 20 };

/// Bits of an address as published at last.
pub const SHORT_BITS: u32 = 21;

/// Packed: of the two operands and of the output.
pub const PACKED_PLACES: Field = Field { low: 0, width: 21 };

/// Packed: nothing.
pub const PACKED_NONE: Field = Field { low: 63, width: 1 };

/// Bits of a command as published at last.
pub const PACKED_BITS: u32 = 64;

/// Place: it is of block RAM, else of DDR.
pub const PLACE_RAM: Field = Field { low: 0, width: 1 };

/// Place: the label is inverted.
pub const PLACE_INVERT: Field = Field { low: 1, width: 1 };

/// Place: the label.
pub const PLACE_ADDRESS: Field = Field { low: 2, width: 30 };

/// Bits of an address of ours.
pub const PLACE_BITS: u32 = 32;
