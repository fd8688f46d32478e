//! What is known of the newest XORs: enough to see that a sum of two wires is a wire already.

use halfgate_circuit::{Gate, GateKind, Wire};

/// XORs that are remembered by the wire that they drive, and as many by what they read: circuits
/// are written value by value, so what can be used again is near. A power of two.
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

/// What two wires XORed with each other are.
pub(super) enum Both {
    /// 0, as they are the same.
    Nothing,
    /// A wire that there is.
    One(Wire),
}

impl Recent {
    /// Knows nothing.
    pub(super) fn new() -> Recent {
        Recent { operands: vec![(NONE, [NONE; 2]); XORS], sums: vec![([NONE; 2], NONE); XORS] }
    }

    /// Takes note of `gate`, which drives `wire`.
    #[inline]
    pub(super) fn push(&mut self, gate: Gate, wire: Wire) {
        let GateKind::Xor { a, b, .. } = gate.kind() else { return };
        self.operands[wire.index() % XORS] = (wire, [a, b]);
        let pair = [a.min(b), a.max(b)];
        self.sums[place(pair)] = (pair, wire);
    }

    /// What `a` and `b` XORed with each other are, if that is known: from the operands of one of
    /// them, from an XOR of the two, or, if one of them is p ⊕ q, from XORs of the other with p and
    /// q one after the other.
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

    /// What the XOR that drives `wire` reads, if it is one and remembered.
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
