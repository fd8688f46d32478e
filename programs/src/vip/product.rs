//! Sums of products, for dot products and matrix products, flat and as maps.

use halfgate_circuit::builder::Arg;
use halfgate_circuit::{Bit, Builder, int};

/// How a program adds and multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Rows of partial products with ripple carries; products are added in sequence, as in the
    /// benchmark's loop. It has the fewest gates.
    Ripple,
    /// One carry-save tree for the partial products of all products, then a parallel-prefix adder.
    /// It has the shortest path.
    Fast,
}

/// `x[0] y[0] + x[1] y[1] + ...` modulo 2^width. All factors have the same width.
pub(super) fn sum_of_products(b: &mut Builder, form: Form, pairs: &[(&[Bit], &[Bit])]) -> Vec<Bit> {
    let products = pairs.iter();
    match form {
        Form::Ripple => {
            let mut sum: Option<Vec<Bit>> = None;
            for (x, y) in products {
                let product = int::mul_by_rows(b, x, y);
                sum = Some(match sum {
                    // An adder's second operand is one XOR away from its sum, the first one two.
                    Some(sum) => int::add(b, &product, &sum),
                    None => product,
                });
            }
            sum.unwrap_or_default()
        }
        Form::Fast => {
            let width = pairs.first().map_or(0, |(x, _)| x.len());
            let mut rows = Vec::new();
            for (x, y) in products {
                for (shift, &factor) in y.iter().enumerate() {
                    let mut row = vec![Bit::FALSE; shift];
                    row.extend(x[..width - shift].iter().map(|&bit| b.and(bit, factor)));
                    rows.push(row);
                }
            }
            let rows: Vec<&[Bit]> = rows.iter().map(Vec::as_slice).collect();
            int::sum_fast(b, &rows, width)
        }
    }
}

/// `x[0] y[0] + x[1] y[1] + ...` modulo `2^width`, of lists of numbers of `width` bits: a map that
/// multiplies, then [`mapped_sum`]. With [`int::mul_by_rows`] it has the ANDs of [`Form::Ripple`].
pub(super) fn mapped_sum_of_products(
    b: &mut Builder,
    width: usize,
    x: &[Bit],
    y: &[Bit],
    multiply: impl Fn(&mut Builder, &[Bit], &[Bit]) -> Vec<Bit>,
) -> Vec<Bit> {
    let lanes = (x.len() / width) as u64;
    let factors = [Arg::Sliced(x), Arg::Sliced(y)];
    let products = b.map("product", lanes, &factors, |b, x| multiply(b, &x[0], &x[1]));
    mapped_sum(b, width, &products.bits())
}

/// The sum of a list of numbers of `width` bits, at least one, modulo `2^width`: a tree of maps,
/// each of which adds the numbers in pairs.
pub(super) fn mapped_sum(b: &mut Builder, width: usize, numbers: &[Bit]) -> Vec<Bit> {
    let mut numbers = numbers.to_vec();
    let mut left = Vec::new();
    while numbers.len() > width {
        // A number without a partner is added last, so that a map reads regular slices.
        if (numbers.len() / width) % 2 == 1 {
            left.push(numbers.split_off(numbers.len() - width));
        }
        let pairs = (numbers.len() / (2 * width)) as u64;
        let every_other = |from: usize| -> Vec<Bit> {
            numbers.chunks(width).skip(from).step_by(2).flatten().copied().collect()
        };
        let [even, odd] = [every_other(0), every_other(1)];
        let sums = b.map("add", pairs, &[Arg::Sliced(&even), Arg::Sliced(&odd)], |b, pair| {
            int::add(b, &pair[0], &pair[1])
        });
        numbers = sums.bits();
    }
    left.into_iter().fold(numbers, |sum, number| int::add(b, &sum, &number))
}
