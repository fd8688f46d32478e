//! A map from wires to numbers that holds only the wires alive.

mod sparse;

use halfgate_circuit::Wire;
use sparse::Sparse;

/// Marks a wire without a value.
const EMPTY: u32 = u32::MAX;
/// Wires per page. A page holds 4 KiB of values.
const PAGE: usize = 1 << PAGE_BITS;
const PAGE_BITS: u32 = 10;
/// This number of pages is allowed even if they hold few wires. They take 8 MiB.
const FEW_PAGES: usize = 2048;
/// A page with fewer wires than this is sparse. Its wires would take less memory in the hash table.
const DENSE: u32 = PAGE as u32 / 8;

/// Directory entry of a missing page. The entry `IN_TABLE` means that all wires of the page are in
/// the hash table, and that wires added later go there too.
const NO_PAGE: u32 = u32::MAX;
const IN_TABLE: u32 = u32::MAX - 1;

/// A map from wires to numbers below `u32::MAX`, made for passes over gates.
///
/// Most wires are read soon after they are made. So values are stored in pages of neighbouring
/// wires, and a page is freed when its last wire is removed. If there are too many pages, the wires
/// of sparse pages move to a hash table. These are long-lived wires.
///
/// Memory: 8 MiB of pages or, if that is more, at most 64 bytes for each wire of the map's peak. In
/// addition, four bytes for each 1,024 wires up to the highest wire number.
#[derive(Debug)]
pub struct WireMap {
    /// For each 1,024 wires, the index of their page.
    directory: Vec<u32>,
    /// The pages. Free pages hold no values.
    pages: Vec<Page>,
    free: Vec<u32>,
    /// Number of pages at which sparse pages are moved to the hash table.
    limit: usize,
    table: Sparse,
    len: usize,
    #[cfg(test)]
    peak: usize,
}

/// The values of neighbouring wires.
#[derive(Debug)]
struct Page {
    values: [u32; PAGE],
    /// Number of values.
    len: u32,
    /// Index of the page in the directory.
    number: u32,
}

impl WireMap {
    /// An empty map.
    pub fn new() -> WireMap {
        WireMap {
            directory: Vec::new(),
            pages: Vec::new(),
            free: Vec::new(),
            limit: FEW_PAGES,
            table: Sparse::new(),
            len: 0,
            #[cfg(test)]
            peak: 0,
        }
    }

    /// Number of wires in the map.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the map is empty.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The largest number of wires that were in the map at once.
    #[cfg(test)]
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The value of `wire`.
    #[inline]
    pub fn get(&self, wire: Wire) -> Option<u32> {
        match self.pages.get(self.page(wire) as usize) {
            Some(page) => Some(page.values[offset(wire)]).filter(|&value| value != EMPTY),
            None => self.get_elsewhere(wire),
        }
    }

    /// Sets the value of `wire` to `value`, below `u32::MAX`, and returns its previous value.
    #[inline]
    pub fn insert(&mut self, wire: Wire, value: u32) -> Option<u32> {
        debug_assert_ne!(value, EMPTY);
        let page = self.page(wire);
        let Some(page) = self.pages.get_mut(page as usize) else {
            return self.insert_elsewhere(wire, value);
        };
        let old = std::mem::replace(&mut page.values[offset(wire)], value);
        if old != EMPTY {
            return Some(old);
        }
        page.len += 1;
        self.count_one();
        None
    }

    /// Removes `wire` and returns its previous value.
    #[inline]
    pub fn remove(&mut self, wire: Wire) -> Option<u32> {
        let page = self.page(wire);
        let Some(page) = self.pages.get_mut(page as usize) else {
            return self.remove_elsewhere(wire);
        };
        let value = std::mem::replace(&mut page.values[offset(wire)], EMPTY);
        if value == EMPTY {
            return None;
        }
        page.len -= 1;
        if page.len == 0 {
            self.free_page(wire);
        }
        self.len -= 1;
        Some(value)
    }

    /// Index of the wire's page, or [`NO_PAGE`] or [`IN_TABLE`].
    #[inline]
    fn page(&self, wire: Wire) -> u32 {
        self.directory.get(wire.index() >> PAGE_BITS).copied().unwrap_or(NO_PAGE)
    }

    #[inline]
    fn count_one(&mut self) {
        self.len += 1;
        #[cfg(test)]
        {
            self.peak = self.peak.max(self.len);
        }
    }

    /// The value of a wire without a page.
    #[cold]
    fn get_elsewhere(&self, wire: Wire) -> Option<u32> {
        match self.page(wire) {
            IN_TABLE => self.table.get(wire),
            _ => None,
        }
    }

