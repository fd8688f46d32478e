//! Allocates places by live ranges in a block RAM with banks. Labels that are accessed in the same
//! clock cycle are in different banks as far as possible. Input labels that are read more than once
//! are loaded into block RAM before the body runs.

use super::batches::Batches;
use halfgate_circuit::{Circuit, Wire};
use std::collections::BTreeSet;

/// Banks and lanes of an overlay.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Banks {
    /// Number of banks, at most 64; word w is in bank w mod `banks`.
    pub banks: u32,
    /// Gates per group. The operands of a group are read in the same clock cycles.
    pub lanes: u32,
}

/// Maximum number of a wire's readers that the choice of its bank takes into account.
const MOST_READERS: usize = 16;
/// Marks a missing operand.
const NONE: u32 = u32::MAX;

/// Returns the word of block RAM of each wire that has one. An input or flip-flop with a word must
/// be loaded. Wires for which `is_output` is set have no word.
///
/// Memory: some forty bytes per gate of the body.
pub(super) fn places(
    circuit: &Circuit,
    batches: &Batches,
    is_output: &[bool],
    words: u32,
    banks: Banks,
) -> Vec<Option<u32>> {
    let groups = Groups::of(circuit, batches, banks.lanes);
    let readers = Readers::of(&groups);
    let mut chooser = Chooser {
        places: vec![None; circuit.wires()],
        free: vec![Vec::new(); banks.banks as usize],
        fresh: vec![0; banks.banks as usize],
        kept: BTreeSet::new(),
        words,
    };
    let read_again = |wire: &usize| readers.of_wire(*wire).len() > 1;
    for wire in (0..groups.first_gate).filter(read_again) {
        chooser.place(&groups, &readers, wire, 0);
    }
    for (number, &batch) in batches.batches.iter().enumerate() {
        for &gate in batches.gates(batch) {
            let wire = groups.first_gate + gate as usize;
            if !is_output[wire] {
                chooser.place(&groups, &readers, wire, number as u32);
            }
        }
    }
    chooser.places
}

/// Groups of gates. The operands of a group are read in the same clock cycles.
struct Groups<'b> {
    first_gate: usize,
    order: &'b [u32],
    /// Wires of each gate's operands.
    operands: Vec<[u32; 2]>,
    /// Group of each gate.
    group: Vec<u32>,
    /// For each group, the position of its first gate in the order, and its batch. One more entry
    /// marks the end.
    begins: Vec<(u32, u32)>,
}

impl Groups<'_> {
    fn of<'b>(circuit: &Circuit, batches: &'b Batches, lanes: u32) -> Groups<'b> {
        let number = |wire: Option<Wire>| wire.map_or(NONE, |wire| wire.index() as u32);
        let operands = circuit.gates.iter().map(|gate| {
            let mut wires = gate.operands();
            [number(wires.next()), number(wires.next())]
        });
        let mut group = vec![0; circuit.gates.len()];
        let mut begins = Vec::new();
        for (number, &batch) in batches.batches.iter().enumerate() {
            for (at, gates) in batches.gates(batch).chunks(lanes as usize).enumerate() {
                for &gate in gates {
                    group[gate as usize] = begins.len() as u32;
                }
                begins.push((batch.first + at as u32 * lanes, number as u32));
            }
        }
        begins.push((batches.order.len() as u32, batches.batches.len() as u32));
        let (first_gate, order) = (circuit.first_gate_wire(), &batches.order);
        Groups { first_gate, order, operands: operands.collect(), group, begins }
    }

    fn gates(&self, group: u32) -> &[u32] {
        let [begin, end] = [0, 1].map(|next| self.begins[group as usize + next].0 as usize);
        &self.order[begin..end]
    }
}

/// The groups that read each wire: those of wire `w` are `groups[begins[w]..begins[w + 1]]`.
struct Readers {
    begins: Vec<u32>,
    groups: Vec<u32>,
}

