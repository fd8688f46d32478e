//! Addition with carry in and out.

use crate::builder::Builder;
use crate::id::Bit;

/// Sum and carry of three bits. One AND.
pub(super) fn full_adder(b: &mut Builder, x: Bit, y: Bit, carry: Bit) -> (Bit, Bit) {
    let x_c = b.xor(x, carry);
    let y_c = b.xor(y, carry);
    let sum = b.xor(x_c, y);
    let change = b.and(x_c, y_c);
    (sum, b.xor(change, carry))
}

/// `x + y + carry` for operands of one width, and the carry out. `n` ANDs.
pub(super) fn add_carry(b: &mut Builder, x: &[Bit], y: &[Bit], carry: Bit) -> (Vec<Bit>, Bit) {
    let mut carry = carry;
    let mut sum = Vec::with_capacity(x.len());
    for (&x, &y) in x.iter().zip(y) {
        let (bit, next) = full_adder(b, x, y, carry);
        sum.push(bit);
        carry = next;
    }
    (sum, carry)
}
