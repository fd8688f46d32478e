//! Symbols in place of labels, by which it is seen whether each is made of the right ones.
//!
//! A symbol is 64 bits that are mixed from those that it is made of, as labels are: two that differ have
//! different histories. What each gate of each netlist cycle should have follows from the netlist alone, gate
//! after gate, and is compared when the machine makes it.

use super::code::{Code, Given, Maker, Resolved, Slot};
use super::model::{Fault, Labels};
use std::collections::BTreeMap;

/// The difference of a wire's symbol and its inverse's.
const INVERSE: u64 = 1 << 63 | 1;

const CONSTANT: u64 = u64::MAX;

/// The symbols of a run.
pub struct Symbols<'a> {
    code: &'a Code,
    cycles: u64,
    /// Operands, followed through flip-flops.
    reads: Vec<[Option<Resolved>; 2]>,
    /// For each netlist cycle that somebody is to read from what its gates have, and how many are still to be made.
    expected: BTreeMap<u64, (Vec<u64>, usize)>,
    /// Netlist cycles that a label lasts at the most.
    longest: u64,
    next: u64,
    left: u64,
    /// The numbers of input bits in netlist cycle 0, and in others.
    sequence: BTreeMap<u32, [u64; 2]>,
}

impl<'a> Symbols<'a> {
    /// For `cycles` netlist cycles.
    pub fn new(code: &'a Code, cycles: u64) -> Symbols<'a> {
        let netlist = &code.netlist;
        let resolved = |read| Resolved::of(netlist, read);
        let reads: Vec<_> =
            netlist.gates.iter().map(|gate| gate.operands.map(|read| read.map(resolved))).collect();
        let agos = reads.iter().flatten().flatten().map(|read: &Resolved| u64::from(read.ago));
        let longest = agos.max().unwrap_or(0);
        let sequence = code.sequence.iter().map(|(wire, numbers)| (wire.number(), *numbers));
        Symbols {
            code,
            cycles,
            longest,
            expected: BTreeMap::new(),
            next: 0,
            left: cycles * netlist.gates.len() as u64,
            sequence: sequence.collect(),
            reads,
        }
    }

    /// Whether all gates of all netlist cycles were made.
    ///
    /// # Errors
    /// If one was not.
    pub fn finish(&self) -> Result<(), Fault> {
        match self.left {
            0 => Ok(()),
            _ => Err(Fault::Label { gate: 0, cycle: self.cycles }),
        }
    }

    /// What the gates of the next netlist cycle should have.
    fn expect(&mut self) {
        let (netlist, cycle) = (&self.code.netlist, self.next);
        let mut symbols = Vec::with_capacity(netlist.gates.len());
        let mut number = cycle * self.code.ands;
        for (gate, reads) in netlist.gates.iter().zip(&self.reads) {
            let [a, b] = reads.each_ref().map(|read| {
                let read = read.as_ref()?;
                Some(self.symbol(read, cycle, &symbols) ^ inverse(read.invert))
            });
            let [invert_a, invert_b, invert] = gate.inverts;
            let a = a.unwrap_or(0);
            symbols.push(match gate.is_and {
                true => {
                    let a = a ^ inverse(invert_a);
                    let b = b.unwrap_or(0) ^ inverse(invert_b);
                    number += 1;
                    mix(a, b, number - 1) ^ inverse(invert)
                }
                false => a ^ b.unwrap_or(0) ^ inverse(invert),
            });
        }
        let count = symbols.len();
        self.expected.insert(cycle, (symbols, count));
        self.next += 1;
    }

    /// What an operand has in a netlist cycle, before it is inverted.
    fn symbol(&self, read: &Resolved, cycle: u64, now: &[u64]) -> u64 {
        let netlist = &self.code.netlist;
        let given = |Given { input, invert }: Given| {
            let symbol =
                input.map_or(CONSTANT, |wire| input_symbol(self.sequence[&wire.number()][0]));
            symbol ^ inverse(invert)
        };
        let Some(made) = cycle.checked_sub(read.ago.into()) else {
            return given(read.start(netlist, cycle as usize));
        };
        match read.maker {
            Maker::Given(found) => given(found),
            Maker::Input(wire) => {
                let [first, again] = self.sequence[&wire.number()];
                let [all, each] = self.code.asked;
                input_symbol(match made.checked_sub(1) {
                    None => first,
                    Some(before) => all + before * each + again,
                })
            }
            Maker::Gate(gate) if read.ago == 0 => now[gate as usize],
            Maker::Gate(gate) => self.expected[&made].0[gate as usize],
        }
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

    fn and(
        &mut self,
        [a, b]: [u64; 2],
        [invert_a, invert_b, invert]: [bool; 3],
        number: u64,
    ) -> u64 {
        mix(a ^ inverse(invert_a), b ^ inverse(invert_b), number) ^ inverse(invert)
    }

    fn made(&mut self, slot: &Slot, cycle: u64, label: &u64) -> Result<(), Fault> {
        while self.next <= cycle {
            self.expect();
        }
        let wrong = Fault::Label { gate: slot.gate, cycle };
        let (symbols, left) = self.expected.get_mut(&cycle).ok_or(wrong.clone())?;
        if symbols[slot.gate as usize] != *label {
            return Err(wrong);
        }
        *left = left.checked_sub(1).ok_or(wrong)?;
        self.left -= 1;
        // Those that are all made, and that no netlist cycle to come reads from.
        while let Some((&oldest, (_, 0))) = self.expected.first_key_value() {
            if oldest + self.longest >= self.next {
                break;
            }
            self.expected.remove(&oldest);
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

/// The steps of splitmix64, over all three.
fn mix(a: u64, b: u64, c: u64) -> u64 {
    [a, b, c].into_iter().fold(0x9e37_79b9_7f4a_7c15, |state: u64, value| {
        let x = (state ^ value).wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    })
}
