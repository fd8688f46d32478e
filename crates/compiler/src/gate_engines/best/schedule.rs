//! The schedule: a forward pass that simulates the machine's clock. In this file, *the window* is
//! the lookahead of gates. The machine's window is called *the window of labels*.

use super::super::params::BestParams;
use super::addresses::Addresses;
use super::clock::Clock;
use super::heights::{Heights, Note};
use super::plan::{LABEL, OOR_WORD, Plan, TABLE, instruction};
use crate::error::CompileError;
use crate::wire_map::WireMap;
use halfgate_circuit::{Circuit, Gate, GateKind, Gates, Wire};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::io;

/// An operand of a gate in the window. It is the new name of the operand's wire. Before that is
/// known, it is [`PLACE`] plus the window place of the gate that drives the wire.
type Operand = u32;
const PLACE: u32 = 1 << 31;

/// How often a gate is passed over because its banks are full. After that it is issued with a wait
/// for its banks, and the gates after it wait too.
const MOST_TRIES: u8 = 64;

/// How many tenths of bytes memory can move in advance of the engines. The queues hold as many.
const MOST_CREDIT: i64 = 10 << 16;

/// Number of ready gates that are considered in a cycle.
const FIRST: usize = 256;

/// Cycles for which an engine idles while no ready gate's banks are free. After that a gate is
/// issued with a wait for its banks.
const BEHIND: u64 = 8;

/// A gate enters the window this number of cycles before its turn, or earlier if too few gates are
/// ready.
const EARLY: u32 = 1 << 10;

/// No gate.
const NONE: u32 = u32::MAX;

/// Marks a gate whose new name all readers have received.
const DONE: u32 = u32::MAX - 1;

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
    /// For each operand: the next operand in the same list of readers.
    next_reader: [u32; 2],
    /// Head of the list of operands in the window that read this gate. An operand is twice the
    /// place of its gate plus the operand's index. [`NONE`] ends the list. [`DONE`] means that the
    /// readers have received the gate's name.
    readers: u32,
    /// The gate's new wire, or [`NONE`] while it is not emitted.
    name: u32,
    /// The gate's turn.
    key: u32,
    kind: Kind,
    /// Number of operands that are not available yet. Once all are available: how often the gate's
    /// banks were full.
    waits: u8,
    /// Whether a gate outside the window, an output or a flip-flop reads this gate.
    outlives: bool,
    /// One bit per operand: whether another gate will soon read it.
    soon: u8,
}

pub(super) struct Scheduler<'a> {
    params: &'a BestParams,
    plan: Plan,
    /// The circuit's first gate wire.
    first: usize,
    /// Ring buffer of the window. The gate at `position` is in entry `position & mask`.
    ring: Vec<Entry>,
    mask: usize,
    /// `oldest`: position of the oldest gate in the window. `newest`: position of the next gate to
    /// enter.
    oldest: usize,
    newest: usize,
    /// Keys and positions of the gates whose operands are available.
    ready: BinaryHeap<Reverse<u64>>,
    /// The ready gates with the earliest keys, in order.
    first_choices: Vec<u64>,
    /// The latest turn of an issued gate.
    turn: u32,
    clock: Clock,
    addresses: Addresses,
    /// Places of the gates that wait for a copy.
    waiting: Vec<u32>,
    /// For each slot of label memory: the cycle in which its label is available.
    known: Vec<u64>,
    slot_mask: usize,
    /// Tenths of bytes that memory could have moved so far, but did not move.
    credit: i64,
    /// Whether the next gate is issued even if its banks are full.
    force: bool,
    /// The operand whose bank was full for the previous gate. Other gates that read this operand
    /// are skipped in this pass.
    no_space: u32,
    /// New names of the wires alive whose gates have left the window.
    renamed: WireMap,
    gates: Gates,
}

