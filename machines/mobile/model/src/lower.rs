//! Lowers a body to steps of the chip, while the garbler's tables arrive.

use super::fuse::{Entry, Window};
use super::item::{Item, Slot};
use super::reads::{Reads, outputs};
use super::slots::Slots;
pub use super::step::Step;
use halfgate_circuit::{Bit, Circuit, Gate, GateKind, Wire};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::io;

/// Iterates over the steps of a body.
///
/// Memory: some fifty bytes per live wire, plus that of [the pass from the end](super::reads).
pub struct Lowering<'c> {
    circuit: &'c Circuit,
    gates: Box<dyn Iterator<Item = Gate> + 'c>,
    reads: Reads,
    window: Window,
    slots: Slots,
    /// For each copy, the wire that it copies, and the number of its remaining reads.
    copies: FxHashMap<u32, (u32, u32)>,
    /// Position of the next gate in the body.
    place: u32,
    steps: VecDeque<Step>,
    is_over: bool,
    /// Number of ANDs, and of the body's XORs, that have become steps or parts of steps.
    counts: [u64; 2],
}

impl<'c> Lowering<'c> {
    /// Lowers a circuit's body for a chip with `slots` label slots.
    ///
    /// # Errors
    /// If the records of the pass from the end exceed memory and the temporary file cannot be
    /// written.
    ///
    /// # Panics
    /// If there are fewer than five slots.
    pub fn new(circuit: &'c Circuit, slots: Slot) -> io::Result<Lowering<'c>> {
        assert!(slots >= 5, "an item has up to four operands");
        let reads = Reads::of(circuit)?;
        let mut slots = Slots::new(slots);
        for (wire, read) in (0..).zip(&reads.inputs) {
            slots.given(wire, read.times);
        }
        Ok(Lowering {
            circuit,
            gates: Box::new(circuit.gates.iter()),
            reads,
            window: Window::new(circuit.first_gate_wire()),
            slots,
            copies: FxHashMap::default(),
            place: 0,
            steps: VecDeque::new(),
            is_over: false,
            counts: [0; 2],
        })
    }

    /// Number of ANDs and of XORs that have become steps so far. XORs that are fused into ANDs
    /// count.
    pub fn counts(&self) -> [u64; 2] {
        self.counts
    }

    /// Returns the next step, or `None` after all outputs have been read back.
    ///
    /// # Errors
    /// If the temporary file cannot be read.
    pub fn next_step(&mut self) -> io::Result<Option<Step>> {
        loop {
            if let Some(step) = self.steps.pop_front() {
                return Ok(Some(step));
            }
            if let Some(entry) = self.window.pop(self.is_over) {
                self.emit(entry);
            } else if self.is_over {
                return Ok(None);
            } else {
                match self.gates.next() {
                    Some(gate) => self.take(gate)?,
                    None => self.is_over = true,
                }
                if self.is_over {
                    while let Some(entry) = self.window.pop(true) {
                        self.emit(entry);
                    }
                    self.outputs();
                }
            }
        }
    }

    fn take(&mut self, gate: Gate) -> io::Result<()> {
        let place = self.place;
        self.place += 1;
        let wire = self.circuit.first_gate_wire() as u32 + place;
        let read = self.reads.next()?.unwrap_or_default();
        let entry = match gate.kind() {
            GateKind::Copy { a, .. } => {
                let source = self.source(a);
                if read.times > 0 {
                    self.copies.insert(wire, (source, read.times));
                }
                None
            }
            GateKind::Xor { .. } if read.times == 0 => None,
            GateKind::Xor { a, b, .. } => {
                let operands = [a, b].map(|wire| self.operand(wire));
                Some(Entry::new(false, operands, wire, read, place))
            }
            GateKind::And { a, b, .. } => {
                let operands = [a, b].map(|bit: Bit| bit.wire().expect("a wire"));
                let operands = operands.map(|wire| self.operand(wire));
                Some(Entry::new(true, operands, wire, read, place))
            }
        };
        self.window.push(entry);
        Ok(())
    }

    /// The wire whose label the host uses for `wire`. For a copy that is still read or is an
    /// output, this is the copied wire; otherwise `wire` itself.
    pub fn source(&self, wire: Wire) -> u32 {
        self.copies.get(&wire.number()).map_or(wire.number(), |(source, _)| *source)
    }

    /// Returns the [source](Lowering::source) of a wire that a gate reads, and counts the read.
    fn operand(&mut self, wire: Wire) -> u32 {
        let source = self.source(wire);
        if let Some((_, left)) = self.copies.get_mut(&wire.number()) {
            *left -= 1;
            if *left == 0 {
                self.copies.remove(&wire.number());
            }
        }
        source
    }

    fn emit(&mut self, entry: Entry) {
        let Entry { is_and, operands: [a, b], third, xors, wire, read, position, reads } = entry;
        self.counts[0] += u64::from(is_and);
        self.counts[1] += match is_and {
            true => xors.count_ones().into(),
            false => 1 + u64::from(third.is_some()),
        };
        let Lowering { slots, steps, .. } = self;
        let pinned = [a, b, third.unwrap_or(a)];
        let mut bring = |wire| slots.bring(wire, &pinned, steps);
        let (a, b, c) = (bring(a), bring(b), third.map_or(0, bring));
        // Several slots may become free in this item. The result takes the lowest of them.
        let mut over: Option<Slot> = None;
        for &wire in reads.wires() {
            let Some(slot) = slots.read(wire) else { continue };
            let other = over.replace(over.map_or(slot, |over| over.min(slot)));
            if let Some(other) = other {
                slots.leave_over(other.max(slot));
            }
        }
        let out = slots.make(wire, read.times, (over, &pinned), steps);
        steps.push_back(match is_and {
            true => Step::And(Item::And { a, b, c, xors, out }, position),
            false => Step::Xor(Item::xor([Some(a), Some(b), third.map(|_| c)], out)),
        });
        if read.is_wanted {
            // Read the label back now, while later gates are computed. This shortens the wait at
            // the end.
            steps.push_back(Step::Read { slot: out, wire });
            slots.know(wire);
        }
        steps.extend(slots.forgotten.drain(..).map(|wire| Step::Forget { wire }));
    }

    /// Reads back the labels of outputs that the host lacks. `emit` has already read back the
    /// outputs that the body computes.
    fn outputs(&mut self) {
        for wire in outputs(self.circuit) {
            let wire = self.source(Wire::new(wire as u32));
            if let Some(slot) = self.slots.unknown(wire) {
                self.steps.push_back(Step::Read { slot, wire });
                self.slots.know(wire);
            }
        }
    }
}
