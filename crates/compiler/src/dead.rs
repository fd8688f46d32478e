//! Drops copies, and dead gates: gates on which no output and no flip-flop depends. Readers of a
//! dropped copy read the copy's operand instead. Copies may be kept for a machine that uses them as
//! inverters.

use crate::uses::Uses;
use crate::wire_map::WireMap;
use halfgate_circuit::{Bit, Circuit, FlipFlop, GateKind, Gates, Wire};
use std::io;

/// Drops the dead gates of `circuit`, and also its copies if `copies` is [`Copies::Drop`]. Returns
/// the circuit, which computes the same function, and the uses of the remaining gates.
///
/// Memory grows with the wires alive at once, output bits and flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn drop_dead(circuit: Circuit, copies: Copies) -> io::Result<(Circuit, Uses)> {
    let mut uses = Uses::of(&circuit)?;
    if uses.dead_or_copy == 0 {
        return Ok((circuit, uses));
    }
    let first = circuit.first_gate_wire();
    let mut renamed = Renamed { first, bits: WireMap::new() };
    let mut gates = Gates::new();
    for (index, gate) in circuit.gates.iter().enumerate() {
        let fate = uses.next(gate)?;
        if !fate.is_live() {
            continue;
        }
        let new = gate.map_operands(|wire| renamed.get(wire));
        for (index, operand) in gate.operands().enumerate() {
            if fate.is_last(index) {
                renamed.bits.remove(operand);
            }
        }
        let bit = match new.kind() {
            GateKind::Copy { a, invert } if copies == Copies::Drop => Bit::new(a, invert),
            _ => {
                gates.push(new)?;
                Wire::new((first + gates.len() - 1) as u32).bit()
            }
        };
        renamed.bits.insert(Wire::new((first + index) as u32), bit.code());
    }
    let circuit = rename_ports(circuit, gates, |wire| renamed.get(wire));
    let uses = Uses::of(&circuit)?;
    Ok((circuit, uses))
}

/// How to treat copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Copies {
    /// Drop all copies.
    Drop,
    /// Keep the live copies.
    Keep,
}

/// The new names of the wires alive.
struct Renamed {
    first: usize,
    /// Codes of the new names of gate wires. Inputs and flip-flops keep their names.
    bits: WireMap,
}

impl Renamed {
    fn get(&self, wire: Wire) -> Bit {
        if wire.index() < self.first {
            return wire.bit();
        }
        Bit::from_code(self.bits.get(wire).expect("a wire is remembered up to its last use"))
    }
}

/// Replaces the gates of `circuit`, and renames its outputs and flip-flop inputs with `name`.
pub(crate) fn rename_ports(circuit: Circuit, gates: Gates, name: impl Fn(Wire) -> Bit) -> Circuit {
    let rename = |bit: Bit| match bit.wire() {
        Some(wire) => name(wire).invert_if(bit.is_inverted()),
        None => bit,
    };
    let flip_flops = circuit.flip_flops.iter();
    let flip_flops = flip_flops.map(|f| FlipFlop { next: rename(f.next), ..*f }).collect();
    let outputs = circuit.outputs.iter().map(|o| o.with_bits(o.bits.map(&rename))).collect();
    Circuit { flip_flops, outputs, gates, inputs: circuit.inputs, cycles: circuit.cycles }
}
