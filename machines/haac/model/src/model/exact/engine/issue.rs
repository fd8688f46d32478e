//! Stage X and the units behind it: issue, and results on the bus.

use super::{Flight, InUnit, Levels, Stage};
use crate::instruction::{Op, Unary};
use crate::issue::{Issue, Sink};
use crate::model::Error;
use crate::model::exact::window::Write;
use crate::model::exact::{Cause, Exact, Mutation};
use halfgate_circuit::Party;

impl Exact<'_> {
    /// W1: puts the results that the units finish in this cycle on the bus. Live results also enter
    /// the live queues. The garbler's tables enter the table queues.
    pub(in super::super) fn results(&mut self) -> Vec<Write> {
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

    /// X: issues instructions, engines in the order of their numbers. Returns each engine's cause.
    pub(in super::super) fn issue<S: Sink>(
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
        // Issues are reported in the order of engines, whatever the order of reservations.
        for (e, cause) in causes.iter().enumerate() {
            if *cause == Cause::Issue {
                self.enter_unit(e, sink)?;
            }
        }
        Ok(causes)
    }

    /// [`Cause::Issue`] if an instruction in X may enter its unit: then its write is reserved.
    /// Otherwise the reason why not.
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
            Party::Garbler => seen.tables_taken < self.config.tables,
            Party::Evaluator => seen.tables > 0,
        };
        if is_and && !table {
            return Cause::Table;
        }
        let live_space = seen.live_taken < self.config.live
            || self.mutation == Some(Mutation::LiveQueueOverflows);
        if flight.instruction.is_live() && !live_space {
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

    /// Issues the instruction in X of engine `e`.
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
                Party::Garbler => {
                    engine.levels.tables_taken += 1;
                    Some(number)
                }
                Party::Evaluator => {
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
}
