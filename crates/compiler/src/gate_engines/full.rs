//! The order `haac:full`: all gates by level, breadth first (the paper's full reordering, section
//! 4.1).
//!
//! Gates of one level do not depend on each other, so parallel engines never wait. But a wire may
//! live as long as its level is wide. This is the only pass that holds the whole program.

use crate::dead::rename_ports;
use halfgate_circuit::{Circuit, Gate, Gates, Wire};
use std::io;

/// Sorts the gates of `circuit` by level. Gates of one level keep their order. A gate's level is
/// the number of gates, including itself, on the longest path from an input or flip-flop to the
/// gate.
///
/// Memory: at most 24 bytes per gate, the wires of ports and flip-flops, and the in-memory parts of
/// the two lists of gates. A gate takes 4 bytes for its level (later its place), and 8 bytes at its
/// new place. If each gate has a different level, it takes up to 12 more bytes for the counts of
/// levels, while the list of counts grows.
///
/// # Errors
/// If a temporary file cannot be written.
pub(crate) fn full(circuit: Circuit) -> io::Result<Circuit> {
    let mut levels = Levels::with_capacity(circuit.first_gate_wire(), circuit.gates.len());
    for gate in circuit.gates.iter() {
        levels.push(gate);
    }
    let places = levels.into_places();
    let first = circuit.first_gate_wire();
    let name = |wire: Wire| match wire.index().checked_sub(first) {
        Some(gate) => Wire::new(first as u32 + places[gate]),
        None => wire,
    };
    let none = Gate::copy(Wire::new(0).bit(), false);
    let mut sorted = vec![none; circuit.gates.len()];
    for (gate, &place) in circuit.gates.iter().zip(&places) {
        sorted[place as usize] = gate.map_operands(|wire| name(wire).bit());
    }
    let mut gates = Gates::new();
    for gate in sorted {
        gates.push(gate)?;
    }
    Ok(rename_ports(circuit, gates, |wire| name(wire).bit()))
}

/// Computes the level of each gate, and from the levels the gates' places in sorted order.
pub(super) struct Levels {
    /// The wire of the first gate. Wires below it are at level 0.
    first: usize,
    /// The level of each gate, from 0 on.
    levels: Vec<u32>,
    /// The number of gates on each level.
    counts: Vec<u32>,
}

impl Levels {
    /// Prepares for `capacity` gates, the first of which drives wire `first`.
    pub(super) fn with_capacity(first: usize, capacity: usize) -> Levels {
        Levels { first, levels: Vec::with_capacity(capacity), counts: Vec::new() }
    }

    /// Adds the next gate.
    #[inline]
    pub(super) fn push(&mut self, gate: Gate) {
        let level = gate.operands().map(|wire| match wire.index().checked_sub(self.first) {
            Some(gate) => self.levels[gate] + 1,
            None => 0,
        });
        let level = level.max().unwrap_or(0);
        if level as usize == self.counts.len() {
            self.counts.push(0);
        }
        self.counts[level as usize] += 1;
        self.levels.push(level);
    }

    /// Returns the place of each gate in the order by level. Gates of one level keep their order.
    pub(super) fn into_places(self) -> Vec<u32> {
        let Levels { mut levels, counts: mut next, .. } = self;
        let mut before = 0;
        for count in &mut next {
            before += std::mem::replace(count, before);
        }
        for level in &mut levels {
            let place = &mut next[*level as usize];
            *level = *place;
            *place += 1;
        }
        levels
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Tests the longest possible list of counts, in which no two gates share a level.
    #[test]
    fn a_gate_takes_24_bytes_at_most() {
        for gates in [1000, 100_000, (1 << 17) + 1] {
            let mut levels = Levels::with_capacity(1, gates);
            let mut most = 0;
            for wire in 0..gates as u32 {
                let before = levels.counts.capacity();
                levels.push(Gate::xor(Wire::new(wire).bit(), Wire::new(0).bit(), false));
                let grown = levels.counts.capacity() != before;
                // While the list grows, it exists twice.
                let counts = levels.counts.capacity() + if grown { before } else { 0 };
                most = most.max(4 * (levels.levels.capacity() + counts));
            }
            assert_eq!(levels.counts.len(), gates);
            let places = levels.into_places();
            assert!(places.iter().copied().eq(0..gates as u32));
            let sorted = gates * size_of::<Gate>();
            most = most.max(4 * places.capacity() + sorted);
            assert!(most <= 24 * gates, "{most} bytes for {gates} gates");
        }
    }
}
