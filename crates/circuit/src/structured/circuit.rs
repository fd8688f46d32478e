//! A whole structured circuit.

use super::bit_runs::BitRuns;
use super::function::{Body, Function, Items};
use crate::circuit::{Circuit, FlipFlop, Input, Output};
use crate::element::ElementType;
use crate::id::Bit;

/// A circuit whose bodies call functions. [`verify`](fn@super::verify) defines which are valid, and
/// [`flatten`](fn@super::flatten) what one computes.
///
/// Memory: that of the bodies, which is the text of the circuit, and 8 bytes for each run of
/// consecutive output bits.
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
    pub outputs: Vec<StructuredOutput>,
    /// The number of cycles, as in [`Circuit::cycles`].
    pub cycles: u64,
}

/// A named output value, as [`Output`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StructuredOutput {
    /// Name under which the value is reported.
    pub name: String,
    /// The value, bit 0 first.
    pub bits: BitRuns,
    /// Whether the value is revealed in each cycle.
    pub per_cycle: bool,
    /// Type of the bits, if declared. Not part of the program hash.
    pub elements: Option<ElementType>,
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

impl StructuredOutput {
    /// The output of a flat circuit with the same name and type, and these bits.
    pub fn with_bits(&self, bits: Vec<Bit>) -> Output {
        let (name, per_cycle) = (self.name.clone(), self.per_cycle);
        Output { name, bits, per_cycle, elements: self.elements }
    }
}

impl From<Output> for StructuredOutput {
    fn from(output: Output) -> StructuredOutput {
        let Output { name, bits, per_cycle, elements } = output;
        StructuredOutput { name, bits: bits.into_iter().collect(), per_cycle, elements }
    }
}

impl From<StructuredOutput> for Output {
    fn from(output: StructuredOutput) -> Output {
        let StructuredOutput { name, bits, per_cycle, elements } = output;
        Output { name, bits: bits.iter().collect(), per_cycle, elements }
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
            outputs: circuit.outputs.into_iter().map(StructuredOutput::from).collect(),
            cycles: circuit.cycles,
        }
    }
}
