//! Allocates the label of each wire to block RAM, which is read in one clock cycle, or to DDR,
//! which is read in some 180 ns (section 3.4.2 of the paper).
//!
//! The host allocates before anything runs. A wire keeps one place for its whole life; a place in
//! block RAM may serve several wires in turn. Input labels are written into DDR, and the host reads
//! output labels from there.

use super::banked::{self, Banks};
use super::batches::Batches;
use super::place::CONSTANTS;
pub use super::place::Place;
use halfgate_circuit::{Bit, Circuit};
use std::collections::BTreeSet;

/// Which wires are in block RAM.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Policy {
    /// The paper's first policy. A wire is in block RAM if a single gate reads it, and this gate is
    /// in the next layer. Layers use the two halves of block RAM alternately. Only for batches by
    /// layers.
    DirectlyUsed,
    /// The paper's second policy. Of the wires that are read more than once, those with the most
    /// reads are in block RAM permanently. The paper does not say that it excludes wires with one
    /// reader, but the times of its Table 8 show this.
    MostFrequentlyUsed,
    /// Our policy. A place becomes free after the batch that reads its wire last. If no place is
    /// free, the wire that is needed longest goes to DDR.
    LiveRange,
    /// Like [`LiveRange`](Policy::LiveRange), for a block RAM with banks. In addition, inputs that
    /// are read more than once are loaded into block RAM.
    Banked(Banks),
}

/// The places of all wires.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Allocation {
    /// Place of each wire's label; inputs and flip-flops come first.
    pub places: Vec<Place>,
    /// Words of block RAM in use.
    pub words: u32,
    /// Number of labels in DDR, including those of constants.
    pub in_ddr: u32,
    /// For each input and flip-flop: the word of block RAM to which its label is copied before the
    /// body runs, if it is copied. Gates read the copy; the original stays at `places` in DDR.
    pub loads: Vec<Option<u32>>,
}

/// Counts of the accesses of all gates.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Traffic {
    /// Reads of inputs' and flip-flops' labels from DDR.
    pub input_reads: u64,
    /// Reads of constants' labels. They are counted for every overlay, but only a serial one makes
    /// these reads.
    pub constants: u64,
    /// Reads and writes of outputs and of flip-flops' next values, which are always in DDR.
    pub outputs: u64,
    /// Other reads from DDR.
    pub reads: u64,
    /// Other writes into DDR.
    pub writes: u64,
    /// Reads and writes of block RAM.
    pub block_ram: u64,
}

impl Traffic {
    /// Sum of all accesses of DDR.
    pub fn ddr(&self) -> u64 {
        self.input_reads + self.constants + self.outputs + self.spilled()
    }

    /// Accesses of DDR for wires that are neither inputs nor outputs.
    pub fn spilled(&self) -> u64 {
        self.reads + self.writes
    }
}

impl Allocation {
    /// Allocates a place to each wire, with `words` words of block RAM.
    ///
    /// Memory: some sixty bytes per wire of the body.
    pub fn new(circuit: &Circuit, batches: &Batches, policy: Policy, words: u32) -> Allocation {
        let first_gate = circuit.first_gate_wire();
        let of_gates = |chosen: Vec<Option<u32>>| [vec![None; first_gate], chosen].concat();
        let chosen = match policy {
            Policy::DirectlyUsed => of_gates(directly_used(&Wires::of(circuit, batches), words)),
            Policy::MostFrequentlyUsed => {
                of_gates(most_frequently_used(&Wires::of(circuit, batches), words))
            }
            Policy::LiveRange => of_gates(live_range(&Wires::of(circuit, batches), words)),
            Policy::Banked(banks) => {
                banked::places(circuit, batches, &outputs(circuit), words, banks)
            }
        };
        let words = chosen.iter().flatten().map(|&at| at + 1).max().unwrap_or(0);
        let loads = chosen[..first_gate].to_vec();
        let mut in_ddr = CONSTANTS;
        let places = chosen.iter().enumerate().map(|(wire, &place)| match place {
            Some(at) if wire >= first_gate => Place::BlockRam(at),
            // Each label in DDR has a place of its own: a circuit has fewer than 2^30 wires, so all
            // of them fit.
            _ => {
                in_ddr += 1;
                Place::Ddr(in_ddr - 1)
            }
        });
        Allocation { places: places.collect(), words, in_ddr, loads }
    }

    /// The place from which gates read a wire's label.
    pub fn read_at(&self, wire: usize) -> Place {
        let loaded = self.loads.get(wire).copied().flatten();
        loaded.map_or(self.places[wire], Place::BlockRam)
    }

