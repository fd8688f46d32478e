//! A gate engine: issue FIFO, stages D, R1, R2, R3, X, the two units, and its own queues.

use std::collections::VecDeque;

use super::window::Write;
use super::{Cause, Exact, Mutation, Registered};
use crate::haac::instruction::{Instruction, Op, Unary};
use crate::haac::issue::{Issue, Sink};
use crate::haac::machine::Role;
use crate::haac::model::Error;
use crate::haac::model::config::Config;

/// What other parts of the machine know of an engine: registered at the end of a cycle.
#[derive(Clone, Copy, Default, Debug)]
pub struct Levels {
    /// Instructions in the issue FIFO.
    pub fifo: u32,
    /// Tables in the queue: to be used (evaluator) or to be written (garbler).
    pub tables: u32,
    /// Places of that queue that are taken: by tables, by requests under way (evaluator), or by
    /// ANDs in the unit (garbler).
    pub tables_taken: u32,
    /// Out-of-range addresses there.
    pub addresses: u32,
    /// Places taken by addresses there and under way.
    pub addresses_taken: u32,
    /// Out-of-range labels there.
    pub wires: u32,
    /// Places taken by labels there and under way.
    pub wires_taken: u32,
    /// Live labels waiting for memory.
    pub live: u32,
    /// Places taken by them and by instructions in the units.
    pub live_taken: u32,
    /// Whether the engine has nothing in its FIFO, stages and units.
    pub idle: bool,
}

/// One operand on its way.
#[derive(Clone, Copy, Debug)]
pub struct Operand {
    /// Its slot; 0 for the out-of-range queue.
    pub slot: u32,
    /// Its address, as far as slot and output say it.
    pub address: u32,
    /// The parity of its lap.
    pub epoch: bool,
    /// The cycle of the access to its bank, once that is won.
    pub access: Option<u64>,
    /// Whether that cycle has come: from then on the bus may bring it.
    pub accessed: bool,
    /// Whether the label is in its latch.
    pub there: bool,
    /// The wire whose label that is.
    pub name: u32,
    /// Whether it was the last read of that wire from memory.
    pub last: bool,
}

/// An instruction in the stages.
#[derive(Clone, Debug)]
pub struct Flight {
    pub instruction: Instruction,
    /// The address of its output.
    pub out: u32,
    /// The number of the AND.
    pub and: u64,
    /// One or two.
    pub operands: [Operand; 2],
    pub count: usize,
    /// When the first of two operands was taken from the out-of-range queue.
    pub popped: Option<u64>,
}

impl Flight {
    /// Operands that are looked for in window and bus.
    pub fn missing(&mut self) -> impl Iterator<Item = &mut Operand> {
        let operands = self.operands[..self.count].iter_mut();
        operands.filter(|operand| operand.accessed && !operand.there)
    }

    fn decode(queued: &Queued, config: &Config) -> Flight {
        let &Queued { instruction, out, and } = queued;
        let count = if instruction.op() == Op::Unary { 1 } else { 2 };
        let operand = |slot| {
            let address = config.operand(slot, out);
            let epoch = config.epoch(address);
            let (access, accessed, there) = (None, false, false);
            Operand { slot, address, epoch, access, accessed, there, name: 0, last: false }
        };
        let operands = [operand(instruction.a()), operand(instruction.b())];
        Flight { instruction, out, and, operands, count, popped: None }
    }

    fn is_there(&self) -> bool {
        self.operands[..self.count].iter().all(|operand| operand.there)
    }
}

/// A stage: an instruction, or a gap and what made it.
#[derive(Clone, Debug)]
pub enum Stage {
    Gap(Cause),
    Full(Flight),
}

impl Stage {
    fn is_gap(&self) -> bool {
        matches!(self, Stage::Gap(_))
    }

    fn flight(&mut self) -> Option<&mut Flight> {
        match self {
            Stage::Gap(_) => None,
            Stage::Full(flight) => Some(flight),
        }
    }

    fn out(&self) -> Option<u32> {
        match self {
            Stage::Gap(_) => None,
            Stage::Full(flight) => Some(flight.out),
        }
    }
}

/// An instruction in the issue FIFO.
#[derive(Clone, Copy, Debug)]
pub struct Queued {
    pub instruction: Instruction,
    pub out: u32,
    pub and: u64,
}

