//! Wires that a later section reads.

use halfgate_circuit::{Circuit, Wire};
use std::collections::HashMap;

/// These wires, and the section that reads each last.
pub(super) struct Crossing {
    first: usize,
    section: usize,
    /// Sorted by wire.
    wires: Vec<(u32, u32)>,
}

impl Crossing {
    /// Finds them in a body in sections of `section` gates.
    ///
    /// Memory: some thirty bytes for each live wire, and eight for each that crosses.
    pub fn of(circuit: &Circuit, section: usize) -> Crossing {
        let (first, gates) = (circuit.first_gate_wire(), circuit.gates.len());
        let mut crossing = Crossing { first, section, wires: Vec::new() };
        if gates <= section {
            return crossing;
        }
        // In reverse order, the first reader found is the last one.
        let mut last: HashMap<usize, u32> = HashMap::new();
        for (at, gate) in (0..gates).rev().zip(circuit.gates.iter_rev()) {
            let own = (at / section) as u32;
            if let Some(reader) = last.remove(&at).filter(|reader| *reader > own) {
                crossing.wires.push(((first + at) as u32, reader));
            }
            for wire in gate.operands().filter_map(|wire: Wire| wire.index().checked_sub(first)) {
                last.entry(wire).or_insert(own);
            }
        }
        crossing.wires.reverse();
        crossing
    }

    /// Those that section `number` computes.
    pub fn of_section(&self, number: u32) -> &[(u32, u32)] {
        let begin = self.first + number as usize * self.section;
        let [from, to] = [begin, begin + self.section]
            .map(|wire| self.wires.partition_point(|(other, _)| (*other as usize) < wire));
        &self.wires[from..to]
    }
}
