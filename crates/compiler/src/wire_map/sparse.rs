//! A hash table from wires to numbers. [`WireMap`](super::WireMap) keeps its few long-lived wires
//! in it.

use halfgate_circuit::Wire;

const EMPTY: u32 = u32::MAX;
/// Number of neighbouring wires that stay together in the table.
const RUN: u32 = 16;
const FEWEST_BITS: u32 = 6;

/// A hash table with open addressing. Runs of neighbouring wires stay neighbours in the table, in
/// one or two cache lines. A multiplicative hash scatters the runs. Removal moves later entries
/// back, so there are no deleted entries.
///
/// Memory: at most 32 bytes for each wire of the table's peak.
#[derive(Debug)]
pub(super) struct Sparse {
    /// Entries of wire number (or [`EMPTY`]) and value. The length is a power of two, and at most
    /// half of the entries are used.
    table: Vec<(u32, u32)>,
    bits: u32,
    len: usize,
}

impl Sparse {
    /// An empty map.
    pub fn new() -> Sparse {
        Sparse { table: vec![(EMPTY, 0); 1 << FEWEST_BITS], bits: FEWEST_BITS, len: 0 }
    }

    /// The value of `wire`.
    #[inline]
    pub fn get(&self, wire: Wire) -> Option<u32> {
        let (key, value) = self.table[self.find(wire)];
        (key != EMPTY).then_some(value)
    }

    /// Sets the value of `wire` to `value` and returns its previous value.
    #[inline]
    pub fn insert(&mut self, wire: Wire, value: u32) -> Option<u32> {
        let place = self.find(wire);
        let (key, old) = std::mem::replace(&mut self.table[place], (wire.number(), value));
        if key != EMPTY {
            return Some(old);
        }
        self.len += 1;
        if 2 * self.len > self.table.len() {
            self.grow();
        }
        None
    }

    /// Removes `wire` and returns its previous value.
    #[inline]
    pub fn remove(&mut self, wire: Wire) -> Option<u32> {
        let mut hole = self.find(wire);
        let (key, value) = self.table[hole];
        if key == EMPTY {
            return None;
        }
        self.len -= 1;
        // An entry after the hole moves back into the hole, if the hole is between the entry's home
        // and its position. This repeats up to the next empty entry.
        let mask = self.table.len() - 1;
        let mut place = hole;
        loop {
            place = (place + 1) & mask;
            let (key, _) = self.table[place];
            if key == EMPTY {
                break;
            }
            let from_home = place.wrapping_sub(self.home(key)) & mask;
            if from_home >= place.wrapping_sub(hole) & mask {
                self.table[hole] = self.table[place];
                hole = place;
            }
        }
        self.table[hole].0 = EMPTY;
        Some(value)
    }

    /// The wire's home: the index at which the search for the wire begins.
    #[inline]
    fn home(&self, wire: u32) -> usize {
        let run = (wire / RUN).wrapping_mul(0x9E37_79B1) >> (32 + RUN.ilog2() - self.bits);
        (run * RUN + wire % RUN) as usize
    }

    /// Index of the wire's entry, or of the empty entry where it would go.
    #[inline]
    fn find(&self, wire: Wire) -> usize {
        let mask = self.table.len() - 1;
        let mut place = self.home(wire.number());
        loop {
            let (key, _) = self.table[place];
            if key == wire.number() || key == EMPTY {
                return place;
            }
            place = (place + 1) & mask;
        }
    }

    #[cold]
    fn grow(&mut self) {
        self.bits += 1;
        let larger = vec![(EMPTY, 0); 1 << self.bits];
        for (key, value) in std::mem::replace(&mut self.table, larger) {
            if key != EMPTY {
                let place = self.find(Wire::new(key));
                self.table[place] = (key, value);
            }
        }
    }
}
