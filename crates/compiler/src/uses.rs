//! Live gates, and the last reader of each wire. One backward pass finds them, so that forward
//! passes can forget the wires that are dead.

use crate::reverse_spool::ReverseSpool;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, Wire};
use std::io;

/// What the pass records about a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Use(u8);

impl Use {
    const LIVE: u8 = 1;
    const LAST: [u8; 2] = [2, 4];

    /// Whether an output or a flip-flop depends on the gate.
    pub(crate) fn is_live(self) -> bool {
        self.0 & Use::LIVE != 0
    }

    /// Whether no later live gate, no output and no flip-flop reads the gate's operand `index`. If
    /// both operands are the same wire, as those of a copy, the result holds for both.
    pub(crate) fn is_last(self, index: usize) -> bool {
        self.0 & Use::LAST[index] != 0
    }
}

/// The uses of a circuit's gates, read back in the order of the gates.
#[derive(Debug)]
pub(crate) struct Uses {
    spool: ReverseSpool<1>,
    /// Number of gates that are dead, plus the number of live copies.
    pub(crate) dead_or_copy: u64,
}

impl Uses {
    /// Goes through `circuit` from its last gate to its first.
    ///
    /// Memory grows with the wires alive at once, the output bits and the flip-flops.
    pub(crate) fn of(circuit: &Circuit) -> io::Result<Uses> {
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| f.next);
        let mut live = WireMap::new();
        for wire in outputs.chain(nexts).filter_map(|bit| bit.wire()) {
            live.insert(wire, 0);
        }
        let mut uses = Uses { spool: ReverseSpool::new(), dead_or_copy: 0 };
        let mut wire = circuit.wires();
        for gate in circuit.gates.iter_rev() {
            wire -= 1;
            let mut flags = 0;
            if live.remove(Wire::new(wire as u32)).is_some() {
                flags = Use::LIVE;
                let [a, b] = gate.wires();
                let last_a = live.insert(a, 0).is_none();
                let last_b = if a == b { last_a } else { live.insert(b, 0).is_none() };
                flags |= u8::from(last_a) * Use::LAST[0];
                flags |= u8::from(last_b) * Use::LAST[1];
            }
            uses.dead_or_copy += u64::from(flags == 0 || gate.shape().is_copy());
            uses.spool.push([flags])?;
        }
        Ok(uses)
    }

    /// Returns the use of the next gate; `gate` is the gate itself.
    pub(crate) fn next(&mut self, gate: Gate) -> io::Result<Use> {
        match self.spool.pop()? {
            Some(&[flags]) => Ok(Use(flags)),
            None => unreachable!("one use was noted for each gate, and {gate:?} is one too many"),
        }
    }
}
