//! Reading arrays at secret places.

use super::Lowering;
use super::lanes::{Lane, Piece};
use crate::value::{Storage, Value};
use halfgate_circuit::{Bit, Builder, array, int};

impl Lowering {
    /// The elements of `table` at `places`; an element has `parts` values. Zeros for places out of
    /// range.
    pub(super) fn lookup(
        &mut self,
        b: &mut Builder,
        line: &str,
        table: &Value,
        places: &Value,
        parts: usize,
    ) -> Value {
        let dtype = table.dtype;
        let places = places.of_bits();
        let width = table.stored * parts;
        let public = match &table.bits {
            // The gadget takes entries of 128 bits.
            Storage::Public(values) if parts == 1 => Some(values),
            _ => None,
        };
        let bits = if public.is_some() { Vec::new() } else { table.stored_bits() };
        let pieces = [Piece::Shared(bits), Piece::Rows(&places, 1)];
        let shape = (places.len, dtype);
        let found = self.on_lanes(b, line, shape, &pieces, |lowering, b, x| {
            lowering.counted(b, line, |b| {
                let place = extended(&places, &x[1]);
                let bits = match public {
                    Some(values) => array::lookup(b, values, width, &place),
                    None => {
                        let elements: Vec<Vec<Bit>> =
                            x[0].chunks(width).map(<[Bit]>::to_vec).collect();
                        int::zero_extend(&array::read(b, &elements, &place), width)
                    }
                };
                Lane { bits, signed: table.signed }
            })
        });
        regrouped(&found, places.len * parts, table.stored)
    }
}

/// The bits of a place, without constant zeros at the top.
fn extended(places: &Value, stored: &[Bit]) -> Vec<Bit> {
    match places.signed {
        true => places.extend(stored),
        false => stored.to_vec(),
    }
}

/// The same bits as `len` elements of `stored` bits.
pub(super) fn regrouped(value: &Value, len: usize, stored: usize) -> Value {
    let bits = match &value.bits {
        Storage::Wires(array) => Storage::Wires(array.regroup(stored)),
        other => other.clone(),
    };
    Value { len, stored, bits, ..value.clone() }
}
