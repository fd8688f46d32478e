//! The output bits of a circuit, sorted by the wires that drive them.

use crate::cpu::chunk::Chunk;
use halfgate_circuit::{Circuit, Wire};
use std::ops::Range;

/// All output bits except constant ones, in the order of their wires.
///
/// Memory: 12 bytes per output bit.
pub(super) struct OutputBits {
    bits: Vec<OutputBit>,
    /// Index of the first output bit in this list that a gate drives.
    first_of_gates: usize,
}

struct OutputBit {
    wire: Wire,
    /// Number of the bit through all outputs, in order.
    number: u32,
    inverted: bool,
    per_cycle: bool,
}

impl OutputBits {
    /// Collects the output bits of `circuit`.
    pub fn of(circuit: &Circuit) -> OutputBits {
        let bits = circuit.outputs.iter().flat_map(|o| o.bits.iter().map(|b| (b, o.per_cycle)));
        let mut bits: Vec<OutputBit> = (0..)
            .zip(bits)
            .filter_map(|(number, (bit, per_cycle))| {
                let inverted = bit.is_inverted();
                bit.wire().map(|wire| OutputBit { wire, number, inverted, per_cycle })
            })
            .collect();
        bits.sort_unstable_by_key(|bit| (bit.wire, bit.number));
        let first = circuit.first_gate_wire();
        let first_of_gates = bits.partition_point(|bit| bit.wire.index() < first);
        OutputBits { bits, first_of_gates }
    }

    /// The index of the first output bit in this list that a gate drives.
    pub fn first_of_gates(&self) -> usize {
        self.first_of_gates
    }

    /// The wire of the output bit at index `place`, if there is one.
    pub fn wire(&self, place: usize) -> Option<Wire> {
        self.bits.get(place).map(|bit| bit.wire)
    }

    /// The indices of the output bits that `wire` drives.
    pub fn of_wire(&self, wire: Wire) -> Range<usize> {
        let start = self.bits.partition_point(|bit| bit.wire < wire);
        let count = self.bits[start..].partition_point(|bit| bit.wire == wire);
        start..start + count
    }

    /// Returns a query for wires, to be called from the last wire to the first.
    pub fn backwards(&self) -> Backwards<'_> {
        Backwards { bits: &self.bits }
    }

    /// Records in `chunk` that the output bit at index `place` is the label at `address`;
    /// `inverted` states whether that label is the inverse of the bit's wire.
    pub fn give(&self, place: usize, address: u32, inverted: bool, chunk: &mut Chunk) {
        let bit = &self.bits[place];
        let list = match bit.per_cycle {
            true => &mut chunk.outputs_each,
            false => &mut chunk.outputs_last,
        };
        list.push(bit.number, address, inverted ^ bit.inverted);
    }
}

/// See [`OutputBits::backwards`].
pub(super) struct Backwards<'a> {
    bits: &'a [OutputBit],
}

impl Backwards<'_> {
    /// Whether `wire` is an output. `wire` must be lower than in the previous call.
    pub fn contains(&mut self, wire: Wire) -> bool {
        while let [rest @ .., last] = self.bits {
            if last.wire <= wire {
                return last.wire == wire;
            }
            self.bits = rest;
        }
        false
    }
}
