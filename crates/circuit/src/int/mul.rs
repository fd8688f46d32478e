//! Multiplication: schoolbook, one row of partial products after the other.

use super::add::add_wrapping;
use super::{bit_or_zero, zero_extend};
use crate::builder::Builder;
use crate::id::Bit;

/// The low bits of `x * y`, as many as the wider has; right for signed operands of one width as
/// well. `n(n+1)/2 + (n-1)(n-2)/2` ANDs, 993 for 32 bits.
pub fn mul(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    product(b, x, y, x.len().max(y.len()))
}

/// All of `x * y`, both unsigned: as wide as both together. For `n` by `m` bits,
/// `nm + n(m-1)` ANDs.
pub fn mul_full(b: &mut Builder, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    product(b, x, y, x.len() + y.len())
}

/// The low `width` bits of `x * y`.
fn product(b: &mut Builder, x: &[Bit], y: &[Bit], width: usize) -> Vec<Bit> {
    // A constant goes where its zeros drop whole rows.
    let constants = |x: &[Bit]| x.iter().filter(|bit| bit.as_constant().is_some()).count();
    let (x, y) = if constants(x) > constants(y) { (y, x) } else { (x, y) };
    let mut sum = vec![Bit::FALSE; width];
    for (shift, &factor) in y.iter().enumerate().take(width) {
        // The row reaches one bit past x, for the carry, unless it is cut off by the width.
        let row = zero_extend(x, (x.len() + 1).min(width - shift));
        let row: Vec<Bit> = row.iter().map(|&bit| b.and(bit, factor)).collect();
        let part: Vec<Bit> = (0..row.len()).map(|i| bit_or_zero(&sum, shift + i)).collect();
        let part = add_wrapping(b, &part, &row, Bit::FALSE);
        sum[shift..shift + part.len()].copy_from_slice(&part);
    }
    sum
}
