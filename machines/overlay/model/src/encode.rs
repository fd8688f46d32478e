//! Encodes and decodes the word before a batch.

use super::fields;
pub use halfgate_model::Field;

/// The word that ends a run.
pub const END: u32 = 0;

/// Encodes the word before a batch of `gates` gates, fewer than 2^31.
pub fn batch(gates: u32, ands: bool) -> u32 {
    debug_assert!(gates >> fields::BATCH_GATES.width == 0, "a batch of {gates} gates");
    gates | u32::from(ands) << fields::BATCH_ANDS.low
}

/// Decodes the word before a batch: returns the number of gates, and whether they are ANDs.
pub fn of_batch(word: u32) -> (u32, bool) {
    (word & !(1 << fields::BATCH_ANDS.low), word >> fields::BATCH_ANDS.low & 1 == 1)
}
