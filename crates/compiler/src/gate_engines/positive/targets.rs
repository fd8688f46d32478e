//! Chooses for each wire whether its label should be that of its value or of its inverse. The
//! choice depends on the ANDs that read the wire, and on the wires that are computed from it.

use crate::reverse_spool::ReverseSpool;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, GateKind, Wire};
use std::io;

/// One choice must serve at least this number of AND inputs more than the other, because an
/// inverting instruction must save more than one instruction.
const MARGIN: i32 = 2;
/// Limit on the votes that are counted for a wire.
const MOST: i32 = 1000;

/// The targets of the gates' wires in the order of gates. A wire may have no target.
///
/// Readers vote, from the last gate to the first. An AND votes for the wire or its inverse, as it
/// reads it. An XOR votes if it has a target itself. Its vote for one operand is what follows from
/// its own target and from the majority of votes for the other operand.
pub(super) struct Targets(ReverseSpool<1>);

impl Targets {
    /// Goes through `circuit`, which has no dead gates, from its last gate to its first.
    ///
    /// Memory: memory for the wires alive at once, and one byte per gate up to 32 MiB. Further
    /// bytes are in a file.
    pub(super) fn of(circuit: &Circuit) -> io::Result<Targets> {
        let mut votes = Votes(WireMap::new());
        let mut spool = ReverseSpool::new();
        let mut wire = circuit.wires();
        for gate in circuit.gates.iter_rev() {
            wire -= 1;
            let own = votes.take(Wire::new(wire as u32));
            let target = (own.abs() >= MARGIN).then_some(own > 0);
            match gate.kind() {
                GateKind::And { a, b, .. } => {
                    for bit in [a, b] {
                        let wire = bit.wire().expect("gates read no constants");
                        votes.add(wire, if bit.is_inverted() { 1 } else { -1 });
                    }
                }
                GateKind::Xor { a, b, invert } if target.is_some() => {
                    let weight = own.abs();
                    let (for_a, for_b) = (votes.of(a), votes.of(b));
                    let inverted = (own > 0) ^ invert;
                    let vote = |other: i32| {
                        let sign = if (other > 0) ^ inverted { 1 } else { -1 };
                        sign * weight.min(other.abs())
                    };
                    votes.add(a, vote(for_b));
                    votes.add(b, vote(for_a));
                }
                _ => {}
            }
            spool.push([match target {
                None => 2,
                Some(inverted) => u8::from(inverted),
            }])?;
        }
        Ok(Targets(spool))
    }

    /// Returns the target of the next gate's wire: true if its label should be that of its inverse,
    /// `None` if the wire has no target. `gate` is the next gate.
    pub(super) fn next(&mut self, gate: Gate) -> io::Result<Option<bool>> {
        match self.0.pop()?.copied() {
            Some([2]) => Ok(None),
            Some([inverted]) => Ok(Some(inverted == 1)),
            None => {
                unreachable!("one target was noted for each gate, and {gate:?} is one too many")
            }
        }
    }
}

/// For each wire alive: the votes for its inverse minus the votes for the wire itself.
struct Votes(WireMap);

impl Votes {
    fn of(&self, wire: Wire) -> i32 {
        self.0.get(wire).map_or(0, |votes| votes as i32 - MOST)
    }

    fn add(&mut self, wire: Wire, more: i32) {
        let votes = (self.of(wire) + more).clamp(-MOST, MOST);
        self.0.insert(wire, (votes + MOST) as u32);
    }

    fn take(&mut self, wire: Wire) -> i32 {
        self.0.remove(wire).map_or(0, |votes| votes as i32 - MOST)
    }
}