/// Returns the gates of `circuit` in the new order, and the new names of its wires.
pub(super) fn schedule(
    circuit: &Circuit,
    mut heights: Heights,
    params: &BestParams,
    plan: Plan,
    lookahead: usize,
) -> Result<(Gates, WireMap), CompileError> {
    let lookahead = lookahead.min(circuit.gates.len()).max(1);
    let mut scheduler = Scheduler {
        params,
        plan,
        first: circuit.first_gate_wire(),
        ring: Vec::with_capacity(lookahead),
        mask: lookahead.next_power_of_two() - 1,
        oldest: 0,
        newest: 0,
        ready: BinaryHeap::new(),
        first_choices: Vec::new(),
        turn: 0,
        clock: Clock::new(params.engines, params.and_latency + plan.spare),
        addresses: Addresses::new(circuit.first_gate_wire(), heights.inputs, params.window),
        waiting: Vec::new(),
        known: vec![0; params.window as usize],
        slot_mask: params.window as usize - 1,
        credit: 0,
        force: false,
        no_space: NONE,
        renamed: WireMap::new(),
        gates: Gates::new(),
    };
    let mut gates = circuit.gates.iter();
    loop {
        while scheduler.newest - scheduler.oldest < lookahead && scheduler.wants_more() {
            let Some(gate) = gates.next() else { break };
            scheduler.enter(gate, heights.next()?);
        }
        if scheduler.oldest == scheduler.newest {
            return Ok((scheduler.gates, scheduler.renamed));
        }
        // A cycle emits at most two instructions per engine.
        if scheduler.first + scheduler.gates.len() > Wire::MAX as usize - (1 << 12) {
            return Err(CompileError::TooManyWires);
        }
        scheduler.cycle()?;
    }
}

/// Returns the new name of a wire whose gate has left the window.
pub(super) fn name(renamed: &WireMap, first: usize, wire: Wire) -> Wire {
    if wire.index() < first {
        return wire;
    }
    Wire::new(renamed.get(wire).expect("a wire is remembered up to its last use"))
}

