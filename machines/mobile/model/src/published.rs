//! Packets of the published link, for comparison: 55 bytes per AND, 7 per XOR and 5 per copy,
//! including the numbers of the gate's wires.
//!
//! The thesis gives these lengths, and 13 bits for a wire's number. The order of the bytes is ours:
//! a kind, two bytes for each wire, and an AND's three rows of 16 bytes. Inputs are not counted. No
//! label is spilled: a wire's label overwrites the label of the wire whose number is 8,192 lower.

use super::SLOTS;
use halfgate_circuit::{Circuit, GateKind, Wire};
use std::collections::HashSet;

/// Bytes of an AND's rows.
const ROWS: usize = 48;

/// Counts of the packets for a circuit's body.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Packets {
    /// Total bytes of all packets.
    pub bytes: u64,
    /// Number of gates with a wrong result, because an operand's label was overwritten or wrong.
    pub wrong: u64,
}

/// Passes each gate's packet to `sink`. `rows` returns the rows of the next AND. Memory: the wires
/// with wrong labels.
pub fn packets(
    circuit: &Circuit,
    mut rows: impl FnMut() -> [u8; ROWS],
    mut sink: impl FnMut(&[u8]),
) -> Packets {
    let mut all = Packets::default();
    let mut packet = Vec::with_capacity(7 + ROWS);
    // Wires with wrong labels: their gates read a label that was overwritten, or a wrong one.
    let mut wrong = HashSet::new();
    for (out, gate) in (circuit.first_gate_wire() as u32..).zip(circuit.gates.iter()) {
        packet.clear();
        let (kind, operands) = match gate.kind() {
            GateKind::And { a, b, .. } => (0, [a.wire(), b.wire()]),
            GateKind::Xor { a, b, .. } => (1, [Some(a), Some(b)]),
            GateKind::Copy { a, .. } => (2, [Some(a), None]),
        };
        packet.push(kind);
        let operands = operands.into_iter().flatten().map(Wire::number);
        for wire in operands.clone().chain([out]) {
            packet.extend(((wire % SLOTS) as u16).to_le_bytes());
        }
        if kind == 0 {
            packet.extend(rows());
        }
        let is_late = |wire: u32| out - wire > SLOTS || wrong.contains(&wire);
        if operands.clone().any(is_late) {
            wrong.insert(out);
            all.wrong += 1;
        }
        all.bytes += packet.len() as u64;
        sink(&packet);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Party};

    fn long(gates: u32) -> Circuit {
        let mut builder = Builder::new();
        let inputs = builder.input("a", Party::Garbler, 2);
        let mut last = builder.xor(inputs[0], inputs[1]);
        for _ in 1..gates {
            last = builder.and(last, inputs[0]);
            last = builder.xor(last, inputs[1]);
        }
        builder.output("out", &[last]);
        builder.finish().expect("a circuit")
    }

    #[test]
    fn packets_have_the_published_lengths() {
        let circuit = long(3);
        let (mut rows, mut lengths, mut first) = (0, Vec::new(), Vec::new());
        let all = packets(
            &circuit,
            || {
                rows += 1;
                [rows; 48]
            },
            |packet| {
                lengths.push(packet.len());
                if packet.len() == 55 && first.is_empty() {
                    first = packet.to_vec();
                }
            },
        );
        assert_eq!(lengths, [7, 55, 7, 55, 7]);
        assert_eq!(all, Packets { bytes: 131, wrong: 0 });
        assert_eq!(first[7..], [1; 48]);
        assert_eq!((first[0], first[5], first[6]), (0, 3, 0), "{first:?}");
    }

    #[test]
    fn wires_that_are_overwritten_are_noticed() {
        let all = |gates| packets(&long(gates), || [0; 48], |_| ());
        assert_eq!(all(4000).wrong, 0);
        assert!(all(5000).wrong > 0);
    }
}
