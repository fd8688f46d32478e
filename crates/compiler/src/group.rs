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
use halfgate_circuit::{Circuit, Gate, Gates, Shape, Wire};
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

/// A gate in the window. Its 32 bytes never cross a cache line.
#[derive(Clone)]
#[repr(align(32))]
struct Entry {
    operands: [Operand; 2],
    /// For each operand: the next operand in the same list of readers.
    next_reader: [u32; 2],
    /// Head of the list of operands in the window that read this gate. An operand is twice the
    /// place of its gate plus the operand's index. [`NONE`] ends the list.
    readers: u32,
    /// The gate's new wire, or [`NONE`] while it is not emitted.
    name: u32,
    /// For a scheduled XOR: the length of the longest chain of scheduled XORs that ends with it.
    /// For other gates 0.
    level: u32,
    shape: Shape,
    /// Number of operands that depend on ANDs which are not emitted yet.
    waits: u8,
    /// Whether a gate outside the window, an output or a flip-flop reads this gate.
    outlives: bool,
}

/// What a gate that enters the window knows about one of its operands: fields of its [`Entry`].
struct Read {
    operand: Operand,
    next_reader: u32,
    waits: bool,
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
    /// For each level from 1 on, the places of the XORs to emit next. The lists are kept to reuse
    /// their memory.
    scheduled: Vec<Vec<u32>>,
    /// Number of places in `scheduled`.
    count: usize,
    /// Places on the path from an AND to the XORs that it needs. The list is kept to reuse its
    /// memory.
    path: Vec<u32>,
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
            count: 0,
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
        let [a, b] = gate.wires();
        // If both operands are one wire that is forgotten now, the second read forgets it.
        let forgets_a = fate.is_last(0) && a != b;
        let reader = 2 * place as u32;
        let a = self.read(a, reader, fate.is_last(0), forgets_a);
        let b = self.read(b, reader + 1, fate.is_last(1), fate.is_last(1));
        let entry = Entry {
            operands: [a.operand, b.operand],
            next_reader: [a.next_reader, b.next_reader],
            readers: NONE,
            name: NONE,
            level: 0,
            shape: gate.shape(),
            waits: u8::from(a.waits) + u8::from(b.waits),
            outlives: true,
        };
        if entry.waits == 0 && gate.is_and() {
            self.ready.push(Reverse(self.newest as u32));
        }
        match self.ring.get_mut(place) {
            Some(old) => *old = entry,
            None => self.ring.push(entry),
        }
        self.newest += 1;
    }

    /// Finds the operand `reader`, which reads `wire`, and links it to the gate that drives the
    /// wire.
    #[inline(always)] // it runs twice for each gate
    fn read(&mut self, wire: Wire, reader: u32, is_last: bool, forgets: bool) -> Read {
        let mut read = Read { operand: 0, next_reader: NONE, waits: false };
        // The subtractions wrap for wires outside the window, those of inputs among them.
        let position = wire.index().wrapping_sub(self.first);
        if position.wrapping_sub(self.oldest) >= self.newest - self.oldest {
            read.operand = name(&self.renamed, self.first, wire).number();
            if forgets {
                self.renamed.remove(wire);
            }
            return read;
        }
        let from = position & self.mask;
        let driver = &mut self.ring[from];
        driver.outlives &= !is_last;
        read.operand = driver.name;
        if driver.name == NONE {
            read.operand = PLACE | from as u32;
            read.waits = driver.waits > 0 || driver.shape.is_and();
            read.next_reader = std::mem::replace(&mut driver.readers, reader);
        }
        read
    }

    /// Schedules the oldest gates, up to the first AND that is not emitted yet.
    fn schedule_oldest(&mut self) -> io::Result<()> {
        for position in self.oldest..self.newest {
            let place = position & self.mask;
            if self.ring[place].name != NONE {
                continue;
            }
            if self.ring[place].shape.is_and() {
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
            self.emit_and(and)?;
        }
        Ok(count > 0)
    }

    /// Schedules the XORs that the gate at `place` depends on and that are not emitted yet.
    fn schedule_needed(&mut self, place: usize) -> io::Result<()> {
        for operand in self.ring[place].operands {
            if self.is_unscheduled(operand) {
                self.path.push(operand & !PLACE);
            }
            while let Some(&top) = self.path.last() {
                let [a, b] = self.ring[top as usize].operands;
                if self.is_unscheduled(a) {
                    self.path.push(a & !PLACE);
                } else if self.is_unscheduled(b) {
                    self.path.push(b & !PLACE);
                } else {
                    self.path.pop();
                    self.schedule(top as usize)?;
                }
            }
        }
        Ok(())
    }

    /// Whether the operand is an XOR that is neither emitted nor scheduled.
    #[inline]
    fn is_unscheduled(&self, operand: Operand) -> bool {
        operand & PLACE != 0 && self.ring[(operand & !PLACE) as usize].level == 0
    }

    /// Schedules an XOR whose operands are emitted or scheduled, if it is not scheduled yet.
    #[inline]
    fn schedule(&mut self, place: usize) -> io::Result<()> {
        let Entry { operands: [a, b], level, .. } = self.ring[place];
        if level > 0 {
            return Ok(());
        }
        let below = self.level_of(a).max(self.level_of(b));
        self.ring[place].level = below + 1;
        if self.scheduled.len() <= below as usize {
            self.scheduled.resize_with(below as usize + 1, Vec::new);
        }
        self.scheduled[below as usize].push(place as u32);
        self.count += 1;
        if self.count >= SORTED { self.emit_scheduled() } else { Ok(()) }
    }

    /// The level of the gate that drives the operand, or 0 if that gate is emitted.
    #[inline]
    fn level_of(&self, operand: Operand) -> u32 {
        match operand & PLACE {
            0 => 0,
            _ => self.ring[(operand & !PLACE) as usize].level,
        }
    }

    /// Emits the scheduled XORs, level by level.
    fn emit_scheduled(&mut self) -> io::Result<()> {
        let mut level = 0;
        while self.count > 0 {
            let mut places = std::mem::take(&mut self.scheduled[level]);
            self.count -= places.len();
            for place in places.drain(..) {
                let (name, mut reader) = self.emit(place as usize)?;
                while reader != NONE {
                    let (entry, index) = self.reader(reader);
                    entry.operands[index] = name;
                    reader = entry.next_reader[index];
                }
            }
            self.scheduled[level] = places;
            level += 1;
        }
        Ok(())
    }

    /// Emits an AND whose operands have their new names. Its readers then wait for one operand
    /// less.
    fn emit_and(&mut self, place: usize) -> io::Result<()> {
        let (name, mut reader) = self.emit(place)?;
        while reader != NONE {
            let (entry, index) = self.reader(reader);
            entry.operands[index] = name;
            let next = entry.next_reader[index];
            self.release(reader);
            reader = next;
        }
        // An XOR without other pending operands releases its own readers, and so on.
        while let Some(place) = self.known.pop() {
            let mut reader = self.ring[place].readers;
            while reader != NONE {
                let (entry, index) = self.reader(reader);
                let next = entry.next_reader[index];
                self.release(reader);
                reader = next;
            }
        }
        Ok(())
    }

    /// Emits a gate whose operands have their new names. Returns its own new name, and its readers,
    /// which the caller tells the name.
    #[inline]
    fn emit(&mut self, place: usize) -> io::Result<(u32, u32)> {
        let name = (self.first + self.gates.len()) as u32;
        let entry = &mut self.ring[place];
        entry.name = name;
        let readers = entry.readers;
        self.gates.push(entry.shape.with_wires(entry.operands.map(Wire::new)))?;
        Ok((name, readers))
    }

    /// Makes a reader wait for one operand less.
    #[inline]
    fn release(&mut self, reader: u32) {
        let place = (reader >> 1) as usize;
        let entry = &mut self.ring[place];
        entry.waits -= 1;
        if entry.waits > 0 {
            return;
        }
        if entry.shape.is_and() {
            let position = self.oldest + (place.wrapping_sub(self.oldest) & self.mask);
            self.ready.push(Reverse(position as u32));
        } else {
            self.known.push(place);
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
