//! The order `grouped`: independent ANDs side by side.
//!
//! A kernel garbles several independent ANDs at a time. Circuits are written value by value and bit
//! by bit, so an AND often depends on the AND before it. This pass reorders gates like a processor
//! that executes out of order. It considers the `window` oldest gates that are not emitted yet, and
//! emits repeatedly:
//!
//! 1. XORs: the oldest gates, up to the first AND, as far as their operands are available; and the
//!    XORs that the ANDs of step 2 need. XORs that depend on none of the others go first, then the
//!    XORs that depend only on those, and so on, because a processor runs independent XORs in
//!    parallel;
//! 2. ANDs: the oldest ones that are ready, at most [`GROUP`]. An AND is ready once every AND on
//!    which it depends is emitted.
//!
//! So an AND is taken from far ahead only if nearer ANDs do not fill a group, and an XOR is emitted
//! only when it is needed. This keeps few wires alive.

use crate::dead::rename_ports;
use crate::uses::{Use, Uses};
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, GateKind, Gates, Wire};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

/// The largest number of ANDs in a group. It is several times the number of ANDs that the widest
/// kernel processes at once, so that a kernel's pipeline stays full between groups.
const GROUP: usize = 32;

/// The largest number of XORs that are sorted by dependency. It is enough for parallel execution,
/// and the labels of so many XORs still fit the first-level cache.
const SORTED: usize = 512;

/// Puts `circuit`, which has no dead gates and whose uses are `uses`, in the order
/// `grouped:window`.
///
/// Memory: at most 96 bytes for each gate of the window, the wires alive at once, output bits and
/// flip-flops.
///
/// # Errors
/// If a temporary file cannot be written or read.
pub(crate) fn group(circuit: Circuit, uses: Uses, window: u32) -> io::Result<Circuit> {
    let Grouper { first, gates, renamed, .. } = run(&circuit, uses, window)?;
    Ok(rename_ports(circuit, gates, |wire| name(&renamed, first, wire).bit()))
}

/// Passes all gates of the circuit through the window.
fn run(circuit: &Circuit, mut uses: Uses, window: u32) -> io::Result<Grouper> {
    let mut gates = circuit.gates.iter();
    let mut grouper = Grouper::new(circuit, window);
    loop {
        while grouper.has_space() {
            let Some(gate) = gates.next() else { break };
            grouper.enter(gate, uses.next(gate)?);
        }
        grouper.schedule_oldest()?;
        let emitted = grouper.emit_group()?;
        if !grouper.retire() && !emitted {
            return Ok(grouper);
        }
    }
}

/// Returns the new name of a wire whose gate has left the window.
fn name(renamed: &WireMap, first: usize, wire: Wire) -> Wire {
    if wire.index() < first {
        return wire;
    }
    Wire::new(renamed.get(wire).expect("a wire is remembered up to its last use"))
}

/// An operand of a gate in the window. It is the new name of the operand's wire. Before that is
/// known, it is [`PLACE`] plus the window place of the gate that drives the wire.
type Operand = u32;
const PLACE: u32 = 1 << 31;

/// No gate.
const NONE: u32 = u32::MAX;

/// A gate in the window.
#[derive(Clone)]
struct Entry {
    gate: Gate,
    operands: [Operand; 2],
    /// The gate's new wire, or [`NONE`] while it is not emitted.
    name: u32,
    /// Number of operands that depend on ANDs which are not emitted yet.
    waits: u8,
    /// For a scheduled XOR: the length of the longest chain of scheduled XORs that ends with it.
    /// For other gates 0.
    level: u32,
    /// Whether a gate outside the window, an output or a flip-flop reads this gate.
    outlives: bool,
    /// Head of the list of operands in the window that read this gate. An operand is twice the
    /// place of its gate plus the operand's index. [`NONE`] ends the list.
    readers: u32,
    /// For each operand: the next operand in the same list of readers.
    next_reader: [u32; 2],
}

struct Grouper {
    /// The circuit's first gate wire.
    first: usize,
    /// The largest number of gates in the window.
    window: usize,
    /// Ring buffer of the window. The gate at `position` is in entry `position & mask`.
    ring: Vec<Entry>,
    mask: usize,
    /// `oldest`: position of the oldest gate in the window. `newest`: position of the next gate to
    /// enter.
    oldest: usize,
    newest: usize,
    /// Positions of the ready ANDs.
    ready: BinaryHeap<Reverse<u32>>,
    /// New names of the wires alive whose gates have left the window.
    renamed: WireMap,
    gates: Gates,
    /// Level and place of each XOR to emit next.
    scheduled: Vec<(u32, usize)>,
    /// Places on the path from an AND to the XORs that it needs. The list is kept to reuse its
    /// memory.
    path: Vec<usize>,
    /// Places of gates whose readers now wait for one operand less. The list is kept to reuse its
    /// memory.
    known: Vec<usize>,
}

