//! The schedule itself: a pass forwards that runs the machine's clock.

use super::super::params::BestParams;
use super::clock::Clock;
use super::heights::{Heights, Note};
use super::plan::Plan;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, GateKind, Gates, Wire};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

/// An operand of a gate in the window: the new name of its wire, or, until that is known,
/// [`PLACE`] and the place in the window of the gate that drives it.
type Operand = u32;
const PLACE: u32 = 1 << 31;

/// No gate.
const NONE: u32 = u32::MAX;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
enum Kind {
    Xor,
    And,
    Inv,
}

/// A gate in the window: 32 bytes.
#[derive(Clone, Copy)]
struct Entry {
    operands: [Operand; 2],
    /// For each operand: the one after it in the list of readers that it is in.
    next_reader: [u32; 2],
    /// The first of the operands in the window that are the gate, each as twice the place of the
    /// gate that reads, plus the operand's index; [`NONE`] at the end.
    readers: u32,
    /// The gate's new wire, or [`NONE`] while it is not emitted.
    name: u32,
    /// When it is its turn.
    key: u32,
    kind: Kind,
    /// How many operands are not known.
    waits: u8,
    /// Whether its result is known to the gates that read it.
    done: bool,
    /// Whether a gate that has not entered, an output or a flip-flop reads the gate.
    outlives: bool,
}

pub(super) struct Scheduler<'a> {
    params: &'a BestParams,
    plan: Plan,
    /// The circuit's first gate wire.
    first: usize,
    /// The window: the gate at `position` is at `position & mask`.
    ring: Vec<Entry>,
    mask: usize,
    /// Positions of the oldest gate in the window and of the next to enter.
    oldest: usize,
    newest: usize,
    /// Keys and positions of the gates whose operands are known.
    ready: BinaryHeap<Reverse<u64>>,
    clock: Clock,
    /// Tenths of a byte that memory could have moved and has not.
    credit: i64,
    /// New names of the wires alive whose gates have left the window.
    renamed: WireMap,
    gates: Gates,
}

/// The gates of `circuit` in the new order, and the new names of wires.
pub(super) fn schedule(
    circuit: &Circuit,
    mut heights: Heights,
    params: &BestParams,
    lookahead: usize,
) -> io::Result<(Gates, WireMap)> {
    let lookahead = lookahead.min(circuit.gates.len()).max(1);
    let mut scheduler = Scheduler {
        params,
        plan: Plan::new(circuit, &heights, params),
        first: circuit.first_gate_wire(),
        ring: Vec::new(),
        mask: lookahead.next_power_of_two() - 1,
        oldest: 0,
        newest: 0,
        ready: BinaryHeap::new(),
        clock: Clock::new(params.engines, params.and_latency),
        credit: 0,
        renamed: WireMap::new(),
        gates: Gates::new(),
    };
    let mut gates = circuit.gates.iter();
    loop {
        while scheduler.newest - scheduler.oldest < lookahead {
            let Some(gate) = gates.next() else { break };
            scheduler.enter(gate, heights.next()?);
        }
        if scheduler.oldest == scheduler.newest {
            return Ok((scheduler.gates, scheduler.renamed));
        }
        scheduler.cycle()?;
    }
}

/// The new name of a wire whose gate has left the window.
pub(super) fn name(renamed: &WireMap, first: usize, wire: Wire) -> Wire {
    if wire.index() < first {
        return wire;
    }
    Wire::new(renamed.get(wire).expect("a wire is remembered up to its last use"))
}

