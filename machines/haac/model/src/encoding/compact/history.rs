//! Distances of earlier operands, with which the next operands are compared.

use super::{Class, REACH, REACHES, RECENT};
use crate::machine::Shape;

/// The distances of earlier operands, and the slot of the next output. Encoder and decoder have
/// identical histories.
///
/// Memory: eight bytes per place of a group.
#[derive(Clone, Debug)]
pub(super) struct History {
    /// The number of labels in the window, minus 1.
    mask: u32,
    /// The slot of the next output.
    output: u32,
    /// For each column, the distances of its last operands, newest first.
    recent: [[u32; RECENT]; 2],
    /// For each place, the distances of its last operands.
    places: Vec<[u32; 2]>,
}

impl History {
    pub(super) fn new(shape: Shape, first_output: u32, places: usize) -> History {
        History {
            mask: shape.window - 1,
            output: shape.slot(first_output),
            recent: [[1; RECENT]; 2],
            places: vec![[1; 2]; places],
        }
    }

    /// The distance from `slot` to the next output: from 1 to the number of labels in the window.
    #[inline]
    pub(super) fn distance(&self, slot: u32) -> u32 {
        (self.output.wrapping_sub(slot).wrapping_sub(1) & self.mask) + 1
    }

    /// The slot at this distance before the next output.
    #[inline]
    pub(super) fn slot(&self, distance: u32) -> u32 {
        self.output.wrapping_sub(distance) & self.mask
    }

    /// The distance of the column's last operand.
    #[inline]
    fn last(&self, column: usize) -> u32 {
        self.recent[column][0]
    }

    /// The distance of the operand of `column` that is `index` operands before the last one.
    #[inline]
    pub(super) fn recent(&self, column: usize, index: usize) -> u32 {
        self.recent[column][index]
    }

    /// Finds the earlier operand of the column whose distance is nearest to `distance`, and of
    /// several the newest. Does so for each width of the index in the class `recent` (2, 3 or 4
    /// bits), among the operands that such an index can select. Returns the operand's index (0: the
    /// last operand), and `distance` minus the operand's distance.
    pub(super) fn nearest(&self, column: usize, distance: u32) -> [(usize, i64); REACHES] {
        // The difference and the index fit in one word, since a window has at most 2^28 labels.
        let mut apart = [0; RECENT];
        for (index, (apart, &recent)) in apart.iter_mut().zip(&self.recent[column]).enumerate() {
            let more = distance.wrapping_sub(recent) & self.mask;
            let less = recent.wrapping_sub(distance) & self.mask;
            *apart = more.min(less) << REACH[1] | index as u32;
        }
        let mut nearest = [(0, 0); REACHES];
        for (bits, nearest) in (REACH[0]..).zip(&mut nearest) {
            let least = apart[..1 << bits].iter().fold(u32::MAX, |least, &x| least.min(x));
            let index = least as usize % RECENT;
            *nearest = (index, self.difference(distance, self.recent(column, index)));
        }
        nearest
    }

    /// The distance with which a class compares the operand of `column` at `place`. 0 if the class
    /// makes no comparison or selects one of several operands.
    #[inline]
    pub(super) fn reference(&self, class: Class, place: usize, column: usize) -> u32 {
        match class {
            Class::Left(_) => self.last(column),
            Class::Up(_) => self.places[place][column],
            Class::Cross(_) => self.last(1 - column),
            Class::Recent(..) | Class::Distance(_) | Class::Full | Class::OutOfRange => 0,
        }
    }

    /// `reference` plus a signed number, as a distance.
    #[inline]
    pub(super) fn add(&self, reference: u32, number: i64) -> u32 {
        ((i64::from(reference) - 1 + number) as u32 & self.mask) + 1
    }

    /// `distance` minus `reference` modulo the window, as the signed number nearest to 0.
    #[inline]
    pub(super) fn difference(&self, distance: u32, reference: u32) -> i64 {
        let more = distance.wrapping_sub(reference) & self.mask;
        if more > self.mask / 2 + 1 {
            i64::from(more) - i64::from(self.mask) - 1
        } else {
            more.into()
        }
    }

    /// Records the distance of the operand of `column` at `place`.
    #[inline]
    pub(super) fn push(&mut self, place: usize, column: usize, distance: u32) {
        let recent = &mut self.recent[column];
        recent.copy_within(..RECENT - 1, 1);
        recent[0] = distance;
        self.places[place][column] = distance;
    }

    /// Moves to the next output.
    #[inline]
    pub(super) fn advance(&mut self) {
        self.output = (self.output + 1) & self.mask;
        if self.output == 0 {
            self.output = 1;
        }
    }
}