    /// Counts all reads and writes of the body's gates and of the loads.
    pub fn traffic(&self, circuit: &Circuit) -> Traffic {
        let (mut traffic, first) = (Traffic::default(), circuit.first_gate_wire());
        let outputs = outputs(circuit);
        // A load reads its input and the constant 0.
        let loads = self.loads.iter().flatten().count() as u64;
        traffic.input_reads += loads;
        traffic.constants += loads;
        traffic.block_ram += loads;
        for (at, gate) in circuit.gates.iter().enumerate() {
            // If a gate has one operand, a constant is its second.
            traffic.constants += 2 - gate.operands().count() as u64;
            for wire in gate.operands() {
                *match self.read_at(wire.index()) {
                    Place::BlockRam(_) => &mut traffic.block_ram,
                    Place::Ddr(_) if wire.index() < first => &mut traffic.input_reads,
                    Place::Ddr(_) if outputs[wire.index()] => &mut traffic.outputs,
                    Place::Ddr(_) => &mut traffic.reads,
                } += 1;
            }
            *match self.places[first + at] {
                Place::BlockRam(_) => &mut traffic.block_ram,
                Place::Ddr(_) if outputs[first + at] => &mut traffic.outputs,
                Place::Ddr(_) => &mut traffic.writes,
            } += 1;
        }
        traffic
    }
}

/// Wires that gates compute. All fields are indexed by the position of the gate in the body.
struct Wires {
    /// The batch that computes the wire, and the gate's layer in the whole body.
    made: Vec<(u32, u32)>,
    /// The batch and layer of the wire's last reader; of its own gate if nothing reads it.
    last: Vec<(u32, u32)>,
    /// Number of reads; a gate with the wire as both operands counts twice.
    readers: Vec<u32>,
    /// Whether the wire is an output or a flip-flop's next value.
    is_output: Vec<bool>,
}

impl Wires {
    fn of(circuit: &Circuit, batches: &Batches) -> Wires {
        let (first_gate, gates) = (circuit.first_gate_wire(), circuit.gates.len());
        let mut made = vec![(0, 0); gates];
        for (number, &batch) in batches.batches.iter().enumerate() {
            for &gate in batches.gates(batch) {
                made[gate as usize].0 = number as u32;
            }
        }
        let mut last = vec![(0, 0); gates];
        let mut readers = vec![0_u32; gates];
        for (at, gate) in circuit.gates.iter().enumerate() {
            let operands =
                || gate.operands().filter_map(|wire| wire.index().checked_sub(first_gate));
            made[at].1 = 1 + operands().map(|wire| made[wire].1).max().unwrap_or(0);
            for wire in operands() {
                readers[wire] += 1;
                last[wire] = last[wire].max(made[at]);
            }
            last[at] = made[at];
        }
        let is_output = outputs(circuit).split_off(first_gate);
        Wires { made, last, readers, is_output }
    }
}

/// Whether each wire is an output or a flip-flop's next value.
fn outputs(circuit: &Circuit) -> Vec<bool> {
    let mut is_output = vec![false; circuit.wires()];
    let ends = circuit.outputs.iter().flat_map(|output| output.bits.iter());
    let ends = ends.chain(circuit.flip_flops.iter().map(|flip_flop| flip_flop.next));
    for wire in ends.filter_map(Bit::wire) {
        is_output[wire.index()] = true;
    }
    is_output
}

fn directly_used(wires: &Wires, words: u32) -> Vec<Option<u32>> {
    // For each layer, the number of places that it has allocated in its half of block RAM.
    let mut given: Vec<u32> = Vec::new();
    let half = words / 2;
    let place = |at: usize| {
        let ((_, layer), (_, reader)) = (wires.made[at], wires.last[at]);
        if wires.readers[at] != 1 || wires.is_output[at] || reader != layer + 1 {
            return None;
        }
        if given.len() <= layer as usize {
            given.resize(layer as usize + 1, 0);
        }
        let next = &mut given[layer as usize];
        (*next < half).then(|| {
            *next += 1;
            (layer % 2) * half + *next - 1
        })
    };
    (0..wires.made.len()).map(place).collect()
}

fn most_frequently_used(wires: &Wires, words: u32) -> Vec<Option<u32>> {
    let frequent = |at: &usize| !wires.is_output[*at] && wires.readers[*at] > 1;
    let mut order: Vec<usize> = (0..wires.made.len()).filter(frequent).collect();
    // Ties are broken by the order of the wires.
    order.sort_by_key(|&at| std::cmp::Reverse(wires.readers[at]));
    let mut places = vec![None; wires.made.len()];
    for (word, at) in (0..words).zip(order) {
        places[at] = Some(word);
    }
    places
}

