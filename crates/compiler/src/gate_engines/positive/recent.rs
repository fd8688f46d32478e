//! Remembers the newest XORs, to find a wire that already carries the XOR of two given wires.

use halfgate_circuit::{Gate, GateKind, Wire};

/// Number of entries of each of the two tables. Circuits are written value by value, so reusable
/// wires are close. A power of two.
const XORS: usize = 1 << 12;

/// No wire.
const NONE: Wire = Wire::new(Wire::MAX - 1);

/// The newest XORs of a list of gates.
///
/// Memory: 80 KiB.
pub(super) struct Recent {
    /// Wires and the operands of the XORs that drive them. The index is the wire's number modulo
    /// [`XORS`].
    operands: Vec<(Wire, [Wire; 2])>,
    /// Pairs of wires, the lower one first, and the wire of their XOR. The index is a hash of the
    /// pair.
    sums: Vec<([Wire; 2], Wire)>,
}

/// The XOR of two wires, if known.
pub(super) enum Both {
    /// The XOR is 0, because both wires are the same.
    Nothing,
    /// An existing wire carries the XOR.
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

    /// Returns `a` ⊕ `b` if it is known: if one wire is the XOR of the other and a third wire, or
    /// if an XOR of both is remembered. Otherwise, if one of the wires is p ⊕ q, the function tries
    /// to XOR the other wire with p and then with q, or with q and then with p.
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

    /// Returns the operands of the XOR that drives `wire`, if it is remembered.
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
