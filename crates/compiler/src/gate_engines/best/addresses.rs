//! Where wires will be: the addresses that a lowering gives them, and with them what is in the
//! window.
//!
//! Inputs have the first addresses, in the order of their first use, then come the gates; multiples
//! of the window's size are left out. The window slides by halves: a gate whose own address is in
//! some half finds what is in that half and the one before. A lowering that does otherwise makes
//! the schedule less good, not wrong.

use crate::wire_map::WireMap;
use halfgate_circuit::Wire;
use std::collections::VecDeque;

/// No rank.
const NONE: u32 = u32::MAX;

pub(super) struct Addresses {
    /// The circuit's first gate wire.
    first: u32,
    /// Labels in the window, less one: addresses that it has.
    usable: u32,
    /// As a power of two: labels in half of the window.
    half_bits: u32,
    /// For each input and flip-flop its rank by first use; [`NONE`] before.
    ranks: Vec<u32>,
    /// How many have one.
    ranked: u32,
    /// How many will have one.
    inputs: u32,
    /// For wires that the window has left: the newest copy that is in it.
    copies: WireMap,
    /// Those copies, the oldest first, with what they are copies of.
    oldest: VecDeque<(Wire, Wire)>,
}

impl Addresses {
    /// Of a circuit whose first gate drives wire `first`, of whose inputs and flip-flops `inputs`
    /// are used.
    pub(super) fn new(first: usize, inputs: usize, window: u32) -> Addresses {
        Addresses {
            first: first as u32,
            usable: window - 1,
            half_bits: window.ilog2() - 1,
            ranks: vec![NONE; first],
            ranked: 0,
            inputs: inputs as u32,
            copies: WireMap::new(),
            oldest: VecDeque::new(),
        }
    }

    /// The address of a wire. That of an input that was not used yet is the next.
    #[inline]
    pub(super) fn of(&self, wire: u32) -> u64 {
        let index = match wire.checked_sub(self.first) {
            Some(gate) => self.inputs + gate,
            None if self.ranks[wire as usize] == NONE => self.ranked,
            None => self.ranks[wire as usize],
        };
        u64::from(index) + 1 + self.skipped(index)
    }

    /// How many multiples of the window's size are below the address of what is at `index`: `index`
    /// over `usable`, by shifts, for that is one less than a power of two.
    #[inline]
    fn skipped(&self, index: u32) -> u64 {
        let bits = self.half_bits + 1;
        let (mut skipped, mut rest) = (0, u64::from(index));
        while rest >= u64::from(self.usable) {
            // 2^bits is once `usable`, and one over.
            let times = (rest >> bits).max(1);
            skipped += times;
            rest -= times * u64::from(self.usable);
        }
        skipped
    }

    /// Whether the gate that drives `output` finds `wire` in the window.
    #[inline]
    pub(super) fn in_window(&self, wire: u32, output: u32) -> bool {
        self.are_near(self.of(wire), self.of(output))
    }

    /// Whether the gate with address `output` finds what is at address `operand` in the window.
    #[inline]
    pub(super) fn are_near(&self, operand: u64, output: u64) -> bool {
        (operand >> self.half_bits) + 1 >= output >> self.half_bits
    }

    /// `wire`, or its newest copy if the gate with address `output` does not find it in the window,
    /// and the address; `None` if it finds neither.
    #[inline]
    pub(super) fn nearest(&self, wire: u32, output: u64) -> Option<(u32, u64)> {
        let address = self.of(wire);
        if self.are_near(address, output) {
            return Some((wire, address));
        }
        let copy = self.copies.get(Wire::new(wire))?;
        let address = self.of(copy);
        self.are_near(address, output).then_some((copy, address))
    }

    /// A gate reads `wire`.
    #[inline]
    pub(super) fn read(&mut self, wire: u32) {
        if wire < self.first && self.ranks[wire as usize] == NONE {
            self.ranks[wire as usize] = self.ranked;
            self.ranked += 1;
        }
    }

    /// `copy` is a new copy of `wire`.
    pub(super) fn copied(&mut self, wire: u32, copy: u32) {
        while let Some(&(old, of)) = self.oldest.front() {
            if self.in_window(old.number(), copy) {
                break;
            }
            if self.copies.get(of) == Some(old.number()) {
                self.copies.remove(of);
            }
            self.oldest.pop_front();
        }
        self.copies.insert(Wire::new(wire), copy);
        self.oldest.push_back((Wire::new(copy), Wire::new(wire)));
    }
}