/// An instruction in a unit: its result is on the bus in cycle `due`.
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
    /// What the dispatcher did for this engine in the cycle before.
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
    /// The cycle in which the half-gate unit runs empty.
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

    /// Operands whose bank access is in cycle `now`: of the instruction that came into R2 at the end
    /// of the last, and of those in R1 and D that won it before they could go on.
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

    /// The output of the oldest instruction that has not left R1.
    pub fn oldest_unread(&self) -> Option<u32> {
        let queued = || self.fifo.front().map(|queued| queued.out);
        self.r1.out().or_else(|| self.d.out()).or_else(queued)
    }

    /// The output of the oldest instruction that was not issued.
    pub fn oldest(&self) -> Option<u32> {
        let stages = [&self.x, &self.r3, &self.r2];
        stages.into_iter().find_map(Stage::out).or_else(|| self.oldest_unread())
    }

    /// Notes whether nothing is in FIFO, stages and units.
    pub fn note_idle(&mut self) {
        let stages = [&self.d, &self.r1, &self.r2, &self.r3, &self.x];
        self.levels.idle = self.fifo.is_empty()
            && stages.into_iter().all(Stage::is_gap)
            && self.and_unit.is_empty()
            && self.xor_unit.is_empty();
    }

    /// The head of the out-of-range queue goes to the instruction in R1.
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

