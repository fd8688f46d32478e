//! Records how a list was sorted, to apply the same exchanges to other lists, or to undo them.

use super::{exchange, network};
use crate::array::one_width;
use crate::builder::Builder;
use crate::id::Bit;
use crate::int;

/// The exchanges that sorted or merged a list: a secret permutation, stored as one bit per
/// comparison.
///
/// Applying the exchanges to another list, or undoing them, takes no further comparisons. Every
/// exchange takes as many ANDs as an element has bits.
///
/// An arrangement takes 24 bytes of memory per comparison.
pub struct Arrangement {
    /// The two places, and whether their elements are exchanged.
    exchanges: Vec<(usize, usize, Bit)>,
    /// The places in ascending order of their contents after sorting.
    order: Vec<usize>,
}

impl Arrangement {
    /// Like [`super::sort_by`]; also returns the arrangement.
    ///
    /// # Panics
    /// If the elements differ in width.
    pub fn sort_by(
        b: &mut Builder,
        items: &[Vec<Bit>],
        mut before: impl FnMut(&mut Builder, &[Bit], &[Bit]) -> Bit,
    ) -> (Arrangement, Vec<Vec<Bit>>) {
        let places: Vec<usize> = (0..items.len()).collect();
        Arrangement::record(b, items.to_vec(), &mut before, |visit| network::sort(&places, visit))
    }

    /// Like [`super::merge_by`]; also returns the arrangement, which applies to the list `x`
    /// followed by the list `y`.
    ///
    /// # Panics
    /// If the elements differ in width.
    pub fn merge_by(
        b: &mut Builder,
        x: &[Vec<Bit>],
        y: &[Vec<Bit>],
        mut before: impl FnMut(&mut Builder, &[Bit], &[Bit]) -> Bit,
    ) -> (Arrangement, Vec<Vec<Bit>>) {
        let places: Vec<usize> = (0..x.len() + y.len()).collect();
        let (first, second) = places.split_at(x.len());
        let items = [x, y].concat();
        Arrangement::record(b, items, &mut before, |visit| network::merge(first, second, visit))
    }

    fn record(
        b: &mut Builder,
        mut items: Vec<Vec<Bit>>,
        before: &mut impl FnMut(&mut Builder, &[Bit], &[Bit]) -> Bit,
        network: impl FnOnce(&mut network::Visit) -> Vec<usize>,
    ) -> (Arrangement, Vec<Vec<Bit>>) {
        one_width(&items);
        let mut exchanges = Vec::new();
        let order = network(&mut |i, j| {
            let swap = exchange(b, &mut items, i, j, before);
            exchanges.push((i, j, swap));
        });
        let sorted = order.iter().map(|&place| std::mem::take(&mut items[place])).collect();
        (Arrangement { exchanges, order }, sorted)
    }

    /// Number of elements arranged.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no elements.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// Arranges `items` like the sorted list: element `i` goes where that list's element `i` went.
    ///
    /// # Panics
    /// If the number of elements differs from the length of the sorted list, or elements differ in
    /// width.
    pub fn apply(&self, b: &mut Builder, items: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
        self.check(items);
        let mut items = items.to_vec();
        for &(i, j, swap) in &self.exchanges {
            (items[i], items[j]) = int::swap_if(b, swap, &items[i], &items[j]);
        }
        self.order.iter().map(|&place| std::mem::take(&mut items[place])).collect()
    }

    /// Returns the list that [`apply`](Arrangement::apply) turns into `items`: element `i` goes
    /// back to the place from which sorting took the element that is now at place `i`.
    ///
    /// # Panics
    /// As for [`apply`](Arrangement::apply).
    pub fn undo(&self, b: &mut Builder, items: &[Vec<Bit>]) -> Vec<Vec<Bit>> {
        self.check(items);
        let mut restored = vec![Vec::new(); items.len()];
        for (&place, item) in self.order.iter().zip(items) {
            restored[place] = item.clone();
        }
        for &(i, j, swap) in self.exchanges.iter().rev() {
            (restored[i], restored[j]) = int::swap_if(b, swap, &restored[i], &restored[j]);
        }
        restored
    }

    fn check(&self, items: &[Vec<Bit>]) {
        let (found, sorted) = (items.len(), self.len());
        assert_eq!(found, sorted, "{found} elements for an arrangement of {sorted}");
        one_width(items);
    }
}
