//! Remembers the newest XORs, to recognise a sum of two wires that exists as a wire already.

use halfgate_circuit::{Gate, GateKind, Wire};

/// The number of XORs remembered by the wire they drive, and by their operands. Circuits are
/// written value by value, so reusable wires are close. A power of two.
const XORS: usize = 1 << 12;

/// No wire.
const NONE: Wire = Wire::new(Wire::MAX - 1);

/// The newest XORs of a list of gates.
///
/// Memory: 80 KiB.
pub(super) struct Recent {
    /// The operands of the XOR that drives a wire, at the wire's number modulo [`XORS`].
    operands: Vec<(Wire, [Wire; 2])>,
    /// The XOR of two wires, lower first, at their hash.
    sums: Vec<([Wire; 2], Wire)>,
}

/// The XOR of two wires, if known.
pub(super) enum Both {
    /// 0: both wires are the same.
    Nothing,
    /// An existing wire.
    One(Wire),
}

impl Recent {
    /// Starts with no XORs.
    pub(super) fn new() -> Recent {
        Recent { operands: vec![(NONE, [NONE; 2]); XORS], sums: vec![([NONE; 2], NONE); XORS] }
    }

    /// Records `gate`, which drives `wire`.
    #[inline]
    pub(super) fn push(&mut self, gate: Gate, wire: Wire) {
        let GateKind::Xor { a, b, .. } = gate.kind() else { return };
        self.operands[wire.index() % XORS] = (wire, [a, b]);
        let pair = [a.min(b), a.max(b)];
        self.sums[place(pair)] = (pair, wire);
    }

    /// Returns `a` XOR `b` if that is known. It looks at the operands of either wire and for an XOR
    /// of the two. If one of them is p ⊕ q, it also adds p and q to the other one by one.
    pub(super) fn xor(&self, a: Wire, b: Wire) -> Option<Both> {
        self.xor_at_once(a, b).or_else(|| {
            let ways = [(a, b), (b, a)].into_iter().filter_map(|(sum, term)| {
                let [p, q] = self.operands(sum)?;
                Some([[term, p, q], [term, q, p]])
            });
            ways.flatten().find_map(|[term, p, q]| match self.xor_at_once(term, p)? {
                Both::Nothing => Some(Both::One(q)),
                Both::One(wire) => self.xor_at_once(wire, q),
            })
        })
    }

    fn xor_at_once(&self, a: Wire, b: Wire) -> Option<Both> {
        if a == b {
            return Some(Both::Nothing);
        }
        for (sum, term) in [(a, b), (b, a)] {
            match self.operands(sum) {
                Some([x, y]) if x == term => return Some(Both::One(y)),
                Some([x, y]) if y == term => return Some(Both::One(x)),
                _ => {}
            }
        }
        let pair = [a.min(b), a.max(b)];
        let (known, wire) = self.sums[place(pair)];
        (known == pair).then_some(Both::One(wire))
    }

    /// Returns the operands of the XOR that drives `wire`, if that gate is an XOR and is
    /// remembered.
    fn operands(&self, wire: Wire) -> Option<[Wire; 2]> {
        let (known, operands) = self.operands[wire.index() % XORS];
        (known == wire).then_some(operands)
    }
}

#[inline]
fn place([a, b]: [Wire; 2]) -> usize {
    let mixed = a.number().wrapping_mul(0x9E37_79B1) ^ b.number().wrapping_mul(0x85EB_CA77);
    mixed.wrapping_mul(0xC2B2_AE35) as usize >> (32 - XORS.ilog2()) & (XORS - 1)
}
