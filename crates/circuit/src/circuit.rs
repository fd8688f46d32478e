//! A circuit: ports, flip-flops, a body of gates, and the number of cycles.

use crate::bit_runs::BitRuns;
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
    /// Name by which a user supplies the value.
    pub name: String,
    /// Owner of the input.
    pub party: Party,
    /// Width in bits.
    pub width: u32,
    /// Whether each cycle reads a new value. Otherwise one value holds for the whole run.
    pub per_cycle: bool,
    /// Type of the bits, if declared. Not part of the program hash.
    pub elements: Option<ElementType>,
    /// Whether the elements are a set: distinct unsigned integers in ascending order. Ignored if
    /// `elements` is `None`. Not part of the program hash.
    pub is_set: bool,
}

/// A named output value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Output {
    /// Name under which the value is reported.
    pub name: String,
    /// The value, bit 0 first. Bits may be inputs, constants, inverted, or repeated.
    pub bits: BitRuns,
    /// Whether the value is revealed in each cycle. Otherwise only its value in the last cycle is
    /// revealed.
    pub per_cycle: bool,
    /// Type of the bits, if declared. Not part of the program hash.
    pub elements: Option<ElementType>,
}

impl Output {
    /// An output with the same name and type, and these bits.
    #[must_use]
    pub fn with_bits(&self, bits: BitRuns) -> Output {
        let (name, per_cycle) = (self.name.clone(), self.per_cycle);
        Output { name, bits, per_cycle, elements: self.elements }
    }
}

/// The value of a flip-flop in the first cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Init {
    /// A public constant.
    Constant(bool),
    /// A bit of a per-run input of either party.
    Input(Wire),
}

/// State that the body carries from one cycle to the next.
///
/// A body with a repeat count carries its wires in flip-flops; registers of a sequential netlist
/// are flip-flops too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FlipFlop {
    /// The value in the first cycle.
    pub init: Init,
    /// The value in every later cycle: the value of this bit at the end of the previous cycle.
    pub next: Bit,
}

/// A circuit. [`verify`](crate::verify) defines which circuits are valid.
///
/// Memory: eight bytes for each gate up to [`Gates::IN_MEMORY`] gates, beyond that a temporary
/// file; four bytes for each output bit.
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
    /// The number of cycles, in each of which the body runs once: 1 unless the circuit is
    /// sequential. If there are flip-flops, a run may use another number.
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

    /// Whether the circuit has state or per-cycle ports, so that cycles differ.
    pub fn has_cycles(&self) -> bool {
        self.is_sequential()
            || self.inputs.iter().any(|input| input.per_cycle)
            || self.outputs.iter().any(|output| output.per_cycle)
    }
}
