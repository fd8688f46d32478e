//! Sums of products, which dot products and matrix products are made of.

use halfgate_circuit::{Bit, Builder, int};

/// How a program adds and multiplies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    /// Rows of partial products, ripple carries, one product added after the other, as the
    /// benchmark's loop does: the fewest gates.
    Ripple,
    /// All partial products of all products in one carry-save tree and a parallel-prefix adder
    /// behind it: the shortest path.
    Fast,
}

/// The low bits of `x[0] y[0] + x[1] y[1] + ...`, as many as each factor has; all of one width.
pub(super) fn sum_of_products(b: &mut Builder, form: Form, pairs: &[(&[Bit], &[Bit])]) -> Vec<Bit> {
    let products = pairs.iter();
    match form {
        Form::Ripple => {
            let mut sum: Option<Vec<Bit>> = None;
            for (x, y) in products {
                let product = int::mul_by_rows(b, x, y);
                sum = Some(match sum {
                    // The second operand of an adder is one XOR from the sum, the first is two.
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