impl Grouper {
    fn new(circuit: &Circuit, window: u32) -> Grouper {
        // A window longer than the circuit would only cost memory.
        let window = (window as usize).min(circuit.gates.len()).max(1);
        Grouper {
            first: circuit.first_gate_wire(),
            window,
            ring: Vec::new(),
            mask: window.next_power_of_two() - 1,
            oldest: 0,
            newest: 0,
            ready: BinaryHeap::new(),
            renamed: WireMap::new(),
            gates: Gates::new(),
            scheduled: Vec::new(),
            path: Vec::new(),
            known: Vec::new(),
        }
    }

    fn has_space(&self) -> bool {
        self.newest - self.oldest < self.window
    }

    /// Moves the next gate of the given order into the window.
    fn enter(&mut self, gate: Gate, fate: Use) {
        let place = self.newest & self.mask;
        let mut entry = Entry {
            gate,
            operands: [0; 2],
            name: NONE,
            waits: 0,
            level: 0,
            outlives: true,
            readers: NONE,
            next_reader: [NONE; 2],
        };
        for (index, wire) in gate.operands().enumerate() {
            let position = wire.index().wrapping_sub(self.first);
            // The subtraction wraps for inputs, so their positions are outside the window.
            if position < self.newest && position >= self.oldest {
                let from = position & self.mask;
                let driver = &mut self.ring[from];
                driver.outlives &= !fate.is_last(index);
                entry.operands[index] = driver.name;
                if driver.name == NONE {
                    entry.operands[index] = PLACE | from as u32;
                    entry.waits += u8::from(driver.waits > 0 || driver.gate.is_and());
                    entry.next_reader[index] =
                        std::mem::replace(&mut driver.readers, 2 * place as u32 + index as u32);
                }
            } else {
                entry.operands[index] = name(&self.renamed, self.first, wire).number();
                // The other operand may be the same wire.
                if fate.is_last(index) && gate.operands().skip(index + 1).all(|w| w != wire) {
                    self.renamed.remove(wire);
                }
            }
        }
        if entry.waits == 0 && gate.is_and() {
            self.ready.push(Reverse(self.newest as u32));
        }
        match self.ring.get_mut(place) {
            Some(old) => *old = entry,
            None => self.ring.push(entry),
        }
        self.newest += 1;
    }

    /// Schedules the oldest gates, up to the first AND that is not emitted yet.
    fn schedule_oldest(&mut self) -> io::Result<()> {
        for position in self.oldest..self.newest {
            let place = position & self.mask;
            if self.ring[place].name != NONE {
                continue;
            }
            if self.ring[place].gate.is_and() {
                break;
            }
            self.schedule(place)?;
        }
        Ok(())
    }

    /// Removes the oldest gates from the window, up to the first gate that is not emitted yet.
    /// Returns whether it removed any.
    fn retire(&mut self) -> bool {
        let before = self.oldest;
        while self.oldest < self.newest {
            let Entry { name, outlives, .. } = self.ring[self.oldest & self.mask];
            if name == NONE {
                break;
            }
            if outlives {
                self.renamed.insert(Wire::new((self.first + self.oldest) as u32), name);
            }
            self.oldest += 1;
        }
        self.oldest > before
    }

    /// Emits the scheduled gates, then a group of ANDs with the XORs that they need. Returns
    /// whether it emitted any ANDs.
    fn emit_group(&mut self) -> io::Result<bool> {
        let mut group = [0; GROUP];
        let mut count = 0;
        while count < GROUP {
            let Some(Reverse(position)) = self.ready.pop() else { break };
            group[count] = position as usize & self.mask;
            count += 1;
        }
        for &and in &group[..count] {
            self.schedule_needed(and)?;
        }
        self.emit_scheduled()?;
        for &and in &group[..count] {
            self.emit(and)?;
            self.release_readers(and);
        }
        Ok(count > 0)
    }