impl Readers {
    fn of(groups: &Groups<'_>) -> Readers {
        let wires = groups.first_gate + groups.operands.len();
        let mut begins = vec![0_u32; wires + 1];
        let read = || groups.operands.iter().flatten().filter(|wire| **wire != NONE);
        for &wire in read() {
            begins[wire as usize + 1] += 1;
        }
        for wire in 0..wires {
            begins[wire + 1] += begins[wire];
        }
        let mut found = vec![0; begins[wires] as usize];
        let mut next = begins.clone();
        for (gate, operands) in groups.operands.iter().enumerate() {
            for &wire in operands.iter().filter(|wire| **wire != NONE) {
                found[next[wire as usize] as usize] = groups.group[gate];
                next[wire as usize] += 1;
            }
        }
        Readers { begins, groups: found }
    }

    fn of_wire(&self, wire: usize) -> &[u32] {
        &self.groups[self.begins[wire] as usize..self.begins[wire + 1] as usize]
    }
}

/// Chooses places, one wire after the other.
struct Chooser {
    places: Vec<Option<u32>>,
    /// For each bank, places that were used before and are free again; and (`fresh`) the number of
    /// rows that were ever used.
    free: Vec<Vec<u32>>,
    fresh: Vec<u32>,
    /// The wires in block RAM, ordered by the batch that reads them last.
    kept: BTreeSet<(u32, u32)>,
    words: u32,
}

impl Chooser {
    /// Chooses the place of a wire that `batch` computes.
    fn place(&mut self, groups: &Groups<'_>, readers: &Readers, wire: usize, batch: u32) {
        let banks = self.free.len() as u32;
        let reads = readers.of_wire(wire);
        let end = reads.iter().map(|&group| groups.begins[group as usize].1);
        let end = end.max().unwrap_or(batch).max(batch);
        while let Some(&(last, kept)) = self.kept.first().filter(|(last, _)| *last < batch) {
            self.kept.remove(&(last, kept));
            if let Some(place) = self.places[kept as usize] {
                self.free[(place % banks) as usize].push(place);
            }
        }
        let place = match self.bank(&self.costs(groups, reads, wire)) {
            Some(bank) => self.free[bank].pop().or_else(|| {
                self.fresh[bank] += 1;
                Some((self.fresh[bank] - 1) * banks + bank as u32)
            }),
            // The wire whose last reader is latest moves to DDR, for its whole life.
            None => self.kept.last().copied().filter(|(last, _)| *last > end).and_then(|longest| {
                self.kept.remove(&longest);
                self.places[longest.1 as usize].take()
            }),
        };
        if place.is_some() {
            self.places[wire] = place;
            self.kept.insert((end, wire as u32));
        }
    }

    /// For each bank, the number of its labels that are accessed in the same clock cycles as the
    /// label of `wire`.
    fn costs(&self, groups: &Groups<'_>, reads: &[u32], wire: usize) -> [u32; 64] {
        let banks = self.free.len() as u32;
        let mut costs = [0; 64];
        let mut beside = |other: usize| {
            if let Some(place) = self.places[other].filter(|_| other != wire) {
                costs[(place % banks) as usize] += 1;
            }
        };
        for &group in reads.iter().take(MOST_READERS) {
            for &gate in groups.gates(group) {
                let operands = groups.operands[gate as usize].iter();
                operands.filter(|wire| **wire != NONE).for_each(|&wire| beside(wire as usize));
            }
        }
        if let Some(gate) = wire.checked_sub(groups.first_gate) {
            for &mate in groups.gates(groups.group[gate]) {
                beside(groups.first_gate + mate as usize);
            }
        }
        costs
    }

    /// Returns the bank with the lowest cost; of equal costs, the bank with the most free space.
    fn bank(&self, costs: &[u32; 64]) -> Option<usize> {
        let banks = self.free.len();
        let space = |bank: usize| {
            let rows = (self.words as usize + banks - 1 - bank) / banks;
            self.free[bank].len() + rows - self.fresh[bank] as usize
        };
        let with_space = (0..banks).map(|bank| (bank, space(bank))).filter(|(_, space)| *space > 0);
        let best = with_space.min_by_key(|&(bank, space)| (costs[bank], std::cmp::Reverse(space)));
        best.map(|(bank, _)| bank)
    }
}
