//! Sums of products, for dot products and matrix products.

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
