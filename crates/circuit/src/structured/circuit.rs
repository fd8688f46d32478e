//! A whole structured circuit.

use super::function::{Body, Function, Items};
use super::size::{Size, Sizes};
use crate::bit_runs::BitRuns;
use crate::circuit::{Circuit, FlipFlop, Input, Output};
use crate::id::Bit;

/// A circuit whose bodies call functions. [`verify`](fn@super::verify) defines which are valid, and
/// [`flatten`](fn@super::flatten) what one computes.
///
/// Memory: that of the bodies and of the lists of output bits. A function's body is held once,
/// however often it is called.
#[derive(Debug, Default)]
pub struct StructuredCircuit {
    /// Input values; their bits are the first wires of the outermost body.
    pub inputs: Vec<Input>,
    /// Flip-flops; their outputs are the wires after the inputs.
    pub flip_flops: Vec<FlipFlop>,
    /// The functions. Each calls only earlier ones.
    pub functions: Vec<Function>,
    /// The outermost body.
    pub body: Body,
    /// Output values.
    pub outputs: Vec<Output>,
    /// The number of cycles, as in [`Circuit::cycles`].
    pub cycles: u64,
}

impl StructuredCircuit {
    /// Number of input bits, of both parties.
    pub fn input_bits(&self) -> usize {
        self.inputs.iter().map(|input| input.width as usize).sum()
    }

    /// Number of wires before the first item of the body: input bits and flip-flops.
    pub fn first_item_wire(&self) -> usize {
        self.input_bits() + self.flip_flops.len()
    }

    /// The circuit with other functions and another outermost body. There `bit` returns what stands
    /// for a bit of this body, and `bits` what stands for several.
    pub fn with_bodies(
        &self,
        functions: Vec<Function>,
        body: Body,
        bit: impl Fn(Bit) -> Bit,
        bits: impl Fn(&BitRuns) -> BitRuns,
    ) -> StructuredCircuit {
        let next = |found: &FlipFlop| FlipFlop { next: bit(found.next), ..*found };
        let output = |output: &Output| output.with_bits(bits(&output.bits));
        StructuredCircuit {
            inputs: self.inputs.clone(),
            flip_flops: self.flip_flops.iter().map(next).collect(),
            functions,
            body,
            outputs: self.outputs.iter().map(output).collect(),
            cycles: self.cycles,
        }
    }

    /// The size of the flattening of a valid circuit.
    pub fn size(&self) -> Size {
        let sizes = Sizes::of(&self.functions).expect("a valid circuit's gates can be counted");
        sizes.of_body(&self.body).expect("as above")
    }

    /// Number of wires of the outermost body, for a valid circuit.
    pub fn wires(&self) -> usize {
        self.first_item_wire() + self.body.wires(&self.functions)
    }

    /// Whether the body has state or per-cycle ports, so that cycles differ.
    pub fn has_cycles(&self) -> bool {
        !self.flip_flops.is_empty()
            || self.inputs.iter().any(|input| input.per_cycle)
            || self.outputs.iter().any(|output| output.per_cycle)
    }

    /// The items of the outermost body.
    pub fn items(&self) -> Items<'_> {
        self.body.items(self.first_item_wire(), &self.functions)
    }

    /// The items of a function's body.
    pub fn items_of<'a>(&'a self, function: &'a Function) -> Items<'a> {
        function.body.items(function.inputs as usize, &self.functions)
    }
}

impl From<Circuit> for StructuredCircuit {
    /// The same circuit, without functions.
    fn from(circuit: Circuit) -> StructuredCircuit {
        StructuredCircuit {
            inputs: circuit.inputs,
            flip_flops: circuit.flip_flops,
            functions: Vec::new(),
            body: Body { gates: circuit.gates, calls: Vec::new() },
            outputs: circuit.outputs,
            cycles: circuit.cycles,
        }
    }
}
