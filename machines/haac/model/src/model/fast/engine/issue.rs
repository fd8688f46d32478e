//! Stage X: which engines issue, and what blocks the others.

use super::{Before, CAUSES, EMPTY, Engine, READ_STAGES, is_later, later, op};
use crate::issue::Sink;
use crate::model::config::BANK_ACCESSES;
use crate::model::fast::{Fast, members};
use crate::model::{Cause, Error};

impl Fast<'_> {
    /// X: issues instructions. Returns whether any engine issued.
    pub(in super::super) fn issue<S: Sink>(
        &mut self,
        sink: &mut S,
    ) -> Result<bool, Error<S::Error>> {
        let mut any = false;
        for e in members(self.awake) {
            let (before, cause) = self.before(e);
            self.engines[e].before = before;
            self.engines[e].causes[cause as usize] += 1;
            if before == Before::Issued {
                any = true;
                self.enter_unit(e, sink)?;
            }
        }
        if any && self.counts.first_issue.is_none() {
            self.counts.first_issue = Some(self.now);
        }
        Ok(any)
    }

    /// The state of X in engine `e`. If the instruction may issue, its write is reserved.
    #[inline]
    fn before(&mut self, e: usize) -> (Before, Cause) {
        let now = self.now as u32;
        let engine = &self.engines[e];
        let entry = &engine.ring[engine.issued as usize & (engine.ring.len() - 1)];
        if engine.left == engine.issued || now.wrapping_sub(entry.left) < READ_STAGES {
            return (Before::Gap, self.gap(e));
        }
        let mut ready = entry.ready;
        let (out, flags) = (entry.out, entry.flags);
        let (tables, tables_taken, live_taken) =
            (engine.tables, engine.tables_taken, engine.live_taken);
        if entry.missing != 0 {
            match self.look_again(e) {
                None => return (Before::Unissued, Cause::Operand),
                Some(cycle) => ready = cycle,
            }
        }
        if is_later(ready, now) {
            return (Before::Until(ready), Cause::Operand);
        }
        if u64::from(out) >= self.write_limit && !self.may_write(out) {
            return (Before::Write, Cause::Interlock);
        }
        let loading = !self.loader.is_done();
        if loading && self.config.half_of(out) > self.config.half_of(self.first_output) {
            return (Before::Write, Cause::Interlock);
        }
        let is_and = flags & op::AND != 0;
        if is_and {
            let table =
                if self.is_evaluator { tables > 0 } else { tables_taken < self.config.tables };
            if !table {
                return (Before::Table, Cause::Table);
            }
        }
        if flags & op::LIVE != 0 && live_taken >= self.config.live {
            return (Before::Live, Cause::LiveFull);
        }
        let latency = if is_and { self.config.and } else { self.config.xor };
        let most = BANK_ACCESSES - u32::from(loading);
        let write = now.wrapping_add(latency + 1);
        if !self.banks.take(out, self.config.shape.window, write, most) {
            return (Before::Again, Cause::WritePort);
        }
        (Before::Issued, Cause::Issue)
    }

    /// The cause of a gap in X.
    #[inline]
    fn gap(&self, e: usize) -> Cause {
        match self.engines[e].history >> 8 & 15 {
            EMPTY => self.dispatched.cause(),
            code => CAUSES[code as usize],
        }
    }

    /// Checks again for operands whose instructions were not issued. Returns the cycle in which all
    /// operands will be there, if it is known.
    fn look_again(&mut self, e: usize) -> Option<u32> {
        let now = self.now as u32;
        let engine = &mut self.engines[e];
        let entry = engine.entry(engine.issued);
        for (bit, address) in [(1, entry.a), (2, entry.b)] {
            if entry.missing & bit != 0
                && let Some(cycle) = self.slots.ready(now, address)
            {
                entry.missing &= !bit;
                entry.ready = later(entry.ready, cycle);
            }
        }
        (entry.missing == 0).then_some(entry.ready)
    }

    /// Recomputes the write interlock's limit from registered state. This is exact, since in this
    /// cycle no instruction has left R1 or was dispatched before this call.
    #[cold]
    pub(super) fn may_write(&mut self, out: u32) -> bool {
        let next = if self.rows_left > 0 { self.next_output } else { u32::MAX };
        let oldest = |engine: &Engine| engine.oldest_unread().unwrap_or(u32::MAX);
        let oldest = self.engines.iter().map(oldest).min().unwrap_or(u32::MAX).min(next);
        self.write_limit =
            (u64::from(self.config.half_of(oldest)) + 1) * u64::from(self.config.shape.half());
        u64::from(out) < self.write_limit
    }

    fn enter_unit<S: Sink>(&mut self, e: usize, sink: &mut S) -> Result<(), Error<S::Error>> {
        let now = self.now;
        let engine = &mut self.engines[e];
        let entry = *engine.entry(engine.issued);
        engine.issued = engine.issued.wrapping_add(1);
        let is_and = entry.flags & op::AND != 0;
        let latency = if is_and { self.config.and } else { self.config.xor };
        let due = now + u64::from(latency);
        engine.last_due = engine.last_due.max(due);
        let bit = 1u64 << e;
        let activity = &mut self.counts.activity;
        if is_and {
            activity.ands += 1;
            activity.half_gate_cycles += due - now.max(engine.busy_until);
            engine.busy_until = due;
            if self.is_evaluator {
                engine.tables -= 1;
                engine.tables_taken -= 1;
                self.memory.tables_to_look_at |= bit;
            } else {
                engine.tables_taken += 1;
                self.counts.to_memory += 1;
            }
        } else {
            activity.xors += 1;
        }
        let half = (self.config.half_of(entry.out) - self.halves.complete) as usize & 1;
        self.halves.issued[half] += 1;
        self.halves.finished[half] = self.halves.finished[half].max(due + 1);
        self.slots.issued(entry.out, due as u32);
        if entry.flags & op::LIVE != 0 {
            engine.live_taken += 1;
            self.halves.unwritten[half] += 1;
            self.counts.to_memory += 1;
            let unit = if is_and { 0 } else { 1 };
            let row = (due as usize & (self.wheel.len() - 1)) * 2 + unit;
            self.results[row * self.config.engines + e] = entry.out;
            let spoke = self.spoke(due);
            if is_and { spoke.live_and |= bit } else { spoke.live_xor |= bit }
        }
        if is_and && !self.is_evaluator {
            self.spoke(due).table |= bit;
        }
        self.counts.unissued -= 1;
        sink.issue(&entry.issue(now, e)).map_err(Error::Sink)
    }
}
