//! Positions of the fields of words, for SIFO's overlay.
//!
//! Generated from `machines/overlay/spec/words.toml`: change that file and run `make spec`.

use halfgate_model::Field;

/// Batch: number of gates.
pub const BATCH_GATES: Field = Field { low: 0, width: 31 };

/// Batch: set for ANDs, clear for XORs.
pub const BATCH_ANDS: Field = Field { low: 31, width: 1 };

/// Bits of the word before a batch; 0 ends the run.
pub const BATCH_BITS: u32 = 32;

/// Long: set for block RAM, clear for DDR.
pub const LONG_RAM: Field = Field { low: 0, width: 1 };

/// Long: address of the label.
pub const LONG_ADDRESS: Field = Field { low: 1, width: 31 };

/// Bits of an address as first published.
pub const LONG_BITS: u32 = 32;

/// Short: set for block RAM, clear for DDR.
pub const SHORT_RAM: Field = Field { low: 0, width: 1 };

/// Short: address of the label.
pub const SHORT_ADDRESS: Field = Field { low: 1, width: 20 };

/// Bits of an address as finally published.
pub const SHORT_BITS: u32 = 21;

/// Packed: addresses of the two operands and of the output.
pub const PACKED_PLACES: Field = Field { low: 0, width: 21 };

/// Packed: unused.
pub const PACKED_NONE: Field = Field { low: 63, width: 1 };

/// Bits of a command as finally published.
pub const PACKED_BITS: u32 = 64;

/// Place: set for block RAM, clear for DDR.
pub const PLACE_RAM: Field = Field { low: 0, width: 1 };

/// Place: set if the label is inverted.
pub const PLACE_INVERT: Field = Field { low: 1, width: 1 };

/// Place: address of the label.
pub const PLACE_ADDRESS: Field = Field { low: 2, width: 30 };

/// Bits of an address in our form.
pub const PLACE_BITS: u32 = 32;
