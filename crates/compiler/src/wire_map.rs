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
    /// The pages, one after another. Free pages hold no values.
    values: Vec<u32>,
    /// For each page: its number of values, and its index in the directory.
    pages: Vec<Page>,
    free: Vec<u32>,
    /// Number of pages at which sparse pages are moved to the hash table.
    limit: usize,
    table: Sparse,
    len: usize,
    peak: usize,
}

#[derive(Clone, Copy, Debug)]
struct Page {
    len: u32,
    number: u32,
}

impl WireMap {
    /// An empty map.
    pub fn new() -> WireMap {
        WireMap {
            directory: Vec::new(),
            values: Vec::new(),
            pages: Vec::new(),
            free: Vec::new(),
            limit: FEW_PAGES,
            table: Sparse::new(),
            len: 0,
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
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The value of `wire`.
    #[inline]
    pub fn get(&self, wire: Wire) -> Option<u32> {
        match self.directory.get(wire.index() >> PAGE_BITS) {
            None | Some(&NO_PAGE) => None,
            Some(&IN_TABLE) => self.table.get(wire),
            Some(&page) => {
                let value = self.values[place(page, wire)];
                (value != EMPTY).then_some(value)
            }
        }
    }

    /// Sets the value of `wire` to `value`, below `u32::MAX`, and returns its previous value.
    #[inline]
    pub fn insert(&mut self, wire: Wire, value: u32) -> Option<u32> {
        debug_assert_ne!(value, EMPTY);
        let number = wire.index() >> PAGE_BITS;
        let old = match self.directory.get(number) {
            Some(&IN_TABLE) => self.table.insert(wire, value),
            Some(&page) if page != NO_PAGE => self.put(page, wire, value),
            _ => {
                let page = self.new_page(number);
                self.put(page, wire, value)
            }
        };
        if old.is_none() {
            self.len += 1;
            self.peak = self.peak.max(self.len);
        }
        old
    }

    #[inline]
    fn put(&mut self, page: u32, wire: Wire, value: u32) -> Option<u32> {
        let old = std::mem::replace(&mut self.values[place(page, wire)], value);
        if old != EMPTY {
            return Some(old);
        }
        self.pages[page as usize].len += 1;
        None
    }

    /// Removes `wire` and returns its previous value.
    #[inline]
    pub fn remove(&mut self, wire: Wire) -> Option<u32> {
        let number = wire.index() >> PAGE_BITS;
        let value = match self.directory.get(number) {
            None | Some(&NO_PAGE) => return None,
            Some(&IN_TABLE) => self.table.remove(wire)?,
            Some(&page) => {
                let value = std::mem::replace(&mut self.values[place(page, wire)], EMPTY);
                if value == EMPTY {
                    return None;
                }
                let len = &mut self.pages[page as usize].len;
                *len -= 1;
                if *len == 0 {
                    self.directory[number] = NO_PAGE;
                    self.free.push(page);
                }
                value
            }
        };
        self.len -= 1;
        Some(value)
    }

    /// Returns a page for the wires of directory entry `number`.
    #[cold]
    fn new_page(&mut self, number: usize) -> u32 {
        if self.directory.len() <= number {
            self.directory.resize(number + 1, NO_PAGE);
        }
        if self.free.is_empty() && self.pages.len() >= self.limit {
            self.thin_out();
        }
        let new = Page { len: 0, number: number as u32 };
        let page = match self.free.pop() {
            Some(page) => {
                self.pages[page as usize] = new;
                page
            }
            None => {
                self.pages.push(new);
                self.values.resize(self.pages.len() * PAGE, EMPTY);
                self.pages.len() as u32 - 1
            }
        };
        self.directory[number] = page;
        page
    }

    /// Moves the wires of sparse pages to the hash table. If few pages are sparse, raises the limit
    /// instead.
    fn thin_out(&mut self) {
        for page in 0..self.pages.len() as u32 {
            let Page { len, number } = self.pages[page as usize];
            if len >= DENSE {
                continue;
            }
            for offset in 0..PAGE as u32 {
                let wire = Wire::new(number << PAGE_BITS | offset);
                let value = std::mem::replace(&mut self.values[place(page, wire)], EMPTY);
                if value != EMPTY {
                    self.table.insert(wire, value);
                }
            }
            self.pages[page as usize].len = 0;
            self.directory[number as usize] = IN_TABLE;
            self.free.push(page);
        }
        if self.free.len() < self.pages.len() / 2 {
            self.limit = self.pages.len() * 2;
        }
    }
}

#[inline]
fn place(page: u32, wire: Wire) -> usize {
    ((page as usize) << PAGE_BITS) | (wire.index() & (PAGE - 1))
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
