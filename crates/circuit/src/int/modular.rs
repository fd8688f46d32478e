//! Arithmetic modulo a secret or public number. Constants fold, so a public modulus takes fewer
//! ANDs.
//!
//! Operands must be below the modulus. If one is not, or the modulus is 0, the result has no
//! meaning. Results have `n` bits, the width of the modulus.

use super::{
    add, add_carry, and, div_rem_constant, div_rem_unsigned, mul_full, select, sign, sub,
    zero_extend,
};
use crate::builder::Builder;
use crate::id::Bit;

/// `x + y` modulo `modulus`. `3n` ANDs, fewer for a public modulus.
pub fn add_mod(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: &[Bit]) -> Vec<Bit> {
    let n = modulus.len();
    let sum = add_carry(b, &zero_extend(x, n), &zero_extend(y, n));
    // The sum is below twice the modulus, so the difference has n bits and a sign.
    let reduced = sub(b, &sum, modulus);
    select(b, sign(&reduced), &sum[..n], &reduced[..n])
}

/// `x - y` modulo `modulus`. `3n - 1` ANDs, `2n - 1` for a public modulus.
pub fn sub_mod(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: &[Bit]) -> Vec<Bit> {
    let n = modulus.len();
    let difference = sub(b, &zero_extend(x, n + 1), &zero_extend(y, n));
    let missing = and(b, &vec![sign(&difference); n], modulus);
    add(b, &difference[..n], &missing)
}

/// `x * y` modulo `modulus`: a product, and a division of `2n` by `n` bits. 12,139 ANDs for 64
/// bits.
pub fn mul_mod(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: &[Bit]) -> Vec<Bit> {
    let n = modulus.len();
    let product = mul_full(b, &zero_extend(x, n), &zero_extend(y, n));
    div_rem_unsigned(b, &product, modulus).1
}

/// `x * y` modulo a public `modulus` of `n` bits: a product, and at most `n^2 + 2n - 1` ANDs for
/// the remainder.
///
/// # Panics
/// If `modulus` is 0.
pub fn mul_mod_constant(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: u128) -> Vec<Bit> {
    let product = mul_full(b, x, y);
    div_rem_constant(b, &product, modulus).1
}
