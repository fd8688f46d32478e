//! Checks that each label is computed from the right labels. The check uses symbols in place of
//! labels.
//!
//! A symbol is a 64-bit mix of the symbols from which it is computed, so different computations
//! lead to different symbols. The expected symbol of each gate in each netlist cycle follows from
//! the netlist alone: it is evaluated gate by gate, with flip-flops that hold symbols. When the
//! machine computes the gate, both symbols are compared.

use super::Body;
use super::labels::{And, Fault, Labels, Made};
use super::netlist::Operand;
use halfgate_circuit::{Init, Wire};
use std::collections::BTreeMap;

/// The difference between the symbols of a wire and its inverse.
const INVERSE: u64 = 1 << 63 | 1;

const CONSTANT: u64 = u64::MAX;

/// The state of a check.
pub struct Symbols<'a> {
    body: &'a Body,
    cycles: u64,
    /// For each netlist cycle under way: the expected symbols of its gates, and the number of gates
    /// that were not computed yet.
    expected: BTreeMap<u64, (Vec<u64>, usize)>,
    /// The next netlist cycle, and the symbols that flip-flops hold in it.
    next: u64,
    held: Vec<u64>,
    left: u64,
}

impl<'a> Symbols<'a> {
    /// Starts a check of `cycles` netlist cycles.
    pub fn new(body: &'a Body, cycles: u64) -> Symbols<'a> {
        let start = |init| match init {
            Init::Constant(value) => CONSTANT ^ inverse(value),
            Init::Input(wire) => {
                input_symbol(body.requested.number(body.requested.places(wire), 0))
            }
        };
        Symbols {
            body,
            cycles,
            expected: BTreeMap::new(),
            next: 0,
            held: body.netlist.flip_flops.iter().map(|found| start(found.init)).collect(),
            left: cycles * body.netlist.gates.len() as u64,
        }
    }

    /// Checks that all gates of all netlist cycles were computed.
    ///
    /// # Errors
    /// If a gate is missing.
    pub fn finish(&self) -> Result<(), Fault> {
        match self.left {
            0 => Ok(()),
            _ => Err(Fault::Label { gate: 0, cycle: self.cycles }),
        }
    }

    /// Computes the expected symbols of the next netlist cycle.
    fn expect(&mut self) {
        let (netlist, cycle) = (&self.body.netlist, self.next);
        let mut symbols = Vec::with_capacity(netlist.gates.len());
        let mut number = cycle * self.body.ands;
        for gate in &netlist.gates {
            let [a, b, c] =
                gate.operands.map(|read| read.map_or(0, |read| self.symbol(read, &symbols)));
            let [invert_a, invert_b, invert] = gate.inverts.map(inverse);
            let [c_a, c_b, c] = gate.xors.map(|xor| if xor { c } else { 0 });
            symbols.push(match gate.is_and {
                true => {
                    number += 1;
                    mix(a ^ c_a ^ invert_a, b ^ c_b ^ invert_b, number - 1) ^ c ^ invert
                }
                false => a ^ b ^ invert,
            });
        }
        let next = netlist.flip_flops.iter().map(|found| {
            let taken = found.next.map_or(CONSTANT, |read| self.symbol(read, &symbols));
            taken ^ inverse(found.invert)
        });
        self.held = next.collect();
        let count = symbols.len();
        self.expected.insert(cycle, (symbols, count));
        self.next += 1;
    }

    /// The symbol of an operand in netlist cycle `next`. `gates` has the symbols of that netlist
    /// cycle's first gates.
    fn symbol(&self, read: Operand, gates: &[u64]) -> u64 {
        match read {
            Operand::Gate(gate) => gates[gate as usize],
            Operand::FlipFlop(number) => self.held[number as usize],
            Operand::Input(wire) => self.input_of(wire),
        }
    }

    /// The symbol of an input bit in netlist cycle `next`. A per-run bit has the same symbol in
    /// every netlist cycle.
    fn input_of(&self, wire: Wire) -> u64 {
        let Body { netlist, requested, .. } = self.body;
        let cycle = if netlist.per_cycle[wire.index()] { self.next } else { 0 };
        input_symbol(requested.number(requested.places(wire), cycle))
    }
}

impl Labels for Symbols<'_> {
    type Label = u64;

    fn input(&mut self, sequence: u64) -> u64 {
        input_symbol(sequence)
    }

    fn constant(&mut self) -> u64 {
        CONSTANT
    }

    fn free(&mut self, a: u64, b: Option<u64>, invert: bool) -> u64 {
        a ^ b.unwrap_or(0) ^ inverse(invert)
    }

    fn and(&mut self, [a, b]: [u64; 2], [invert_a, invert_b, invert]: [bool; 3], and: And) -> u64 {
        mix(a ^ inverse(invert_a), b ^ inverse(invert_b), and.number) ^ inverse(invert)
    }

    fn made(&mut self, Made { gate, cycle, .. }: Made, label: &u64) -> Result<(), Fault> {
        while self.next <= cycle {
            self.expect();
        }
        let wrong = Fault::Label { gate, cycle };
        let (symbols, left) = self.expected.get_mut(&cycle).ok_or(wrong.clone())?;
        if symbols[gate as usize] != *label {
            return Err(wrong);
        }
        *left = left.checked_sub(1).ok_or(wrong)?;
        self.left -= 1;
        if *left == 0 {
            self.expected.remove(&cycle);
        }
        Ok(())
    }
}

fn inverse(invert: bool) -> u64 {
    if invert { INVERSE } else { 0 }
}

fn input_symbol(sequence: u64) -> u64 {
    mix(sequence, 0x1234_5678_9abc_def1, 0)
}

/// Mixes three numbers by steps of splitmix64.
fn mix(a: u64, b: u64, c: u64) -> u64 {
    [a, b, c].into_iter().fold(0x9e37_79b9_7f4a_7c15, |state: u64, value| {
        let x = (state ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    })
}
