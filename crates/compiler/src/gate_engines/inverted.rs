//! Counts the inversions for which a circuit needs instructions.

use crate::uses::Uses;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, GateKind, Wire};
use std::io;

/// Counts of the inversions that remain. Most inversions move through XORs and out of AND outputs
/// for free.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct InvertedInputs {
    /// AND inputs for which only the label of the inverse exists. Rewriting such an AND costs at
    /// most one XOR per input.
    pub inputs: u64,
    /// Number of different wires at those inputs. Inverting a wire costs one instruction for any
    /// number of readers.
    pub wires: u64,
}

/// Flags of a map value. `INVERTED`: the wire's label is that of its inverse. `BOTH`: labels of the
/// wire and of its inverse exist.
const INVERTED: u32 = 1;
const BOTH: u32 = 2;

/// Counts the AND inputs of `circuit` that need an inversion if no AND is rewritten. Dead gates do
/// not count. A copy is an instruction anyway, and can invert at no extra cost.
///
/// Memory grows with the wires alive at once, the output bits and the flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub fn inverted_inputs(circuit: &Circuit) -> io::Result<InvertedInputs> {
    let mut uses = Uses::of(circuit)?;
    // A wire is not in the map if it has a label for its value, but none for its inverse.
    let mut labels = WireMap::new();
    let mut found = InvertedInputs::default();
    for (wire, gate) in (circuit.first_gate_wire()..).zip(circuit.gates.iter()) {
        let fate = uses.next(gate)?;
        if !fate.is_live() {
            continue;
        }
        let is_inverted =
            |labels: &WireMap, wire| labels.get(wire).unwrap_or(0) & INVERTED == INVERTED;
        let inverted = match gate.kind() {
            GateKind::Xor { a, b, invert } => {
                is_inverted(&labels, a) ^ is_inverted(&labels, b) ^ invert
            }
            GateKind::Copy { .. } => false,
            GateKind::And { a, b, invert } => {
                for bit in [a, b] {
                    let wire = bit.wire().expect("gates read no constants");
                    if is_inverted(&labels, wire) != bit.is_inverted() {
                        let known = labels.get(wire).unwrap_or(0);
                        labels.insert(wire, known | BOTH);
                        found.inputs += 1;
                        found.wires += u64::from(known & BOTH == 0);
                    }
                }
                invert
            }
        };
        for (index, operand) in gate.operands().enumerate() {
            if fate.is_last(index) {
                labels.remove(operand);
            }
        }
        if inverted {
            labels.insert(Wire::new(wire as u32), INVERTED);
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Party};

    #[test]
    fn a_wire_that_many_read_inverted_is_inverted_once() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 32);
        let sign = b.input("y", Party::Evaluator, 2);
        // The inversion moves through the XOR to the input of an AND.
        let not = b.xor(!sign[0], sign[1]);
        let kept: Vec<_> = x.iter().map(|&bit| b.and(bit, not)).collect();
        b.output("kept", &kept);
        b.output("plain", &[!not]);
        let circuit = b.finish().unwrap();
        let found = inverted_inputs(&circuit).unwrap();
        assert_eq!(found, InvertedInputs { inputs: 32, wires: 1 });
    }
}
