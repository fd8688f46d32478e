//! The place of the first maximum or minimum of each row.

use super::Lowering;
use super::lanes::Lane;
use super::reduce::ceil_log2;
use crate::dtype::DType;
use crate::operation::is_better;
use crate::value::{Storage, Value};
use halfgate_circuit::{Bit, Builder, int};

/// Elements of a chunk, a power of two: the place in a chunk and the number of the chunk are then
/// the low and the high bits of the place in the row.
const CHUNK: usize = 64;

impl Lowering {
    /// Finds the first maximum (or minimum) of each row of `row` elements.
    pub(super) fn extreme(
        &mut self,
        b: &mut Builder,
        line: &str,
        value: &Value,
        max: bool,
        row: usize,
        dtype: DType,
    ) -> Value {
        let of = value.dtype;
        let width = of.bits();
        // An element is the value, then the bits of its place among those that it won against.
        let mut pairs = value.widened().of_bits();
        let mut row = row;
        while row > 1 {
            let chunk = row.min(CHUNK);
            let digits = ceil_log2(chunk);
            let best = |b: &mut Builder, _: &Value, elements: &[&[Bit]]| Lane {
                bits: best(b, of, max, elements, digits),
                signed: false,
            };
            (pairs, row) = self.level(b, line, &pairs, (row, CHUNK), &best);
        }
        let places = pairs.stored - width;
        if places == 0 {
            return Value::full(dtype, pairs.len, Storage::Public(vec![0; pairs.len].into()));
        }
        let place = |index: usize| pairs.element(index)[width..].to_vec();
        let bits: Vec<Bit> = (0..pairs.len).flat_map(place).collect();
        let (len, bits) = (pairs.len, Storage::Bits(bits.into()));
        Value { dtype, len, stored: places, signed: false, bits }
    }
}

/// The best element, with the place where it was found in `digits` more bits.
fn best(b: &mut Builder, of: DType, max: bool, elements: &[&[Bit]], digits: usize) -> Vec<Bit> {
    let placed = elements
        .iter()
        .zip(0..)
        .map(|(&element, place)| [element, &int::constant(digits, place)].concat());
    let mut level: Vec<Vec<Bit>> = placed.collect();
    let width = of.bits();
    while level.len() > 1 {
        level = level
            .chunks(2)
            .map(|pair| match pair {
                [x, y] => {
                    let later = is_better(b, of, max, &y[..width], &x[..width]);
                    int::select(b, later, y, x)
                }
                alone => alone.concat(),
            })
            .collect();
    }
    level.pop().unwrap_or_default()
}
