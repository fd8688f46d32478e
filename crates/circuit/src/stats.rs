//! The size and depth of a circuit.

use crate::circuit::Circuit;
use crate::gate::GateKind;
use crate::id::Bit;

/// Sizes and depths of a circuit's body, which runs once per cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Stats {
    /// Wires: input bits, flip-flops and gates.
    pub wires: u64,
    /// Gates of all kinds.
    pub gates: u64,
    /// ANDs, the gates that need a garbled table.
    pub ands: u64,
    /// XORs.
    pub xors: u64,
    /// Copies: buffers and inverters.
    pub copies: u64,
    /// Gates that invert an input or their output.
    pub inverting: u64,
    /// The most ANDs on a path from an input or flip-flop to an output or a flip-flop's next state.
    pub and_depth: u32,
    /// The most gates on such a path.
    pub depth: u32,
}

/// The depth of a wire: the most ANDs, and the most gates, on a path to it.
#[derive(Clone, Copy, Default)]
struct Depth {
    ands: u32,
    gates: u32,
}

impl Depth {
    fn max(self, other: Depth) -> Depth {
        Depth { ands: self.ands.max(other.ands), gates: self.gates.max(other.gates) }
    }
}

impl Stats {
    /// Counts and measures a valid circuit (see [`verify`](crate::verify)), in one pass over its
    /// gates.
    ///
    /// Memory: eight bytes for each wire of the body.
    ///
    /// # Panics
    /// If the circuit is not valid, and a gate or an output names a wire that does not exist.
    pub fn of(circuit: &Circuit) -> Stats {
        let mut stats = Stats {
            wires: circuit.wires() as u64,
            gates: circuit.gates.len() as u64,
            ands: circuit.gates.ands(),
            ..Stats::default()
        };
        let mut depths = vec![Depth::default(); circuit.first_gate_wire()];
        depths.reserve_exact(circuit.gates.len());
        for gate in circuit.gates.iter() {
            let inputs = gate.operands().map(|wire| depths[wire.index()]);
            let before = inputs.fold(Depth::default(), Depth::max);
            let ands = before.ands + u32::from(gate.is_and());
            depths.push(Depth { ands, gates: before.gates + 1 });
            let inverts = match gate.kind() {
                GateKind::Xor { invert, .. } => {
                    stats.xors += 1;
                    invert
                }
                GateKind::And { a, b, invert } => a.is_inverted() || b.is_inverted() || invert,
                GateKind::Copy { invert, .. } => {
                    stats.copies += 1;
                    invert
                }
            };
            stats.inverting += u64::from(inverts);
        }
        let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
        let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next));
        let longest = ends
            .filter_map(Bit::wire)
            .map(|wire| depths[wire.index()])
            .fold(Depth::default(), Depth::max);
        Stats { and_depth: longest.ands, depth: longest.gates, ..stats }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Builder;
    use crate::circuit::{Init, Party};
    use crate::gate::Gate;
    use crate::random;
    use crate::verify::verify;

    #[test]
    fn counts_and_depths_of_a_small_circuit() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 3);
        let q = b.flip_flop(Init::Constant(false));
        let first = b.and(x[0], !x[1]);
        let second = b.and(first, x[2]);
        let sum = b.xor(second, q);
        let unused = b.and(sum, x[0]);
        b.and(unused, x[1]);
        b.set_next(q, sum);
        b.output("y", &[!first, Bit::TRUE]);
        let mut circuit = b.finish().unwrap();
        let copied = circuit.outputs[0].bits.get(0).unwrap();
        circuit.gates.push(Gate::copy(copied, false)).unwrap();
        verify(&circuit).unwrap();
        let expected = Stats {
            wires: 10,
            gates: 6,
            ands: 4,
            xors: 1,
            copies: 1,
            inverting: 2,
            and_depth: 2,
            depth: 3,
        };
        assert_eq!(Stats::of(&circuit), expected);
    }

    #[test]
    fn kinds_add_up() {
        let circuit = random::circuit(7, &random::Shape { flip_flops: 3, ..Default::default() });
        let stats = Stats::of(&circuit);
        assert_eq!(stats.ands + stats.xors + stats.copies, stats.gates);
        assert!(stats.and_depth <= stats.depth && u64::from(stats.depth) <= stats.gates);
    }
}
