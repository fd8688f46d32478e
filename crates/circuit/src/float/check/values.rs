//! Makes the operands to test: special values in all combinations, and random values of several
//! kinds.

use super::Kind;
use crate::float::Format;
use crate::random::Random;

/// All combinations of the special values of some operands.
pub(super) struct Combinations {
    values: Vec<Vec<u64>>,
    next: u64,
}

impl Combinations {
    pub(super) fn new(kinds: &[Kind]) -> Combinations {
        let values = |kind: &Kind| match *kind {
            Kind::Float(format) => special_floats(format, kinds.len() > 2),
            Kind::Integer(width) => special_integers(width),
        };
        Combinations { values: kinds.iter().map(values).collect(), next: 0 }
    }

    pub(super) fn len(&self) -> u64 {
        self.values.iter().map(|values| values.len() as u64).product()
    }
}

impl Iterator for Combinations {
    type Item = [u64; 3];

    fn next(&mut self) -> Option<[u64; 3]> {
        if self.next == self.len() {
            return None;
        }
        let mut index = self.next;
        self.next += 1;
        let mut operands = [0; 3];
        for (operand, values) in operands.iter_mut().zip(&self.values) {
            *operand = values[(index % values.len() as u64) as usize];
            index /= values.len() as u64;
        }
        Some(operands)
    }
}

/// Returns the limits of every kind of value and their neighbours, with both signs: about 40 values
/// if `few`, else about 120.
fn special_floats(format: Format, few: bool) -> Vec<u64> {
    let (fraction, bias) = (format.fraction as u32, format.bias());
    // The encoding of 2^exponent, for the exponents of normal numbers.
    let power = |exponent: i64| ((bias as i64 + exponent) as u64) << fraction;
    let infinity = format.top_exponent() << fraction;
    let (hidden, one) = (1 << fraction, power(0));
    let mut list = vec![
        0,
        1,
        hidden / 2,
        hidden - 1,
        hidden,
        hidden + 1,
        power(-1),
        one - 1,
        one,
        one + 1,
        one + hidden / 2,
        power(1) - 1,
        power(1),
        infinity - 1,
        infinity,
        infinity + 1,
        infinity + hidden / 2,
        infinity + hidden - 1,
        power(fraction.into()),
        power(-(i64::from(fraction))),
    ];
    if !few {
        list.extend([2, 3, hidden / 2 + 1, hidden / 2 - 1, hidden - 2, 2 * hidden - 1, 2 * hidden]);
        // Ties of rounding to an integer and their neighbours (1/2, 3/2, 5/2, 7/2), and 3, 1/3,
        // 1/10.
        list.extend([power(-1) - 1, power(-1) + 1, power(-2), one + hidden / 2 + 1]);
        list.extend([power(1) + hidden / 4, power(1) + hidden / 2, power(1) + 3 * (hidden / 4)]);
        list.extend([power(1) + 1, power(-2) + hidden / 3, power(-4) + hidden * 3 / 5]);
        // The largest power of two, square roots of the limits of the range, and values whose ulp
        // is 1/2 or 2.
        let half = bias as i64 / 2;
        list.extend([power(bias as i64), power(half), power(half + 1), power(-half), infinity - 2]);
        list.extend([power(i64::from(fraction) - 1) + 1, power(i64::from(fraction) + 1) + 1]);
        // Limits of integer types; in binary64 also the limits of binary32.
        for bits in [7, 8, 15, 16, 31, 32, 63, 64].map(power) {
            list.extend([bits - 1, bits, bits + 1, bits - hidden / 2]);
        }
        if fraction > 24 {
            let ulp = hidden >> 23;
            list.extend([power(128) - ulp, power(128) - ulp / 2, power(128) - ulp / 2 - 1]);
            list.extend([power(-126), power(-126) - ulp / 2, power(-149), power(-150)]);
            list.extend([power(-150) + 1, power(-126) - 1, one + ulp / 2, one + 3 * (ulp / 2)]);
        }
    }
    let sign = 1 << (format.width() - 1);
    list.iter().flat_map(|value| [*value, value | sign]).collect()
}

/// Returns small integers, powers of two and their neighbours, and integers halfway between two
/// numbers of 24 or 53 significant bits.
fn special_integers(width: usize) -> Vec<u64> {
    let mut list = vec![0, 1, 2, 3, 5];
    for bit in 2..width as u32 {
        let power = 1u64 << bit;
        list.extend([power - 1, power, power + 1]);
        for precision in [24, 53] {
            if let Some(ulp) = (bit + 1).checked_sub(precision).filter(|&log| log > 0) {
                let half = 1 << (ulp - 1);
                list.extend([power + half, power + half + 1, power + half - 1, power + 3 * half]);
                list.extend([2 * (power - half), 2 * (power - half) + half]);
            }
        }
    }
    list.iter().flat_map(|&value| [value, value.wrapping_neg()]).map(|v| v & mask(width)).collect()
}

