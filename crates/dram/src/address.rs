//! The address as the simulator gets it.
//!
//! A controller decides which bits of an address select what. The simulator has one order of whole
//! fields; here, fields may be split, so that a few bursts of a stream are in one row before the
//! next channel has its turn. Banks may be hashed, so that streams whose distance is a power of two
//! do not share a bank.

use crate::configuration::{Configuration, Field};

/// The simulator's order, from the least bits to the greatest.
const CANONICAL: [Field; 6] =
    [Field::Column, Field::Channel, Field::Bank, Field::Group, Field::Rank, Field::Row];

/// The same for the simulator.
#[cfg(feature = "dram")]
pub(crate) const CANONICAL_NAME: &str = "rorabgbachco";

/// Fields that are XORed with bits of the row, each with the next ones.
const HASHED: [Field; 4] = [Field::Group, Field::Bank, Field::Rank, Field::Channel];

/// A permutation of addresses, counted in bursts.
#[derive(Clone, Debug)]
pub(crate) struct Map {
    /// Parts from the least bits to the greatest: their bits, and where they go.
    parts: Vec<(u32, u32)>,
    row: u32,
    /// Position and bits of the hashed fields.
    hashed: Vec<(u32, u32)>,
}

impl Map {
    pub fn new(configuration: &Configuration) -> Map {
        let bits = |field| configuration.bits(field);
        let position = |field: Field| -> u32 {
            CANONICAL.iter().take_while(|&&other| other != field).map(|&other| bits(other)).sum()
        };
        let address = &configuration.controller.address;
        let sized = |field: Field| -> u32 {
            let parts = address.iter().filter(|part| part.field == field);
            parts.filter_map(|part| part.bits).sum()
        };
        let mut used = Vec::new();
        let mut parts = Vec::new();
        for part in address.iter().rev() {
            let width = part.bits.unwrap_or_else(|| bits(part.field) - sized(part.field));
            let before: u32 =
                used.iter().filter(|(field, _)| *field == part.field).map(|(_, bits)| bits).sum();
            parts.push((width, position(part.field) + before));
            used.push((part.field, width));
        }
        let hashed = if configuration.controller.hashed { &HASHED[..] } else { &[] };
        let hashed = hashed.iter().map(|&field| (position(field), bits(field))).collect();
        Map { parts, row: position(Field::Row), hashed }
    }

    /// Where the simulator has a burst.
    pub fn apply(&self, burst: u64) -> u64 {
        let (mut rest, mut place) = (burst, 0);
        for &(bits, position) in &self.parts {
            place |= (rest & mask(bits)) << position;
            rest >>= bits;
        }
        let mut row = place >> self.row;
        for &(position, bits) in &self.hashed {
            place ^= (row & mask(bits)) << position;
            row >>= bits;
        }
        place
    }
}

fn mask(bits: u32) -> u64 {
    (1 << bits) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_burst_has_a_place_of_its_own() {
        for name in Configuration::names() {
            let mut configuration = Configuration::find(name).expect("built in");
            // Fewer rows, so that all bursts can be tried.
            configuration.structure.rows = 1 << 5;
            let map = Map::new(&configuration);
            let bursts = configuration.bytes() / crate::BURST;
            let places: HashSet<u64> = (0..bursts).map(|burst| map.apply(burst)).collect();
            assert_eq!(places.len() as u64, bursts);
            assert!(places.iter().all(|&place| place < bursts), "{name}");
        }
    }
}
