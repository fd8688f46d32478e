//! Arithmetic on binary32 (IEEE 754), in our own circuits, which have about as many gates, ANDs and
//! levels as the paper's.
//!
//! The paper uses the circuits of the EMP toolkit; their gate lists are not in this repository. A
//! sum has 2,225 gates (882 ANDs), a product 6,571 (2,990), a quotient 9,778 (4,369). EMP's have
//! 2,456, 8,854 and 10,653 gates.
//!
//! Results are rounded to nearest, ties to even, with subnormal numbers, signed zeros and
//! infinities. A NaN is 0x7fc00000.

use super::gadgets::Emp;
use super::words::{
    all, and_each, any, constant, greater, increment, leading_zeros, not, or, prefix, product,
    quotient, ripple, shift_left, shift_right,
};
use halfgate_circuit::Bit;

const F: Bit = Bit::FALSE;
const T: Bit = Bit::TRUE;

/// A constant.
pub(super) fn value(value: f32) -> Vec<Bit> {
    constant(32, value.to_bits().into())
}

/// Three bits: whether the exponent is not 0, whether it is that of infinities and NaNs, and
/// whether the fraction is not 0.
fn classes(n: &mut Emp, x: &[Bit]) -> (Bit, Bit, Bit) {
    (any(n, &x[23..31]), all(n, &x[23..31]), any(n, &x[..23]))
}

/// The exponent field, or 1 for subnormal numbers.
fn exponent(n: &mut Emp, x: &[Bit], is_normal: Bit) -> Vec<Bit> {
    let is_subnormal = n.not(is_normal);
    let lowest = or(n, x[23], is_subnormal);
    [&[lowest], &x[24..31]].concat()
}

/// `a + b`.
pub(super) fn add(n: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    // The greater magnitude first.
    let swap = greater(n, &b[..31], &a[..31]);
    let differ = n.xor_all(a, b);
    let change = and_each(n, swap, &differ);
    let (high, low) = (n.xor_all(a, &change), n.xor_all(b, &change));
    let subtracts = differ[31];
    let (high_normal, high_full, high_fraction) = classes(n, &high);
    let (low_normal, low_full, low_fraction) = classes(n, &low);
    let (high_exponent, low_exponent) =
        (exponent(n, &high, high_normal), exponent(n, &low, low_normal));

    let (sum, carry) = {
        let negative = not(n, &low_exponent);
        let distance = ripple(n, &high_exponent, &negative, T);
        let is_far = any(n, &distance[5..]);
        let distance: Vec<Bit> = distance[..5].iter().map(|&bit| or(n, bit, is_far)).collect();
        let significand = [&[F, F], &low[..23], &[low_normal]].concat();
        let (aligned, sticky) = shift_right(n, &significand, &distance);
        let low: Vec<Bit> =
            [sticky].into_iter().chain(aligned).map(|bit| n.xor(bit, subtracts)).collect();
        let high = [&[F, F, F], &high[..23], &[high_normal]].concat();
        prefix(n, &high, &low, subtracts)
    };
    let adds = n.not(subtracts);
    let top = n.and(carry, adds);
    let sum = [&sum[..], &[top]].concat();

    // Normalise; the exponent stays at least the lowest one.
    let reversed: Vec<Bit> = sum.iter().rev().copied().chain([T; 4]).collect();
    let (_, zeros) = leading_zeros(n, &reversed);
    let is_more = greater(n, &zeros, &high_exponent[..5]);
    let is_large = any(n, &high_exponent[5..]);
    let is_small = n.not(is_large);
    let limits = n.and(is_more, is_small);
    let shift = n.choose(limits, &high_exponent[..5], &zeros);
    let sum = shift_left(n, &sum, &shift);
    let top = sum[27];
    let negative = [&not(n, &shift)[..], &[T; 3]].concat();
    let shifted = ripple(n, &high_exponent, &negative, T);
    let shifted = and_each(n, top, &shifted);
    let field = increment(n, &shifted, top);

    let is_infinite = all(n, &field);
    let is_full = or(n, is_infinite, high_full);
    let keep = n.not(is_full);
    let rounds = {
        let below = any(n, &sum[..3]);
        let odd = or(n, sum[4], below);
        n.and(sum[3], odd)
    };
    let rounded = increment(n, &[&sum[4..27], &field[..]].concat(), rounds);
    let is_nan = {
        let high = n.and(high_full, high_fraction);
        let low = n.and(low_full, low_fraction);
        let against = n.and(low_full, subtracts);
        let against = n.and(against, high_full);
        let either = or(n, low, against);
        or(n, high, either)
    };
    let mut result = and_each(n, keep, &rounded[..23]);
    result[22] = or(n, result[22], is_nan);
    let is_some = any(n, &sum);
    let is_zero = n.not(is_some);
    let both_negative = n.and(a[31], b[31]);
    let sign = n.choose(is_zero, &[both_negative], &[high[31]])[0];
    result.extend(rounded[23..].iter().map(|&bit| or(n, bit, high_full)));
    let is_number = n.not(is_nan);
    result.push(n.and(sign, is_number));
    result
}

/// `a - b`.
pub(super) fn sub(n: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let sign = n.not(b[31]);
    add(n, a, &[&b[..31], &[sign]].concat())
}

/// The parts of a number.
struct Parts {
    /// 24 bits with a leading one.
    significand: Vec<Bit>,
    /// Ten bits, in two's complement.
    exponent: Vec<Bit>,
    /// Infinity or NaN.
    is_full: Bit,
    has_fraction: Bit,
    is_zero: Bit,
}

