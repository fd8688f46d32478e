//! The full adder with one AND (Boyar, Peralta and Pochuev): `carry' = c ^ ((x ^ c) & (y ^ c))`.

use crate::builder::Builder;
use crate::id::Bit;

/// Sum and carry of three bits. One AND; none if two of them are constants.
pub(crate) fn full_adder(b: &mut Builder, x: Bit, y: Bit, carry: Bit) -> (Bit, Bit) {
    let x_c = b.xor(x, carry);
    let y_c = b.xor(y, carry);
    let sum = b.xor(x_c, y);
    let change = b.and(x_c, y_c);
    (sum, b.xor(change, carry))
}

/// Only the carry of [`full_adder`].
pub(crate) fn majority(b: &mut Builder, x: Bit, y: Bit, carry: Bit) -> Bit {
    let x_c = b.xor(x, carry);
    let y_c = b.xor(y, carry);
    let change = b.and(x_c, y_c);
    b.xor(change, carry)
}
