//! The key by which elements are ordered.

use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The low bits of an element, as the number by which it is ordered. The bits above are payload
/// that moves along. So an element with key and payload is `[key, payload].concat()`.
///
/// ```
/// use halfgate_circuit::sort::Key;
/// let highest_score_first = Key::signed(32).descending();
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Key {
    bits: usize,
    signed: bool,
    descending: bool,
}

impl Key {
    /// The low `bits` bits as an unsigned number, in ascending order. An element with fewer bits is
    /// all key.
    pub fn unsigned(bits: usize) -> Key {
        Key { bits, signed: false, descending: false }
    }

    /// The low `bits` bits as a number in two's complement, in ascending order.
    pub fn signed(bits: usize) -> Key {
        Key { signed: true, ..Key::unsigned(bits) }
    }

    /// The same key, the largest first.
    pub fn descending(self) -> Key {
        Key { descending: true, ..self }
    }

    /// Whether `x` comes strictly before `y`. One AND per bit of the key.
    pub fn before(self, b: &mut Builder, x: &[Bit], y: &[Bit]) -> Bit {
        let (x, y) = if self.descending { (y, x) } else { (x, y) };
        let (x, y) = (self.of(x), self.of(y));
        if self.signed { int::lt_signed(b, x, y) } else { int::lt_unsigned(b, x, y) }
    }

    pub(super) fn bits(self) -> usize {
        self.bits
    }

    pub(super) fn is_descending(self) -> bool {
        self.descending
    }

    /// Returns the key for elements with `count` additional bits below the key bits. These bits
    /// order elements whose keys are equal.
    pub(super) fn with_low_bits(self, count: usize) -> Key {
        Key { bits: self.bits + count, ..self }
    }

    /// The key bits of an element.
    fn of(self, element: &[Bit]) -> &[Bit] {
        &element[..self.bits.min(element.len())]
    }
}