/// Returns operands of one of these kinds, chosen at random: uniform bits, close exponents, sums
/// that nearly cancel, subnormals, results at the limits of the range, significands with few ones
/// or few zeros, products and quotients that are exact or near a tie, small numbers, halves of
/// integers.
pub(super) fn random(kinds: &[Kind], random: &mut Random) -> [u64; 3] {
    let format = match kinds[0] {
        Kind::Integer(width) => return [integer(width, random), 0, 0],
        Kind::Float(format) => format,
    };
    match random.below(12) {
        0 | 1 => [(); 3].map(|()| random.next() & mask(format.width())),
        2 => close(format, random),
        3 => cancelling(format, random),
        4 => [(); 3].map(|()| tiny(format, random)),
        5 => at_the_ends(format, random),
        6 | 7 => {
            let x = close(format, random);
            x.map(|x| sparse(format, x, random))
        }
        8 => short_products(format, random),
        9 => [(); 3].map(|()| small(format, random)),
        10 => [(); 3].map(|()| halfway_to_integer(format, random)),
        _ => [(); 3].map(|()| halfway_to_narrower(format, random)),
    }
}

/// Returns operands whose exponents are within `p + 3` of a common random exponent.
fn close(format: Format, random: &mut Random) -> [u64; 3] {
    let reach = format.precision() as u64 + 3;
    let first = random.below(format.top_exponent());
    [(); 3].map(|()| {
        let exponent = (first + random.below(2 * reach + 1)).saturating_sub(reach);
        assemble(format, exponent, random.next(), random)
    })
}

/// Returns operands with `z` near `-xy`, and in half of the cases with `y` near `-x`.
fn cancelling(format: Format, random: &mut Random) -> [u64; 3] {
    let mut operands = close(format, random);
    let mut nearly_minus = |x: u64| {
        let apart = random.below(9).wrapping_sub(4);
        let value = (x ^ 1 << (format.width() - 1)).wrapping_add(apart) & mask(format.width());
        if random.below(8) == 0 { sparse(format, value, random) } else { value }
    };
    if operands[2] & 1 == 1 {
        operands[1] = nearly_minus(operands[0]);
    }
    operands[2] = nearly_minus(product(format, operands[0], operands[1]));
    operands
}

/// Returns a subnormal number, zero, or one of the smallest normal numbers, with a fraction of
/// random length. In one case of four, returns any value.
fn tiny(format: Format, random: &mut Random) -> u64 {
    let value = random.next();
    if value.is_multiple_of(4) {
        return random.next() & mask(format.width());
    }
    let fraction = random.next() & mask(format.fraction);
    let fraction = fraction >> random.below(format.fraction as u64 + 1);
    assemble(format, value >> 2 & value >> 3 & 3, fraction, random)
}

/// Returns operands whose products, quotients and fused sums are near overflow or in underflow.
fn at_the_ends(format: Format, random: &mut Random) -> [u64; 3] {
    let (bias, reach) = (format.bias() as i64, format.precision() as i64 + 2);
    let near = random.below(2 * reach as u64 + 1) as i64 - reach;
    let end = if random.coin() { bias } else { -bias } + near;
    let x = random.below(format.top_exponent()) as i64 - bias;
    let y = if random.coin() { end - x } else { x - end };
    let z = random.below(2 * reach as u64 + 1) as i64 - reach + end;
    [x, y, z].map(|exponent| {
        let field = (exponent + bias).clamp(0, format.top_exponent() as i64 - 1);
        assemble(format, field as u64, random.next(), random)
    })
}

/// Returns operands whose product has `p` or `p + 1` significant bits, or whose quotient is exact
/// or nearly exact.
fn short_products(format: Format, random: &mut Random) -> [u64; 3] {
    let precision = format.precision() as u64;
    let mut short = |bits: u64| (random.next() | 1) & mask(bits as usize) | 1 << (bits - 1);
    let bits = 1 + short(16) % (precision - 1);
    let (x, y) = (short(bits), short(precision + 1 - bits));
    // Turns an integer into a fraction field; the leading one becomes the hidden bit.
    let hide = |x: u64| x << (x.leading_zeros() - (64 - precision as u32)) & mask(format.fraction);
    let exact = (x >> 1 | 1).wrapping_mul(y);
    let x = if random.coin() && exact != 0 && exact.ilog2() < precision as u32 { exact } else { x };
    let [one, other, third] = close(format, random);
    let with = |value: u64, fraction| value & !mask(format.fraction) | fraction;
    let apart = if random.coin() { random.below(3).wrapping_sub(1) } else { 0 };
    let x = with(one, hide(x)).wrapping_add(apart) & mask(format.width());
    [x, with(other, hide(y)), sparse(format, third, random)]
}

