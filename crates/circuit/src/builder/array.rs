//! Lists of values as consecutive wires.

use crate::id::{Bit, Wire};

/// Consecutive wires, divided into elements of equal width.
///
/// Element `i` is the bits `i * width` to `(i + 1) * width - 1`, bit 0 first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Array {
    pub(super) first: Wire,
    pub(super) width: u32,
    pub(super) len: u32,
}

impl Array {
    /// Bits of an element.
    pub fn width(&self) -> usize {
        self.width as usize
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bits of an element.
    ///
    /// # Panics
    /// If there is no such element.
    pub fn element(&self, index: usize) -> Vec<Bit> {
        assert!(index < self.len(), "element {index} of an array of {}", self.len);
        self.part(index * self.width(), self.width())
    }

    /// The bits of all elements, one after the other.
    pub fn bits(&self) -> Vec<Bit> {
        self.part(0, self.width() * self.len())
    }

    /// The same wires as elements of `width` bits.
    ///
    /// # Panics
    /// If the number of bits is not a multiple of `width`.
    #[must_use]
    pub fn regroup(self, width: usize) -> Array {
        let bits = self.width() * self.len();
        assert!(bits.is_multiple_of(width), "{bits} bits in elements of {width}");
        Array { width: width as u32, len: (bits / width) as u32, ..self }
    }

    /// The elements from number `start` on.
    ///
    /// # Panics
    /// If there are fewer than `start + len`.
    #[must_use]
    pub fn slice(self, start: usize, len: usize) -> Array {
        assert!(
            start.checked_add(len).is_some_and(|end| end <= self.len()),
            "elements {start} and {len} on, of {}",
            self.len
        );
        let first = Wire::new(self.first.number() + start as u32 * self.width);
        Array { first, len: len as u32, ..self }
    }

    fn part(&self, from: usize, count: usize) -> Vec<Bit> {
        let first = self.first.number() + from as u32;
        (first..first + count as u32).map(|number| Wire::new(number).bit()).collect()
    }
}
