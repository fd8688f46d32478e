//! Stages D to R3: read operands from the window and the out-of-range queue.

use super::{Engine, Flight, Levels, Operand, Stage};
use crate::model::exact::{Cause, Exact, Mutation, Registered};

impl Exact<'_> {
    /// Stage R1 and the stages before and behind it. Instructions move on at the end of the cycle.
    pub(in super::super) fn read_stage(&mut self, seen: &[Levels]) {
        let mut order: Vec<usize> = (0..self.engines.len()).collect();
        if self.mutation == Some(Mutation::ReadsFromLast) {
            order.reverse();
        }
        if self.mutation != Some(Mutation::LateReadsNotFirst) {
            // The sort is stable: equal engines stay in order.
            order.sort_by_key(|&e| seen[e].fifo < self.config.late);
        }
        for e in order {
            self.pop_first_of_two(e, &seen[e]);
            let engine = &mut self.engines[e];
            // X is now a gap if its instruction was issued in this cycle.
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
        // If both operands come from the queue, the first must have been taken in an earlier cycle.
        let operands = &flight.operands[..flight.count];
        let mut waiting = operands.iter().filter(|operand| operand.slot == 0 && !operand.there);
        let pops = waiting.next().is_some();
        if pops && (waiting.next().is_some() || seen.wires == 0 || flight.popped == Some(self.now))
        {
            return Cause::OorEmpty;
        }
        self.request_banks(e, |engine| &mut engine.r1);
        let ahead = match &self.engines[e].d {
            Stage::Full(next) => self.may_not_read(next).is_none(),
            Stage::Gap(_) => false,
        };
        if ahead && mutation != Some(Mutation::NoReadAhead) {
            self.request_banks(e, |engine| &mut engine.d);
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

    /// The reason why an instruction may not read the window: the interlock, or inputs not loaded
    /// yet.
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

    /// Requests a bank access for each operand of the instruction in `stage` of engine `e` that has
    /// none yet. The second operand's is requested even if the first one's is refused. Accesses
    /// that were won are kept.
    fn request_banks(&mut self, e: usize, stage: fn(&mut Engine) -> &mut Stage) {
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

    /// If both operands of the instruction in R1 come from the out-of-range queue, takes the first
    /// as soon as it is there. The second is taken a cycle later at the earliest.
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

    /// The half of the oldest instruction that has not left R1, including the dispatcher's next
    /// one.
    pub(in super::super) fn oldest_unread_half(&self) -> u32 {
        let next = self.dispatcher.next_output();
        let mut oldest = next.map_or(u32::MAX, |out| self.config.half_of(out));
        for engine in &self.engines {
            let half = engine.oldest_unread().map_or(u32::MAX, |out| self.config.half_of(out));
            oldest = oldest.min(half);
        }
        oldest
    }
}
