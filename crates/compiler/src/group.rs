//! The order `grouped`: within stretches of gates, independent ANDs side by side.
//!
//! A kernel garbles ANDs that do not depend on each other several at a time. Circuits are written
//! value by value, bit by bit, where an AND often needs the one before it. Within each stretch the
//! gates are sorted by their AND depth, counted from the stretch's beginning: first the XORs that
//! need no AND of the stretch, then the ANDs that read only those, and so on.

use crate::dead::rename_ports;
use crate::uses::{Use, Uses};
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, Gates, Wire};
use std::io;

/// `circuit`, which has no dead gates, with every stretch of `window` gates in order of AND depth.
///
/// Memory: `window` gates, the wires alive at once, output bits and flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn group(circuit: Circuit, window: u32) -> io::Result<Circuit> {
    let mut uses = Uses::of(&circuit)?;
    let mut grouper = Grouper::new(circuit.first_gate_wire());
    for gate in circuit.gates.iter() {
        let fate = uses.next(gate)?;
        grouper.stretch.push((gate, fate));
        if grouper.stretch.len() == window as usize {
            grouper.flush()?;
        }
    }
    grouper.flush()?;
    let Grouper { first, gates, renamed, .. } = grouper;
    Ok(rename_ports(circuit, gates, |wire| name(&renamed, first, wire).bit()))
}

struct Grouper {
    /// The circuit's first gate wire.
    first: usize,
    /// The stretch's first wire: the gates of a stretch drive the same wires in either order.
    base: usize,
    stretch: Vec<(Gate, Use)>,
    /// New numbers of the wires alive that earlier stretches drive.
    renamed: WireMap,
    gates: Gates,
    /// For each gate of the stretch: twice the number of the stretch's ANDs before it on the
    /// longest path to it, plus one for an AND.
    rank: Vec<u32>,
    /// For each gate of the stretch: its new place in the stretch.
    place: Vec<u32>,
    /// The stretch in its new order.
    sorted: Vec<Gate>,
    /// For each gate of the stretch: whether a later stretch, an output or a flip-flop reads it.
    outlives: Vec<bool>,
}

fn name(renamed: &WireMap, first: usize, wire: Wire) -> Wire {
    if wire.index() < first {
        return wire;
    }
    Wire::new(renamed.get(wire).expect("a wire is remembered up to its last use"))
}

impl Grouper {
    fn new(first: usize) -> Grouper {
        Grouper {
            first,
            base: first,
            stretch: Vec::new(),
            renamed: WireMap::new(),
            gates: Gates::new(),
            rank: Vec::new(),
            place: Vec::new(),
            sorted: Vec::new(),
            outlives: Vec::new(),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        self.rank_gates();
        self.place_gates();
        self.rename();
        for &gate in &self.sorted {
            self.gates.push(gate)?;
        }
        self.base += self.stretch.len();
        self.stretch.clear();
        Ok(())
    }

    fn rank_gates(&mut self) {
        self.rank.clear();
        for (gate, _) in &self.stretch {
            let depth = |wire: Wire| match wire.index().checked_sub(self.base) {
                // An AND adds one to the depth of what reads it.
                Some(local) => self.rank[local].div_ceil(2),
                None => 0,
            };
            let depth = gate.operands().map(depth).max().unwrap_or(0);
            self.rank.push(2 * depth + u32::from(gate.is_and()));
        }
    }

    /// Sorts by rank, gates of one rank in the order in which they were: a counting sort.
    fn place_gates(&mut self) {
        let ranks = self.rank.iter().max().map_or(0, |&max| max as usize + 1);
        let mut starts = vec![0u32; ranks + 1];
        self.rank.iter().for_each(|&rank| starts[rank as usize + 1] += 1);
        for rank in 0..ranks {
            starts[rank + 1] += starts[rank];
        }
        self.place.clear();
        self.place.extend(self.rank.iter().map(|&rank| {
            let place = starts[rank as usize];
            starts[rank as usize] += 1;
            place
        }));
    }

    /// Fills `sorted`, and brings `renamed` to the end of the stretch.
    fn rename(&mut self) {
        let count = self.stretch.len();
        self.outlives.clear();
        self.outlives.resize(count, true);
        if let Some(&(gate, _)) = self.stretch.first() {
            self.sorted.resize(count, gate);
        }
        self.sorted.truncate(count);
        for (index, &(gate, fate)) in self.stretch.iter().enumerate() {
            let new = gate.map_operands(|wire| match wire.index().checked_sub(self.base) {
                Some(local) => Wire::new((self.base as u32) + self.place[local]).bit(),
                None => name(&self.renamed, self.first, wire).bit(),
            });
            self.sorted[self.place[index] as usize] = new;
            for (index, operand) in gate.operands().enumerate() {
                match operand.index().checked_sub(self.base) {
                    _ if !fate.is_last(index) => {}
                    Some(local) => self.outlives[local] = false,
                    None => {
                        self.renamed.remove(operand);
                    }
                }
            }
        }
        for (local, (&(_, fate), &place)) in self.stretch.iter().zip(&self.place).enumerate() {
            if self.outlives[local] && fate.is_live() {
                let wire = Wire::new((self.base + local) as u32);
                self.renamed.insert(wire, self.base as u32 + place);
            }
        }
    }
}
