//! Non-restoring division, which takes the divisor into account level by level.
//!
//! A step of non-restoring division adds the divisor to the partial remainder or subtracts it,
//! depending on the remainder's sign. Such a step takes as many ANDs as the divisor has bits; a
//! restoring step subtracts and then selects, which takes twice as many. But a restoring remainder
//! starts with one bit and grows by one bit per step, while a non-restoring remainder has the
//! divisor's width from the start.
//!
//! So the steps are grouped in *levels* of growing width. If the divisor has more than `m` bits,
//! the level of width `m` uses 0 as the divisor, which leaves the remainder unchanged, and masks
//! the quotient bits to 0. These bits are indeed 0: at the end of the level, only `m` bits of the
//! dividend have been used, fewer than the divisor has. Masking takes `m` ANDs per level. With more
//! levels, fewer steps are wider than necessary. Widths that are triangular numbers come within one
//! percent of the best choice at 64 bits.
//!
//! For `n` by `n` bits, the widths are `m_1 = 1, m_2 = 3, m_3 = 6, ..., m_L = n`, where `m_k` is
//! used while `k (k + 2) <= 2 n`, and `m_0 = 0`. The quotient takes
//!
//! `sum over all k of (m_k - m_(k-1)) m_k + sum over k < L of (2 m_k - m_(k-1)) + n - 2`
//!
//! ANDs for `n` of at least 3, near `n^2/2 + n^(3/2)`: 2,618 for 64 bits, and with the remainder
//! `2n - 1` more, 2,745. (The published Bristol Fashion circuit of unsigned 64-bit division has
//! 4,285 ANDs, and the circuit of signed division 4,664.) The AND depth is `n - 1` plus the first
//! of these sums, and `n` more with the remainder.

use super::add::add_wrapping;
use super::{add, and, constant, negate_if, sign, sign_extend, xor, zero_extend};
use crate::builder::Builder;
use crate::id::Bit;

/// Quotient (as wide as `x`) and remainder (as wide as `y`) of two unsigned numbers. Division by
/// zero gives a quotient of ones, and the low bits of `x` as remainder. The top of `divide.rs`
/// gives ANDs and depth; 2,745 ANDs for 64 bits.
pub fn div_rem_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let levels = levels(x.len().min(significant(y)));
    let divided = divide(b, x, y, &levels);
    let mut rest = divided.remainder(b);
    // The places where the divisor has constant zeros. The remainder has bits there only after
    // division by zero.
    let beyond = x.iter().take(y.len()).skip(rest.len());
    rest.extend(beyond.map(|&bit| b.and(bit, divided.by_zero)));
    (divided.quotient, zero_extend(&rest, y.len()))
}

/// Only the quotient of [`div_rem_unsigned`]: `2n - 1` ANDs fewer, 2,618 for 64 bits.
pub fn div_unsigned(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let levels = levels(x.len().min(significant(y)));
    divide(b, x, y, &levels).quotient
}

/// Quotient and remainder of two numbers in two's complement, both as wide as the wider operand;
/// the other operand is sign-extended. Like Rust's `wrapping_div` and `wrapping_rem`: the quotient
/// is rounded towards 0, the remainder has the sign of `x`, and the least number divided by -1 is
/// itself with remainder 0. Division by zero gives the quotient -1 for `x >= 0`, 1 for `x < 0`, and
/// the remainder `x`. `4(n - 1)` ANDs more than [`div_rem_unsigned`], 2,997 for 64 bits.
pub fn div_rem_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> (Vec<Bit>, Vec<Bit>) {
    let width = x.len().max(y.len());
    let (x, y) = (sign_extend(x, width), sign_extend(y, width));
    let (quotient, rest) = {
        let (x, y) = (negate_if(b, sign(&x), &x), negate_if(b, sign(&y), &y));
        div_rem_unsigned(b, &x, &y)
    };
    let negative = b.xor(sign(&x), sign(&y));
    (negate_if(b, negative, &quotient), negate_if(b, sign(&x), &rest))
}

/// Only the quotient of [`div_rem_signed`]: `3(n - 1)` ANDs more than [`div_unsigned`], 2,807 for
/// 64 bits.
pub fn div_signed(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let width = x.len().max(y.len());
    let (x, y) = (sign_extend(x, width), sign_extend(y, width));
    let negative = b.xor(sign(&x), sign(&y));
    let (x, y) = (negate_if(b, sign(&x), &x), negate_if(b, sign(&y), &y));
    let quotient = div_unsigned(b, &x, &y);
    negate_if(b, negative, &quotient)
}

