//! Long lists of bits, stored as runs of consecutive wires.

use crate::id::{Bit, Wire};

/// A list of bits.
///
/// Memory: 8 bytes for each run of consecutive wires, all inverted or none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BitRuns {
    runs: Vec<Run>,
    len: usize,
}

/// Consecutive wires from `first` on; or, if `first` is a constant, that constant repeated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Run {
    first: Bit,
    count: u32,
}

impl BitRuns {
    /// An empty list.
    pub fn new() -> BitRuns {
        BitRuns::default()
    }

    /// The list of `count` consecutive wires from `first` on.
    pub fn of_wires(first: Wire, count: u32) -> BitRuns {
        let mut list = BitRuns::new();
        list.push_run(first.bit(), count);
        list
    }

    /// Appends a bit.
    pub fn push(&mut self, bit: Bit) {
        self.push_run(bit, 1);
    }

    /// Appends `count` consecutive wires from `first` on, each inverted as `first` is; or a
    /// constant `count` times.
    pub fn push_run(&mut self, first: Bit, count: u32) {
        self.len += count as usize;
        if let Some(last) = self.runs.last_mut()
            && last.count.checked_add(count).is_some()
            && last.get(last.count) == Some(first)
        {
            last.count += count;
        } else if count > 0 {
            self.runs.push(Run { first, count });
        }
    }

    /// Number of bits.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are no bits.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bits in order.
    pub fn iter(&self) -> Iter<'_> {
        Iter { runs: self.runs.iter(), run: Run { first: Bit::FALSE, count: 0 }, left: self.len }
    }

    /// Bit `index`, if there are so many. Takes a step for each run before it.
    pub fn get(&self, index: usize) -> Option<Bit> {
        let mut before = 0;
        for run in &self.runs {
            if index - before < run.count as usize {
                return run.get((index - before) as u32);
            }
            before += run.count as usize;
        }
        None
    }

    /// The bits as a vector.
    pub fn to_vec(&self) -> Vec<Bit> {
        self.iter().collect()
    }

    /// Calls `change` with each bit and puts what it returns in its place.
    pub fn map(&self, change: impl FnMut(Bit) -> Bit) -> BitRuns {
        self.iter().map(change).collect()
    }

    /// The runs in order: the first bit of each and the number of its bits.
    pub fn runs(&self) -> impl Iterator<Item = (Bit, u32)> {
        self.runs.iter().map(|run| (run.first, run.count))
    }

    /// The bit of the highest wire number, if any bit is a wire.
    pub fn highest(&self) -> Option<Wire> {
        let last = |run: &Run| run.get(run.count - 1).and_then(Bit::wire);
        self.runs.iter().filter_map(last).max()
    }
}

impl Run {
    /// Bit `index` of the run, or what would follow if the run went on. `None` if no wire has that
    /// number.
    fn get(self, index: u32) -> Option<Bit> {
        let Some(wire) = self.first.wire() else { return Some(self.first) };
        let number = wire.number().checked_add(index).filter(|&number| number < Wire::MAX)?;
        Some(Bit::new(Wire::new(number), self.first.is_inverted()))
    }
}

/// The bits of a list, in order.
#[derive(Clone, Debug)]
pub struct Iter<'a> {
    runs: std::slice::Iter<'a, Run>,
    /// What is left of the current run.
    run: Run,
    left: usize,
}

impl Iterator for Iter<'_> {
    type Item = Bit;

    #[inline]
    fn next(&mut self) -> Option<Bit> {
        while self.run.count == 0 {
            self.run = *self.runs.next()?;
        }
        let bit = self.run.first;
        self.run.count -= 1;
        self.left -= 1;
        if self.run.count > 0 {
            self.run.first = self.run.get(1).expect("a run's wires can be numbered");
        }
        Some(bit)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for Iter<'_> {}

impl<'a> IntoIterator for &'a BitRuns {
    type Item = Bit;
    type IntoIter = Iter<'a>;

    fn into_iter(self) -> Iter<'a> {
        self.iter()
    }
}

impl From<Vec<Bit>> for BitRuns {
    fn from(bits: Vec<Bit>) -> BitRuns {
        bits.into_iter().collect()
    }
}

impl FromIterator<Bit> for BitRuns {
    fn from_iter<I: IntoIterator<Item = Bit>>(bits: I) -> BitRuns {
        let mut list = BitRuns::new();
        bits.into_iter().for_each(|bit| list.push(bit));
        list
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_join_and_read_back() {
        let wire = |number| Wire::new(number).bit();
        let bits = [
            wire(3),
            wire(4),
            wire(5),
            !wire(6),
            !wire(7),
            wire(7),
            wire(7),
            Bit::TRUE,
            Bit::TRUE,
            Bit::FALSE,
            wire(Wire::MAX - 1),
            wire(0),
        ];
        let list: BitRuns = bits.into_iter().collect();
        assert_eq!(list.len(), bits.len());
        assert!(list.iter().eq(bits));
        assert_eq!(list.iter().len(), bits.len());
        assert!((0..).map_while(|index| list.get(index)).eq(bits));
        assert_eq!(list.runs().count(), 8);
        assert_eq!(list.highest(), Some(Wire::new(Wire::MAX - 1)));
        assert_eq!(BitRuns::of_wires(Wire::new(3), 3).runs().count(), 1);
        assert_eq!(BitRuns::of_wires(Wire::new(3), 0), BitRuns::new());
    }
}
