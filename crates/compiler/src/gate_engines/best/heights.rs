//! Each gate's distance from the end of the program, found in one pass from the last gate to the
//! first.

use super::super::params::BestParams;
use crate::reverse_spool::ReverseSpool;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, Wire};
use std::io;

/// What the backward pass records about a gate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Note(u32);

impl Note {
    const LAST: [u32; 2] = [1 << 31, 1 << 30];
    const SOON: [u32; 2] = [1 << 29, 1 << 28];
    /// The greatest height that is recorded. Larger heights are clamped to it.
    pub(super) const HIGHEST: u32 = Note::SOON[1] - 1;

    /// Clock cycles from the gate's issue to the program's end on the longest path.
    pub(super) fn height(self) -> u32 {
        self.0 & Note::HIGHEST
    }

    /// Whether another gate reads operand `index` within the next `soon` gates (see
    /// [`Heights::of`]).
    pub(super) fn is_soon(self, index: usize) -> bool {
        self.0 & Note::SOON[index] != 0
    }

    /// Whether no later gate, no output and no flip-flop reads operand `index`. If both operands
    /// are the same wire, the result holds for both.
    pub(super) fn is_last(self, index: usize) -> bool {
        self.0 & Note::LAST[index] != 0
    }
}

/// The notes on a circuit's gates, read back in the order of the gates.
#[derive(Debug)]
pub(super) struct Heights {
    spool: ReverseSpool<4>,
    /// Number of gates in each class. A class has several adjacent heights.
    counts: Vec<u64>,
    /// Number of inputs and flip-flops that are used.
    pub(super) inputs: usize,
    /// The greatest height.
    pub(super) highest: u32,
    /// Base-2 logarithm of the number of heights in a class.
    shift: u32,
}

/// Number of height classes.
const CLASSES: usize = 1 << 12;

impl Heights {
    /// Goes through `circuit`, which has no dead gates, from its last gate to its first. An operand
    /// counts as read again soon if a gate at most `soon` gates later reads it.
    ///
    /// Memory grows with the wires alive at once, the output bits and the flip-flops.
    pub(super) fn of(circuit: &Circuit, params: &BestParams, soon: usize) -> io::Result<Heights> {
        // For each wire alive: the greatest height of its readers.
        let mut after = WireMap::new();
        // For each wire: the next gate that reads it.
        let mut next = WireMap::new();
        let outputs = circuit.outputs.iter().flat_map(|o| &o.bits);
        let nexts = circuit.flip_flops.iter().map(|f| f.next);
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

    /// Returns the note on the next gate.
    pub(super) fn next(&mut self) -> io::Result<Note> {
        let note = *self.spool.pop()?.expect("one note for each gate");
        Ok(Note(u32::from_le_bytes(note)))
    }

    /// Returns a lower bound of the program's clock cycles, where `cycles(n)` is the shortest time
    /// in which n gates can be issued. For each height h: issuing all gates of height h or more
    /// takes at least `cycles(n)`, and at least h more cycles follow the last of them.
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

/// Clock cycles from the gate's issue to the first cycle in which its result can be used.
pub(super) fn latency(gate: Gate, params: &BestParams) -> u32 {
    if gate.is_and() { params.and_latency } else { 1 }
}
