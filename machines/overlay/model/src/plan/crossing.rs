//! Crossing wires: wires that one section computes and a later section reads.

use halfgate_circuit::{Circuit, Wire};
use std::collections::HashMap;

/// The crossing wires of a body.
pub(super) struct Crossing {
    first: usize,
    section: usize,
    /// Each crossing wire, and the last section that reads it; sorted by wire.
    wires: Vec<(u32, u32)>,
}

impl Crossing {
    /// Finds the crossing wires of a body with `section` gates per section.
    ///
    /// Memory: some thirty bytes per live wire, and eight per crossing wire.
    pub fn of(circuit: &Circuit, section: usize) -> Crossing {
        let (first, gates) = (circuit.first_gate_wire(), circuit.gates.len());
        let mut crossing = Crossing { first, section, wires: Vec::new() };
        if gates <= section {
            return crossing;
        }
        // The gates are visited in reverse order, so the first reader found is the last one to
        // read.
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

    /// The crossing wires that section `number` computes.
    pub fn of_section(&self, number: u32) -> &[(u32, u32)] {
        let begin = self.first + number as usize * self.section;
        let [from, to] = [begin, begin + self.section]
            .map(|wire| self.wires.partition_point(|(other, _)| (*other as usize) < wire));
        &self.wires[from..to]
    }
}
