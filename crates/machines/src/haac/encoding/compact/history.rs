//! What operands are compared with.

use super::Class;
use crate::haac::machine::Shape;

/// The distances of earlier operands, and the slot of the next output. Encoder and decoder hold
/// the same.
///
/// Memory: 16 bytes a place of a group.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// The window's labels less 1.
    mask: u32,
    /// The slot of the next output.
    output: u32,
    /// For each column, the last operand's distance.
    last: [u32; 2],
    /// For each place, the distances of its last operands.
    places: Vec<[u32; 2]>,
}

impl History {
    pub(super) fn new(shape: Shape, first_output: u32, places: usize) -> History {
        History {
            mask: shape.window - 1,
            output: shape.slot(first_output),
            last: [1; 2],
            places: vec![[1; 2]; places],
        }
    }

    /// How far `slot` is behind the next output: 1 to the window's labels.
    #[inline]
    pub(super) fn distance(&self, slot: u32) -> u32 {
        (self.output.wrapping_sub(slot).wrapping_sub(1) & self.mask) + 1
    }

    /// The slot that is so far behind the next output.
    #[inline]
    pub(super) fn slot(&self, distance: u32) -> u32 {
        self.output.wrapping_sub(distance) & self.mask
    }

    /// What a class compares the operand of `column` at `place` with; 0 where with nothing.
    #[inline]
    pub(super) fn reference(&self, class: Class, place: usize, column: usize) -> u32 {
        match class {
            Class::Left(_) => self.last[column],
            Class::Up(_) => self.places[place][column],
            Class::Cross(_) => self.last[1 - column],
            Class::Distance(_) | Class::Full | Class::OutOfRange => 0,
        }
    }

    /// `reference` and a signed number more, as a distance.
    #[inline]
    pub(super) fn add(&self, reference: u32, number: i64) -> u32 {
        ((i64::from(reference) - 1 + number) as u32 & self.mask) + 1
    }

    /// The signed number by which `distance` is more than `reference`, the nearest to 0.
    #[inline]
    pub(super) fn difference(&self, distance: u32, reference: u32) -> i64 {
        let more = distance.wrapping_sub(reference) & self.mask;
        if more > self.mask / 2 + 1 {
            i64::from(more) - i64::from(self.mask) - 1
        } else {
            more.into()
        }
    }

    /// The operand of `column` at `place` is so far behind.
    #[inline]
    pub(super) fn push(&mut self, place: usize, column: usize, distance: u32) {
        self.last[column] = distance;
        self.places[place][column] = distance;
    }

    /// Goes on to the next output.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.output = (self.output + 1) & self.mask;
        if self.output == 0 {
            self.output = 1;
        }
    }
}