/// Quotient (as wide as `x`) and remainder (as wide as `divisor` in binary) of an unsigned number
/// and a public divisor. The divisor ends in `t` zeros, and its odd part has `w` bits. At most
/// `(n - t - w + 1) w + w - 1` ANDs; none for a power of two.
///
/// # Panics
/// If `divisor` is 0.
pub fn div_rem_constant(b: &mut Builder, x: &[Bit], divisor: u128) -> (Vec<Bit>, Vec<Bit>) {
    assert_ne!(divisor, 0, "division by the constant 0");
    let zeros = divisor.trailing_zeros() as usize;
    let width = 128 - divisor.leading_zeros() as usize;
    let (low, high) = x.split_at(zeros.min(x.len()));
    let odd_width = width - zeros;
    let odd = constant(odd_width, divisor >> zeros);
    let (quotient, rest) = if odd_width == 1 {
        (high.to_vec(), Vec::new())
    } else if odd_width > high.len() {
        (Vec::new(), high.to_vec())
    } else {
        // The first level is too narrow for the divisor, so it takes no ANDs.
        let divided = divide(b, high, &odd, &[odd_width - 1, odd_width]);
        let rest = divided.remainder(b);
        (divided.quotient, rest)
    };
    let rest = [zero_extend(low, zeros), rest].concat();
    (zero_extend(&quotient, x.len()), zero_extend(&rest, width))
}

/// Number of bits of `y` below its leading constant zeros.
fn significant(y: &[Bit]) -> usize {
    y.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |top| top + 1)
}

/// The widths of the levels up to `width`.
fn levels(width: usize) -> Vec<usize> {
    let narrow = (1..).take_while(|k| k * (k + 2) <= 2 * width).map(|k| k * (k + 1) / 2);
    let mut levels: Vec<usize> = narrow.take_while(|&m| m < width).collect();
    levels.push(width);
    levels
}

struct Divided {
    quotient: Vec<Bit>,
    /// The remainder, or the remainder minus the divisor, in two's complement.
    rest: Vec<Bit>,
    /// The divisor, or 0 if it has more bits than the dividend.
    divisor: Vec<Bit>,
    /// Whether the divisor is 0. Only valid if the divisor has fewer bits than the dividend.
    by_zero: Bit,
}

impl Divided {
    /// Returns the remainder, as wide as the last level: `2m - 1` ANDs for `m` bits.
    fn remainder(&self, b: &mut Builder) -> Vec<Bit> {
        let negative = vec![sign(&self.rest); self.divisor.len()];
        let missing = and(b, &negative, &self.divisor);
        add(b, &self.rest[..missing.len()], &missing)
    }
}

/// Divides `x` by `y` in levels of these widths. The last width is that of the narrower operand.
fn divide(b: &mut Builder, x: &[Bit], y: &[Bit], levels: &[usize]) -> Divided {
    let y = &y[..significant(y)];
    // fits[m]: y has at most m bits.
    let mut fits = vec![Bit::TRUE; y.len() + 1];
    for m in (0..y.len()).rev() {
        if m >= levels[0] || x.len() > y.len() {
            fits[m] = b.and(fits[m + 1], !y[m]);
        }
    }
    let mut quotient = vec![Bit::FALSE; x.len()];
    let mut rest = vec![Bit::FALSE];
    let mut divisor = Vec::new();
    let mut left = x.len();
    for (k, &width) in levels.iter().enumerate() {
        let fits_here = fits[width];
        divisor = y[..width].iter().map(|&bit| b.and(bit, fits_here)).collect();
        let until = if k + 1 < levels.len() { x.len() - width } else { 0 };
        while left > until {
            left -= 1;
            rest = step(b, x[left], &rest, &divisor);
            quotient[left] = b.and(!sign(&rest), fits_here);
            if left < x.len() - width {
                // More bits of `x` have been used than the remainder holds. After division by zero,
                // the remainder's sign bit is a bit of `x`. The quotient must then be ones.
                quotient[left] = b.or(quotient[left], fits[0]);
            }
        }
    }
    Divided { quotient, rest, divisor, by_zero: fits[0] }
}

/// Computes twice `rest` plus `bit`, and subtracts `divisor`, or adds it if `rest` was negative.
/// The result is one bit wider than `divisor`; it takes as many ANDs as `divisor` has bits.
fn step(b: &mut Builder, bit: Bit, rest: &[Bit], divisor: &[Bit]) -> Vec<Bit> {
    let subtract = !sign(rest);
    let mut doubled = vec![bit];
    doubled.extend(rest);
    let doubled = sign_extend(&doubled, divisor.len() + 1);
    let flips = vec![subtract; divisor.len() + 1];
    let operand = xor(b, divisor, &flips);
    add_wrapping(b, &doubled, &operand, subtract)
}
