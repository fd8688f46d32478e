//! Square root: non-restoring digit recurrence, one bit of the root at a time.
//!
//! The remainder has about as many bits as the root so far, and so has the number added to it or
//! subtracted from it. So a step takes about as many ANDs as the root has bits so far.

use super::{Format, Unpacked};
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The square root of `x`, rounded to nearest even. The root of `-0` is `-0`, and the root of
/// `+inf` is `+inf`. The root of a NaN or of a number below zero is the canonical NaN.
///
/// About `p^2/2 + (k + 4) p + 5E` ANDs with `k = ceil(log2 p)`: 559 for binary32, 2,046 for
/// binary64. The AND depth is about `p^2/2`: 310 and 1,433. The smallest circuit published in
/// Bristol Fashion has 91,504 ANDs for binary64.
///
/// # Panics
/// If `x` does not have the format's width, or if `F` is not below the bias. Roots could then be
/// subnormal; no usual format has such an `F`.
pub fn sqrt(b: &mut Builder, format: Format, x: &[Bit]) -> Vec<Bit> {
    assert!((format.fraction as u64) < format.bias(), "roots in {format:?} may be subnormal");
    let parts = Unpacked::new(format, x);
    let (exponent, significand) = parts.normalised(b);
    let (special, nan) = (parts.is_special(b), parts.is_nan(b));
    let zero = !significand[format.fraction];
    let negative = b.and(parts.sign, !zero);
    let nan = b.or(nan, negative);

    // The radicand has two bits before the point, so that its exponent can be made even: the
    // significand of a number with an odd exponent is doubled. The bias is odd, so an exponent is
    // odd if bit 0 of the biased exponent is 0. Zero and infinity are not doubled, so their roots
    // have no fraction.
    let odd = b.and(!exponent[0], !zero);
    let fraction = &significand[..format.fraction];
    let once = [fraction, &[Bit::TRUE, Bit::FALSE]].concat();
    let twice = [&[Bit::FALSE], fraction, &[Bit::TRUE]].concat();
    let radicand = int::select(b, odd, &twice, &once);
    let root = root(b, &radicand, format.precision() + 1);

    // A root is never exactly halfway between two numbers of `p` bits: it would have `p + 1` bits
    // and end in a one, so its square would have about `2p` bits, more than the radicand has.
    // Rounding cannot reach the next power of two either.
    let rounded = int::increment_if(b, root[0], &root[1..format.precision()]);
    let mut fraction: Vec<Bit> = rounded.iter().map(|&bit| b.and(bit, !nan)).collect();
    fraction[format.fraction - 1] = b.xor(fraction[format.fraction - 1], nan);

    // The root's exponent field is floor((exponent + bias) / 2).
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
/// before the point. Bit 0 of the result is the lowest. About `bits^2 / 2` ANDs.
fn root(b: &mut Builder, x: &[Bit], bits: usize) -> Vec<Bit> {
    let at = |i: usize| x.len().checked_sub(i + 1).map_or(Bit::FALSE, |i| x[i]);
    // The first bit of the root is 1. Of the first two bits of `x`, which are 1, 2 or 3, this
    // leaves a remainder of 0, 1 or 2.
    let mut root = vec![Bit::TRUE];
    let mut rest = vec![!at(1), b.and(at(0), at(1)), Bit::FALSE];
    for step in 1..bits {
        // The next remainder is rest * 4 + two more bits, minus (4 root + 1) if rest is not
        // negative, else plus (4 root + 3). The two lowest bits of -(4 root + 1) are ones, so both
        // cases add ones there.
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
