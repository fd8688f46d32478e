//! Iterates over a program's gates alongside its instructions, and finds the meaning of each label.

use crate::instruction::Op;
use crate::verify::Broken;
use halfgate_circuit::gates::Iter;
use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Wire};
use halfgate_compiler::Program;
use std::collections::HashMap;

/// The meaning of a label: the value of a wire or its inverse.
///
/// The *value* of an input bit or flip-flop is itself. The value of an XOR is the XOR of its
/// operands' values, that of an AND is its output, both before inversions of the output. So an
/// inversion that costs no instruction does not change the value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Content(Bit);

impl Content {
    /// The value of `wire`.
    pub fn of(wire: Wire) -> Content {
        Content(wire.bit())
    }

    /// The content, inverted if `invert` is set.
    pub fn invert_if(self, invert: bool) -> Content {
        Content(self.0.invert_if(invert))
    }

    /// The content as a bit of a program without inversions of outputs.
    pub fn bit(self) -> Bit {
        self.0
    }
}

impl Default for Content {
    /// A content that is no operand of any gate.
    fn default() -> Content {
        Content(Bit::FALSE)
    }
}

pub(super) struct Gates<'a> {
    circuit: &'a Circuit,
    gates: Iter<'a>,
    next: u64,
    /// One bit per gate: whether its wire is the inverse of its value. Ends at the last set bit.
    inverted: Vec<u64>,
    /// The contents of the copy gates' wires.
    copies: HashMap<Wire, Content>,
}

impl<'a> Gates<'a> {
    pub fn of(program: &'a Program) -> Gates<'a> {
        let circuit = &program.circuit;
        let gates = circuit.gates.iter();
        Gates { circuit, gates, next: 0, inverted: Vec::new(), copies: HashMap::new() }
    }

    pub fn circuit(&self) -> &'a Circuit {
        self.circuit
    }

    /// Converts a bit of the program to a value, the inverse of a value, or a constant.
    pub fn resolve(&self, bit: Bit) -> Bit {
        match bit.wire() {
            None => bit,
            Some(wire) => self.content(wire).invert_if(bit.is_inverted()).bit(),
        }
    }

    fn content(&self, wire: Wire) -> Content {
        if let Some(&content) = self.copies.get(&wire) {
            return content;
        }
        let gate = wire.index().wrapping_sub(self.circuit.first_gate_wire());
        let word = self.inverted.get(gate / 64).copied().unwrap_or(0);
        Content::of(wire).invert_if(word >> (gate % 64) & 1 == 1)
    }

    /// Matches an instruction with the next gate. Returns the content of its result.
    pub fn instruction(&mut self, op: Op, a: Content, b: Content) -> Result<Content, Broken> {
        let Some(gate) = self.next_but_copies() else {
            return Err(Broken::GatesLeft { gates: self.next });
        };
        let number = self.next - 1;
        let wrong = |expected| Err(Broken::Gate { found: op, gate: number, expected });
        let wire = Wire::new((self.circuit.first_gate_wire() as u64 + number) as u32);
        match gate.kind() {
            GateKind::Xor { a: wire_a, b: wire_b, invert } => {
                if op != Op::Xor {
                    return wrong("XOR");
                }
                let (is_a, is_b) = (self.content(wire_a).bit(), self.content(wire_b).bit());
                let from_a = self.inverse_of('a', a, is_a)?;
                let from_b = self.inverse_of('b', b, is_b)?;
                self.set_inverted(number, is_a.is_inverted() ^ is_b.is_inverted() ^ invert);
                let label = from_a ^ is_a.is_inverted() ^ from_b ^ is_b.is_inverted();
                Ok(Content::of(wire).invert_if(label))
            }
            GateKind::And { a: bit_a, b: bit_b, invert } => {
                if op != Op::And {
                    return wrong("AND");
                }
                for (operand, found, bit) in [('a', a, bit_a), ('b', b, bit_b)] {
                    let expected = self.resolve(bit);
                    if found.bit() != expected {
                        return Err(self.wrong_operand(operand, found, expected));
                    }
                }
                self.set_inverted(number, invert);
                Ok(Content::of(wire))
            }
            GateKind::Copy { .. } => unreachable!("copies are passed over"),
        }
    }

    /// Whether `found`, which must be `expected` or its inverse, is the inverse.
    fn inverse_of(&self, operand: char, found: Content, expected: Bit) -> Result<bool, Broken> {
        if found.bit().wire() == expected.wire() {
            Ok(found.bit() != expected)
        } else {
            Err(self.wrong_operand(operand, found, expected))
        }
    }

    fn wrong_operand(&self, operand: char, found: Content, expected: Bit) -> Broken {
        let report = |bit: Bit| format!("{bit:?}");
        let (found, expected) = (report(found.bit()), report(expected));
        Broken::Operand { operand, found, gate: self.next - 1, expected }
    }

    /// Checks that no gates are left.
    pub fn finish(&mut self) -> Result<(), Broken> {
        match self.next_but_copies() {
            None => Ok(()),
            Some(_) => Err(Broken::NoInstruction { gate: self.next - 1 }),
        }
    }

    fn next_but_copies(&mut self) -> Option<Gate> {
        loop {
            let gate = self.gates.next()?;
            let number = self.next;
            self.next += 1;
            let GateKind::Copy { a, invert } = gate.kind() else { return Some(gate) };
            let wire = (self.circuit.first_gate_wire() as u64 + number) as u32;
            let content = self.content(a).invert_if(invert);
            self.copies.insert(Wire::new(wire), content);
        }
    }

    fn set_inverted(&mut self, gate: u64, inverted: bool) {
        if inverted {
            let word = (gate / 64) as usize;
            if self.inverted.len() <= word {
                self.inverted.resize(word + 1, 0);
            }
            self.inverted[word] |= 1 << (gate % 64);
        }
    }
}
