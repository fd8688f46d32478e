//! Circuits without inversions, as the published forms of commands need them.

use halfgate_circuit::{Bit, Circuit, FlipFlop, Gate, GateKind, Gates, Wire};
use std::collections::HashMap;
use std::io;

/// Returns the same circuit without inversions. An inverted operand of an AND becomes an XOR with
/// the constant 1, at most one for each wire. XORs pass inversions on to their readers, and outputs
/// keep them.
///
/// # Errors
/// If the gates exceed memory and cannot be written to a file.
pub fn plain(circuit: &Circuit) -> io::Result<Circuit> {
    let mut gates = Gates::new();
    let first = circuit.first_gate_wire() as u32;
    // For each old wire, its bit in the new circuit; and (`inverses`) for a new wire, the new wire
    // with the inverse value.
    let mut is: Vec<Bit> = (0..first).map(|wire| Wire::new(wire).bit()).collect();
    let mut next = first;
    let mut inverses = HashMap::new();
    for gate in circuit.gates.iter() {
        let of = |bit: Bit, is: &[Bit]| match bit.wire() {
            None => bit,
            Some(wire) => is[wire.index()].invert_if(bit.is_inverted()),
        };
        let mut push = |gate: Gate| -> io::Result<Bit> {
            gates.push(gate)?;
            next += 1;
            Ok(Wire::new(next - 1).bit())
        };
        let result = match gate.kind() {
            GateKind::Copy { a, invert } => {
                let a = is[a.index()];
                let plain = a.invert_if(a.is_inverted());
                push(Gate::copy(plain, false))?.invert_if(a.is_inverted() ^ invert)
            }
            GateKind::Xor { a, b, invert } => {
                let (a, b) = (is[a.index()], is[b.index()]);
                let inverted = a.is_inverted() ^ b.is_inverted() ^ invert;
                let plain = |bit: Bit| bit.invert_if(bit.is_inverted());
                push(Gate::xor(plain(a), plain(b), false))?.invert_if(inverted)
            }
            GateKind::And { a, b, invert } => {
                let mut ends = [of(a, &is), of(b, &is)];
                for end in ends.iter_mut().filter(|end| end.is_inverted()) {
                    let wire = end.invert_if(true);
                    let inverse = match inverses.get(&wire) {
                        Some(found) => *found,
                        None => push(Gate::copy(wire, true))?,
                    };
                    inverses.insert(wire, inverse);
                    *end = inverse;
                }
                push(Gate::and(ends[0], ends[1], false))?.invert_if(invert)
            }
        };
        is.push(result);
    }
    let of = |bit: Bit| match bit.wire() {
        None => bit,
        Some(wire) => is[wire.index()].invert_if(bit.is_inverted()),
    };
    let outputs = circuit.outputs.iter().map(|output| output.with_bits(output.bits.map(of)));
    let flip_flops = circuit.flip_flops.iter();
    Ok(Circuit {
        inputs: circuit.inputs.clone(),
        flip_flops: flip_flops.map(|found| FlipFlop { next: of(found.next), ..*found }).collect(),
        outputs: outputs.collect(),
        cycles: circuit.cycles,
        gates,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::verify::verify;
    use halfgate_circuit::{clear, random};

    #[test]
    fn plain_circuits_compute_the_same_and_invert_nothing() {
        for seed in 0..30 {
            let circuit = random::circuit(seed, &random::Shape::default());
            let found = plain(&circuit).unwrap();
            verify(&found).unwrap();
            let inputs = random::inputs_for(&circuit, seed, circuit.cycles);
            let run =
                |circuit: &Circuit| clear::evaluate(circuit, &inputs, circuit.cycles).unwrap();
            assert_eq!(run(&found), run(&circuit), "seed {seed}");
            assert_eq!(found.gates.ands(), circuit.gates.ands());
            for gate in found.gates.iter() {
                match gate.kind() {
                    GateKind::And { a, b, invert } => {
                        assert!(!a.is_inverted() && !b.is_inverted() && !invert);
                    }
                    GateKind::Xor { invert, .. } => assert!(!invert),
                    GateKind::Copy { .. } => {}
                }
            }
        }
    }
}
