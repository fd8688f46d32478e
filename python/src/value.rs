//! Values of nodes while a circuit is written: the bits of each element.

use crate::dtype::DType;
use halfgate_circuit::builder::Array;
use halfgate_circuit::{Bit, int};
use std::sync::Arc;

/// The elements of a node.
///
/// Only the low `stored` bits of an element are kept. The bits above are zeros or, if `signed`,
/// copies of the highest stored bit. So a sum in a wide type costs no more than its value needs.
#[derive(Clone, Debug)]
pub struct Value {
    pub dtype: DType,
    pub len: usize,
    pub stored: usize,
    pub signed: bool,
    pub bits: Storage,
}

/// How the bits are kept.
#[derive(Clone, Debug)]
pub enum Storage {
    /// Constants.
    Public(Arc<[u128]>),
    /// Consecutive wires: large arrays take no memory.
    Wires(Array),
    /// Any bits, element after element.
    Bits(Arc<[Bit]>),
}

impl Value {
    /// A value of all bits of its elements.
    pub fn full(dtype: DType, len: usize, bits: Storage) -> Value {
        Value { dtype, len, stored: dtype.bits(), signed: false, bits }
    }

    /// The stored bits of an element.
    pub fn element(&self, index: usize) -> Vec<Bit> {
        match &self.bits {
            Storage::Public(values) => int::constant(self.stored, values[index]),
            Storage::Wires(array) => array.element(index),
            Storage::Bits(bits) => bits[index * self.stored..][..self.stored].to_vec(),
        }
    }

    /// All stored bits.
    pub fn stored_bits(&self) -> Vec<Bit> {
        match &self.bits {
            Storage::Public(values) => {
                values.iter().flat_map(|&value| int::constant(self.stored, value)).collect()
            }
            Storage::Wires(array) => array.bits(),
            Storage::Bits(bits) => bits.to_vec(),
        }
    }

    /// Stored bits as the whole element.
    pub fn extend(&self, stored: &[Bit]) -> Vec<Bit> {
        extend(stored, self.dtype.bits(), self.signed)
    }

    /// A whole element.
    pub fn whole(&self, index: usize) -> Vec<Bit> {
        self.extend(&self.element(index))
    }

    /// All bits of all elements.
    pub fn whole_bits(&self) -> Vec<Bit> {
        if self.stored == self.dtype.bits() {
            return self.stored_bits();
        }
        let bits = self.stored_bits();
        bits.chunks(self.stored).flat_map(|element| self.extend(element)).collect()
    }

    /// The value with all bits of its elements stored.
    pub fn widened(&self) -> Value {
        match self.stored == self.dtype.bits() {
            true => self.clone(),
            false => Value::full(self.dtype, self.len, Storage::Bits(self.whole_bits().into())),
        }
    }

    /// The public value of all elements, if they are public and equal.
    pub fn public_scalar(&self) -> Option<u128> {
        let Storage::Public(values) = &self.bits else { return None };
        let (first, others) = values.split_first()?;
        others.iter().all(|value| value == first).then_some(*first)
    }

    /// Elements from `start` on.
    pub fn slice(&self, start: usize, len: usize) -> Value {
        let bits = match &self.bits {
            Storage::Public(values) => Storage::Public(values[start..start + len].into()),
            Storage::Wires(array) => Storage::Wires(array.slice(start, len)),
            Storage::Bits(bits) => {
                Storage::Bits(bits[start * self.stored..(start + len) * self.stored].into())
            }
        };
        Value { len, bits, ..self.clone() }
    }

    /// Elements by index.
    pub fn pick(&self, indices: &[usize]) -> Value {
        let consecutive = indices.windows(2).all(|pair| pair[1] == pair[0] + 1);
        if let (true, Some(&first)) = (consecutive, indices.first()) {
            return self.slice(first, indices.len());
        }
        let bits = match &self.bits {
            Storage::Public(values) => {
                Storage::Public(indices.iter().map(|&index| values[index]).collect())
            }
            Storage::Wires(array) => {
                let mut bits = Vec::with_capacity(indices.len() * self.stored);
                for &index in indices {
                    bits.extend(array.element(index));
                }
                Storage::Bits(bits.into())
            }
            Storage::Bits(bits) => {
                let mut picked = Vec::with_capacity(indices.len() * self.stored);
                for &index in indices {
                    picked.extend_from_slice(&bits[index * self.stored..][..self.stored]);
                }
                Storage::Bits(picked.into())
            }
        };
        Value { len: indices.len(), bits, ..self.clone() }
    }

    /// The elements of a view, in row-major order: at `offset` plus the sum of index times stride.
    pub fn view(&self, offset: usize, shape: &[usize], strides: &[isize]) -> Value {
        let mut indices = vec![offset as isize];
        for (&len, &stride) in shape.iter().zip(strides) {
            let along = |&start: &isize| (0..len as isize).map(move |i| start + i * stride);
            indices = indices.iter().flat_map(along).collect();
        }
        self.pick(&indices.into_iter().map(|index| index as usize).collect::<Vec<_>>())
    }

    /// Values of one type, one after the other.
    pub fn concat(dtype: DType, values: &[&Value]) -> Value {
        if let [one] = values {
            return (*one).clone();
        }
        let len = values.iter().map(|value| value.len).sum();
        let all_public = values.iter().map(|value| match &value.bits {
            Storage::Public(values) => Some(values),
            _ => None,
        });
        if let Some(all) = all_public.collect::<Option<Vec<_>>>() {
            let all = all.into_iter().flat_map(|values| values.iter().copied()).collect();
            return Value::full(dtype, len, Storage::Public(all));
        }
        let alike = |a: &Value, b: &Value| a.stored == b.stored && a.signed == b.signed;
        if values.windows(2).all(|pair| alike(pair[0], pair[1])) {
            let bits: Vec<Bit> = values.iter().flat_map(|value| value.stored_bits()).collect();
            return Value { len, bits: Storage::Bits(bits.into()), ..values[0].clone() };
        }
        // The least number of bits in which all of them can be stored.
        let width = dtype.bits();
        let signed = values.iter().any(|value| value.signed && value.stored < width);
        let needs = |value: &&Value| match value.stored == width || value.signed == signed {
            true => value.stored,
            false => value.stored + 1,
        };
        let stored = values.iter().map(needs).max().unwrap_or(width).min(width);
        let element = |value: &Value, bits: &[Bit]| extend(bits, stored, value.signed);
        let bits: Vec<Bit> = values
            .iter()
            .flat_map(|value| {
                let bits = value.stored_bits();
                bits.chunks(value.stored).flat_map(|bits| element(value, bits)).collect::<Vec<_>>()
            })
            .collect();
        Value { dtype, len, stored, signed, bits: Storage::Bits(bits.into()) }
    }
}

/// The low bits of an element that must be stored, and whether the bits above are copies of the
/// highest of these.
pub fn significant(bits: &[Bit]) -> (usize, bool) {
    let Some(&top) = bits.last() else { return (0, false) };
    if top == Bit::FALSE {
        let stored = bits.iter().rposition(|&bit| bit != Bit::FALSE).map_or(0, |at| at + 1);
        return (stored.max(1), false);
    }
    let same = bits.iter().rev().take_while(|&&bit| bit == top).count();
    (bits.len() - same + 1, same > 1)
}

/// Bits in `width`, with zeros or copies of the top bit added.
pub fn extend(bits: &[Bit], width: usize, signed: bool) -> Vec<Bit> {
    if signed { int::sign_extend(bits, width) } else { int::zero_extend(bits, width) }
}
