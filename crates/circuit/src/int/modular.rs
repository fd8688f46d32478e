//! Arithmetic modulo a number, secret or public: constants fold, so that a public one costs less.
//!
//! Operands must be below the modulus; if one is not, or the modulus is 0, the result means
//! nothing. Results are `n` bits, the modulus' width.

use super::{
    add, add_carry, and, div_rem_constant, div_rem_unsigned, mul_full, select, sign, sub,
    zero_extend,
};
use crate::builder::Builder;
use crate::id::Bit;

/// `x + y` modulo `modulus`. `3n` ANDs, less for a public modulus.
pub fn add_mod(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: &[Bit]) -> Vec<Bit> {
    let n = modulus.len();
    let sum = add_carry(b, &zero_extend(x, n), &zero_extend(y, n));
    // Below twice the modulus, so the difference has n bits and a sign.
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

/// `x * y` modulo `modulus`: a product and a division of `2n` by `n` bits. For 64 bits 12,139
/// ANDs.
pub fn mul_mod(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: &[Bit]) -> Vec<Bit> {
    let n = modulus.len();
    let product = mul_full(b, &zero_extend(x, n), &zero_extend(y, n));
    div_rem_unsigned(b, &product, modulus).1
}

/// `x * y` modulo a public `modulus`, whose bits in binary are `n`: a product, and at most
/// `n^2 + 2n - 1` ANDs for the remainder.
///
/// # Panics
/// If `modulus` is 0.
pub fn mul_mod_constant(b: &mut Builder, x: &[Bit], y: &[Bit], modulus: u128) -> Vec<Bit> {
    let product = mul_full(b, x, y);
    div_rem_constant(b, &product, modulus).1
}
