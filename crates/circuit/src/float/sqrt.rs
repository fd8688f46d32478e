//! Square root: non-restoring digit recurrence, one bit of the root at a time.
//!
//! The remainder and the number added to it or subtracted from it grow with the root. So a step
//! takes as many ANDs as the root has bits so far.

use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The square root of `x`, rounded to nearest even. The root of `-0` is `-0`, and that of `+inf` is
/// `+inf`. The root of a NaN or of a number below zero is the canonical NaN.
///
/// About `p^2/2 + (k + 4) p + 5E` ANDs with `k = ceil(log2 p)`: 559 for binary32, 2,046 for
/// binary64. The AND depth is about `p^2/2`: 310 and 1,433. The smallest circuit published in
/// Bristol Fashion has 91,504 ANDs for binary64.
///
/// # Panics
/// If `x` does not have the format's width, or the fraction has at least as many bits as the value
/// of the bias. Roots could then be subnormal; no usual format has this property.
pub fn sqrt(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    assert!((format.fraction as u64) < format.bias(), "roots in {format:?} may be subnormal");
    let parts = Unpacked::new(format, x);
    let (exponent, significand) = parts.normalised(b);
    let (special, nan) = (parts.is_special(b), parts.is_nan(b));
    let zero = !significand[format.fraction];
    let negative = b.and(parts.sign, !zero);
    let nan = b.or(nan, negative);

    // The radicand has two bits before the point, and its exponent is even. The bias is odd. The
    // exponent of zero is set to 1, and that of infinity stays, so their roots are powers of two
    // without a fraction.
    let odd = b.and(!exponent[0], !zero);
    let fraction = &significand[..format.fraction];
    let once = [fraction, &[Bit::TRUE, Bit::FALSE]].concat();
    let twice = [&[Bit::FALSE], fraction, &[Bit::TRUE]].concat();
    let radicand = int::select(b, odd, &twice, &once);
    let root = root(b, &radicand, format.precision() + 1);

    // A root with more than `p` bits is never halfway between two numbers of `p` bits: its square
    // would need more than twice as many bits. Rounding cannot reach the next power of two either.
    let rounded = int::increment_if(b, root[0], &root[1..format.precision()]);
    let mut fraction: Vec<Bit> = rounded.iter().map(|&bit| b.and(bit, !nan)).collect();
    fraction[format.fraction - 1] = b.xor(fraction[format.fraction - 1], nan);

    // floor((exponent + bias) / 2)
    let half = int::sign_extend(&exponent[1..], format.exponent);
    let offset = int::constant(format.exponent, (1 << (format.exponent - 2)) - 1);
    let field = int::add_wrapping(b, &half, &offset, exponent[0]);
    let ones = b.or(special, nan);
    let ordinary = b.and(!ones, !zero);
    let field = field.iter().map(|&bit| {
        let bit = b.and(bit, ordinary);
        b.xor(bit, ones)
    });
    let field: Vec<Bit> = field.collect();
    let sign = b.and(parts.sign, zero);
    format.pack(sign, &field, &fraction)
}

/// The first `bits` bits of the square root of `x`, a number from 1 to less than 4 with two bits
/// before the point. Bit 0 of the result is the last. About `bits^2 / 2` ANDs.
fn root(b: &mut Builder, x: &[Bit], bits: usize) -> Vec<Bit> {
    let at = |i: usize| x.len().checked_sub(i + 1).map_or(Bit::FALSE, |i| x[i]);
    // The first bit is 1, and 0, 1 or 2 remains of the first two bits.
    let mut root = vec![Bit::TRUE];
    let mut rest = vec![!at(1), b.and(at(0), at(1)), Bit::FALSE];
    for step in 1..bits {
        // rest * 4 + two more bits, less 4 root + 1 if rest was not negative, else plus 4 root + 3.
        // The lowest bits of -(4 root + 1) are ones, so both cases add ones there.
        let subtract = !rest[rest.len() - 1];
        let mut addend = vec![Bit::TRUE; 2];
        addend.extend(root.iter().map(|&bit| b.xor(bit, subtract)));
        addend.push(subtract);
        let mut shifted = vec![at(2 * step + 1), at(2 * step)];
        shifted.extend_from_slice(&rest);
        shifted.truncate(addend.len());
        rest = int::add_wrapping(b, &shifted, &addend, Bit::FALSE);
        root.insert(0, !rest[rest.len() - 1]);
    }
    root
}
