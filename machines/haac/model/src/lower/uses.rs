//! The next read of each wire, found in one pass over a program from its last gate to its first.

use halfgate_circuit::{Circuit, Wire};
use halfgate_compiler::reverse_spool::ReverseSpool;
use halfgate_compiler::wire_map::WireMap;
use std::io;

/// No later gate reads the wire. This is greater than every position, since a body has fewer than
/// 2^30 wires and at least one of them is an input.
pub(super) const NEVER: u32 = (1 << 30) - 1;
const OUTPUT: u32 = 1 << 31;

/// When a wire is read next, and whether it is an output or a flip-flop's next value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Use(u32);

impl Use {
    pub fn new(position: u32, output: bool) -> Use {
        Use(position | if output { OUTPUT } else { 0 })
    }

    /// Position of the next gate that reads the wire, or [`NEVER`].
    #[inline]
    pub fn position(self) -> u32 {
        self.0 & NEVER
    }

    /// Whether the wire is an output or a flip-flop's next value.
    #[inline]
    pub fn is_output(self) -> bool {
        self.0 & OUTPUT != 0
    }
}

/// Later uses of a gate's wires.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Next {
    /// The later uses of the gate's operands. If both operands are one wire, both entries are
    /// equal. The second entry of a copy has no meaning.
    pub operands: [Use; 2],
    /// The uses of its result.
    pub result: Use,
}

/// The notes of the pass, read in the order of the gates.
pub(super) struct Uses {
    spool: ReverseSpool<12>,
    /// For each input bit and flip-flop: its first use.
    pub inputs: Vec<Use>,
}

impl Uses {
    /// Passes over `circuit` from its last gate to its first.
    ///
    /// Memory: the wires alive at once, the bits of ports and flip-flops.
    pub fn of(circuit: &Circuit) -> io::Result<Uses> {
        let mut outputs = WireMap::new();
        let bits = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| f.next);
        for wire in bits.chain(nexts).filter_map(|bit| bit.wire()) {
            outputs.insert(wire, 0);
        }
        let is_output = |wire: Wire| outputs.get(wire).is_some();
        let mut next = WireMap::new();
        let mut spool = ReverseSpool::new();
        let first = circuit.first_gate_wire();
        let mut position = circuit.gates.len() as u32;
        for gate in circuit.gates.iter_rev() {
            position -= 1;
            let wire = Wire::new(first as u32 + position);
            let result = Use::new(next.remove(wire).unwrap_or(NEVER), is_output(wire));
            let mut operands = [Use::new(NEVER, false); 2];
            for (wire, found) in gate.operands().zip(&mut operands) {
                *found = Use::new(next.insert(wire, position).unwrap_or(NEVER), is_output(wire));
            }
            if operands[1].position() == position {
                // Both operands are the same wire.
                operands[1] = operands[0];
            }
            spool.push(Next { operands, result }.to_bytes())?;
        }
        let input = |wire| {
            let wire = Wire::new(wire as u32);
            Use::new(next.get(wire).unwrap_or(NEVER), is_output(wire))
        };
        Ok(Uses { spool, inputs: (0..first).map(input).collect() })
    }

    /// Later uses of the next gate's wires, in the order of the gates. `None` after the last.
    #[inline]
    pub fn pop(&mut self) -> io::Result<Option<Next>> {
        Ok(self.spool.pop()?.copied().map(Next::from_bytes))
    }
}

impl Next {
    #[inline]
    fn to_bytes(self) -> [u8; 12] {
        let mut bytes = [0; 12];
        bytes[0..4].copy_from_slice(&self.operands[0].0.to_le_bytes());
        bytes[4..8].copy_from_slice(&self.operands[1].0.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.result.0.to_le_bytes());
        bytes
    }

    #[inline]
    fn from_bytes(bytes: [u8; 12]) -> Next {
        let word = |i: usize| Use(u32::from_le_bytes(std::array::from_fn(|j| bytes[4 * i + j])));
        Next { operands: [word(0), word(1)], result: word(2) }
    }
}
