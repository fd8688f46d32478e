//! Reductions of rows: a tree of maps, each of which reduces chunks of rows.

use super::Lowering;
use super::lanes::{Lane, Piece};
use crate::graph::Reduction;
use crate::value::{Storage, Value};
use halfgate_circuit::{Bit, Builder, int};

/// Elements of a sum of integers that are added in one function.
const SUM_CHUNK: usize = 64;
/// Elements that are reduced in one function otherwise.
const CHUNK: usize = 16;
/// The same for floats, whose gates are many.
const FLOAT_CHUNK: usize = 4;

/// Joins a chunk of stored elements of a value.
pub(super) type Join<'a> = &'a dyn Fn(&mut Builder, &Value, &[&[Bit]]) -> Lane;

impl Lowering {
    /// Reduces each row of `row` elements to one.
    pub(super) fn reduce(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        reduction: Reduction,
        row: usize,
    ) -> Value {
        let is_sum = reduction == Reduction::Sum && value.dtype.is_integral();
        let most = match (is_sum, value.dtype.format()) {
            (true, _) => SUM_CHUNK,
            (false, Some(_)) => FLOAT_CHUNK,
            (false, None) => CHUNK,
        };
        self.in_chunks(b, line, value, (row, most), &|b, value, elements| match is_sum {
            true => sum(b, value, elements),
            false => join(b, value, elements, reduction),
        })
    }

    /// Replaces chunks of at most `most` elements by one, until one is left in each row.
    fn in_chunks(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        (mut row, most): (usize, usize),
        f: Join<'_>,
    ) -> Value {
        let mut value = value.clone();
        while row > 1 {
            (value, row) = self.level(b, line, &value, (row, most), f);
        }
        value
    }

    /// One level of the tree. Returns the results and their number in each row.
    pub(super) fn level(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        (row, most): (usize, usize),
        f: Join<'_>,
    ) -> (Value, usize) {
        let chunk = row.min(most);
        let (full, rest) = (row / chunk, row % chunk);
        let rows = value.len / row;
        if rest == 0 {
            return (self.chunks(b, line, value, chunk, f), full);
        }
        let part = |from: usize, len: usize| {
            let indices = (0..rows).flat_map(|r| r * row + from..r * row + from + len);
            value.pick(&indices.collect::<Vec<_>>())
        };
        let chunks = self.chunks(b, line, &part(0, full * chunk), chunk, f);
        let last = self.chunks(b, line, &part(full * chunk, rest), rest, f);
        let all = Value::concat(value.dtype, &[&chunks, &last]);
        let of_row = |r: usize| (r * full..(r + 1) * full).chain([rows * full + r]);
        (all.pick(&(0..rows).flat_map(of_row).collect::<Vec<_>>()), full + 1)
    }

    /// Runs `f` on each chunk.
    fn chunks(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        chunk: usize,
        f: Join<'_>,
    ) -> Value {
        let shape = (value.len / chunk, value.dtype);
        self.on_lanes(b, line, shape, &[Piece::Rows(value, chunk)], |lowering, b, x| {
            let elements: Vec<&[Bit]> = x[0].chunks(value.stored).collect();
            lowering.counted(b, line, |b| f(b, value, &elements))
        })
    }
}

/// The sum of integers, in as many bits as it needs.
fn sum(b: &mut Builder, value: &Value, elements: &[&[Bit]]) -> Lane {
    let all = value.dtype.bits();
    let width = all.min(value.stored + ceil_log2(elements.len()));
    if !value.signed || value.stored == all {
        return Lane { bits: int::sum(b, elements, width), signed: false };
    }
    // With the sign inverted, an element is unsigned and larger by 2^(stored - 1).
    let sign = value.stored - 1;
    let lifted: Vec<Vec<Bit>> = elements
        .iter()
        .map(|bits| {
            let mut bits = bits.to_vec();
            bits[sign] = !bits[sign];
            bits
        })
        .collect();
    let lifted: Vec<&[Bit]> = lifted.iter().map(Vec::as_slice).collect();
    let sum = int::zero_extend(&int::sum(b, &lifted, width), width);
    let excess = int::constant(width, (elements.len() as u128) << sign);
    Lane { bits: int::sub(b, &sum, &excess), signed: true }
}

/// Joins elements in a balanced tree, neighbours first.
fn join(b: &mut Builder, value: &Value, elements: &[&[Bit]], reduction: Reduction) -> Lane {
    let (dtype, operation) = (value.dtype, reduction.operation());
    let mut level: Vec<Vec<Bit>> = elements.iter().map(|bits| value.extend(bits)).collect();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [x, y] => operation.emit(b, &[(dtype, x), (dtype, y)], dtype),
                alone => alone.concat(),
            })
            .collect();
    }
    Lane::trimmed(level.pop().unwrap_or_default())
}

/// The least `n` with `2^n >= value`.
pub(super) fn ceil_log2(value: usize) -> usize {
    value.next_power_of_two().trailing_zeros() as usize
}

impl Value {
    /// The value as wires or bits, whatever it was: reductions read no constants.
    pub(super) fn of_bits(&self) -> Value {
        match &self.bits {
            Storage::Public(_) => {
                Value { bits: Storage::Bits(self.stored_bits().into()), ..self.clone() }
            }
            _ => self.clone(),
        }
    }
}
