//! Finds the input ports that have a single reader: a call whose runs take the port's bits in
//! slices, one after the other.

use crate::circuit::Init;
use crate::id::Bit;
use crate::structured::passes::passes;
use crate::structured::{Argument, Call, Item, StructuredCircuit};
use std::ops::Range;

/// The input ports of a circuit.
#[derive(Debug)]
pub(super) struct Ports {
    /// The first bit of each port, and the end of the last port.
    first: Vec<u32>,
    /// Whether a call reads the port in slices, one after the other, and nothing else reads it.
    alone: Vec<bool>,
}

impl Ports {
    pub fn of(circuit: &StructuredCircuit) -> Ports {
        let mut first = vec![0];
        for input in &circuit.inputs {
            first.push(first[first.len() - 1] + input.width);
        }
        let mut ports = Ports { first, alone: vec![false; circuit.inputs.len()] };
        // For each port: how many arguments of calls read it in order, and whether anything else
        // does.
        let mut readers = vec![(0, false); circuit.inputs.len()];
        for item in circuit.items() {
            match item {
                Item::Gate(_, gate) => gate.operands().for_each(|wire| {
                    ports.of_wires(wire.number(), 1).for_each(|port| readers[port].1 = true);
                }),
                Item::Call(_, call) => ports.read(call, circuit, &mut readers),
            }
        }
        let mut other = |bit: Bit, count: u32| {
            if let Some(wire) = bit.wire() {
                ports.of_wires(wire.number(), count).for_each(|port| readers[port].1 = true);
            }
        };
        for flip_flop in &circuit.flip_flops {
            other(flip_flop.next, 1);
            if let Init::Input(wire) = flip_flop.init {
                other(wire.bit(), 1);
            }
        }
        let outputs = circuit.outputs.iter().flat_map(|output| output.bits.runs());
        outputs.for_each(|(bit, count)| other(bit, count));
        ports.alone = readers.into_iter().map(|readers| readers == (1, false)).collect();
        ports
    }

    /// Records what a call reads.
    fn read(&self, call: &Call, circuit: &StructuredCircuit, readers: &mut [(u32, bool)]) {
        let function = &circuit.functions[call.function.index()];
        let keeps = !passes(function).iter().any(Option::is_some);
        for argument in &call.arguments {
            match argument {
                Argument::Shared(bits) | Argument::Listed { bits, .. } => {
                    for wire in bits.iter().filter_map(|bit| bit.wire()) {
                        self.of_wires(wire.number(), 1).for_each(|port| readers[port].1 = true);
                    }
                }
                Argument::Sliced { .. } => {
                    let (low, high) = argument.interval(call.form.runs());
                    for port in self.of_wires(low, high - low + 1) {
                        match keeps && self.is_in_order(port, argument, call.form.runs()) {
                            true => readers[port].0 += 1,
                            false => readers[port].1 = true,
                        }
                    }
                }
            }
        }
    }

    /// Whether the runs of a slice take all bits of a port, one after the other.
    fn is_in_order(&self, port: usize, argument: &Argument, runs: u64) -> bool {
        let &Argument::Sliced { width, first, run_stride, bit_stride } = argument else {
            return false;
        };
        let count = self.first[port + 1] - self.first[port];
        first.number() == self.first[port]
            && run_stride == width
            && (bit_stride == 1 || width == 1)
            && u128::from(runs) * u128::from(width) == u128::from(count)
    }

    /// The ports that have any of the `count` wires from `first` on.
    fn of_wires(&self, first: u32, count: u32) -> Range<usize> {
        let ports = self.first.len() - 1;
        let from = self.first.partition_point(|&start| start <= first) - 1;
        let to = self.first.partition_point(|&start| start < first.saturating_add(count));
        from.min(ports)..to.min(ports)
    }

    /// For each input of a call: whether it takes bits of a port that nothing else reads.
    pub fn alone_inputs(&self, call: &Call) -> Vec<bool> {
        let mut inputs = Vec::new();
        for argument in &call.arguments {
            let is_alone = match argument {
                Argument::Sliced { first, .. } => {
                    self.of_wires(first.number(), 1).any(|port| self.alone[port])
                }
                Argument::Shared(_) | Argument::Listed { .. } => false,
            };
            inputs.extend(std::iter::repeat_n(is_alone, argument.width()));
        }
        inputs
    }
}
