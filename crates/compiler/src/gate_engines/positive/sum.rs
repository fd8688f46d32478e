//! XORs of several wires for which there is no gate yet.

use super::recent::{Both, Recent};
use halfgate_circuit::{Bit, Wire};

/// The XOR of some new wires, or its inverse.
#[derive(Clone, Copy)]
pub(super) struct Sum {
    terms: [Wire; 6],
    len: usize,
    /// Whether the sum is inverted.
    pub(super) inverted: bool,
}

impl Sum {
    /// A sum of one term.
    #[inline]
    pub(super) fn of(bit: Bit) -> Sum {
        let mut terms = [Wire::new(0); 6];
        terms[0] = bit.wire().expect("no wire is a constant");
        Sum { terms, len: 1, inverted: bit.is_inverted() }
    }

    /// The sum as a bit, if it has one term.
    #[inline]
    pub(super) fn as_bit(&self) -> Option<Bit> {
        (self.len == 1).then(|| Bit::new(self.terms[0], self.inverted))
    }

    /// The XOR of both sums, which have at most three terms each.
    pub(super) fn plus(mut self, other: Sum) -> Sum {
        other.terms[..other.len].iter().for_each(|&term| self.push(term));
        self.invert_if(other.inverted)
    }

    /// The sum, inverted if `invert` is set.
    #[inline]
    pub(super) fn invert_if(self, invert: bool) -> Sum {
        Sum { inverted: self.inverted ^ invert, ..self }
    }

    /// The wires of the sum.
    pub(super) fn terms(&self) -> &[Wire] {
        &self.terms[..self.len]
    }

    /// Returns the sum with fewer terms: terms cancel, or two terms join into an existing wire, as
    /// long as this is possible.
    pub(super) fn shortened(mut self, recent: &Recent) -> Sum {
        let mut i = 0;
        'next: while i < self.len {
            for j in i + 1..self.len {
                let Some(both) = recent.xor(self.terms[i], self.terms[j]) else { continue };
                self.remove(j);
                self.remove(i);
                if let Both::One(wire) = both {
                    self.push(wire);
                }
                i = 0;
                continue 'next;
            }
            i += 1;
        }
        self
    }

    /// Replaces the first term by `wire`.
    pub(super) fn set_first(&mut self, wire: Wire) {
        self.terms[0] = wire;
    }

    fn push(&mut self, term: Wire) {
        self.terms[self.len] = term;
        self.len += 1;
    }

    fn remove(&mut self, index: usize) {
        self.len -= 1;
        self.terms[index] = self.terms[self.len];
    }
}
