//! Computes when each wire is next read, in one pass over a program from its last gate to its
//! first. The results are recorded for the lowering, which goes forwards.

use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::reverse_spool::ReverseSpool;
use halfgate_compiler::wire_map::WireMap;
use std::io;

/// No later gate reads the wire.
pub(super) const NEVER: u32 = u32::MAX;
/// Only a flip-flop reads the wire, at the end of the body.
pub(super) const AT_END: u32 = u32::MAX - 1;

/// The later reads of one gate's operands and result. Times are positions of gates in the body,
/// [`AT_END`] or [`NEVER`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Next {
    /// When each of the gate's operands is read again. If both are one wire, as those of a copy,
    /// both times are equal.
    pub operands: [u32; 2],
    /// When the gate's result is read first. An XOR or a copy without readers that is not an output
    /// counts as reading nothing; an AND always reads, since all ANDs of a program are garbled.
    pub result: u32,
}

/// The results of the pass.
pub(super) struct Liveness {
    spool: ReverseSpool<12>,
    /// For each input bit and each flip-flop: when a gate first reads it, not counting dead XORs
    /// and copies.
    pub first_reads: Vec<u32>,
}

impl Liveness {
    /// Goes through `circuit` from its last gate to its first. `is_output` returns whether a gate's
    /// wire is an output; it is called once for each gate, from the last to the first.
    ///
    /// Memory: the wires alive at once, plus input bits and flip-flops.
    pub fn of(circuit: &Circuit, mut is_output: impl FnMut(Wire) -> bool) -> io::Result<Liveness> {
        let first = circuit.first_gate_wire();
        let mut next = WireMap::new();
        for wire in circuit.flip_flops.iter().filter_map(|f| f.next.wire()) {
            next.insert(wire, AT_END);
        }
        let mut spool = ReverseSpool::new();
        let mut position = circuit.gates.len();
        for gate in circuit.gates.iter_rev() {
            position -= 1;
            let wire = Wire::new((first + position) as u32);
            let result = next.remove(wire).unwrap_or(NEVER);
            let live = is_output(wire) | (result != NEVER);
            let mut operands = [NEVER; 2];
            if live || gate.is_and() {
                let [a, b] = gate.wires();
                operands[0] = next.insert(a, position as u32).unwrap_or(NEVER);
                operands[1] = next.insert(b, position as u32).unwrap_or(NEVER);
                if operands[1] == position as u32 {
                    // Both operands are the same wire.
                    operands[1] = operands[0];
                }
            }
            spool.push(Next { operands, result }.to_bytes())?;
        }
        let first_reads =
            (0..first).map(|wire| next.get(Wire::new(wire as u32)).unwrap_or(NEVER)).collect();
        Ok(Liveness { spool, first_reads })
    }

    /// Returns the later reads for the next gate, in gate order; `None` after the last gate.
    #[inline]
    pub fn pop(&mut self) -> io::Result<Option<Next>> {
        Ok(self.spool.pop()?.map(Next::from_bytes))
    }
}

impl Next {
    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[0..4].copy_from_slice(&self.operands[0].to_le_bytes());
        bytes[4..8].copy_from_slice(&self.operands[1].to_le_bytes());
        bytes[8..12].copy_from_slice(&self.result.to_le_bytes());
        bytes
    }

    fn from_bytes(bytes: &[u8; 12]) -> Next {
        let (words, _) = bytes.as_chunks();
        let [a, b, result] = [0, 1, 2].map(|index| u32::from_le_bytes(words[index]));
        Next { operands: [a, b], result }
    }
}
