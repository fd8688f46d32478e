//! A gate engine: issue FIFO, stages D, R1, R2, R3, X, the two units, and its own queues.

mod flight;
mod issue;
mod read;

use std::collections::VecDeque;

use super::window::Write;
use super::{Cause, Mutation};
use crate::instruction::Instruction;
pub use flight::{Flight, Operand, Stage};

/// The state of an engine that other parts see, registered at the end of a cycle.
#[derive(Clone, Copy, Default, Debug)]
pub struct Levels {
    /// Instructions in the issue FIFO.
    pub fifo: u32,
    /// Tables in the queue. The evaluator can use them; the garbler has yet to write them to
    /// memory.
    pub tables: u32,
    /// Occupied places of the table queue: by tables, by requests in flight (evaluator), or by ANDs
    /// in the unit (garbler).
    pub tables_taken: u32,
    /// Out-of-range addresses in the queue.
    pub addresses: u32,
    /// Places occupied by addresses in the queue and in flight.
    pub addresses_taken: u32,
    /// Out-of-range labels in the queue.
    pub wires: u32,
    /// Places occupied by labels in the queue and in flight.
    pub wires_taken: u32,
    /// Live labels waiting for memory.
    pub live: u32,
    /// Places occupied by live labels in the queue and by instructions in the units.
    pub live_taken: u32,
    /// Whether the engine's FIFO, stages and units are empty.
    pub idle: bool,
}

/// An instruction in the issue FIFO.
#[derive(Clone, Copy, Debug)]
pub struct Queued {
    pub instruction: Instruction,
    pub out: u32,
    pub and: u64,
}

/// An instruction in a unit; its result is on the bus in cycle `due`.
#[derive(Clone, Copy, Debug)]
struct InUnit {
    due: u64,
    write: Write,
    table: Option<u64>,
}

/// A label from the out-of-range queue.
#[derive(Clone, Copy, Debug)]
pub struct OorWire {
    pub name: u32,
    pub last: bool,
}

/// One engine.
pub struct Engine {
    pub levels: Levels,
    pub fifo: VecDeque<Queued>,
    /// What the dispatcher did for this engine in the previous cycle.
    pub dispatched: Cause,
    d: Stage,
    r1: Stage,
    r2: Stage,
    r3: Stage,
    x: Stage,
    and_unit: VecDeque<InUnit>,
    xor_unit: VecDeque<InUnit>,
    /// Numbers of the tables in the queue.
    pub tables: VecDeque<u64>,
    pub wires: VecDeque<OorWire>,
    pub live: VecDeque<Write>,
    pub addresses: VecDeque<u32>,
    /// The cycle from which on the half-gate unit is empty.
    busy_until: u64,
}

impl Engine {
    pub fn new() -> Engine {
        let gap = || Stage::Gap(Cause::Instructions);
        Engine {
            levels: Levels { idle: true, ..Levels::default() },
            fifo: VecDeque::new(),
            dispatched: Cause::Instructions,
            d: gap(),
            r1: gap(),
            r2: gap(),
            r3: gap(),
            x: gap(),
            and_unit: VecDeque::new(),
            xor_unit: VecDeque::new(),
            tables: VecDeque::new(),
            wires: VecDeque::new(),
            live: VecDeque::new(),
            addresses: VecDeque::new(),
            busy_until: 0,
        }
    }

    /// Operands whose bank access is in cycle `now`. They belong to the instruction that entered R2
    /// at the end of the previous cycle, or to those in R1 and D, whose operands may win accesses
    /// early.
    pub fn accessing(&mut self, now: u64) -> impl Iterator<Item = &mut Operand> {
        let flights =
            [&mut self.r2, &mut self.r1, &mut self.d].into_iter().filter_map(Stage::flight);
        let operands = flights.flat_map(|flight| &mut flight.operands[..flight.count]);
        operands.filter(move |operand| operand.access == Some(now))
    }

    /// Instructions that may take operands from the bus.
    pub fn waiting(&mut self) -> impl Iterator<Item = &mut Flight> {
        let stages = [&mut self.x, &mut self.r3, &mut self.r2, &mut self.r1, &mut self.d];
        stages.into_iter().filter_map(Stage::flight)
    }

    /// Instructions before and in R1.
    pub fn reading(&mut self) -> impl Iterator<Item = &mut Flight> {
        [&mut self.r1, &mut self.d].into_iter().filter_map(Stage::flight)
    }

    /// The output of the oldest instruction that has not left R1.
    pub fn oldest_unread(&self) -> Option<u32> {
        let queued = || self.fifo.front().map(|queued| queued.out);
        self.r1.out().or_else(|| self.d.out()).or_else(queued)
    }

    /// The output of the oldest instruction that has not been issued.
    pub fn oldest(&self) -> Option<u32> {
        let stages = [&self.x, &self.r3, &self.r2];
        stages.into_iter().find_map(Stage::out).or_else(|| self.oldest_unread())
    }

    /// Records whether FIFO, stages and units are empty.
    pub fn note_idle(&mut self) {
        let stages = [&self.d, &self.r1, &self.r2, &self.r3, &self.x];
        self.levels.idle = self.fifo.is_empty()
            && stages.into_iter().all(Stage::is_gap)
            && self.and_unit.is_empty()
            && self.xor_unit.is_empty();
    }

    /// Moves the head of the out-of-range queue to the instruction in R1.
    fn pop_wire(&mut self, mutation: Option<Mutation>) {
        let Stage::Full(flight) = &mut self.r1 else { return };
        let wire = self.wires.pop_front().expect("the queue was seen not to be empty");
        self.levels.wires -= 1;
        self.levels.wires_taken -= 1;
        let operands = &mut flight.operands[..flight.count];
        let waits = |operand: &&mut Operand| operand.slot == 0 && !operand.there;
        let to = match mutation {
            Some(Mutation::OorSecondFirst) => operands.iter_mut().rev().find(waits),
            _ => operands.iter_mut().find(waits),
        };
        let to = to.expect("an operand waits for it");
        (to.there, to.name, to.last) = (true, wire.name, wire.last);
    }
}
