//! Shifts by constants, which are free, and by values, with one row of multiplexers for each bit of
//! the amount.

use super::{bit_or_zero, is_zero, sign};
use crate::builder::Builder;
use crate::id::Bit;

/// `x << amount`; zeros are shifted in. Free.
pub fn shl_const(x: &[Bit], amount: usize) -> Vec<Bit> {
    (0..x.len()).map(|i| i.checked_sub(amount).map_or(Bit::FALSE, |i| x[i])).collect()
}

/// `x >> amount`; zeros are shifted in. Free.
pub fn shr_const(x: &[Bit], amount: usize) -> Vec<Bit> {
    (0..x.len()).map(|i| bit_or_zero(x, i.saturating_add(amount))).collect()
}

/// `x >> amount`; copies of the top bit are shifted in. Free.
pub fn sar_const(x: &[Bit], amount: usize) -> Vec<Bit> {
    let source = |i: usize| x.get(i.saturating_add(amount)).copied();
    (0..x.len()).map(|i| source(i).unwrap_or(sign(x))).collect()
}

/// Rotates `x` towards its top by `amount`, modulo the width. Free.
pub fn rotl_const(x: &[Bit], amount: usize) -> Vec<Bit> {
    let mut x = x.to_vec();
    if !x.is_empty() {
        let amount = amount % x.len();
        x.rotate_right(amount);
    }
    x
}

/// `x << amount`, or 0 if `amount` is at least the width. At most `n log2 n` ANDs. If `amount` has
/// more bits than needed, it takes `n` more, and one for each additional bit.
pub fn shl(b: &mut Builder, x: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    shift(b, x, amount, Bit::FALSE, shl_const)
}

/// `x >> amount`; zeros are shifted in. 0 if `amount` is at least the width. ANDs as for [`shl`].
pub fn shr(b: &mut Builder, x: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    shift(b, x, amount, Bit::FALSE, shr_const)
}

/// `x >> amount`; copies of the top bit are shifted in. All bits are copies if `amount` is at least
/// the width. ANDs as for [`shl`].
pub fn sar(b: &mut Builder, x: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    shift(b, x, amount, sign(x), sar_const)
}

/// Rotates `x` towards its top by `amount`, modulo the width. `n` ANDs for each relevant bit of
/// `amount`: `log2 n` bits if the width is a power of two.
pub fn rotl(b: &mut Builder, x: &[Bit], amount: &[Bit]) -> Vec<Bit> {
    let mut x = x.to_vec();
    let Some(mut step) = 1usize.checked_rem(x.len()) else { return x };
    for &bit in amount {
        if step != 0 {
            x = super::select(b, bit, &rotl_const(&x, step), &x);
        }
        step = step * 2 % x.len();
    }
    x
}

fn shift(
    b: &mut Builder,
    x: &[Bit],
    amount: &[Bit],
    fill: Bit,
    by_constant: fn(&[Bit], usize) -> Vec<Bit>,
) -> Vec<Bit> {
    let mut x = x.to_vec();
    // The low bits of the amount shift by less than the width. A high bit shifts everything out.
    let stages = x.len().next_power_of_two().trailing_zeros() as usize;
    let (low, high) = amount.split_at(stages.min(amount.len()));
    for (stage, &bit) in low.iter().enumerate() {
        let shifted = by_constant(&x, 1 << stage);
        x = super::select(b, bit, &shifted, &x);
    }
    let in_range = is_zero(b, high);
    x.iter().map(|&bit| b.mux(in_range, bit, fill)).collect()
}
