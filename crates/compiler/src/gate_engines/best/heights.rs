//! How far each gate is from the end: one pass from the last gate to the first.

use super::super::params::BestParams;
use crate::reverse_spool::ReverseSpool;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, Wire};
use std::io;

/// What the pass backwards knows of a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Note(u32);

impl Note {
    const LAST: [u32; 2] = [1 << 31, 1 << 30];
    const SOON: [u32; 2] = [1 << 29, 1 << 28];
    /// The greatest height; what is higher counts as this high.
    pub(super) const HIGHEST: u32 = Note::SOON[1] - 1;

    /// Cycles from the gate's issue to the end on the longest way.
    pub(super) fn height(self) -> u32 {
        self.0 & Note::HIGHEST
    }

    /// Whether a gate that is no more than `soon` gates (see [`Heights::of`]) after this one reads
    /// operand `index` too.
    pub(super) fn is_soon(self, index: usize) -> bool {
        self.0 & Note::SOON[index] != 0
    }

    /// Whether no gate after this one, no output and no flip-flop reads operand `index`. If both
    /// operands are one wire, both say so.
    pub(super) fn is_last(self, index: usize) -> bool {
        self.0 & Note::LAST[index] != 0
    }
}

/// The notes on a circuit's gates, to be taken in the order of the gates.
#[derive(Debug)]
pub(super) struct Heights {
    spool: ReverseSpool<4>,
    /// How many gates there are of each height, in classes of neighbouring heights.
    counts: Vec<u64>,
    /// Inputs and flip-flops that are used.
    pub(super) inputs: usize,
    /// The greatest height.
    pub(super) highest: u32,
    /// Heights a class, as a power of two.
    shift: u32,
}

/// Classes of heights.
const CLASSES: usize = 1 << 12;

impl Heights {
    /// Goes through `circuit`, which has no dead gates, from its last gate to its first. Another
    /// gate reads an operand soon if it is no more than `soon` gates away.
    ///
    /// Memory: the wires alive at once, output bits and flip-flops.
    pub(super) fn of(circuit: &Circuit, params: &BestParams, soon: usize) -> io::Result<Heights> {
        // The greatest height of the readers of each wire alive.
        let mut after = WireMap::new();
        // The first gate after that reads it.
        let mut next = WireMap::new();
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| &f.next);
        for wire in outputs.chain(nexts).filter_map(|bit| bit.wire()) {
            after.insert(wire, 0);
        }
        let mut heights = Heights {
            spool: ReverseSpool::new(),
            counts: vec![0; CLASSES],
            inputs: 0,
            highest: 0,
            shift: 0,
        };
        let mut wire = circuit.wires();
        for gate in circuit.gates.iter_rev() {
            wire -= 1;
            let above = after.remove(Wire::new(wire as u32)).unwrap_or(0);
            let height = (above + latency(gate, params)).min(Note::HIGHEST);
            let mut note = height;
            let mut before = None;
            for (bit, (operand, last)) in gate.operands().zip(Note::LAST).enumerate() {
                let known = after.get(operand);
                if next.get(operand).is_some_and(|next| next as usize - wire <= soon) {
                    note |= Note::SOON[bit];
                }
                if known.is_none() || (before == Some(operand) && note & Note::LAST[0] != 0) {
                    note |= last;
                }
                if known.is_none_or(|known| known < height) {
                    after.insert(operand, height);
                }
                before = Some(operand);
            }
            next.remove(Wire::new(wire as u32));
            for operand in gate.operands() {
                next.insert(operand, wire as u32);
            }
            heights.count(height);
            heights.spool.push(note.to_le_bytes())?;
        }
        heights.inputs = (0..wire as u32).filter(|&w| after.get(Wire::new(w)).is_some()).count();
        Ok(heights)
    }

    fn count(&mut self, height: u32) {
        self.highest = self.highest.max(height);
        while (height >> self.shift) as usize >= CLASSES {
            for class in 0..CLASSES / 2 {
                self.counts[class] = self.counts[2 * class] + self.counts[2 * class + 1];
            }
            self.counts[CLASSES / 2..].fill(0);
            self.shift += 1;
        }
        self.counts[(height >> self.shift) as usize] += 1;
    }

    /// The note on the next gate.
    pub(super) fn next(&mut self) -> io::Result<Note> {
        let note = self.spool.pop()?.expect("one note for each gate");
        Ok(Note(u32::from_le_bytes(note)))
    }

    /// Cycles that the machine takes at least if it takes `cycles(n)` for n gates: those of some
    /// height or more are issued before the last of that height, and after it that height passes.
    pub(super) fn least_cycles(&self, cycles: impl Fn(u64) -> u64) -> u64 {
        let mut gates = 0;
        let mut least = 0;
        for (class, &count) in self.counts.iter().enumerate().rev() {
            gates += count;
            if count > 0 {
                least = least.max(((class as u64) << self.shift) + cycles(gates));
            }
        }
        least
    }
}

/// Cycles from the gate's issue to the first in which its result can be used.
pub(super) fn latency(gate: Gate, params: &BestParams) -> u32 {
    if gate.is_and() { params.and_latency } else { 1 }
}
