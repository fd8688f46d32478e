//! A map from wires to numbers that holds the wires alive and forgets the dead.

use halfgate_circuit::Wire;

const EMPTY: u32 = u32::MAX;
/// Neighbouring wires that also stand together in the table.
const RUN: u32 = 16;
const FEWEST_BITS: u32 = 6;

/// A hash table from wires to numbers, made for passes over gates.
///
/// Wires are read soon after they are made, so runs of neighbouring wires stay neighbours in the
/// table, in one or two cache lines; the runs are scattered by a multiplicative hash. Open
/// addressing, removal by shifting back.
///
/// Memory: at most 32 bytes for each wire in it at its fullest.
#[derive(Debug)]
pub struct WireMap {
    /// Wire number (or [`EMPTY`]) and value. A power of two, at most half full.
    table: Vec<(u32, u32)>,
    bits: u32,
    len: usize,
    peak: usize,
}

impl WireMap {
    /// An empty map.
    pub fn new() -> WireMap {
        WireMap { table: vec![(EMPTY, 0); 1 << FEWEST_BITS], bits: FEWEST_BITS, len: 0, peak: 0 }
    }

    /// Number of wires in the map.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The most wires that were ever in the map at once.
    pub fn peak(&self) -> usize {
        self.peak
    }

    /// The value of `wire`.
    #[inline]
    pub fn get(&self, wire: Wire) -> Option<u32> {
        let (key, value) = self.table[self.find(wire)];
        (key != EMPTY).then_some(value)
    }

    /// Gives `wire` the value `value` and returns the value that it had.
    #[inline]
    pub fn insert(&mut self, wire: Wire, value: u32) -> Option<u32> {
        let place = self.find(wire);
        let (key, old) = std::mem::replace(&mut self.table[place], (wire.number(), value));
        if key != EMPTY {
            return Some(old);
        }
        self.len += 1;
        self.peak = self.peak.max(self.len);
        if 2 * self.len > self.table.len() {
            self.grow();
        }
        None
    }

    /// Forgets `wire` and returns the value that it had.
    #[inline]
    pub fn remove(&mut self, wire: Wire) -> Option<u32> {
        let mut hole = self.find(wire);
        let (key, value) = self.table[hole];
        if key == EMPTY {
            return None;
        }
        self.len -= 1;
        // Whatever follows without a gap moves back if the hole lies between it and its home.
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

    /// Where the search for a wire begins.
    #[inline]
    fn home(&self, wire: u32) -> usize {
        let run = (wire / RUN).wrapping_mul(0x9E37_79B1) >> (32 + RUN.ilog2() - self.bits);
        (run * RUN + wire % RUN) as usize
    }

    /// Where the wire is, or the empty place where it would go.
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
            steps in prop::collection::vec((0u32..400, any::<u32>(), 0u8..3), 0..2000),
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
}
