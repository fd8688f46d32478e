//! Sorting of rows, by Batcher's merge exchange (Knuth, The Art of Computer Programming, volume 3,
//! section 5.2.2, algorithm M). A layer of comparisons is a map.

use super::Lowering;
use super::lanes::{Lane, Piece};
use super::reduce::ceil_log2;
use crate::dtype::DType;
use crate::operation::sorts_before;
use crate::value::{Storage, Value};
use halfgate_circuit::{Bit, Builder, int};

/// Whether the first element must stand before the second.
type Before<'a> = &'a dyn Fn(&mut Builder, &[Bit], &[Bit]) -> Bit;

impl Lowering {
    /// Sorts each row of `row` elements.
    pub(super) fn sort(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        row: usize,
        descending: bool,
    ) -> Value {
        let whole = |bits: &[Bit]| value.extend(bits);
        self.network(b, line, value.of_bits(), row, &|b, x, y| {
            let (x, y) = (whole(x), whole(y));
            match descending {
                true => sorts_before(b, value.dtype, &y, &x),
                false => sorts_before(b, value.dtype, &x, &y),
            }
        })
    }

    /// The places of the elements of each row in sorted order.
    pub(super) fn arg_sort(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        row: usize,
        descending: bool,
        dtype: DType,
    ) -> Value {
        let (of, digits) = (value.dtype, ceil_log2(row));
        let element = |index: usize| {
            [int::constant(digits, (index % row) as u128), value.whole(index)].concat()
        };
        let bits: Vec<Bit> = (0..value.len).flat_map(element).collect();
        let stored = digits + of.bits();
        let bits = Storage::Bits(bits.into());
        let pairs = Value { dtype: of, len: value.len, stored, signed: false, bits };
        let sorted = self.network(b, line, pairs, row, &|b, x, y| {
            let ((x_place, x), (y_place, y)) = (x.split_at(digits), y.split_at(digits));
            let (first, second) = if descending { (y, x) } else { (x, y) };
            let before = sorts_before(b, of, first, second);
            let after = sorts_before(b, of, second, first);
            let is_earlier = int::lt_unsigned(b, x_place, y_place);
            let stays = b.and(!after, is_earlier);
            b.or(before, stays)
        });
        let place = |index: usize| sorted.element(index)[..digits].to_vec();
        let bits: Vec<Bit> = (0..sorted.len).flat_map(place).collect();
        if digits == 0 {
            return Value::full(dtype, value.len, Storage::Public(vec![0; value.len].into()));
        }
        Value {
            dtype,
            len: value.len,
            stored: digits,
            signed: false,
            bits: Storage::Bits(bits.into()),
        }
    }

    /// Sorts each row of stored elements.
    fn network(
        &mut self,
        b: &mut Builder,
        line: &str,
        mut value: Value,
        row: usize,
        before: Before<'_>,
    ) -> Value {
        let rows = value.len / row;
        for layer in layers(row) {
            let places = |of: fn(&(usize, usize)) -> usize| {
                let of_row = |r: usize| layer.iter().map(move |pair| r * row + of(pair));
                (0..rows).flat_map(of_row).collect::<Vec<usize>>()
            };
            let (low, high) = (places(|pair| pair.0), places(|pair| pair.1));
            let (x, y) = (value.pick(&low), value.pick(&high));
            let pieces = [Piece::Rows(&x, 1), Piece::Rows(&y, 1)];
            let shape = (low.len(), value.dtype);
            let exchanged = self.on_lanes(b, line, shape, &pieces, |lowering, b, x| {
                lowering.counted(b, line, |b| {
                    let swap = before(b, &x[1], &x[0]);
                    let (first, second) = int::swap_if(b, swap, &x[0], &x[1]);
                    Lane { bits: [first, second].concat(), signed: false }
                })
            });
            value = exchange(&value, &low, &high, &exchanged);
        }
        value
    }
}

/// The value in which the elements at `low` and `high` are those of the pairs.
fn exchange(value: &Value, low: &[usize], high: &[usize], pairs: &Value) -> Value {
    let mut bits = value.stored_bits();
    for (number, (&low, &high)) in low.iter().zip(high).enumerate() {
        let pair = pairs.element(number);
        let (first, second) = pair.split_at(value.stored);
        bits[low * value.stored..][..value.stored].copy_from_slice(first);
        bits[high * value.stored..][..value.stored].copy_from_slice(second);
    }
    Value { bits: Storage::Bits(bits.into()), ..value.clone() }
}

/// The comparisons that sort `n` elements. Those of a layer do not depend on each other.
fn layers(n: usize) -> Vec<Vec<(usize, usize)>> {
    let mut layers = Vec::new();
    if n < 2 {
        return layers;
    }
    let top = 1usize << (ceil_log2(n) - 1);
    let mut p = top;
    while p > 0 {
        let (mut q, mut r, mut d) = (top, 0, p);
        loop {
            layers.push((0..n - d).filter(|i| i & p == r).map(|i| (i, i + d)).collect());
            if q == p {
                break;
            }
            (d, q, r) = (q - p, q / 2, p);
        }
        p /= 2;
    }
    layers.retain(|layer: &Vec<_>| !layer.is_empty());
    layers
}