impl Scheduler<'_> {
    /// Whether the next gate of the baseline order is due soon, or too few gates are ready.
    fn wants_more(&self) -> bool {
        self.plan.turn(self.newest as u64, u32::MAX) <= self.turn.saturating_add(EARLY)
            || self.ready.len() + self.first_choices.len() < FIRST
    }

    /// Moves the next gate of the baseline order into the window.
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
            key: self.plan.turn(self.newest as u64, note.height()),
            kind,
            waits: 0,
            outlives: true,
            soon: u8::from(note.is_soon(0)) | u8::from(note.is_soon(1)) << 1,
        };
        for (index, wire) in gate.operands().enumerate() {
            let position = wire.index().wrapping_sub(self.first);
            // The subtraction wraps for inputs, so their positions are outside the window.
            if position < self.newest && position >= self.oldest {
                let from = position & self.mask;
                let driver = &mut self.ring[from];
                driver.outlives &= !note.is_last(index);
                if driver.readers == DONE {
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

    /// Simulates one clock cycle of the machine.
    fn cycle(&mut self) -> io::Result<()> {
        let known = self.clock.take_known();
        for &place in &known {
            self.release_readers(place);
        }
        self.clock.give_back(known);
        for place in std::mem::take(&mut self.waiting) {
            let position = self.oldest + ((place as usize).wrapping_sub(self.oldest) & self.mask);
            let key = self.ring[place as usize].key;
            self.ready.push(Reverse(u64::from(key) << 32 | position as u64));
        }
        let more = if self.plan.paced { i64::from(self.params.memory) } else { MOST_CREDIT };
        self.credit = (self.credit + more).min(MOST_CREDIT);
        self.fill_first();
        self.pass(false)?;
        if self.clock.behind() > 0 {
            self.pass(false)?;
        }
        if self.clock.behind() >= BEHIND {
            self.pass(true)?;
        }
        self.clock.tick();
        self.retire();
        Ok(())
    }

    /// Issues the gates that fit into this cycle. With `force`, issues the first gate even if its
    /// banks are full.
    fn pass(&mut self, force: bool) -> io::Result<()> {
        let mut first = std::mem::take(&mut self.first_choices);
        self.force = force;
        self.no_space = NONE;
        let mut kept = 0;
        for index in 0..first.len() {
            let key = first[index];
            if self.credit <= 0 || !self.clock.has_slot() {
                first.copy_within(index.., kept);
                kept += first.len() - index;
                break;
            }
            let place = (key as u32 as usize & self.mask) as u32;
            let Entry { operands, waits, .. } = self.ring[place as usize];
            if !self.force && operands.contains(&self.no_space) {
                self.ring[place as usize].waits = waits.saturating_add(1);
                first[kept] = key;
                kept += 1;
            } else if self.grant(place)? {
                self.force = false;
                self.no_space = NONE;
            } else {
                first[kept] = key;
                kept += 1;
            }
        }
        self.force = false;
        first.truncate(kept);
        self.first_choices = first;
        Ok(())
    }

    /// Moves the ready gates with the earliest keys into `first_choices`.
    fn fill_first(&mut self) {
        while let Some(&Reverse(key)) = self.ready.peek() {
            let full = self.first_choices.len() >= FIRST;
            if full && self.first_choices.last().is_some_and(|&last| last < key) {
                break;
            }
            self.ready.pop();
            if full {
                let last = self.first_choices.pop().expect("it is full");
                self.ready.push(Reverse(last));
            }
            let at = self.first_choices.partition_point(|&other| other < key);
            self.first_choices.insert(at, key);
        }
    }

    /// Issues a gate whose operands are available, if it fits. If an operand has left the window of
    /// labels, issues a copy first. Returns whether the gate can leave `first_choices`.
    fn grant(&mut self, place: u32) -> io::Result<bool> {
        let Entry { mut operands, kind, soon, waits: tries, .. } = self.ring[place as usize];
        let next = (self.first + self.gates.len()) as u32;
        let result = self.addresses.of(next);
        let mut found = [None; 2];
        let (mut copied, mut no_space) = (false, false);
        for index in 0..2 {
            let wire = operands[index];
            if let Some((near, address)) = self.addresses.nearest(wire, result) {
                operands[index] = near;
                found[index] = Some(address);
            } else if kind != Kind::Inv
                && (soon >> index & 1 == 1 || index == 1 && found[0].is_none())
            {
                let Some(copy) = self.copy(wire)? else {
                    no_space = true;
                    break;
                };
                operands[index] = copy;
                self.ring[place as usize].operands[index] = copy;
                copied = true;
            }
        }
        if copied {
            self.waiting.push(place);
        }
        if copied || no_space {
            return Ok(copied);
        }
        if found[0] == found[1] && operands[0] != operands[1] {
            // Both operands are inputs without an address, and got the same next free address. The
            // operand with the higher wire number gets the address after it.
            let higher = usize::from(operands[1] > operands[0]);
            found[higher] = found[higher].map(|address| address + 1);
        }
        self.ring[place as usize].operands = operands;
        let ready =
            found.into_iter().flatten().map(|a| self.known[a as usize & self.slot_mask]).max();
        let mut cycle = self.clock.next_issue(ready.unwrap_or(0));
        let latency = self.latency(kind);
        if self.force || tries >= MOST_TRIES {
            cycle = self.clock.first_fit(cycle, found, result, latency);
        }
        if self.credit > 0
            && self.clock.has_slot()
            && self.clock.fits(cycle, found, result, latency)
        {
            self.clock.take(cycle, found, result, latency);
            self.known[result as usize & self.slot_mask] = cycle + u64::from(latency);
            self.clock.known_in(place, cycle + u64::from(latency + self.plan.spare));
            self.emit(place)?;
            return Ok(true);
        }
        let full = (0..2).find(|&i| found[i].is_some_and(|a| self.clock.is_full(cycle, a)));
        if let Some(index) = full {
            self.no_space = operands[index];
        }
        self.ring[place as usize].waits = tries.saturating_add(1);
        Ok(false)
    }

    /// Issues a copy of a wire that has left the window of labels.
    fn copy(&mut self, wire: u32) -> io::Result<Option<u32>> {
        let name = (self.first + self.gates.len()) as u32;
        let result = self.addresses.of(name);
        let mut cycle = self.clock.next_issue(0);
        if self.force || self.clock.behind() >= 2 {
            cycle = self.clock.first_fit(cycle, [None; 2], result, 1);
        }
        if !self.clock.has_slot() || !self.clock.fits(cycle, [None; 2], result, 1) {
            return Ok(None);
        }
        self.addresses.read(wire);
        self.addresses.copied(wire, name);
        self.clock.take(cycle, [None; 2], result, 1);
        self.known[result as usize & self.slot_mask] = cycle + 1;
        self.credit -= self.cost(Kind::Xor) + (LABEL + OOR_WORD) as i64;
        self.gates.push(Gate::copy(Wire::new(wire).bit(), false))?;
        Ok(Some(name))
    }

    /// Clock cycles from a gate's issue to the first cycle in which its result can be used.
    fn latency(&self, kind: Kind) -> u32 {
        if kind == Kind::And { self.params.and_latency } else { 1 }
    }

    /// Tenths of bytes that memory moves for an instruction.
    fn cost(&self, kind: Kind) -> i64 {
        (instruction(self.params) + if kind == Kind::And { TABLE } else { 0 }) as i64
    }

    /// Emits a gate whose operands have their new names.
    fn emit(&mut self, place: u32) -> io::Result<()> {
        let name = (self.first + self.gates.len()) as u32;
        let entry = &mut self.ring[place as usize];
        entry.name = name;
        let [a, b] = entry.operands.map(|operand| Wire::new(operand).bit());
        let gate = match entry.kind {
            Kind::Xor => Gate::xor(a, b, false),
            Kind::And => Gate::and(a, b, false),
            Kind::Inv => Gate::copy(a, true),
        };
        let (kind, operands) = (entry.kind, entry.operands);
        self.turn = self.turn.max(entry.key);
        self.addresses.read(operands[0].min(operands[1]));
        self.addresses.read(operands[0].max(operands[1]));
        self.credit -= self.cost(kind);
        self.gates.push(gate)
    }

    /// Gives a gate's name to its readers, and makes readers ready that wait for no other operand.
    fn release_readers(&mut self, place: u32) {
        let entry = &mut self.ring[place as usize];
        let (name, mut reader) = (entry.name, std::mem::replace(&mut entry.readers, DONE));
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

    /// Removes the oldest gates from the window, up to the first gate that is not done.
    fn retire(&mut self) {
        while self.oldest < self.newest {
            let Entry { name, readers, outlives, .. } = self.ring[self.oldest & self.mask];
            if readers != DONE {
                break;
            }
            if outlives {
                self.renamed.insert(Wire::new((self.first + self.oldest) as u32), name);
            }
            self.oldest += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gate_engines::best::invert;
    use crate::uses::Uses;
    use halfgate_circuit::{Builder, Output, Party};

    /// Builds two interleaved chains of `gates` gates in all.
    fn chains(gates: u32) -> Circuit {
        let wire = |i: u32| Wire::new(i).bit();
        let gate = |i: u32| match i % 5 {
            0 => Gate::and(!wire(i), wire(i + 1), true),
            _ => Gate::xor(wire(i), wire(i + 1), false),
        };
        let mut b = Builder::new();
        b.input("x", Party::Garbler, 2);
        let bits = vec![wire(gates + 1)].into();
        Circuit {
            gates: (0..gates).map(gate).collect(),
            outputs: vec![Output { name: "y".to_owned(), bits, per_cycle: false, elements: None }],
            ..b.finish().unwrap()
        }
    }

    /// The scheduler's memory grows with the lookahead and the wires alive, not with the gates.
    #[test]
    fn memory_follows_the_lookahead() {
        // 32 bytes here, and 8 in the list of ready gates.
        assert_eq!(size_of::<Entry>(), 32);
        let circuit = chains(100_000);
        let uses = Uses::of(&circuit).unwrap();
        let circuit = invert::explicit(circuit, uses, 4).unwrap();
        let params = BestParams { window: 16, engines: 2, ..BestParams::default() };
        let heights = Heights::of(&circuit, &params, 4).unwrap();
        let plan = Plan::new(&circuit, &heights, &params);
        let (gates, renamed) = schedule(&circuit, heights, &params, plan, 64).unwrap();
        assert!(gates.len() >= circuit.gates.len());
        assert!(renamed.peak() <= 64, "{} names at once", renamed.peak());
    }
}
