//! Fuses XORs into ANDs and into other XORs. An AND's item can include XORs just before and just
//! after the AND, and an XOR's item one XOR before it. XORs that are included need no items of
//! their own. Gates pass through a window once.

use super::reads::Read;
use std::collections::VecDeque;

/// Number of gates before and after a gate that are searched for such XORs.
const LOOK: usize = 256;

/// An XOR or AND, with the XORs that are fused into it. Wires are given by their numbers.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    pub is_and: bool,
    pub operands: [u32; 2],
    /// The third operand. For an AND, `xors` selects what the operand is XORed to: see
    /// [`Item::And`](super::Item::And).
    pub third: Option<u32>,
    pub xors: u8,
    /// The wire that the entry computes.
    pub wire: u32,
    pub read: Read,
    /// Position in the body; only used for ANDs.
    pub position: u32,
    /// Wires that the entry reads. A wire is repeated as often as the body's gates read it.
    pub reads: Operands,
}

/// Wires that an entry reads: two, plus one for each XOR that is fused into the entry.
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
    /// Replaces a read of `wire` by reads of `instead`, the operands of the gate that computes
    /// `wire`. That gate is now fused into this entry.
    fn replace_read(&mut self, wire: u32, instead: [u32; 2]) {
        let read = self.reads.wires().iter().position(|read| *read == wire);
        self.reads.wires[read.expect("the entry reads the wire")] = instead[0];
        self.reads.push(instead[1]);
    }
}

enum State {
    There(Entry),
    /// The gate has no entry. It is fused into the gate at this position, or (`None`) it needs no
    /// item: it is a copy, or an XOR that nothing reads.
    Gone(Option<usize>),
}

/// Gates that were taken from the body and that `pop` has not removed yet. `fuse` was called for
/// those before `next`.
pub(super) struct Window {
    first_gate: usize,
    /// Position in the body of the first gate in the window.
    base: usize,
    gates: VecDeque<State>,
    /// Position in the body of the next gate to search.
    next: usize,
}

impl Window {
    pub fn new(first_gate: usize) -> Window {
        Window { first_gate, base: 0, gates: VecDeque::new(), next: 0 }
    }

    /// Appends the body's next gate, or `None` for a gate that needs no item.
    pub fn push(&mut self, entry: Option<Entry>) {
        self.gates.push_back(entry.map_or(State::Gone(None), State::There));
    }

    /// Returns the next entry, if no later gate can change it. `is_over` means that the body has no
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

    /// Returns the XOR that computes `wire`, with its position, if the XOR is in the window, has no
    /// third operand, and has exactly one reader.
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

    /// Whether `wire` is computed before the gate at this position.
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
        // Nothing reads this position while the entry is changed.
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

    /// Fuses an XOR into this XOR, if this XOR is its only reader. Does nothing if an AND will
    /// include this XOR.
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

    /// Fuses the only reader of the AND, if it is an XOR whose other operand is computed before the
    /// AND.
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

    /// Fuses XORs whose only reader is the AND. All of them must have the AND's third operand.
    fn fuse_before(&mut self, and: &mut Entry, place: usize) {
        // Prefer an operand that both XORs have.
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
