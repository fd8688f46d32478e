//! The depth of a structured circuit, without flattening it.

use super::circuit::StructuredCircuit;
use super::function::{Body, Call, Form, FunctionId, Item};
use crate::id::Bit;
use std::collections::HashMap;

/// The longest paths to a wire.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Hash)]
pub struct Depth {
    /// The most ANDs on a path.
    pub ands: u64,
    /// The most gates on a path.
    pub gates: u64,
}

impl Depth {
    fn max(self, other: Depth) -> Depth {
        Depth { ands: self.ands.max(other.ands), gates: self.gates.max(other.gates) }
    }

    fn min(self, other: Depth) -> Depth {
        Depth { ands: self.ands.min(other.ands), gates: self.gates.min(other.gates) }
    }

    fn plus(self, other: Depth) -> Depth {
        Depth { ands: self.ands + other.ands, gates: self.gates + other.gates }
    }

    fn minus(self, other: Depth) -> Depth {
        Depth { ands: self.ands - other.ands, gates: self.gates - other.gates }
    }
}

/// Returns the depth of the flattening of a valid circuit: the longest paths from an input or a
/// flip-flop to an output or a flip-flop's next state.
///
/// A function's output is as much later as all its inputs are. So a function is measured once for
/// each pattern of differences between its inputs' depths. Time: that of the text, times the
/// patterns that occur, plus the inputs of all runs but those inside such a function.
///
/// Memory: 16 bytes for each wire of the outermost body and of one nest of calls, and
/// [`PATTERNS`] patterns.
pub fn depth(circuit: &StructuredCircuit) -> Depth {
    depth_within(circuit, u64::MAX).expect("no circuit is that large")
}

/// As [`depth`], but returns `None` if it would take more than `limit` steps: a step is a gate, a
/// wire that a call drives, or an input of a run. Circuits from files may fold over so many steps
/// that measuring them never ends.
pub fn depth_within(circuit: &StructuredCircuit, limit: u64) -> Option<Depth> {
    let mut measure = Measure { circuit, known: HashMap::new(), left: limit };
    measure.spend(circuit.first_item_wire() as u64)?;
    let mut wires = vec![Depth::default(); circuit.first_item_wire()];
    measure.body(&circuit.body, &mut wires)?;
    let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
    let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next));
    let ends = ends.filter_map(Bit::wire).map(|wire| wires[wire.index()]);
    Some(ends.fold(Depth::default(), Depth::max))
}

/// Most patterns remembered; beyond these all are forgotten.
pub const PATTERNS: usize = 1 << 12;

struct Measure<'a> {
    circuit: &'a StructuredCircuit,
    /// The outputs' depths, for a function and the depths of its inputs, the least of which is 0.
    known: HashMap<(FunctionId, Vec<Depth>), Vec<Depth>>,
    /// Steps that may still be taken.
    left: u64,
}

impl Measure<'_> {
    /// Takes `steps` steps, if that many are left.
    fn spend(&mut self, steps: u64) -> Option<()> {
        self.left = self.left.checked_sub(steps)?;
        Some(())
    }

    /// Appends the depth of each wire that the body's items drive.
    fn body(&mut self, body: &Body, wires: &mut Vec<Depth>) -> Option<()> {
        let circuit = self.circuit;
        for item in body.items(wires.len(), &circuit.functions) {
            match item {
                Item::Gate(_, gate) => {
                    self.spend(1)?;
                    let operands = gate.operands().map(|wire| wires[wire.index()]);
                    let before = operands.fold(Depth::default(), Depth::max);
                    let own = Depth { ands: u64::from(gate.is_and()), gates: 1 };
                    wires.push(before.plus(own));
                }
                Item::Call(_, call) => self.call(call, wires)?,
            }
        }
        Some(())
    }

    fn call(&mut self, call: &Call, wires: &mut Vec<Depth>) -> Option<()> {
        let inputs = self.circuit.functions[call.function.index()].inputs as usize;
        let state = call.form.state() as usize;
        let of = |run, input| {
            let bit: Bit = call.passed(run, input);
            wires[bit.wire().expect("arguments are wires").index()]
        };
        let outputs = self.circuit.functions[call.function.index()].outputs.len();
        self.spend(call.wires(outputs)?)?;
        let mut carried: Vec<Depth> = (0..state).map(|input| of(0, input)).collect();
        let mut driven = Vec::new();
        for run in 0..call.form.runs() {
            self.spend(inputs as u64)?;
            let mut arguments = std::mem::take(&mut carried);
            arguments.extend((state..inputs).map(|input| of(run, input)));
            carried = self.function(call.function, arguments)?;
            driven.extend(carried.drain(state..));
        }
        if let Form::Fold { .. } = call.form {
            wires.extend(carried);
        }
        wires.extend(driven);
        Some(())
    }

    /// The depths of a function's outputs, for those of its inputs.
    fn function(&mut self, id: FunctionId, mut inputs: Vec<Depth>) -> Option<Vec<Depth>> {
        let least = inputs.iter().copied().reduce(Depth::min).unwrap_or_default();
        inputs.iter_mut().for_each(|depth| *depth = depth.minus(least));
        let later = |outputs: &[Depth]| outputs.iter().map(|depth| depth.plus(least)).collect();
        let pattern = (id, inputs);
        if let Some(outputs) = self.known.get(&pattern) {
            return Some(later(outputs));
        }
        let function = &self.circuit.functions[id.index()];
        let mut wires = pattern.1.clone();
        self.body(&function.body, &mut wires)?;
        let depth = |bit: &Bit| wires[bit.wire().expect("outputs are wires").index()];
        let outputs: Vec<Depth> = function.outputs.iter().map(depth).collect();
        let result = later(&outputs);
        if self.known.len() >= PATTERNS {
            self.known.clear();
        }
        self.known.insert(pattern, outputs);
        Some(result)
    }
}
