//! The wires of a body in ranges that are stored together, and when each is read last.

use halfgate_circuit::structured::{Body, Call, Function, Item};
use halfgate_circuit::{Bit, Wire};
use std::collections::BTreeMap;

/// No item reads the wire.
pub(super) const NEVER: u32 = u32::MAX;
/// An output reads the wire, after all items.
pub(super) const AT_END: u32 = u32::MAX - 1;

/// What drives the wires of a range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    /// They are inputs: all inputs of a function, or the bits of the input port with this number.
    Input(usize),
    /// Gates, of which the first has this number in the body.
    Gates(usize),
    /// The call of this number in the body.
    Call(usize),
}

/// Consecutive wires of a body.
#[derive(Clone, Copy, Debug)]
pub(super) struct Range {
    pub first: u32,
    pub count: u32,
    pub kind: Kind,
    /// The last item that reads a wire of the range, if no gate drives it.
    pub last_read: u32,
}

/// The ranges of a body. Items are numbered from 0, gates and calls together.
///
/// Memory: some 200 bytes for each call and each input port, and 4 for each gate.
pub(super) struct Ranges {
    ranges: Vec<Range>,
    /// The last item that reads each gate's wire.
    last_read: Vec<u32>,
    /// Ranges by the last item that reads them.
    by_last_read: BTreeMap<u32, Vec<usize>>,
}

impl Ranges {
    /// Makes the ranges of `body`. `inputs` are the widths of the input ports, `outputs` the bits
    /// read at the end.
    pub fn of(
        body: &Body,
        functions: &[Function],
        inputs: &[u32],
        outputs: impl Iterator<Item = (Bit, u32)>,
    ) -> Ranges {
        let mut ranges =
            Ranges { ranges: Vec::new(), last_read: Vec::new(), by_last_read: BTreeMap::new() };
        let mut first = 0;
        for (port, &count) in inputs.iter().enumerate() {
            ranges.add(first, count, Kind::Input(port));
            first += count;
        }
        let mut calls = 0;
        for item in body.items(first as usize, functions) {
            match item {
                Item::Gate(wire, _) => ranges.add_gate(wire),
                Item::Call(wire, call) => {
                    let outputs = functions[call.function.index()].outputs.len();
                    let count = call.wires(outputs).expect("a valid call") as u32;
                    ranges.add(wire.number(), count, Kind::Call(calls));
                    calls += 1;
                }
            }
        }
        for (bit, count) in outputs {
            if let Some(wire) = bit.wire() {
                ranges.read(wire.number(), count, AT_END);
            }
        }
        ranges.read_items(body, functions, first as usize);
        for (index, range) in ranges.ranges.iter().enumerate() {
            if !matches!(range.kind, Kind::Gates(_)) {
                ranges.by_last_read.entry(range.last_read).or_default().push(index);
            }
        }
        ranges
    }

    fn add(&mut self, first: u32, count: u32, kind: Kind) {
        if count > 0 {
            self.ranges.push(Range { first, count, kind, last_read: NEVER });
        }
    }

    fn add_gate(&mut self, wire: Wire) {
        match self.ranges.last_mut() {
            Some(Range { kind: Kind::Gates(_), count, .. }) => *count += 1,
            _ => self.add(wire.number(), 1, Kind::Gates(self.last_read.len())),
        }
        self.last_read.push(NEVER);
    }

    /// Records what the items read. A later read replaces an earlier one; reads by outputs are the
    /// latest.
    fn read_items(&mut self, body: &Body, functions: &[Function], first: usize) {
        for (time, item) in (0..).zip(body.items(first, functions)) {
            match item {
                Item::Gate(_, gate) => {
                    gate.operands().for_each(|wire| self.read(wire.number(), 1, time));
                }
                Item::Call(_, call) => self.read_call(call, time),
            }
        }
    }

    fn read_call(&mut self, call: &Call, time: u32) {
        for (low, high) in call.intervals() {
            self.read(low, high - low + 1, time);
        }
    }

    /// Records that item `time` reads `count` wires from `first` on. For a slice, some of them may
    /// be wires that it does not read.
    fn read(&mut self, first: u32, count: u32, time: u32) {
        let end = first + count;
        for index in self.index_of(first)..self.ranges.len() {
            let range = &mut self.ranges[index];
            if range.first >= end {
                break;
            }
            if let Kind::Gates(gate) = range.kind {
                let from = gate + (first.max(range.first) - range.first) as usize;
                let to = gate + (end.min(range.first + range.count) - range.first) as usize;
                for last in &mut self.last_read[from..to] {
                    later(last, time);
                }
            } else {
                later(&mut range.last_read, time);
            }
        }
    }

    /// The index of the range of a wire.
    pub fn index_of(&self, wire: u32) -> usize {
        self.ranges.partition_point(|range| range.first <= wire) - 1
    }

    /// The range of a wire.
    pub fn range_of(&self, wire: u32) -> Range {
        self.ranges[self.index_of(wire)]
    }

    /// The ranges that overlap the wires `low` to `high`, both included.
    pub fn between(&self, low: u32, high: u32) -> &[Range] {
        &self.ranges[self.index_of(low)..=self.index_of(high)]
    }

    /// All ranges.
    pub fn all(&self) -> &[Range] {
        &self.ranges
    }

    /// The last item that reads the wire of the gate `gate`.
    pub fn last_read_of_gate(&self, gate: usize) -> u32 {
        self.last_read[gate]
    }

    /// The ranges that item `time` is the last to read, except those that gates drive.
    pub fn ending(&self, time: u32) -> impl Iterator<Item = Range> {
        self.by_last_read.get(&time).into_iter().flatten().map(|&index| self.ranges[index])
    }
}

/// Sets `last` to the later of two times; [`NEVER`] is the earliest.
fn later(last: &mut u32, time: u32) {
    if *last == NEVER || *last < time {
        *last = time;
    }
}
