//! Division: restoring, one quotient bit after the other.

use super::{select, sub, zero_extend};
use crate::builder::Builder;
use crate::id::Bit;

/// Quotient (as wide as `x`) and remainder (as wide as `y`) of two unsigned numbers. Division by
/// zero gives a quotient of ones and the low bits of `x` as remainder. For `n` by `n` bits, fewer
/// than `n(2n + 1)` ANDs.
pub fn div_rem_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let mut quotient = vec![Bit::FALSE; x.len()];
    let mut rest = vec![Bit::FALSE; y.len()];
    for (i, &bit) in x.iter().enumerate().rev() {
        // rest < y before, so with one more bit it is below 2y. One bit above that is the sign
        // of the difference.
        rest.insert(0, bit);
        let difference = sub(b, &zero_extend(&rest, y.len() + 2), y);
        quotient[i] = !difference[y.len() + 1];
        rest = select(b, quotient[i], &difference[..y.len()], &rest[..y.len()]);
    }
    (quotient, rest)
}
