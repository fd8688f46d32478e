//! The order `haac:segment`: the program is divided into pieces, and each piece is sorted by level
//! (the paper's segment reordering, section 4.1).
//!
//! Compared with the baseline, a wire lives longer by at most one piece. So if pieces have half the
//! size of the window, most reads stay in the window. Independent gates of a piece stand side by
//! side.

use super::full::Levels;
use crate::dead::rename_ports;
use crate::uses::{Use, Uses};
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, Gates, Wire};
use std::io;

/// Sorts each piece of `gates` gates of `circuit` by level. `uses` are the circuit's uses. Gates of
/// one level keep their order. Levels are counted within a piece: wires from before the piece have
/// level 0.
///
/// Memory: at most 32 bytes for each gate of a piece, the wires alive at once, output bits and
/// flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn segment(circuit: Circuit, uses: Uses, gates: u32) -> io::Result<Circuit> {
    let sorted = run(&circuit, uses, gates)?;
    Ok(sorted.into_circuit(circuit))
}

/// Like [`segment`], but keeps the circuit. `ports` is the circuit without its gates.
///
/// # Errors
/// As for [`segment`].
pub(super) fn segment_of(
    circuit: &Circuit,
    ports: Circuit,
    uses: Uses,
    gates: u32,
) -> io::Result<Circuit> {
    Ok(run(circuit, uses, gates)?.into_circuit(ports))
}

/// Sorts the gates of the circuit in pieces of `gates` gates.
fn run(circuit: &Circuit, mut uses: Uses, gates: u32) -> io::Result<Segments> {
    let mut segments = Segments {
        first: circuit.first_gate_wire(),
        start: circuit.first_gate_wire(),
        older: WireMap::new(),
        sorted: Gates::new(),
    };
    let piece_len = (gates as usize).min(circuit.gates.len());
    let mut piece = Vec::with_capacity(piece_len);
    for gate in circuit.gates.iter() {
        piece.push((gate, uses.next(gate)?));
        if piece.len() == piece_len {
            segments.sort(&piece)?;
            piece.clear();
        }
    }
    segments.sort(&piece)?;
    Ok(segments)
}

/// The state between two pieces.
struct Segments {
    /// The circuit's first gate wire.
    first: usize,
    /// The first wire of the next piece.
    start: usize,
    /// New names of the wires of earlier pieces that the next pieces read.
    older: WireMap,
    /// The sorted pieces so far.
    sorted: Gates,
}

impl Segments {
    /// Returns the circuit with the sorted gates, and with the ports of `ports` renamed.
    fn into_circuit(self, ports: Circuit) -> Circuit {
        let Segments { first, older, sorted, .. } = self;
        rename_ports(ports, sorted, |wire| name(&older, first, wire).bit())
    }

    /// Sorts a piece and appends it.
    fn sort(&mut self, piece: &[(Gate, Use)]) -> io::Result<()> {
        let mut levels = Levels::with_capacity(self.start, piece.len());
        piece.iter().for_each(|&(gate, _)| levels.push(gate));
        let mut places = levels.into_places();
        let mut sorted = vec![Gate::copy(Wire::new(0).bit(), false); piece.len()];
        for (index, &(gate, _)) in piece.iter().enumerate() {
            sorted[places[index] as usize] = gate.map_operands(|wire| {
                match wire.index().checked_sub(self.start) {
                    Some(gate) => Wire::new(self.start as u32 + places[gate]),
                    None => name(&self.older, self.first, wire),
                }
                .bit()
            });
        }
        self.forget_and_remember(piece, &mut places);
        self.start += piece.len();
        sorted.into_iter().try_for_each(|gate| self.sorted.push(gate))
    }

    /// Removes names of earlier wires that no gate after `piece` reads, and adds names of the
    /// piece's own wires that later gates read. Overwrites `places`.
    fn forget_and_remember(&mut self, piece: &[(Gate, Use)], places: &mut [u32]) {
        for &(gate, fate) in piece {
            for (index, wire) in gate.operands().enumerate() {
                if fate.is_last(index) {
                    match wire.index().checked_sub(self.start) {
                        Some(gate) => places[gate] = DEAD,
                        None => drop(self.older.remove(wire)),
                    }
                }
            }
        }
        for (wire, &place) in (self.start as u32..).zip(&*places) {
            if place != DEAD {
                self.older.insert(Wire::new(wire), self.start as u32 + place);
            }
        }
    }
}

/// The place of a gate that nothing reads after its piece.
const DEAD: u32 = u32::MAX;

/// Returns the new name of a wire from before a piece.
fn name(older: &WireMap, first: usize, wire: Wire) -> Wire {
    if wire.index() < first {
        return wire;
    }
    Wire::new(older.get(wire).expect("a wire is remembered up to its last use"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Output, Party};

    #[test]
    fn wires_are_forgotten_after_the_piece_of_their_last_use() {
        let gates = 100_000;
        let wire = |i: u32| Wire::new(i).bit();
        let mut b = Builder::new();
        b.input("x", Party::Garbler, 2);
        let circuit = Circuit {
            gates: (0..gates).map(|i| Gate::xor(wire(i), wire(i + 1), false)).collect(),
            outputs: vec![Output {
                name: "y".to_owned(),
                bits: vec![wire(gates + 1)].into(),
                per_cycle: false,
                elements: None,
            }],
            ..b.finish().unwrap()
        };
        let uses = Uses::of(&circuit).unwrap();
        let segments = run(&circuit, uses, 64).unwrap();
        assert_eq!(segments.sorted.len(), gates as usize);
        assert!(segments.older.peak() <= 4, "{} remembered", segments.older.peak());
    }
}
