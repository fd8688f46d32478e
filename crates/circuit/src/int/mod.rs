//! Integer arithmetic on slices of bits, bit 0 first: functions that add gates to a builder.
//!
//! If two operands differ in width, the narrower is extended with zeros (extend signed ones with
//! [`sign_extend`] first). The documented AND counts are for operands of `n` bits that are not
//! constant; constants fold and take fewer. XORs are free and not counted. Functions that make no
//! gate take no builder.

mod add;
mod bounds;
mod compare;
mod count;
mod divide;
mod fast;
mod full_adder;
mod modular;
mod mul;
mod select;
mod shift;
mod square;
mod sum;

pub use add::{abs, add, add_carry, increment_if, neg, negate_if, sub};
pub(crate) use add::{add_with_carry, add_wrapping};
pub use bounds::{
    abs_diff_unsigned, add_overflowing_signed, add_overflowing_unsigned, leading_zeros,
    saturating_add_signed, saturating_add_unsigned, saturating_sub_signed, saturating_sub_unsigned,
    sub_overflowing_signed, sub_overflowing_unsigned, trailing_zeros,
};
pub use compare::{
    eq, is_zero, le_unsigned, lt_signed, lt_unsigned, max_signed, max_unsigned, min_signed,
    min_unsigned,
};
pub use count::popcount;
pub use divide::{div_rem_constant, div_rem_signed, div_rem_unsigned, div_signed, div_unsigned};
pub use fast::{add_fast, lt_unsigned_fast, sum_fast};
pub(crate) use full_adder::{full_adder, majority};
pub use modular::{add_mod, mul_mod, mul_mod_constant, sub_mod};
pub use mul::{mul, mul_by_rows, mul_full, mul_full_signed, mul_low, mul_low_signed};
pub use select::{and, select, swap_if, xor};
pub use shift::{rotl, rotl_const, sar, sar_const, shl, shl_const, shr, shr_const};
pub use square::{square, square_full, square_low};
pub use sum::{sum, sum_columns};

use crate::id::Bit;

/// The low `width` bits of `value`; 0 above bit 127.
pub fn constant(width: usize, value: u128) -> Vec<Bit> {
    (0..width).map(|i| Bit::constant(i < 128 && value >> i & 1 == 1)).collect()
}

/// All bits inverted: `-1 - x`.
pub fn not(x: &[Bit]) -> Vec<Bit> {
    x.iter().map(|&bit| !bit).collect()
}

/// `x` in `width` bits: zeros are added, or high bits dropped.
pub fn zero_extend(x: &[Bit], width: usize) -> Vec<Bit> {
    (0..width).map(|i| bit_or_zero(x, i)).collect()
}

/// `x` in `width` bits: copies of its top bit are added, or high bits dropped. If `x` has no bits,
/// the result is 0.
pub fn sign_extend(x: &[Bit], width: usize) -> Vec<Bit> {
    let sign = sign(x);
    (0..width).map(|i| x.get(i).copied().unwrap_or(sign)).collect()
}

fn bit_or_zero(x: &[Bit], index: usize) -> Bit {
    x.get(index).copied().unwrap_or(Bit::FALSE)
}

/// The top bit; 0 for no bits.
fn sign(x: &[Bit]) -> Bit {
    x.last().copied().unwrap_or(Bit::FALSE)
}

/// Both operands in the width of the wider.
fn same_width(x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let width = x.len().max(y.len());
    (zero_extend(x, width), zero_extend(y, width))
}

#[cfg(test)]
mod tests;