impl Scheduler<'_> {
    /// Takes the next gate of the given order into the window.
    fn enter(&mut self, gate: Gate, note: Note) {
        let place = self.newest & self.mask;
        let kind = match gate.kind() {
            GateKind::Xor { .. } => Kind::Xor,
            GateKind::And { .. } => Kind::And,
            GateKind::Copy { .. } => Kind::Inv,
        };
        let mut entry = Entry {
            operands: [0; 2],
            next_reader: [NONE; 2],
            readers: NONE,
            name: NONE,
            key: self.plan.key(self.newest as u64, note.height()),
            kind,
            waits: 0,
            done: false,
            outlives: true,
        };
        for (index, wire) in gate.operands().enumerate() {
            let position = wire.index().wrapping_sub(self.first);
            // Inputs wrap around to positions that are in no window.
            if position < self.newest && position >= self.oldest {
                let from = position & self.mask;
                let driver = &mut self.ring[from];
                driver.outlives &= !note.is_last(index);
                if driver.done {
                    entry.operands[index] = driver.name;
                } else {
                    entry.operands[index] = PLACE | from as u32;
                    entry.waits += 1;
                    entry.next_reader[index] =
                        std::mem::replace(&mut driver.readers, 2 * place as u32 + index as u32);
                }
            } else {
                entry.operands[index] = name(&self.renamed, self.first, wire).number();
                // The other operand may be the same wire.
                if note.is_last(index) && gate.operands().skip(index + 1).all(|w| w != wire) {
                    self.renamed.remove(wire);
                }
            }
        }
        if kind == Kind::Inv {
            entry.operands[1] = entry.operands[0];
        }
        if entry.waits == 0 {
            self.ready.push(Reverse(u64::from(entry.key) << 32 | self.newest as u64));
        }
        match self.ring.get_mut(place) {
            Some(old) => *old = entry,
            None => self.ring.push(entry),
        }
        self.newest += 1;
    }

    /// A cycle of the machine.
    fn cycle(&mut self) -> io::Result<()> {
        let known = self.clock.take_known();
        for &place in &known {
            self.tell_readers(place);
        }
        self.clock.give_back(known, false);
        let cap = 655_360;
        self.credit = (self.credit + i64::from(self.params.memory)).min(cap);
        let mut credit = self.credit;
        while credit > 0 && self.clock.has_slot() {
            let Some(Reverse(key)) = self.ready.pop() else { break };
            let place = key as u32 as usize & self.mask;
            let Entry { operands, kind, .. } = self.ring[place];
            credit -= self.cost(kind);
            self.clock.grant(place as u32, operands);
        }
        let granted = self.clock.take_granted();
        for &place in &granted {
            self.emit(place)?;
        }
        self.clock.give_back(granted, true);
        self.clock.tick();
        self.retire();
        Ok(())
    }

    /// Tenths of bytes that an instruction moves.
    fn cost(&self, kind: Kind) -> i64 {
        let instruction = 3 + 2 * i64::from(self.params.window.ilog2());
        instruction * 10 / 8 + if kind == Kind::And { 320 } else { 0 }
    }

    /// Emits a gate, the names of whose operands are known.
    fn emit(&mut self, place: u32) -> io::Result<()> {
        let name = (self.first + self.gates.len()) as u32;
        let entry = &mut self.ring[place as usize];
        entry.name = name;
        let [a, b] = entry.operands.map(|operand| Wire::new(operand).bit());
        let (gate, latency) = match entry.kind {
            Kind::Xor => (Gate::xor(a, b, false), 1),
            Kind::And => (Gate::and(a, b, false), self.params.and_latency),
            Kind::Inv => (Gate::copy(a, true), 1),
        };
        let kind = entry.kind;
        self.credit -= self.cost(kind);
        self.clock.issue(place, name, latency);
        self.gates.push(gate)
    }

    /// Gives the name of a gate to the gates that read it, and makes those ready that wait for
    /// nothing else.
    fn tell_readers(&mut self, place: u32) {
        let entry = &mut self.ring[place as usize];
        entry.done = true;
        let (name, mut reader) = (entry.name, entry.readers);
        while reader != NONE {
            let (place, index) = ((reader >> 1) as usize, (reader & 1) as usize);
            let entry = &mut self.ring[place];
            entry.operands[index] = name;
            if entry.kind == Kind::Inv {
                entry.operands[1] = name;
            }
            reader = entry.next_reader[index];
            entry.waits -= 1;
            if entry.waits == 0 {
                let position = self.oldest + (place.wrapping_sub(self.oldest) & self.mask);
                self.ready.push(Reverse(u64::from(entry.key) << 32 | position as u64));
            }
        }
    }

    /// Lets the oldest gates go, while they are done.
    fn retire(&mut self) {
        while self.oldest < self.newest {
            let Entry { name, done, outlives, .. } = self.ring[self.oldest & self.mask];
            if !done {
                break;
            }
            if outlives {
                self.renamed.insert(Wire::new((self.first + self.oldest) as u32), name);
            }
            self.oldest += 1;
        }
    }
}