    /// Sets the value of a wire without a page.
    #[cold]
    fn insert_elsewhere(&mut self, wire: Wire, value: u32) -> Option<u32> {
        let old = match self.page(wire) {
            IN_TABLE => self.table.insert(wire, value),
            _ => {
                let page = self.new_page(wire.index() >> PAGE_BITS);
                let page = &mut self.pages[page as usize];
                page.len += 1;
                page.values[offset(wire)] = value;
                None
            }
        };
        if old.is_none() {
            self.count_one();
        }
        old
    }

    /// Removes a wire without a page.
    #[cold]
    fn remove_elsewhere(&mut self, wire: Wire) -> Option<u32> {
        let value = match self.page(wire) {
            IN_TABLE => self.table.remove(wire)?,
            _ => return None,
        };
        self.len -= 1;
        Some(value)
    }

    /// Frees the page of `wire`, which holds no values any more.
    #[cold]
    fn free_page(&mut self, wire: Wire) {
        let entry = &mut self.directory[wire.index() >> PAGE_BITS];
        self.free.push(std::mem::replace(entry, NO_PAGE));
    }

    /// Returns a page for the wires of directory entry `number`.
    fn new_page(&mut self, number: usize) -> u32 {
        if self.directory.len() <= number {
            self.directory.resize(number + 1, NO_PAGE);
        }
        if self.free.is_empty() && self.pages.len() >= self.limit {
            self.thin_out();
        }
        let page = match self.free.pop() {
            Some(page) => {
                self.pages[page as usize].number = number as u32;
                page
            }
            None => {
                self.pages.push(Page { values: [EMPTY; PAGE], len: 0, number: number as u32 });
                self.pages.len() as u32 - 1
            }
        };
        self.directory[number] = page;
        page
    }

    /// Moves the wires of sparse pages to the hash table. If few pages are sparse, raises the limit
    /// instead.
    fn thin_out(&mut self) {
        for (index, page) in (0..).zip(&mut self.pages) {
            if page.len >= DENSE {
                continue;
            }
            for (wire, value) in (page.number << PAGE_BITS..).zip(&mut page.values) {
                let value = std::mem::replace(value, EMPTY);
                if value != EMPTY {
                    self.table.insert(Wire::new(wire), value);
                }
            }
            page.len = 0;
            self.directory[page.number as usize] = IN_TABLE;
            self.free.push(index);
        }
        if self.free.len() < self.pages.len() / 2 {
            self.limit = self.pages.len() * 2;
        }
    }
}

/// Index of the wire's value in its page.
#[inline]
fn offset(wire: Wire) -> usize {
    wire.index() & (PAGE - 1)
}

impl Default for WireMap {
    fn default() -> WireMap {
        WireMap::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::HashMap;

    proptest! {
        #[test]
        fn it_maps_as_the_standard_map_does(
            steps in prop::collection::vec((0u32..400, 0..u32::MAX, 0u8..3), 0..2000),
            stride in prop::sample::select(vec![1u32, 16, 17, 4096, 1 << 20]),
        ) {
            let mut map = WireMap::new();
            let mut model = HashMap::new();
            for (wire, value, step) in steps {
                let wire = Wire::new(wire * stride);
                match step {
                    0 => prop_assert_eq!(map.remove(wire), model.remove(&wire)),
                    _ => prop_assert_eq!(map.insert(wire, value), model.insert(wire, value)),
                }
                prop_assert_eq!(map.get(wire), model.get(&wire).copied());
                prop_assert_eq!(map.len(), model.len());
            }
            for (wire, value) in model {
                prop_assert_eq!(map.get(wire), Some(value));
            }
        }
    }

    /// Although one wire of each page stays alive, the number of pages does not grow.
    #[test]
    fn wires_that_live_long_do_not_keep_their_pages() {
        let mut map = WireMap::new();
        let pages = 8 * FEW_PAGES as u32;
        let wires = |page: u32| (0..4).map(move |i| Wire::new((page << PAGE_BITS) + 7 * i));
        for page in 0..pages {
            for wire in wires(page) {
                map.insert(wire, wire.number());
            }
            for wire in wires(page).skip(1) {
                map.remove(wire);
            }
        }
        assert!(map.pages.len() <= 2 * FEW_PAGES, "{} pages", map.pages.len());
        assert_eq!(map.len(), pages as usize);
        for page in (0..pages).rev() {
            for (i, wire) in wires(page).enumerate() {
                let value = (i == 0).then_some(wire.number());
                assert_eq!(map.get(wire), value);
                assert_eq!(map.remove(wire), value);
                assert_eq!(map.remove(wire), None);
            }
        }
        assert!(map.is_empty());
    }
}