fn unpack(n: &mut Emp, x: &[Bit]) -> Parts {
    let (is_normal, is_full, has_fraction) = classes(n, x);
    let significand = [&x[..23], &[is_normal]].concat();
    let reversed: Vec<Bit> = significand.iter().rev().copied().chain([T; 8]).collect();
    let (_, zeros) = leading_zeros(n, &reversed);
    let field = [&exponent(n, x, is_normal)[..], &[F, F]].concat();
    let negative = [&not(n, &zeros)[..], &[T; 5]].concat();
    let exponent = ripple(n, &field, &negative, T);
    let significand = shift_left(n, &significand, &zeros);
    let is_some = or(n, is_normal, has_fraction);
    Parts { significand, exponent, is_full, has_fraction, is_zero: n.not(is_some) }
}

/// Special results, which override the significand.
struct Special {
    is_nan: Bit,
    is_infinite: Bit,
    is_zero: Bit,
}

/// The number with this sign, exponent and significand. The significand's two lowest bits are below
/// the result's precision and only determine the rounding.
fn pack(
    n: &mut Emp,
    sign: Bit,
    exponent: &[Bit],
    significand: &[Bit],
    special: Special,
) -> Vec<Bit> {
    let negative = not(n, exponent);
    let distance = ripple(n, &negative, &constant(10, 2), F);
    let is_some = any(n, exponent);
    let is_none = n.not(is_some);
    let is_subnormal = or(n, exponent[9], is_none);
    let is_far = any(n, &distance[5..9]);
    let is_normal = n.not(is_subnormal);
    let distance: Vec<Bit> = distance[..5]
        .iter()
        .map(|&bit| {
            let bit = or(n, bit, is_far);
            n.and(is_subnormal, bit)
        })
        .collect();
    let (shifted, sticky) = shift_right(n, significand, &distance);
    let field = and_each(n, is_normal, &exponent[..8]);
    let rounds = {
        let below = or(n, shifted[0], sticky);
        let odd = or(n, shifted[2], below);
        n.and(shifted[1], odd)
    };
    let rounded = increment(n, &[&shifted[2..25], &field[..]].concat(), rounds);
    let overflows = {
        let is_full = all(n, &exponent[..8]);
        let is_over = or(n, exponent[8], is_full);
        n.and(is_normal, is_over)
    };
    let Special { is_nan, is_infinite, is_zero } = special;
    let is_full = {
        let given = or(n, is_infinite, is_nan);
        or(n, overflows, given)
    };
    let is_set = or(n, is_full, is_zero);
    let keep = n.not(is_set);
    let is_some = n.not(is_zero);
    let mut result = and_each(n, keep, &rounded[..23]);
    result[22] = or(n, result[22], is_nan);
    for &bit in &rounded[23..] {
        let bit = n.and(is_some, bit);
        result.push(or(n, bit, is_full));
    }
    let is_number = n.not(is_nan);
    result.push(n.and(sign, is_number));
    result
}

/// `a * b`.
pub(super) fn mul(n: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (x, y) = (unpack(n, a), unpack(n, b));
    let product = product(n, &x.significand, &y.significand);
    let top = product[47];
    let sum = ripple(n, &x.exponent, &y.exponent, top);
    let exponent = ripple(n, &sum, &constant(10, 1024 - 127), F);
    let moved = [&[F], &product[..47]].concat();
    let product = n.choose(top, &product, &moved);
    let below = any(n, &product[..23]);
    let significand = [&[below], &product[23..]].concat();
    let is_zero = or(n, x.is_zero, y.is_zero);
    let is_infinite = or(n, x.is_full, y.is_full);
    let is_nan = {
        let (x, y) = (n.and(x.is_full, x.has_fraction), n.and(y.is_full, y.has_fraction));
        let either = or(n, x, y);
        let against = n.and(is_infinite, is_zero);
        or(n, either, against)
    };
    let sign = n.xor(a[31], b[31]);
    pack(n, sign, &exponent, &significand, Special { is_nan, is_infinite, is_zero })
}

/// `a / b`.
pub(super) fn div(n: &mut Emp, a: &[Bit], b: &[Bit]) -> Vec<Bit> {
    let (x, y) = (unpack(n, a), unpack(n, b));
    let (quotient, left) = quotient(n, &x.significand, &y.significand, 26);
    let fits = quotient[0];
    let negative = not(n, &y.exponent);
    let difference = ripple(n, &x.exponent, &negative, fits);
    let exponent = ripple(n, &difference, &constant(10, 127), F);
    let bits: Vec<Bit> = quotient.iter().rev().copied().collect();
    let last = or(n, bits[0], left);
    let whole = [&[last], &bits[1..]].concat();
    let moved = [&[left], &bits[..25]].concat();
    let significand = n.choose(fits, &whole, &moved);
    let is_nan = {
        let (p, q) = (n.and(x.is_full, x.has_fraction), n.and(y.is_full, y.has_fraction));
        let either = or(n, p, q);
        let (full, zero) = (n.and(x.is_full, y.is_full), n.and(x.is_zero, y.is_zero));
        let neither = or(n, full, zero);
        or(n, either, neither)
    };
    let is_infinite = or(n, x.is_full, y.is_zero);
    let is_zero = {
        let vanishes = or(n, x.is_zero, y.is_full);
        let is_finite = n.not(x.is_full);
        n.and(vanishes, is_finite)
    };
    let sign = n.xor(a[31], b[31]);
    pack(n, sign, &exponent, &significand, Special { is_nan, is_infinite, is_zero })
}
