//! XORs that need no item of their own: an AND's item includes XORs just before and just after it.
//! A window of gates passes over the body once.

use super::reads::Read;
use std::collections::VecDeque;

/// Gates before and behind an AND that are searched for such XORs.
const LOOK: usize = 256;

/// An XOR or AND, with any XORs fused into it. Wires are numbers.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub is_and: bool,
    pub operands: [u32; 2],
    /// The third operand, and for an AND what it is added to: see [`Item::And`](super::Item::And).
    pub third: Option<u32>,
    pub xors: u8,
    /// The wire that the entry computes.
    pub wire: u32,
    pub read: Read,
    /// For an AND, its place in the body.
    pub position: u32,
    /// Wires that it reads, repeated as often as the body's gates read them.
    pub reads: Operands,
}

/// Wires that an entry reads: two, plus one for a fused XOR behind it and one for each fused XOR
/// before it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    wires: [u32; 5],
    count: usize,
}

impl Operands {
    pub fn wires(&self) -> &[u32] {
        &self.wires[..self.count]
    }

    fn push(&mut self, wire: u32) {
        self.wires[self.count] = wire;
        self.count += 1;
    }
}

impl Entry {
    pub fn new(is_and: bool, operands: [u32; 2], wire: u32, read: Read, position: u32) -> Entry {
        let [a, b] = operands;
        let reads = Operands { wires: [a, b, 0, 0, 0], count: 2 };
        Entry { is_and, operands, third: None, xors: 0, wire, read, position, reads }
    }
}

impl Entry {
    /// Replaces the read of `wire` by the operands of the gate that computes it and is now fused
    /// into this entry.
    fn replace_read(&mut self, wire: u32, instead: [u32; 2]) {
        let read = self.reads.wires().iter().position(|read| *read == wire);
        self.reads.wires[read.expect("the entry reads the wire")] = instead[0];
        self.reads.push(instead[1]);
    }
}

enum State {
    There(Entry),
    /// Fused into the AND at this place, which computes its wire; or no gate reads it.
    Gone(Option<usize>),
}

/// Gates between the body and the steps. Those from `next` on were not searched yet.
pub(super) struct Window {
    first_gate: usize,
    /// Place of the first gate in the window.
    base: usize,
    gates: VecDeque<State>,
    /// Place of the next gate to search.
    next: usize,
}

impl Window {
    pub fn new(first_gate: usize) -> Window {
        Window { first_gate, base: 0, gates: VecDeque::new(), next: 0 }
    }

    /// Appends the body's next gate, or `None` for one that needs no item.
    pub fn push(&mut self, entry: Option<Entry>) {
        self.gates.push_back(entry.map_or(State::Gone(None), State::There));
    }

    /// Returns the next entry that no later gate can change. `is_over` means that the body has no
    /// more gates.
    pub fn pop(&mut self, is_over: bool) -> Option<Entry> {
        loop {
            let end = self.base + self.gates.len();
            while self.next < end && (is_over || self.next + LOOK <= end) {
                self.fuse(self.next);
                self.next += 1;
            }
            let is_ready = self.base + LOOK <= self.next || (is_over && self.next == end);
            if !is_ready || self.gates.is_empty() {
                return None;
            }
            self.base += 1;
            if let Some(State::There(entry)) = self.gates.pop_front() {
                return Some(entry);
            }
        }
    }

    /// The XOR that computes `wire`, if it is in the window, includes no other XOR, and has one
    /// reader.
    fn only_for_one(&self, wire: u32) -> Option<(usize, &Entry)> {
        let place = (wire as usize).checked_sub(self.first_gate)?;
        match self.gates.get(place.checked_sub(self.base)?) {
            Some(State::There(entry))
                if !entry.is_and && entry.third.is_none() && entry.read.times == 1 =>
            {
                Some((place, entry))
            }
            _ => None,
        }
    }

    /// Whether a wire is computed before the gate at this place.
    fn is_early(&self, wire: u32, place: usize) -> bool {
        let Some(maker) = (wire as usize).checked_sub(self.first_gate) else { return true };
        match maker.checked_sub(self.base).map(|at| &self.gates[at]) {
            None => true,
            Some(State::Gone(Some(and))) => *and < place,
            Some(_) => maker < place,
        }
    }

    fn fuse(&mut self, place: usize) {
        let at = place - self.base;
        // Nothing reads this place while the entry is changed.
        let mut entry = match std::mem::replace(&mut self.gates[at], State::Gone(None)) {
            State::There(entry) => entry,
            gone => {
                self.gates[at] = gone;
                return;
            }
        };
        match entry.is_and {
            true => {
                self.fuse_after(&mut entry, place);
                self.fuse_before(&mut entry, place);
            }
            false => self.fuse_xors(&mut entry, place),
        }
        self.gates[at] = State::There(entry);
    }

    /// Fuses an XOR of which this one is the only reader, unless an AND will include this one.
    fn fuse_xors(&mut self, entry: &mut Entry, place: usize) {
        if let Read { times: 1, first: Some(reader), .. } = entry.read
            && let Some(State::There(reader)) = self.gates.get(reader as usize - self.base)
            && reader.is_and
        {
            return;
        }
        for operand in [0, 1] {
            let wire = entry.operands[operand];
            let Some((at, xor)) = self.only_for_one(wire) else { continue };
            let [a, b] = xor.operands;
            entry.operands[operand] = a;
            entry.third = Some(b);
            entry.replace_read(wire, [a, b]);
            self.gates[at - self.base] = State::Gone(Some(place));
            return;
        }
    }

    /// Fuses the XOR that is the AND's only reader, if its other operand is computed before.
    fn fuse_after(&mut self, and: &mut Entry, place: usize) {
        let Read { times: 1, first: Some(reader), .. } = and.read else { return };
        let at = reader as usize - self.base;
        let Some(State::There(xor)) = self.gates.get(at) else { return };
        let [a, b] = xor.operands;
        let other = if a == and.wire { b } else { a };
        if xor.is_and || xor.third.is_some() || other == and.wire || !self.is_early(other, place) {
            return;
        }
        (and.third, and.xors) = (Some(other), 4);
        (and.wire, and.read) = (xor.wire, xor.read);
        and.reads.push(other);
        self.gates[at] = State::Gone(Some(place));
    }

    /// Fuses XORs of which the AND is the only reader, if they share its third operand.
    fn fuse_before(&mut self, and: &mut Entry, place: usize) {
        // Prefer an operand that both XORs share.
        let shared = || {
            let [x, y] =
                and.operands.map(|wire| self.only_for_one(wire).map(|(_, xor)| xor.operands));
            let (x, y) = (x?, y?);
            x.into_iter().find(|wire| y.contains(wire))
        };
        let shared = shared();
        for operand in [0, 1] {
            let wire = and.operands[operand];
            let Some((at, xor)) = self.only_for_one(wire) else { continue };
            let [a, b] = xor.operands;
            let (rest, third) = match and.third.or(shared) {
                Some(third) if third == a => (b, third),
                Some(third) if third == b => (a, third),
                Some(_) if and.third.is_some() => continue,
                _ => (a, b),
            };
            and.operands[operand] = rest;
            and.third = Some(third);
            and.xors |= 1 << operand;
            and.replace_read(wire, [a, b]);
            self.gates[at - self.base] = State::Gone(Some(place));
        }
    }
}
