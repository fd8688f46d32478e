//! The steps of a round (FIPS 197, section 5.1).

use super::{Byte, State, sbox};
use crate::builder::Builder;
use crate::id::Bit;

/// Splits 128 bits into bytes in FIPS order. Free.
///
/// # Panics
/// If there are not 128 bits.
pub fn bytes(bits: &[Bit]) -> State {
    assert_eq!(bits.len(), 128, "a block or round key of AES has 128 bits");
    std::array::from_fn(|i| std::array::from_fn(|j| bits[8 * i + j]))
}

/// Applies the S-box to each byte. 512 ANDs, of depth 6.
pub fn sub_bytes(b: &mut Builder, state: &State) -> State {
    state.map(|byte| sbox(b, &byte))
}

/// Rotates row `r` to the left by `r` columns. Free, without a gate.
pub fn shift_rows(state: &State) -> State {
    std::array::from_fn(|i| state[(i + 4 * (i % 4)) % 16])
}

/// Computes `2 a_r + 3 a_(r+1) + a_(r+2) + a_(r+3)` in each column as
/// `2 (a_r + a_(r+1)) + a_(r+1) + (a_(r+2) + a_(r+3))`, which shares the sums of neighbours. Free.
pub fn mix_columns(b: &mut Builder, state: &State) -> State {
    let right = |i: usize, by: usize| i / 4 * 4 + (i + by) % 4;
    let pairs: State = std::array::from_fn(|i| xor_bytes(b, &state[i], &state[right(i, 1)]));
    std::array::from_fn(|i| {
        let doubled = double(b, &pairs[i]);
        let rest = xor_bytes(b, &state[right(i, 1)], &pairs[right(i, 2)]);
        xor_bytes(b, &doubled, &rest)
    })
}

/// XORs two states, for example to add a round key. Free.
pub fn xor_states(b: &mut Builder, x: &State, y: &State) -> State {
    std::array::from_fn(|i| xor_bytes(b, &x[i], &y[i]))
}

pub(super) fn xor_bytes(b: &mut Builder, x: &Byte, y: &Byte) -> Byte {
    std::array::from_fn(|j| b.xor(x[j], y[j]))
}

/// `x^8` modulo the field's polynomial.
const REDUCTION: u8 = 0x1b;

/// Multiplies by `x` in GF(2^8).
fn double(b: &mut Builder, x: &Byte) -> Byte {
    std::array::from_fn(|j| {
        let shifted = if j == 0 { Bit::FALSE } else { x[j - 1] };
        if REDUCTION >> j & 1 == 1 { b.xor(shifted, x[7]) } else { shifted }
    })
}

/// The round constant of the key schedule's step `step`, counted from 0: `2^step` in GF(2^8).
pub(super) fn round_constant(step: usize) -> u8 {
    (0..step).fold(1, |c: u8, _| (c << 1) ^ ((c >> 7) * REDUCTION))
}