fn live_range(wires: &Wires, words: u32) -> Vec<Option<u32>> {
    let mut order: Vec<usize> = (0..wires.made.len()).filter(|&at| !wires.is_output[at]).collect();
    order.sort_by_key(|&at| wires.made[at].0);
    let mut places: Vec<Option<u32>> = vec![None; wires.made.len()];
    // The wires in block RAM, ordered by the batch that reads them last.
    let mut kept: BTreeSet<(u32, usize)> = BTreeSet::new();
    let (mut free, mut used) = (Vec::new(), 0);
    for at in order {
        let ((batch, _), (end, _)) = (wires.made[at], wires.last[at]);
        while let Some(&(last, wire)) = kept.first().filter(|(last, _)| *last < batch) {
            kept.remove(&(last, wire));
            free.extend(places[wire]);
        }
        if free.is_empty() && used < words {
            free.push(used);
            used += 1;
        }
        let place = free.pop().or_else(|| {
            // The wire whose last reader is latest moves to DDR, for its whole life.
            let &(last, wire) = kept.last().filter(|(last, _)| *last > end)?;
            kept.remove(&(last, wire));
            places[wire].take()
        });
        if place.is_some() {
            places[at] = place;
            kept.insert((end, at));
        }
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::batches::Cells;
    use super::*;
    use halfgate_circuit::{Wire, random};
    use std::collections::HashMap;

    const BANKED: Policy = Policy::Banked(Banks { banks: 4, lanes: 2 });
    const POLICIES: [Policy; 4] =
        [Policy::DirectlyUsed, Policy::MostFrequentlyUsed, Policy::LiveRange, BANKED];

    /// Executes the batches on wire numbers instead of labels: each gate must find the numbers of
    /// its operands in their places.
    fn check(circuit: &Circuit, batches: &Batches, allocation: &Allocation) {
        let gates: Vec<_> = circuit.gates.iter().collect();
        let first = circuit.first_gate_wire();
        let place = |wire: usize| allocation.places[wire];
        let mut memory: HashMap<u64, usize> =
            (0..first).map(|wire| (place(wire).address(), wire)).collect();
        memory.extend((0..first).map(|wire| (allocation.read_at(wire).address(), wire)));
        for &batch in &batches.batches {
            for &gate in batches.gates(batch) {
                for wire in gates[gate as usize].operands().map(Wire::index) {
                    let read_at = allocation.read_at(wire).address();
                    assert_eq!(memory.get(&read_at), Some(&wire), "gate {gate}");
                }
            }
            for &gate in batches.gates(batch) {
                let wire = first + gate as usize;
                memory.insert(place(wire).address(), wire);
            }
        }
        for (wire, is_output) in outputs(circuit).into_iter().enumerate() {
            assert!(!is_output || memory[&place(wire).address()] == wire, "output {wire}");
        }
    }

    #[test]
    fn gates_find_labels_in_their_places() {
        for seed in 0..60 {
            let shape = random::Shape { gates: 400, flip_flops: 3, ..Default::default() };
            let circuit = random::circuit(seed, &shape);
            let cells = Cells { ands: 1 + seed as u32 % 4, xors: 1 + seed as u32 % 3 };
            let by_layers = Batches::by_layers(&circuit, cells);
            let by_windows = Batches::by_windows(&circuit, cells, 50);
            for words in [0, 1, 2, 5, 20, 100, 1000] {
                for policy in POLICIES {
                    let allocation = Allocation::new(&circuit, &by_layers, policy, words);
                    check(&circuit, &by_layers, &allocation);
                    assert!(allocation.words <= words);
                    let loads = allocation.loads.iter().flatten().count();
                    let accesses = 3 * (circuit.gates.len() + loads) as u64;
                    let traffic = allocation.traffic(&circuit);
                    assert_eq!(traffic.ddr() + traffic.block_ram, accesses);
                    if words == 0 {
                        assert_eq!(traffic.block_ram, 0);
                    }
                }
                let allocation = Allocation::new(&circuit, &by_windows, Policy::LiveRange, words);
                check(&circuit, &by_windows, &allocation);
                let frequent = Policy::MostFrequentlyUsed;
                check(
                    &circuit,
                    &by_windows,
                    &Allocation::new(&circuit, &by_windows, frequent, words),
                );
            }
            let enough = Allocation::new(&circuit, &by_layers, Policy::LiveRange, 1000);
            assert_eq!(enough.traffic(&circuit).spilled(), 0);
        }
    }

    #[test]
    fn an_address_has_a_flag_for_its_memory() {
        assert_eq!((Place::BlockRam(3).address(), Place::Ddr(3).address()), (7, 6));
    }
}
