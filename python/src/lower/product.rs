//! Products of matrices: a map over the elements of the result, each of which is a fold.

use super::Lowering;
use super::lanes::{Lane, Piece};
use super::lookup::regrouped;
use crate::dtype::{DType, Kind};
use crate::graph::Reduction;
use crate::operation::Operation;
use crate::value::{Value, extend};
use halfgate_circuit::builder::Arg;
use halfgate_circuit::{Bit, Builder};

/// Elements of a result from which each one is a lane. With fewer, the products are the lanes.
const MIN_LANES: usize = 8;

/// How the elements of a factor are stored.
#[derive(Clone, Copy)]
struct Factor {
    stored: usize,
    signed: bool,
}

impl Lowering {
    /// The product of an `n` by `k` matrix and a `k` by `m` matrix, given as its columns.
    pub(super) fn product(
        &mut self,
        b: &mut Builder,
        line: &str,
        x: &Value,
        y: &Value,
        (n, k, m): (usize, usize, usize),
    ) -> Value {
        let (x, y) = (&x.of_bits(), &y.of_bits());
        let dtype = x.dtype;
        if n * m < MIN_LANES {
            return self.few_products(b, line, x, y, (n, k, m));
        }
        let factors = [x, y].map(|of| Factor { stored: of.stored, signed: of.signed });
        let dot = |lowering: &mut Lowering, b: &mut Builder, x: &[Vec<Bit>]| Lane {
            bits: lowering.dot(b, line, (&x[0], &x[1]), factors, (k, dtype)),
            signed: false,
        };
        if n == 1 {
            let pieces = [Piece::Shared(x.stored_bits()), Piece::Rows(y, k)];
            return self.on_lanes(b, line, (m, dtype), &pieces, dot);
        }
        if m == 1 {
            let pieces = [Piece::Rows(x, k), Piece::Shared(y.stored_bits())];
            return self.on_lanes(b, line, (n, dtype), &pieces, dot);
        }
        // A map over rows of a map over columns.
        let columns = y.stored_bits();
        let pieces = [Piece::Rows(x, k), Piece::Shared(columns)];
        let rows = self.on_lanes(b, line, (n, dtype), &pieces, |lowering, b, x| {
            let columns: Vec<Bit> = x[1].clone();
            let column = Value {
                dtype,
                len: m * k,
                stored: factors[1].stored,
                signed: factors[1].signed,
                bits: crate::value::Storage::Bits(columns.into()),
            };
            let pieces = [Piece::Shared(x[0].clone()), Piece::Rows(&column, k)];
            let found = lowering.on_lanes(b, line, (m, dtype), &pieces, dot);
            Lane { bits: found.whole_bits(), signed: false }
        });
        regrouped(&rows, n * m, dtype.bits())
    }

    /// The product of few rows and columns: maps of products, and sums.
    fn few_products(
        &mut self,
        b: &mut Builder,
        line: &str,
        x: &Value,
        y: &Value,
        (n, k, m): (usize, usize, usize),
    ) -> Value {
        let dtype = x.dtype;
        let pairs = (0..n).flat_map(|i| (0..m).map(move |j| (i, j)));
        let of = |pairs: &mut dyn Iterator<Item = usize>| {
            pairs.flat_map(|row| row * k..(row + 1) * k).collect::<Vec<_>>()
        };
        let rows = x.pick(&of(&mut pairs.clone().map(|pair| pair.0)));
        let columns = y.pick(&of(&mut pairs.map(|pair| pair.1)));
        let pieces = [Piece::Rows(&rows, 1), Piece::Rows(&columns, 1)];
        let products = self.on_lanes(b, line, (n * m * k, dtype), &pieces, |lowering, b, bits| {
            lowering.counted(b, line, |b| {
                let (x, y) = (x.extend(&bits[0]), y.extend(&bits[1]));
                Lane::trimmed(multiply(b, dtype, &x, &y))
            })
        });
        let reduction = if dtype.kind == Kind::Bool { Reduction::Any } else { Reduction::Sum };
        self.reduce(b, line, &products, reduction, k)
    }

    /// The inner product of two lists of `k` stored elements.
    fn dot(
        &mut self,
        b: &mut Builder,
        line: &str,
        (x, y): (&[Bit], &[Bit]),
        [of_x, of_y]: [Factor; 2],
        (k, dtype): (usize, DType),
    ) -> Vec<Bit> {
        let width = dtype.bits();
        let whole = |of: Factor, bits: &[Bit]| extend(bits, width, of.signed);
        b.at_line(line);
        let first = (&x[..of_x.stored], &y[..of_y.stored]);
        let (first_x, first_y) = (whole(of_x, first.0), whole(of_y, first.1));
        let start = self.counted(b, line, |b| multiply(b, dtype, &first_x, &first_y));
        if k == 1 {
            return start;
        }
        let others = [Arg::Sliced(&x[of_x.stored..]), Arg::Sliced(&y[of_y.stored..])];
        let outside = self.ledger.enter(k as u64 - 1);
        let folded = b.fold(line, k as u64 - 1, &start, &others, |b, sum, pair| {
            let (x, y) = (whole(of_x, &pair[0]), whole(of_y, &pair[1]));
            let next = self.counted(b, line, |b| {
                let product = multiply(b, dtype, &x, &y);
                add(b, dtype, sum, &product)
            });
            (next, Vec::new())
        });
        self.ledger.leave(outside);
        folded.state
    }
}

fn multiply(b: &mut Builder, dtype: DType, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let operation = if dtype.kind == Kind::Bool { Operation::And } else { Operation::Mul };
    operation.emit(b, &[(dtype, x), (dtype, y)], dtype)
}

fn add(b: &mut Builder, dtype: DType, x: &[Bit], y: &[Bit]) -> Vec<Bit> {
    let operation = if dtype.kind == Kind::Bool { Operation::Or } else { Operation::Add };
    operation.emit(b, &[(dtype, x), (dtype, y)], dtype)
}
