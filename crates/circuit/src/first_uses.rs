//! The order in which a circuit's input bits are first read.

use crate::{Bits, Circuit, Init, Wire};

/// Returns the input bits of `circuit` that are read, in the order of their first use. In the first
/// cycle, a run requests the labels of all these bits. In later cycles, it requests only the labels
/// of per-cycle inputs, in the same order.
///
/// Memory: four bytes and a bit for each input bit of the body.
pub fn first_uses(circuit: &Circuit) -> Vec<Wire> {
    let inputs = circuit.input_bits();
    let mut seen = Bits::with_len(inputs);
    let mut first = Vec::new();
    let mut see = |wire: Wire| {
        if wire.index() < inputs && !seen.get(wire.index()) {
            seen.set(wire.index(), true);
            first.push(wire);
        }
        first.len() == inputs
    };
    let mut all = inputs == 0;
    for flip_flop in &circuit.flip_flops {
        if let Init::Input(wire) = flip_flop.init {
            all = see(wire);
        }
    }
    for gate in circuit.gates.iter() {
        if all {
            return first;
        }
        for wire in gate.operands() {
            all = see(wire);
        }
    }
    let ends = circuit.flip_flops.iter().map(|flip_flop| flip_flop.next);
    for bit in ends.chain(circuit.outputs.iter().flat_map(|output| output.bits.iter())) {
        bit.wire().map(&mut see);
    }
    first
}
