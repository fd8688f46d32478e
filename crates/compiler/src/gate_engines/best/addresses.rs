//! Addresses that a lowering gives to wires, and the labels that are in the window.
//!
//! Inputs get the first addresses, in the order of their first use. Gates follow. Addresses that
//! are multiples of the window's size are skipped. The window slides by halves: a gate whose own
//! address is in one half can read labels of that half and of the half before it. If a lowering
//! assigns addresses differently, the schedule is slower but still correct.

use crate::wire_map::WireMap;
use halfgate_circuit::Wire;
use std::collections::VecDeque;

/// Rank of an input that has not been used yet.
const NONE: u32 = u32::MAX;

pub(super) struct Addresses {
    /// The circuit's first gate wire.
    first: u32,
    /// Usable addresses of the window: its number of labels minus one.
    usable: u32,
    /// Base-2 logarithm of the labels in half of the window.
    half_bits: u32,
    /// Rank of each input and flip-flop by first use; [`NONE`] before that use.
    ranks: Vec<u32>,
    /// Number of ranks given out so far.
    ranked: u32,
    /// Number of inputs and flip-flops that the circuit uses.
    inputs: u32,
    /// For each wire that has left the window: its newest copy inside the window.
    copies: WireMap,
    /// The copies in `copies`, oldest first, each with its original wire.
    oldest: VecDeque<(Wire, Wire)>,
}

impl Addresses {
    /// Starts the addresses of a circuit. Its first gate drives wire `first`; `inputs` of its
    /// inputs and flip-flops are used.
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

    /// Returns the address of a wire. An input that has not been used yet gets the next free
    /// address.
    #[inline]
    pub(super) fn of(&self, wire: u32) -> u64 {
        let index = match wire.checked_sub(self.first) {
            Some(gate) => self.inputs + gate,
            None if self.ranks[wire as usize] == NONE => self.ranked,
            None => self.ranks[wire as usize],
        };
        u64::from(index) + 1 + self.skipped(index)
    }

    /// Returns the number of multiples of the window's size below the address of entry `index`. It
    /// is `index / usable`, computed by shifts, because `usable` is a power of two minus one.
    #[inline]
    fn skipped(&self, index: u32) -> u64 {
        let bits = self.half_bits + 1;
        let (mut skipped, mut rest) = (0, u64::from(index));
        while rest >= u64::from(self.usable) {
            // 2^bits is `usable` plus one.
            let times = (rest >> bits).max(1);
            skipped += times;
            rest -= times * u64::from(self.usable);
        }
        skipped
    }

    /// Whether `wire` is in the window of the gate that drives `output`.
    #[inline]
    pub(super) fn in_window(&self, wire: u32, output: u32) -> bool {
        self.are_near(self.of(wire), self.of(output))
    }

    /// Whether address `operand` is in the window of the gate at address `output`.
    #[inline]
    pub(super) fn are_near(&self, operand: u64, output: u64) -> bool {
        (operand >> self.half_bits) + 1 >= output >> self.half_bits
    }

    /// Returns `wire` if the gate at address `output` has it in its window, otherwise the wire's
    /// newest copy in the window, with its address. Returns `None` if neither is in the window.
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

    /// Records that a gate reads `wire`.
    #[inline]
    pub(super) fn read(&mut self, wire: u32) {
        if wire < self.first && self.ranks[wire as usize] == NONE {
            self.ranks[wire as usize] = self.ranked;
            self.ranked += 1;
        }
    }

    /// Records that `copy` is a new copy of `wire`.
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
