//! A circuit: ports, flip-flops, a body of gates, and how often the body runs.

use crate::element::ElementType;
use crate::gates::Gates;
use crate::id::{Bit, Wire};

/// The two parties.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Party {
    /// Makes the garbled tables and holds Δ.
    Garbler,
    /// Evaluates the garbled tables on active labels.
    Evaluator,
}

impl Party {
    /// The other party.
    pub fn other(self) -> Party {
        match self {
            Party::Garbler => Party::Evaluator,
            Party::Evaluator => Party::Garbler,
        }
    }
}

impl std::fmt::Display for Party {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Party::Garbler => "garbler",
            Party::Evaluator => "evaluator",
        })
    }
}

/// A named input value of one party. Its bits are consecutive wires, bit 0 first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    /// The name by which a user gives the value.
    pub name: String,
    /// Whose input it is.
    pub party: Party,
    /// Width in bits.
    pub width: u32,
    /// Whether a new value is read each cycle; otherwise one value holds for the whole run.
    pub per_cycle: bool,
    /// What the bits mean, if that was declared. No part of the program hash.
    pub elements: Option<ElementType>,
    /// Whether the elements, unsigned integers, are a set: distinct and in ascending order, the
    /// least first. Where `elements` is `None` it says nothing. No part of the program hash.
    pub is_set: bool,
}

/// A named output value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// The name under which the value is reported.
    pub name: String,
    /// The value, bit 0 first. Bits may be inputs, constants, inverted, or repeated.
    pub bits: Vec<Bit>,
    /// Whether the value is given out each cycle; otherwise only the last cycle's is.
    pub per_cycle: bool,
    /// What the bits mean, if that was declared. No part of the program hash.
    pub elements: Option<ElementType>,
}

/// What a flip-flop holds in the first cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// A public constant.
    Constant(bool),
    /// A bit of a per-run input of either party.
    Input(Wire),
}

/// State that the body carries from one cycle to the next.
///
/// A body with a repeat count carries its wires in flip-flops, and a sequential netlist's
/// registers are the same thing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlipFlop {
    /// The value in the first cycle.
    pub init: Init,
    /// The value in every later cycle: what this bit was at the end of the cycle before.
    pub next: Bit,
}

/// What is computed. [`verify`](crate::verify) says what makes one valid.
///
/// Memory: eight bytes a gate up to [`Gates::IN_MEMORY`] gates, a temporary file beyond; four
/// bytes an output bit.
#[derive(Debug)]
pub struct Circuit {
    /// Input values; their bits are the first wires.
    pub inputs: Vec<Input>,
    /// Flip-flops; their outputs are the wires after the inputs.
    pub flip_flops: Vec<FlipFlop>,
    /// The body. Gate `i` drives wire `first_gate_wire() + i` and reads lower wires only.
    pub gates: Gates,
    /// Output values.
    pub outputs: Vec<Output>,
    /// How often the body runs: 1 unless the circuit is sequential. A run may ask for another
    /// number where there are flip-flops.
    pub cycles: u64,
}

impl Circuit {
    /// Number of input bits, of both parties.
    pub fn input_bits(&self) -> usize {
        self.inputs.iter().map(|i| i.width as usize).sum()
    }

    /// Number of output bits.
    pub fn output_bits(&self) -> usize {
        self.outputs.iter().map(|o| o.bits.len()).sum()
    }

    /// The wire of the first flip-flop.
    pub fn first_flip_flop_wire(&self) -> usize {
        self.input_bits()
    }

    /// The wire that the first gate drives.
    pub fn first_gate_wire(&self) -> usize {
        self.input_bits() + self.flip_flops.len()
    }

    /// Number of wires: input bits, flip-flops and gates.
    pub fn wires(&self) -> usize {
        self.first_gate_wire() + self.gates.len()
    }

    /// The input values with the first wire of each.
    pub fn inputs_with_wires(&self) -> impl Iterator<Item = (Wire, &Input)> {
        let mut first = 0;
        self.inputs.iter().map(move |input| {
            let wire = Wire::new(first);
            first += input.width;
            (wire, input)
        })
    }

    /// Whether the circuit has state, so that its cycles differ.
    pub fn is_sequential(&self) -> bool {
        !self.flip_flops.is_empty()
    }
}
