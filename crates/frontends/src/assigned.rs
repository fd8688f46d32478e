//! The set of wires that have been assigned so far.

use std::collections::HashMap;

const PAGE: u32 = 1 << 12;
const WORDS: usize = PAGE as usize / 64;

/// A set of wire numbers that grows as needed.
///
/// Memory: pages of 4,096 wires. A page of which some wires are assigned takes one bit per wire. An
/// empty page takes nothing, and a full page about 30 bytes. So a file whose wires are numbered
/// nearly in the order of its gates takes almost no memory. In the worst case the set takes one bit
/// per wire, about a hundredth of the size of the gates on disk.
#[derive(Default)]
pub(crate) struct Assigned {
    /// The pages that are not empty. `None` is a full page.
    pages: HashMap<u32, Option<Box<Page>>>,
    count: u64,
}

struct Page {
    words: [u64; WORDS],
    count: u32,
}

impl Assigned {
    /// Whether `wire` is in the set.
    pub(crate) fn contains(&self, wire: u32) -> bool {
        match self.pages.get(&(wire / PAGE)) {
            None => false,
            Some(None) => true,
            Some(Some(page)) => page.words[word(wire)] & bit(wire) != 0,
        }
    }

    /// Adds `wire`. Returns false if it was in the set already.
    pub(crate) fn insert(&mut self, wire: u32) -> bool {
        let page = self
            .pages
            .entry(wire / PAGE)
            .or_insert_with(|| Some(Box::new(Page { words: [0; WORDS], count: 0 })));
        let Some(partial) = page else { return false };
        if partial.words[word(wire)] & bit(wire) != 0 {
            return false;
        }
        partial.words[word(wire)] |= bit(wire);
        partial.count += 1;
        if partial.count == PAGE {
            *page = None;
        }
        self.count += 1;
        true
    }

    /// Number of wires in the set.
    pub(crate) fn count(&self) -> u64 {
        self.count
    }
}

fn word(wire: u32) -> usize {
    (wire % PAGE) as usize / 64
}

fn bit(wire: u32) -> u64 {
    1 << (wire % 64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wires_are_held_once_and_full_pages_are_dropped() {
        let mut assigned = Assigned::default();
        for wire in (0..3 * PAGE).rev() {
            assert!(!assigned.contains(wire));
            assert!(assigned.insert(wire));
            assert!(assigned.contains(wire) && !assigned.insert(wire));
        }
        assert!(assigned.insert((1 << 30) - 1) && !assigned.contains(1 << 29));
        assert_eq!(assigned.count(), u64::from(3 * PAGE) + 1);
        assert_eq!(assigned.pages.values().filter(|page| page.is_some()).count(), 1);
    }
}