impl Exact<'_> {
    /// W1: results that the units finish in this cycle. They are on the bus; live ones go into the
    /// live queues, and tables of the garbler into the table queues.
    pub(super) fn results(&mut self) -> Vec<Write> {
        let mut bus = Vec::new();
        for engine in &mut self.engines {
            for unit in [&mut engine.and_unit, &mut engine.xor_unit] {
                let Some(done) = unit.pop_front_if(|first| first.due == self.now) else { continue };
                bus.push(done.write);
                if done.write.live {
                    engine.live.push_back(done.write);
                    engine.levels.live += 1;
                }
                if let Some(number) = done.table {
                    engine.tables.push_back(number);
                    engine.levels.tables += 1;
                }
            }
        }
        bus
    }

    /// X: which engines issue, in the order of their numbers. Gives each engine's cause.
    pub(super) fn issue<S: Sink>(
        &mut self,
        seen: &[Levels],
        sink: &mut S,
    ) -> Result<Vec<Cause>, Error<S::Error>> {
        let mut causes = vec![Cause::Issue; self.engines.len()];
        let stalled = self.stalled_engines();
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        if self.mutation == Some(Mutation::WritesFromLast) {
            order.reverse();
        }
        for e in order {
            causes[e] = match &self.engines[e].x {
                Stage::Gap(cause) => *cause,
                Stage::Full(_) if stalled & 1 << e != 0 => Cause::Operand,
                Stage::Full(flight) => {
                    let flight = flight.clone();
                    self.may_issue(&flight, &seen[e])
                }
            };
        }
        // In the order of engines, whichever order writes were reserved in.
        for (e, cause) in causes.iter().enumerate() {
            if *cause == Cause::Issue {
                self.enter_unit(e, sink)?;
            }
        }
        Ok(causes)
    }

    /// Whether an instruction that stands before its units may enter them; if so its write is
    /// reserved.
    fn may_issue(&mut self, flight: &Flight, seen: &Levels) -> Cause {
        if !flight.is_there() {
            return Cause::Operand;
        }
        let half = self.config.half_of(flight.out);
        let overwrites_inputs = half > self.config.half_of(self.code.first_output);
        let passed = self.registered.oldest_half >= half
            || self.mutation == Some(Mutation::NoWriteInterlock);
        if !passed || (overwrites_inputs && !self.registered.all_loaded) {
            return Cause::Interlock;
        }
        let is_and = flight.instruction.op() == Op::And;
        let table = match self.config.role {
            Role::Garbler => seen.tables_taken < self.config.tables,
            Role::Evaluator => seen.tables > 0,
        };
        if is_and && !table {
            return Cause::Table;
        }
        let live_room = seen.live_taken < self.config.live
            || self.mutation == Some(Mutation::LiveQueueOverflows);
        if flight.instruction.is_live() && !live_room {
            return Cause::LiveFull;
        }
        let write = self.now + u64::from(self.latency(is_and)) + 1;
        let bank = self.config.bank(flight.out);
        let free = if self.registered.all_loaded {
            self.window.take(bank, write)
        } else {
            self.window.take_beside_loader(bank, write)
        };
        if !free && self.mutation != Some(Mutation::NoWriteReservation) {
            return Cause::WritePort;
        }
        Cause::Issue
    }

    fn latency(&self, is_and: bool) -> u32 {
        let slow = if is_and { Mutation::SlowAnd } else { Mutation::SlowXor };
        let latency = if is_and { self.config.and } else { self.config.xor };
        latency + u32::from(self.mutation == Some(slow))
    }

    /// Engine `e` issues what stands before its units.
    fn enter_unit<S: Sink>(&mut self, e: usize, sink: &mut S) -> Result<(), Error<S::Error>> {
        let role = self.config.role;
        let and_latency = self.latency(true);
        let xor_latency = self.latency(false);
        let engine = &mut self.engines[e];
        let stage = std::mem::replace(&mut engine.x, Stage::Gap(Cause::Issue));
        let Stage::Full(flight) = stage else { unreachable!("an instruction was there to issue") };
        let instruction = flight.instruction;
        let is_and = instruction.op() == Op::And;
        let live = instruction.is_live();
        let write = Write { address: flight.out, name: flight.out, engine: e, live };
        engine.levels.live_taken += u32::from(live);
        let mut number = flight.and;
        let activity = &mut self.counts.activity;
        if is_and {
            let due = self.now + u64::from(and_latency);
            let table = match role {
                Role::Garbler => {
                    engine.levels.tables_taken += 1;
                    Some(number)
                }
                Role::Evaluator => {
                    number = engine.tables.pop_front().expect("the queue was seen not to be empty");
                    engine.levels.tables -= 1;
                    engine.levels.tables_taken -= 1;
                    None
                }
            };
            engine.and_unit.push_back(InUnit { due, write, table });
            activity.ands += 1;
            activity.half_gate_cycles += due - self.now.max(engine.busy_until);
            engine.busy_until = due;
        } else {
            let due = self.now + u64::from(xor_latency);
            engine.xor_unit.push_back(InUnit { due, write, table: None });
            activity.xors += 1;
        }
        self.counts.first_issue.get_or_insert(self.now);
        let half = self.config.half_of(flight.out);
        let operands = &flight.operands[..flight.count];
        for operand in operands.iter().filter(|operand| operand.last) {
            self.memory.last_reads.push_back((half, operand.name));
        }
        let [a, b] = flight.operands;
        let b = if flight.count == 1 { a } else { b };
        let issue = Issue {
            cycle: self.now,
            engine: e as u32,
            op: instruction.op(),
            invert: instruction.unary() == Some(Unary::Inv),
            live,
            out: flight.out,
            operands: [a.name, b.name],
            last_from_memory: [a.last, b.last],
            and: if is_and { number } else { 0 },
        };
        sink.issue(&issue).map_err(Error::Sink)
    }

    /// R1 and the stages around it: what moves at the end of the cycle.
    pub(super) fn read_stage(&mut self, seen: &[Levels]) {
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        if self.mutation == Some(Mutation::ReadsFromLast) {
            order.reverse();
        }
        if self.mutation != Some(Mutation::LateReadsNotFirst) {
            // Stable: otherwise the order stays.
            order.sort_by_key(|&e| seen[e].fifo < self.config.late);
        }
        for e in order {
            self.pop_first_of_two(e, &seen[e]);
            let engine = &mut self.engines[e];
            // X is a gap if it issued in this cycle.
            if engine.x.is_gap() {
                let gap = Stage::Gap(Cause::Issue);
                engine.x = std::mem::replace(&mut engine.r3, gap);
            }
            if engine.r3.is_gap() {
                let gap = Stage::Gap(Cause::Issue);
                engine.r3 = std::mem::replace(&mut engine.r2, gap);
            }
            if engine.r2.is_gap() {
                let leaves = self.leave_read_stage(e, &seen[e]);
                let engine = &mut self.engines[e];
                engine.r2 = match leaves {
                    Cause::Issue => std::mem::replace(&mut engine.r1, Stage::Gap(Cause::Issue)),
                    cause => Stage::Gap(cause),
                };
            }
            let engine = &mut self.engines[e];
            if engine.r1.is_gap() {
                engine.r1 = std::mem::replace(&mut engine.d, Stage::Gap(Cause::Issue));
            }
            if engine.d.is_gap() {
                engine.d = match engine.fifo.pop_front() {
                    None => Stage::Gap(engine.dispatched),
                    Some(queued) => {
                        engine.levels.fifo -= 1;
                        Stage::Full(Flight::decode(&queued, &self.config))
                    }
                };
            }
        }
        self.window.end_of(self.now);
    }

    /// Whether the instruction in R1 of engine `e` leaves: [`Cause::Issue`], or why not.
    fn leave_read_stage(&mut self, e: usize, seen: &Levels) -> Cause {
        let mutation = self.mutation;
        let flight = match &self.engines[e].r1 {
            Stage::Gap(cause) => return *cause,
            Stage::Full(flight) => flight,
        };
        if let Some(cause) = self.may_not_read(flight) {
            return cause;
        }
        // With two operands from the queue, the first must have been taken in an earlier cycle.
        let operands = &flight.operands[..flight.count];
        let mut waiting = operands.iter().filter(|operand| operand.slot == 0 && !operand.there);
        let pops = waiting.next().is_some();
        if pops && (waiting.next().is_some() || seen.wires == 0 || flight.popped == Some(self.now))
        {
            return Cause::OorEmpty;
        }
        self.ask(e, |engine| &mut engine.r1);
        let ahead = match &self.engines[e].d {
            Stage::Full(next) => self.may_not_read(next).is_none(),
            Stage::Gap(_) => false,
        };
        if ahead && mutation != Some(Mutation::NoReadAhead) {
            self.ask(e, |engine| &mut engine.d);
        }
        let engine = &mut self.engines[e];
        let Stage::Full(flight) = &mut engine.r1 else { unreachable!("it is still there") };
        let operands = &mut flight.operands[..flight.count];
        if operands.iter().any(|operand| operand.slot != 0 && operand.access.is_none()) {
            if mutation == Some(Mutation::WonAccessLost) {
                operands.iter_mut().for_each(|operand| operand.access = None);
            }
            return Cause::Bank;
        }
        if pops {
            engine.pop_wire(mutation);
            self.counts.activity.oor_pops += 1;
        }
        Cause::Issue
    }

    /// What keeps an instruction from reading the window: the interlock, or inputs to be loaded.
    fn may_not_read(&self, flight: &Flight) -> Option<Cause> {
        let Registered { complete, loaded, .. } = self.registered;
        let half = self.config.half_of(flight.out);
        if complete + 1 < half && self.mutation != Some(Mutation::NoReadInterlock) {
            return Some(Cause::Interlock);
        }
        let first_output = self.code.first_output;
        let is_loaded = |operand: &Operand| {
            operand.slot == 0 || operand.address >= first_output || operand.address < loaded
        };
        let assumed = self.mutation == Some(Mutation::InputsAssumedLoaded);
        let all = flight.operands[..flight.count].iter().all(is_loaded);
        (!all && !assumed).then_some(Cause::Input)
    }

    /// The instruction in a stage of engine `e` asks the banks for those operands that have no access
    /// yet: for both, even if the first is refused. What is won is kept.
    fn ask(&mut self, e: usize, stage: fn(&mut Engine) -> &mut Stage) {
        let next = self.now + 1;
        let Stage::Full(flight) = stage(&mut self.engines[e]) else { return };
        let operands = &mut flight.operands[..flight.count];
        let same = operands.len() == 2 && operands[0].slot == operands[1].slot;
        let once = same && self.mutation != Some(Mutation::SameSlotTwice);
        for index in 0..operands.len() {
            let operand = operands[index];
            if operand.slot == 0 || operand.access.is_some() {
                continue;
            }
            if index == 1 && once {
                operands[1].access = operands[0].access;
            } else if self.window.take(self.config.bank(operand.slot), next) {
                operands[index].access = Some(next);
                self.counts.activity.window_reads += 1;
            }
        }
    }

    /// Where both operands of the instruction in R1 come from the out-of-range queue, the first is
    /// taken as soon as it is there, a cycle or more before the second.
    fn pop_first_of_two(&mut self, e: usize, seen: &Levels) {
        let mutation = self.mutation;
        let engine = &mut self.engines[e];
        let Stage::Full(flight) = &mut engine.r1 else { return };
        let both = flight.count == 2
            && flight.operands.iter().all(|operand| operand.slot == 0 && !operand.there);
        if both && seen.wires > 0 {
            flight.popped = Some(self.now);
            engine.pop_wire(mutation);
            self.counts.activity.oor_pops += 1;
        }
    }

    /// The half of the oldest instruction that has not left R1, the dispatcher's next included.
    pub(super) fn oldest_unread_half(&self) -> u32 {
        let next = self.dispatcher.next_output();
        let mut oldest = next.map_or(u32::MAX, |out| self.config.half_of(out));
        for engine in &self.engines {
            let half = engine.oldest_unread().map_or(u32::MAX, |out| self.config.half_of(out));
            oldest = oldest.min(half);
        }
        oldest
    }
}
