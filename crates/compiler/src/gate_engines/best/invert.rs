//! Turns inversions into gates of their own.
//!
//! The machine's XOR and AND take no inversions. Inversions at XORs, at AND outputs and at circuit
//! outputs are free: the pass only records whether a wire carries its value or the inverse. But an
//! AND needs its operands uninverted. If only the inverse of an operand is available, an INV
//! instruction makes the operand. In the circuit, INV is a copy gate with an inversion, so that it
//! gets a place in the schedule.

use crate::dead::rename_ports;
use crate::uses::Uses;
use crate::wire_map::WireMap;
use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Gates, Wire};
use std::io;

/// Leaves inversions of `circuit`, whose uses are `uses`, only in copies and outputs. Such a copy
/// stands right before the first AND that needs it. Later ANDs share the copy while it is at most
/// `reach` gates old.
///
/// Memory grows with the wires alive at once, the output bits and the flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(super) fn explicit(circuit: Circuit, mut uses: Uses, reach: usize) -> io::Result<Circuit> {
    let first = circuit.first_gate_wire();
    let mut pass = Inverter {
        first,
        bits: WireMap::new(),
        inverses: WireMap::new(),
        gates: Gates::new(),
        reach,
    };
    for (index, gate) in circuit.gates.iter().enumerate() {
        let fate = uses.next(gate)?;
        let bit = pass.rewrite(gate)?;
        for (index, operand) in gate.operands().enumerate() {
            if fate.is_last(index) {
                pass.bits.remove(operand);
                pass.inverses.remove(operand);
            }
        }
        pass.bits.insert(Wire::new((first + index) as u32), bit.code());
    }
    let Inverter { bits, gates, .. } = pass;
    Ok(rename_ports(circuit, gates, |wire| name(&bits, first, wire)))
}

struct Inverter {
    /// The circuit's first gate wire.
    first: usize,
    /// Codes of the new names of gate wires alive. A name is inverted if the new wire carries the
    /// inverse.
    bits: WireMap,
    /// For each wire alive: the newest wire that carries its inverse.
    inverses: WireMap,
    gates: Gates,
    reach: usize,
}

/// Returns the new name of a wire.
fn name(bits: &WireMap, first: usize, wire: Wire) -> Bit {
    if wire.index() < first {
        return wire.bit();
    }
    Bit::from_code(bits.get(wire).expect("a wire is remembered up to its last use"))
}

impl Inverter {
    /// Adds `gate` and the inversions that it needs. Returns the bit that carries the gate's value.
    fn rewrite(&mut self, gate: Gate) -> io::Result<Bit> {
        let (new, invert) = match gate.kind() {
            GateKind::Xor { a, b, invert } => {
                let (a, b) = (name(&self.bits, self.first, a), name(&self.bits, self.first, b));
                let invert = invert ^ a.is_inverted() ^ b.is_inverted();
                (Gate::xor(plain(a), plain(b), false), invert)
            }
            GateKind::And { a, b, invert } => {
                let (a, b) = (self.operand(a)?, self.operand(b)?);
                (Gate::and(a, b, false), invert)
            }
            GateKind::Copy { a, invert } => {
                // The name already includes the copy's inversion.
                let bit = name(&self.bits, self.first, a).invert_if(invert);
                (Gate::copy(plain(bit), true), !bit.is_inverted())
            }
        };
        Ok(self.push(new)?.bit().invert_if(invert))
    }

    /// Returns a wire that carries an AND's operand uninverted.
    fn operand(&mut self, bit: Bit) -> io::Result<Bit> {
        let wire = bit.wire().expect("gates read no constants");
        let new = name(&self.bits, self.first, wire).invert_if(bit.is_inverted());
        if !new.is_inverted() {
            return Ok(new);
        }
        let now = self.first + self.gates.len();
        let near = |inverse: &u32| now - *inverse as usize <= self.reach;
        if let Some(inverse) = self.inverses.get(wire).filter(near) {
            return Ok(Wire::new(inverse).bit());
        }
        let inverse = self.push(Gate::copy(plain(new), true))?;
        self.inverses.insert(wire, inverse.number());
        Ok(inverse.bit())
    }

    fn push(&mut self, gate: Gate) -> io::Result<Wire> {
        self.gates.push(gate)?;
        Ok(Wire::new((self.first + self.gates.len() - 1) as u32))
    }
}

/// Returns the wire of a bit without its inversion.
fn plain(bit: Bit) -> Bit {
    bit.invert_if(bit.is_inverted())
}
