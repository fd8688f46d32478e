//! Counts the wires alive at once, whose labels an engine must hold.

use halfgate_circuit::{Bit, Circuit, Init};

/// Most wires alive after any gate of the body, in the circuit's own order. A wire lives from the
/// gate that drives it (inputs and flip-flops: from the start) to its last reader. Wires that
/// outputs and flip-flops read live to the end.
///
/// Memory: four bytes per wire of the body.
pub fn peak(circuit: &Circuit) -> u64 {
    let first = circuit.first_gate_wire();
    // The gate after which each wire is dead; its own gate if nothing reads it.
    let mut dies = vec![0_u32; circuit.wires()];
    for (index, gate) in circuit.gates.iter().enumerate() {
        dies[first + index] = index as u32;
        for wire in gate.operands() {
            dies[wire.index()] = index as u32;
        }
    }
    let initial = circuit.flip_flops.iter().filter_map(|flip_flop| match flip_flop.init {
        Init::Input(wire) => Some(wire.bit()),
        Init::Constant(_) => None,
    });
    let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
    let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next)).chain(initial);
    for wire in ends.filter_map(Bit::wire) {
        dies[wire.index()] = u32::MAX;
    }

    let mut deaths = vec![0_u32; circuit.gates.len()];
    for &gate in dies.iter().filter(|&&gate| gate != u32::MAX) {
        if let Some(count) = deaths.get_mut(gate as usize) {
            *count += 1;
        }
    }
    let (mut alive, mut peak) = (first as u64, first as u64);
    for died in deaths {
        alive += 1;
        peak = peak.max(alive);
        alive -= u64::from(died);
    }
    peak
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Builder, Party};

    #[test]
    fn a_chain_needs_few_wires() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 1)[0];
        let y = b.input("y", Party::Evaluator, 1)[0];
        let mut z = x;
        for _ in 0..10 {
            let both = b.and(z, y);
            z = b.xor(both, x);
        }
        b.output("z", &[z]);
        // The wires are x, y, the chain's last wire and the one being made.
        assert_eq!(peak(&b.finish().expect("built")), 4);
    }

    #[test]
    fn inputs_alone() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 5);
        b.output("x", &x);
        assert_eq!(peak(&b.finish().expect("built")), 5);
    }
}
