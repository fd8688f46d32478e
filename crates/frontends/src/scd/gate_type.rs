//! The eleven gate types, and their counterparts among the circuit's three kinds of gate.

use crate::renumber::{INVERT, INVERT_A, INVERT_B, Op};
use halfgate_circuit::{Bit, GateKind, Wire};

/// A gate type of both formats. Except for NOT, its number is its truth table: bit `2a + b` is the
/// output for inputs `a` and `b`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct GateType {
    pub(super) code: u8,
    pub(super) name: &'static str,
    pub(super) op: Op,
    /// Inversions of the operands and the output, as in a [`Step`](crate::renumber::Step).
    pub(super) inversions: u8,
}

const fn gate(code: u8, name: &'static str, op: Op, inversions: u8) -> GateType {
    GateType { code, name, op, inversions }
}

pub(super) const XOR: GateType = gate(6, "XOR", Op::Xor, 0);
pub(super) const XNOR: GateType = gate(9, "XNOR", Op::Xor, INVERT);
pub(super) const NOT: GateType = gate(12, "NOT", Op::Copy, INVERT);

/// All gate types. First the types that become one AND, then the free ones.
pub(super) const TYPES: [GateType; 11] = [
    gate(8, "AND", Op::And, 0),
    gate(4, "ANDN", Op::And, INVERT_B),
    gate(7, "NAND", Op::And, INVERT),
    gate(11, "NANDN", Op::And, INVERT_B | INVERT),
    gate(14, "OR", Op::And, INVERT_A | INVERT_B | INVERT),
    gate(13, "ORN", Op::And, INVERT_A | INVERT),
    gate(1, "NOR", Op::And, INVERT_A | INVERT_B),
    gate(2, "NORN", Op::And, INVERT_A),
    XOR,
    XNOR,
    NOT,
];

impl GateType {
    /// Returns the type with this number.
    pub(super) fn of_code(code: i64) -> Option<GateType> {
        TYPES.into_iter().find(|gate| i64::from(gate.code) == code)
    }

    /// Whether the type needs no garbled table. The HSCD header counts such gates as XORs.
    pub(super) fn is_free(self) -> bool {
        self.op != Op::And
    }

    /// Whether the type has one input.
    pub(super) fn is_unary(self) -> bool {
        self.op == Op::Copy
    }
}

/// Returns how a circuit's gate is written in a file: its type and its operands. A NOT has one
/// operand. There is no type for a copy, so a copy becomes an XOR with one operand.
pub(super) fn of_gate(kind: GateKind) -> (GateType, Wire, Option<Wire>) {
    let wire = |bit: Bit| bit.wire().expect("gates do not read constants");
    match kind {
        GateKind::Xor { a, b, invert } => (if invert { XNOR } else { XOR }, a, Some(b)),
        GateKind::Copy { a, invert } => (if invert { NOT } else { XOR }, a, None),
        GateKind::And { a, b, invert } => {
            let flag = |set: bool, flag: u8| if set { flag } else { 0 };
            let inversions = flag(a.is_inverted(), INVERT_A)
                | flag(b.is_inverted(), INVERT_B)
                | flag(invert, INVERT);
            let fits = |gate: &GateType| gate.op == Op::And && gate.inversions == inversions;
            let found = TYPES.into_iter().find(fits).expect("every inversion of AND is a type");
            (found, wire(a), Some(wire(b)))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::Gate;

    #[test]
    fn numbers_are_truth_tables() {
        for gate in TYPES.into_iter().filter(|gate| *gate != NOT) {
            for (a, b) in [(false, false), (false, true), (true, false), (true, true)] {
                let (a_in, b_in) =
                    (a ^ (gate.inversions & INVERT_A != 0), b ^ (gate.inversions & INVERT_B != 0));
                let both = if gate.op == Op::And { a_in & b_in } else { a_in ^ b_in };
                let out = both ^ (gate.inversions & INVERT != 0);
                let place = 2 * u8::from(a) + u8::from(b);
                assert_eq!(out, gate.code >> place & 1 == 1, "{} of {a}, {b}", gate.name);
            }
            assert_eq!(GateType::of_code(gate.code.into()), Some(gate));
        }
    }

    #[test]
    fn every_gate_has_a_type() {
        let (a, b) = (Wire::new(3), Wire::new(5));
        for flags in 0..8 {
            let flag = |i: i32| flags >> i & 1 == 1;
            let gate = Gate::and(Bit::new(a, flag(0)), Bit::new(b, flag(1)), flag(2));
            let (gate, first, second) = of_gate(gate.kind());
            assert_eq!((first, second), (a, Some(b)));
            let expected = [(0, INVERT_A), (1, INVERT_B), (2, INVERT)];
            assert!(expected.iter().all(|&(i, bit)| flag(i) == (gate.inversions & bit != 0)));
        }
        assert_eq!(of_gate(GateKind::Copy { a, invert: true }), (NOT, a, None));
        assert_eq!(of_gate(GateKind::Copy { a, invert: false }), (XOR, a, None));
        assert_eq!(of_gate(GateKind::Xor { a, b, invert: true }), (XNOR, a, Some(b)));
    }
}
