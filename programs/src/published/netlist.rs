//! Netlists in the form in which FlexSC writes them for SIFO: nothing is folded or shared, and each
//! carry chain starts at its own constant.
//!
//! FlexSC (Wang and Nayak 2014) has only XOR and AND gates; an inversion is an XOR with a constant.
//! In the paper's counts, a constant that many gates read has no wire; a gate that reads it is a
//! copy here. The constant at the start of an addition has a wire: a flip-flop that never changes.

use crate::error::MakeError;
use halfgate_circuit::builder::BuildError;
use halfgate_circuit::{Bit, Circuit, FlipFlop, Gate, Gates, Init, Input, Output, Party, Wire};

/// A circuit under construction, gate by gate.
pub(super) struct Netlist {
    inputs: Vec<Input>,
    input_bits: u32,
    /// Values of the constants with wires that are in use so far.
    constants: Vec<bool>,
    /// Number of constants with wires.
    wanted: u32,
    gates: Gates,
    failed: Option<BuildError>,
}

impl Netlist {
    /// A circuit with the garbler's and the evaluator's input, of these names and widths, and with
    /// `constants` constants that have wires. Returns the circuit and the inputs' bits.
    pub fn new(names: [&str; 2], width: [u32; 2], constants: u32) -> (Netlist, Vec<Bit>, Vec<Bit>) {
        let input = |name: &str, party, width| Input {
            name: name.to_owned(),
            party,
            width,
            per_cycle: false,
            elements: None,
            is_set: false,
        };
        let ([first, second], [a, b]) = (names, width);
        let netlist = Netlist {
            inputs: vec![input(first, Party::Garbler, a), input(second, Party::Evaluator, b)],
            input_bits: a + b,
            constants: Vec::new(),
            wanted: constants,
            gates: Gates::new(),
            failed: None,
        };
        let wires = |range: std::ops::Range<u32>| range.map(|n| Wire::new(n).bit()).collect();
        (netlist, wires(0..a), wires(a..a + b))
    }

    /// The next constant with a wire.
    pub fn constant(&mut self, value: bool) -> Bit {
        self.constants.push(value);
        Wire::new(self.input_bits + self.constants.len() as u32 - 1).bit()
    }

    /// `a ^ b`. One operand may be a constant without a wire.
    pub fn xor(&mut self, a: Bit, b: Bit) -> Bit {
        self.gate(match (a.as_constant(), b.as_constant()) {
            (None, None) => Gate::xor(a, b, false),
            (Some(value), _) => Gate::copy(b, value),
            (None, Some(value)) => Gate::copy(a, value),
        })
    }

    /// `a & b`. Both operands are wires.
    pub fn and(&mut self, a: Bit, b: Bit) -> Bit {
        self.gate(Gate::and(a, b, false))
    }

    /// Sum and carry of a full adder: four XORs and an AND.
    pub fn full_adder(&mut self, a: Bit, b: Bit, carry: Bit) -> (Bit, Bit) {
        let (x, y) = (self.xor(a, carry), self.xor(b, carry));
        let sum = self.xor(a, y);
        let both = self.and(x, y);
        (sum, self.xor(carry, both))
    }

    /// `a + b + carry` modulo 2^width, and the carry out.
    pub fn add(&mut self, a: &[Bit], b: &[Bit], carry: bool) -> (Vec<Bit>, Bit) {
        let mut carry = self.constant(carry);
        let sum = a.iter().zip(b).map(|(&a, &b)| {
            let (sum, next) = self.full_adder(a, b, carry);
            carry = next;
            sum
        });
        (sum.collect(), carry)
    }

    /// `b` if `choice`, else `a`: two XORs and an AND.
    pub fn select(&mut self, choice: Bit, a: Bit, b: Bit) -> Bit {
        let difference = self.xor(a, b);
        let chosen = self.and(choice, difference);
        self.xor(a, chosen)
    }

    /// The circuit, with one output.
    pub fn finish(self, name: &str, bits: Vec<Bit>) -> Result<Circuit, MakeError> {
        self.finish_all(vec![(name, bits)])
    }

    /// The circuit, with these outputs.
    pub fn finish_all(self, outputs: Vec<(&str, Vec<Bit>)>) -> Result<Circuit, MakeError> {
        if let Some(error) = self.failed {
            return Err(error.into());
        }
        assert_eq!(self.constants.len(), self.wanted as usize, "constants come before gates");
        let hold = |(n, &value): (usize, &bool)| FlipFlop {
            init: Init::Constant(value),
            next: Wire::new(self.input_bits + n as u32).bit(),
        };
        let output = |(name, bits): (&str, Vec<Bit>)| Output {
            name: name.to_owned(),
            bits: bits.into(),
            per_cycle: false,
            elements: None,
        };
        Ok(Circuit {
            flip_flops: self.constants.iter().enumerate().map(hold).collect(),
            inputs: self.inputs,
            gates: self.gates,
            outputs: outputs.into_iter().map(output).collect(),
            cycles: 1,
        })
    }

    fn gate(&mut self, gate: Gate) -> Bit {
        let wire = u64::from(self.input_bits) + u64::from(self.wanted) + self.gates.len() as u64;
        if self.failed.is_none() && wire > u64::from(Wire::MAX) {
            self.failed = Some(BuildError::TooManyWires);
        }
        if self.failed.is_some() {
            return Wire::new(0).bit();
        }
        if let Err(error) = self.gates.push(gate) {
            self.failed = Some(BuildError::Spool(error));
        }
        Wire::new(wire as u32).bit()
    }
}