/// Returns a multiple of 1/4 whose magnitude is below 64.
fn small(format: Format, random: &mut Random) -> u64 {
    let quarters = random.below(256);
    let sign = u64::from(random.coin()) << (format.width() - 1);
    let Some(log) = quarters.checked_ilog2() else { return sign };
    let exponent = format.bias() + u64::from(log) - 2;
    let fraction = quarters << (format.fraction as u32 - log) & mask(format.fraction);
    sign | exponent << format.fraction | fraction
}

/// Returns a multiple of 1/2 below 2^67, or the next number above or below such a multiple.
fn halfway_to_integer(format: Format, random: &mut Random) -> u64 {
    let exponent = random.below(70);
    let field = (format.bias() + exponent).saturating_sub(3).min(format.top_exponent() - 1);
    let below_half = (format.fraction as u64 + 2).saturating_sub(exponent);
    let apart = if random.coin() { random.below(3).wrapping_sub(1) } else { 0 };
    let fraction = random.next() & !mask(below_half as usize);
    assemble(format, field, fraction, random).wrapping_add(apart) & mask(format.width())
}

/// Returns a number near the range of binary32, exactly or nearly halfway between two numbers of
/// binary32. In formats with no more precision than binary32, returns any number.
fn halfway_to_narrower(format: Format, random: &mut Random) -> u64 {
    let extra = format.fraction.saturating_sub(23);
    if extra == 0 {
        return random.next() & mask(format.width());
    }
    let exponent = format.bias() - 126 - 26 + random.below(256 + 26);
    // Subnormal numbers of binary32 have fewer bits.
    let extra = extra + (format.bias() - 126).saturating_sub(exponent) as usize;
    let extra = extra.min(format.fraction);
    let fraction = random.next() & !mask(extra) | 1 << (extra - 1);
    let apart = random.below(3).wrapping_sub(1);
    assemble(format, exponent, fraction, random).wrapping_add(apart) & mask(format.width())
}

/// Returns `x` with another fraction: few ones, few zeros, or a single run of ones or zeros.
fn sparse(format: Format, x: u64, random: &mut Random) -> u64 {
    let mut bit = || 1u64 << random.below(format.fraction as u64 + 1);
    let fraction = match x >> 3 & 3 {
        0 => bit() | bit(),
        1 => bit() | bit() | bit() | bit(),
        2 => bit().wrapping_sub(bit()),
        _ => bit(),
    };
    let fraction = if random.coin() { fraction } else { !fraction };
    x & !mask(format.fraction) | fraction & mask(format.fraction)
}

/// Returns a random integer of any length, or one exactly or nearly halfway between two numbers of
/// 24 or 53 significant bits.
fn integer(width: usize, random: &mut Random) -> u64 {
    let length = 1 + random.below(width as u64);
    let value = random.next() >> (64 - length);
    let value = match random.below(4) {
        0 => random.next(),
        1 => value,
        _ => {
            let precision = if random.coin() { 24 } else { 53 };
            let extra = length.saturating_sub(precision) as usize;
            let half = if extra > 0 { 1 << (extra - 1) } else { 0 };
            (value & !mask(extra) | half).wrapping_add(random.below(3).wrapping_sub(1))
        }
    };
    if random.coin() { value & mask(width) } else { value.wrapping_neg() & mask(width) }
}

/// Returns the value with this exponent field, the low bits of `fraction`, and a random sign.
fn assemble(format: Format, field: u64, fraction: u64, random: &mut Random) -> u64 {
    let sign = u64::from(random.coin()) << (format.width() - 1);
    let field = field.min(format.top_exponent()) << format.fraction;
    sign | field | fraction & mask(format.fraction)
}

/// Returns approximately `x * y`. Formats other than binary32 are treated as binary64.
fn product(format: Format, x: u64, y: u64) -> u64 {
    if format == crate::float::BINARY32 {
        u64::from((f32::from_bits(x as u32) * f32::from_bits(y as u32)).to_bits())
    } else {
        (f64::from_bits(x) * f64::from_bits(y)).to_bits()
    }
}

/// Returns a mask of `bits` ones, at most 64.
fn mask(bits: usize) -> u64 {
    if bits >= 64 { u64::MAX } else { (1 << bits) - 1 }
}
