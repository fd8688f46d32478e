//! AES inside a circuit (FIPS 197), with keys of 128, 192 or 256 bits.
//!
//! Only S-boxes have ANDs, 32 each: 16 S-boxes per round, and 4 for each column that the key
//! schedule substitutes. Bytes are in FIPS order. Within a byte, the lowest bit is first: bit `j`
//! of byte `k` is bit `8k + j`. Values that are written `bytes:…` on the command line have the same
//! order.
//!
//! | key | rounds | ANDs, schedule included | ANDs of the schedule | AND depth |
//! |---|---|---|---|---|
//! | 128 | 10 | 6,400 | 1,280 | 60 |
//! | 192 | 12 | 7,168 | 1,024 | 72 |
//! | 256 | 14 | 8,832 | 1,664 | 84 |
//!
//! The published Bristol Fashion circuits have the same number of ANDs; no smaller ones are known.

mod ctr;
mod round;
mod sbox;
mod schedule;

pub use ctr::Ctr;
pub use round::{bytes, mix_columns, shift_rows, sub_bytes, xor_states};
pub use sbox::sbox;
pub use schedule::{Schedule, next_round_key_128};

use crate::builder::Builder;
use crate::id::Bit;

/// A byte, bit 0 (the lowest) first.
pub type Byte = [Bit; 8];

/// The 16 bytes of a block or round key in FIPS order: byte `4c + r` is row `r` of column `c`.
pub type State = [Byte; 16];

/// Encrypts `block` with `key`. All values are in FIPS byte order. ANDs and depth as in the
/// [table](self). For several blocks under one key, [`encrypt_with`] shares the schedule.
///
/// # Panics
/// If `block` does not have 128 bits, or `key` does not have 128, 192 or 256.
pub fn encrypt(b: &mut Builder, key: &[Bit], block: &[Bit]) -> Vec<Bit> {
    encrypt_with(b, &mut Schedule::new(key), block)
}

/// Like [`encrypt`], with round keys from `schedule`, which computes each of them on first use.
/// Every further block takes `512 * rounds` ANDs: 5,120, 6,144 or 7,168.
///
/// # Panics
/// If `block` does not have 128 bits.
pub fn encrypt_with(b: &mut Builder, schedule: &mut Schedule, block: &[Bit]) -> Vec<Bit> {
    let first = schedule.round_key(b, 0);
    let mut state = xor_states(b, &bytes(block), &first);
    for round in 1..=schedule.rounds() {
        state = sub_bytes(b, &state);
        state = shift_rows(&state);
        if round < schedule.rounds() {
            state = mix_columns(b, &state);
        }
        let round_key = schedule.round_key(b, round);
        state = xor_states(b, &state, &round_key);
    }
    state.concat()
}

#[cfg(test)]
mod tests;
