//! Shifts to the right, made cheaper if only low bits of the result are used, as in a design that
//! selects a part of a word.

use halfgate_circuit::{Bit, Builder, int};

/// Computes the low `width` bits of `x >> amount`. The bits that are shifted in are `fill`.
///
/// The highest bit of the amount is applied first. After that, the lower bits of the amount shift
/// by at most their sum. So only the lowest positions, that sum plus `width`, must be computed.
/// Thus selecting one of `n` words takes about `n` ANDs per bit instead of `n log2 n`.
pub(super) fn right(
    b: &mut Builder,
    x: &[Bit],
    amount: &[Bit],
    width: usize,
    fill: Bit,
) -> Vec<Bit> {
    let mut x = x.to_vec();
    let reached = (usize::BITS - x.len().leading_zeros()) as usize;
    let (low, beyond) = amount.split_at(reached.min(amount.len()));
    let none_beyond = int::is_zero(b, beyond);
    for (place, &bit) in low.iter().enumerate().rev() {
        // The remaining bits of the amount shift by at most `step - 1`.
        let step = 1 << place;
        let wanted = width.saturating_add(step - 1).min(x.len());
        let shifted: Vec<Bit> =
            (0..wanted).map(|i| x.get(i + step).copied().unwrap_or(fill)).collect();
        x = int::select(b, bit, &shifted, &x[..wanted]);
    }
    x.resize(width, fill);
    let filled = vec![fill; width];
    int::select(b, none_beyond, &x, &filled)
}

/// Computes the low `width` bits of `x` shifted by a signed amount: to the right, or to the left if
/// the amount is negative. Zeros are shifted in.
pub(super) fn either_way(b: &mut Builder, x: &[Bit], amount: &[Bit], width: usize) -> Vec<Bit> {
    let Some((&negative, low)) = amount.split_last() else { return int::zero_extend(x, width) };
    let wide = int::zero_extend(x, x.len().max(width));
    let right = right(b, &wide, low, width, Bit::FALSE);
    if negative == Bit::FALSE {
        return right;
    }
    // The distance to the left is the amount's absolute value.
    let distance = int::neg(b, amount);
    let left = int::shl(b, &wide, &distance);
    int::select(b, negative, &left[..width], &right)
}
