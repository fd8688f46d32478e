//! Layers: the gates that can be garbled in parallel, and the layers in which their wires are read.
//!
//! A gate is in the layer after the highest layer of its operands. Inputs and flip-flops are in
//! layer 0. SIFO (Fang, Ioannidis and Leeser, sections 3.3.2 and 3.4.2) garbles a circuit layer by
//! layer, and keeps on the chip only the labels that the next layer reads. SIFO's netlists have no
//! copies: an inverter is an XOR with a constant. So a copy counts as an XOR here.

use crate::circuit::Circuit;
use crate::id::Bit;

/// The gates of a layer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Layer {
    /// ANDs.
    pub ands: u64,
    /// XORs and copies.
    pub xors: u64,
    /// Wires driven by this layer and read by exactly one gate, which is in the next layer.
    pub direct: u64,
}

/// A circuit's body by layers: SIFO's Tables 1 and 3.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Layers {
    /// The layers. The first consists of the gates that read only inputs and flip-flops. Gates that
    /// no output needs count too.
    pub layers: Vec<Layer>,
    /// Wires: input bits, flip-flops and gates.
    pub wires: u64,
    /// One-to-one wires: a gate drives the wire, and exactly one gate and nothing else reads it.
    pub one_to_one: u64,
    /// One-to-one wires whose reader is in the layer after their own.
    pub adjacent: u64,
}

/// The layer of a wire, and its readers.
#[derive(Clone, Copy, Default)]
struct Use {
    layer: u32,
    /// Layer of the last gate that reads the wire.
    reader: u32,
    /// Number of readers, up to two; an output or flip-flop counts as two.
    readers: u8,
}

impl Layers {
    /// Measures a valid circuit (see [`verify`](crate::verify)), in two passes over its wires.
    ///
    /// Memory: twelve bytes for each wire of the body, and 24 for each layer.
    ///
    /// # Panics
    /// If the circuit is not valid, and a gate or an output names a wire that does not exist.
    pub fn of(circuit: &Circuit) -> Layers {
        let mut uses = vec![Use::default(); circuit.first_gate_wire()];
        uses.reserve_exact(circuit.gates.len());
        let mut layers: Vec<Layer> = Vec::new();
        for gate in circuit.gates.iter() {
            let layer = 1 + gate.operands().map(|wire| uses[wire.index()].layer).max().unwrap_or(0);
            for wire in gate.operands() {
                let Use { reader, readers, .. } = &mut uses[wire.index()];
                (*reader, *readers) = (layer, (*readers + 1).min(2));
            }
            uses.push(Use { layer, ..Use::default() });
            if layers.len() < layer as usize {
                layers.push(Layer::default());
            }
            let Layer { ands, xors, .. } = &mut layers[layer as usize - 1];
            *(if gate.is_and() { ands } else { xors }) += 1;
        }
        let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
        let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next));
        for wire in ends.filter_map(Bit::wire) {
            uses[wire.index()].readers = 2;
        }
        let mut found = Layers { layers, wires: uses.len() as u64, ..Layers::default() };
        for wire in &uses[circuit.first_gate_wire()..] {
            if wire.readers == 1 {
                found.one_to_one += 1;
                if wire.reader == wire.layer + 1 {
                    found.adjacent += 1;
                    found.layers[wire.layer as usize - 1].direct += 1;
                }
            }
        }
        found
    }

    /// The sum of all layers.
    pub fn total(&self) -> Layer {
        self.layers.iter().fold(Layer::default(), |sum, layer| Layer {
            ands: sum.ands + layer.ands,
            xors: sum.xors + layer.xors,
            direct: sum.direct + layer.direct,
        })
    }

    /// The most labels that a memory holds for the next layer: one-to-one wires that the next layer
    /// reads.
    pub fn most_direct(&self) -> u64 {
        self.layers.iter().map(|layer| layer.direct).max().unwrap_or(0)
    }

    /// Number of batches of up to `cells` ANDs, if no batch contains gates of two layers.
    pub fn batches(&self, cells: u64) -> u64 {
        self.layers.iter().map(|layer| layer.ands.div_ceil(cells)).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builder::Builder;
    use crate::circuit::Party;
    use crate::random;

    #[test]
    fn layers_and_readers_of_a_small_circuit() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 4);
        let first = b.and(x[0], x[1]);
        let side = b.and(x[2], x[3]);
        let second = b.xor(first, x[2]);
        let third = b.and(second, side);
        let unread = b.and(second, x[0]);
        b.output("y", &[third]);
        let layers = Layers::of(&b.finish().unwrap());
        // `first` is read in the next layer, `side` one layer later; `second` is read twice;
        // `third` is an output; nothing reads `unread`.
        assert!(unread.wire().is_some());
        let layer = |ands, xors, direct| Layer { ands, xors, direct };
        let expected = Layers {
            layers: vec![layer(2, 0, 1), layer(0, 1, 0), layer(2, 0, 0)],
            wires: 9,
            one_to_one: 2,
            adjacent: 1,
        };
        assert_eq!(layers, expected);
        assert_eq!((layers.batches(1), layers.batches(2), layers.most_direct()), (4, 2, 1));
    }

    #[test]
    fn an_output_and_a_next_state_are_read_by_more_than_a_gate() {
        let mut b = Builder::new();
        let x = b.input("x", Party::Garbler, 2);
        let q = b.flip_flop(crate::circuit::Init::Constant(false));
        let next = b.and(x[0], q);
        let out = b.and(next, x[1]);
        b.and(out, x[0]);
        b.set_next(q, next);
        b.output("y", &[out]);
        assert_eq!(Layers::of(&b.finish().unwrap()).one_to_one, 0);
    }

    #[test]
    fn the_number_of_layers_is_the_depth_of_the_deepest_gate() {
        for seed in 0..20 {
            let shape = random::Shape { flip_flops: seed as u32 % 4, ..Default::default() };
            let circuit = random::circuit(seed, &shape);
            let layers = Layers::of(&circuit);
            let mut depth = vec![0; circuit.first_gate_wire()];
            for gate in circuit.gates.iter() {
                depth.push(1 + gate.operands().map(|wire| depth[wire.index()]).max().unwrap_or(0));
            }
            assert_eq!(layers.layers.len(), depth.iter().copied().max().unwrap_or(0));
            let Layer { ands, xors, direct } = layers.total();
            assert_eq!((ands, ands + xors), (circuit.gates.ands(), circuit.gates.len() as u64));
            assert_eq!(direct, layers.adjacent);
            assert!(layers.adjacent <= layers.one_to_one && layers.one_to_one <= layers.wires);
        }
    }
}
