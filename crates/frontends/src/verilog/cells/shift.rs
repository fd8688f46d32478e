//! Shifts to the right of which only the low bits are wanted, as where a design picks a part of a
//! word.

use halfgate_circuit::{Bit, Builder, int};

/// The low `width` bits of `x >> amount`, with `fill` shifted in.
///
/// The amount's highest bit goes first: of what it leaves, the bits below can reach only those at
/// their sum and `width` above. So picking one of `n` words takes about `n` ANDs a bit, not
/// `n log2 n`.
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
        // What is still to come shifts by at most `step - 1`.
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

/// The low `width` bits of `x` shifted by a signed amount: to the right, or to the left if it is
/// negative; zeros shifted in.
pub(super) fn either_way(b: &mut Builder, x: &[Bit], amount: &[Bit], width: usize) -> Vec<Bit> {
    let Some((&negative, low)) = amount.split_last() else { return int::zero_extend(x, width) };
    let wide = int::zero_extend(x, x.len().max(width));
    let right = right(b, &wide, low, width, Bit::FALSE);
    if negative == Bit::FALSE {
        return right;
    }
    // As far to the left as the amount is below zero.
    let distance = int::neg(b, amount);
    let left = int::shl(b, &wide, &distance);
    int::select(b, negative, &left[..width], &right)
}
