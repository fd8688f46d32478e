//! Right shifts for alignment, with a sticky bit for lost bits.

use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// Appends `extra` zeros below `x`, and shifts the result right by `amount`. Also returns whether
/// any bit that was shifted out is 1. `amount` may have any value; a large one shifts all of `x`
/// out.
///
/// For `x` of `n` bits, with `k = ceil(log2(n + extra + 1))` stages and an amount of at most `k`
/// bits, it takes about `k (n + extra)` ANDs for the shift and `n + extra + k` for the sticky bit.
/// An amount of `a > k` bits takes `a` more: `a - k` to test its high bits, and `k` to combine this
/// test with its low bits.
pub fn shift_right_sticky(
    b: &mut Builder,
    x: &[Bit],
    extra: usize,
    amount: &[Bit],
) -> (Vec<Bit>, Bit) {
    // An amount of `2^stages - 1` shifts everything out.
    let stages = (x.len() + extra + 1).next_power_of_two().ilog2() as usize;
    let (near, far) = amount.split_at(stages.min(amount.len()));
    let out = !int::is_zero(b, far);
    shift_out_or_right(b, x, extra, near, out)
}

/// Like [`shift_right_sticky`], but shifts everything out if `out` is 1; `amount` must then have so
/// many bits that a value of all ones shifts everything out.
pub(super) fn shift_out_or_right(
    b: &mut Builder,
    x: &[Bit],
    extra: usize,
    amount: &[Bit],
    out: Bit,
) -> (Vec<Bit>, Bit) {
    let width = x.len() + extra;
    let mut x = [&vec![Bit::FALSE; extra], x].concat();
    let mut sticky = Bit::FALSE;
    // Small steps come first, so that the zeros below `x` stay constants for as long as possible.
    for (stage, &bit) in amount.iter().enumerate() {
        let bit = b.or(bit, out);
        let step = (1 << stage).min(width);
        let lost = !int::is_zero(b, &x[..step]);
        let lost = b.and(bit, lost);
        sticky = b.or(sticky, lost);
        x = int::select(b, bit, &int::shr_const(&x, step), &x);
    }
    (x, sticky)
}