    /// Schedules the XORs that the gate at `place` depends on and that are not emitted yet.
    fn schedule_needed(&mut self, place: usize) -> io::Result<()> {
        self.path.push(place);
        while let Some(&top) = self.path.last() {
            let unknown = |operand: &&Operand| {
                *operand & PLACE != 0 && self.ring[(*operand & !PLACE) as usize].level == 0
            };
            match self.ring[top].operands.iter().find(unknown) {
                Some(&operand) => self.path.push((operand & !PLACE) as usize),
                None => {
                    self.path.pop();
                    if top != place {
                        self.schedule(top)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Schedules an XOR whose operands are emitted or scheduled, if it is not scheduled yet.
    fn schedule(&mut self, place: usize) -> io::Result<()> {
        let Entry { operands, level, .. } = self.ring[place];
        if level > 0 {
            return Ok(());
        }
        let level_of = |operand: Operand| match operand & PLACE {
            0 => 0,
            _ => self.ring[(operand & !PLACE) as usize].level,
        };
        let level = 1 + level_of(operands[0]).max(level_of(operands[1]));
        self.ring[place].level = level;
        self.scheduled.push((level, place));
        if self.scheduled.len() >= SORTED { self.emit_scheduled() } else { Ok(()) }
    }

    /// Emits the scheduled XORs, level by level.
    fn emit_scheduled(&mut self) -> io::Result<()> {
        let mut scheduled = std::mem::take(&mut self.scheduled);
        scheduled.sort_by_key(|&(level, _)| level);
        for (_, place) in scheduled.drain(..) {
            self.emit(place)?;
        }
        self.scheduled = scheduled;
        Ok(())
    }

    /// Emits a gate whose operands have their new names, and gives its own new name to its readers.
    fn emit(&mut self, place: usize) -> io::Result<()> {
        let name = (self.first + self.gates.len()) as u32;
        let entry = &mut self.ring[place];
        entry.name = name;
        let mut operands = entry.operands.iter();
        let new = entry.gate.map_operands(|_| {
            Wire::new(*operands.next().expect("gates have at most two operands")).bit()
        });
        self.gates.push(new)?;
        let mut reader = entry.readers;
        while reader != NONE {
            let (entry, index) = self.reader(reader);
            entry.operands[index] = name;
            reader = entry.next_reader[index];
        }
        Ok(())
    }

    /// Marks an AND as emitted for its readers. A reader that is an XOR without other pending
    /// operands is marked in the same way for its own readers, and so on.
    fn release_readers(&mut self, and: usize) {
        self.known.push(and);
        while let Some(place) = self.known.pop() {
            let mut reader = self.ring[place].readers;
            while reader != NONE {
                let oldest = self.oldest;
                let (place, mask) = ((reader >> 1) as usize, self.mask);
                let (entry, index) = self.reader(reader);
                reader = entry.next_reader[index];
                entry.waits -= 1;
                if entry.waits > 0 {
                    continue;
                }
                match entry.gate.kind() {
                    GateKind::And { .. } => {
                        let position = oldest + (place.wrapping_sub(oldest) & mask);
                        self.ready.push(Reverse(position as u32));
                    }
                    _ => self.known.push(place),
                }
            }
        }
    }

    fn reader(&mut self, reader: u32) -> (&mut Entry, usize) {
        (&mut self.ring[(reader >> 1) as usize], (reader & 1) as usize)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::{Input, Output, Party};

    #[test]
    fn wires_are_forgotten_after_their_last_use() {
        let (gates, window) = (100_000, 64);
        let wire = |i: u32| Wire::new(i).bit();
        // Each gate reads the two before it.
        let gate = |i: u32| match i % 3 {
            0 => Gate::and(wire(i), wire(i + 1), false),
            _ => Gate::xor(wire(i), wire(i + 1), false),
        };
        let port = "a".to_owned();
        let circuit = Circuit {
            inputs: vec![Input {
                name: port,
                party: Party::Garbler,
                width: 2,
                per_cycle: false,
                elements: None,
                is_set: false,
            }],
            flip_flops: Vec::new(),
            gates: (0..gates).map(gate).collect(),
            outputs: vec![Output {
                name: "b".to_owned(),
                bits: vec![wire(gates + 1)].into(),
                per_cycle: false,
                elements: None,
            }],
            cycles: 1,
        };
        let uses = Uses::of(&circuit).unwrap();
        let grouper = run(&circuit, uses, window).unwrap();
        assert_eq!(grouper.gates.len(), gates as usize);
        assert!(grouper.renamed.peak() <= 4, "{} remembered", grouper.renamed.peak());
        assert!(grouper.ring.len() <= window as usize);
    }
}
