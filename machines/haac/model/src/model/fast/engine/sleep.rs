//! Engines that cannot move sleep until an event wakes them.

use super::{Before, CAUSES, Code, EMPTY, READ_STAGES, Sleep};
use crate::model::Cause;
use crate::model::fast::{Engines, Fast, accounts, members};

impl Fast<'_> {
    /// Puts engine `e`, which did not move, to sleep if only an event can make it move again.
    pub(super) fn may_sleep(&mut self, e: usize, code: Code) {
        if code == Cause::Bank as Code {
            return;
        }
        let engine = &self.engines[e];
        let mut cause = None;
        match engine.before {
            Before::Issued | Before::Again => return,
            Before::Gap => {
                let steady = engine.history & 0xfff == code << 8 | code << 4 | code;
                if engine.left != engine.issued || !steady {
                    return;
                }
                if code != EMPTY {
                    cause = Some(CAUSES[code as usize]);
                }
            }
            Before::Unissued => {
                // Another engine may have issued the missing operand in this cycle.
                if self.finds_operands(e) {
                    return;
                }
                self.wait_unissued |= 1 << e;
                cause = Some(Cause::Operand);
            }
            Before::Until(cycle) => {
                let ahead = cycle.wrapping_sub(self.now as u32);
                if ahead <= 1 {
                    return;
                }
                self.spoke(self.now + u64::from(ahead)).wake |= 1 << e;
                cause = Some(Cause::Operand);
            }
            Before::Write => {
                self.wait_write |= 1 << e;
                cause = Some(Cause::Interlock);
            }
            Before::Table => cause = Some(Cause::Table),
            Before::Live => cause = Some(Cause::LiveFull),
        }
        if code == Cause::Interlock as Code {
            self.wait_read |= 1 << e;
        }
        if code == Cause::Input as Code {
            // The loader has already placed this cycle's inputs.
            let engine = &self.engines[e];
            let entry = &engine.ring[engine.left as usize & (engine.ring.len() - 1)];
            let loaded = self.loader.next;
            let is_loaded = |address| address < loaded || address >= self.first_output;
            if is_loaded(entry.a) && is_loaded(entry.b) {
                self.forget(1 << e);
                return;
            }
            self.wait_input |= 1 << e;
        }
        // This cycle already has a cause: the dispatcher's action six cycles ago.
        let dispatched = self.dispatched.arrived_with_this();
        self.engines[e].sleep = Sleep { since: self.now + 1, cause, dispatched };
        self.awake &= !(1 << e);
    }

    /// Wakes engine `e` from `cycle` on, which is this cycle or the next. Does nothing if the
    /// engine is awake.
    pub(in super::super) fn wake(&mut self, e: usize, cycle: u64) {
        let bit = 1 << e;
        if self.awake & bit != 0 {
            return;
        }
        self.awake |= bit;
        self.forget(bit);
        let arrived = self.dispatched.arrived();
        let engine = &mut self.engines[e];
        let slept = cycle - engine.sleep.since;
        match engine.sleep.cause {
            Some(cause) => engine.causes[cause as usize] += slept,
            None => {
                for (status, cause) in accounts::STATUSES.into_iter().enumerate() {
                    engine.causes[cause as usize] +=
                        arrived[status] - engine.sleep.dispatched[status];
                }
            }
        }
        for _ in 0..slept.min(u64::from(READ_STAGES)) {
            engine.history = engine.history << 4 | engine.history & 15;
        }
    }

    fn forget(&mut self, set: Engines) {
        self.wait_write &= !set;
        self.wait_read &= !set;
        self.wait_input &= !set;
        self.wait_unissued &= !set;
    }

    /// Wakes engine `e` if its instruction in X waits for a table or for free space for one.
    pub(in super::super) fn wake_for_table(&mut self, e: usize) {
        if self.engines[e].before == Before::Table {
            self.wake(e, self.now + 1);
        }
    }

    /// Wakes engine `e` if its instruction in X waits for free space in the live queue.
    pub(in super::super) fn wake_for_live(&mut self, e: usize) {
        if self.engines[e].before == Before::Live {
            self.wake(e, self.now + 1);
        }
    }

    /// Wakes engine `e` if its instruction in R1 needs the out-of-range queue.
    pub(in super::super) fn wake_for_wire(&mut self, e: usize) {
        let engine = &self.engines[e];
        let entry = &engine.ring[engine.left as usize & (engine.ring.len() - 1)];
        if engine.in_r1 != engine.left && entry.pops > 0 {
            self.wake(e, self.now + 1);
        }
    }

    /// Wakes engines that wait for the write interlock and now pass it.
    pub(in super::super) fn wake_writers(&mut self) {
        for e in members(self.wait_write) {
            let out = self.engines[e].oldest().expect("an instruction waits");
            let limit = u64::from(out) < self.write_limit || self.may_write(out);
            let first = self.config.half_of(self.first_output);
            if limit && (self.loader.is_done() || self.config.half_of(out) == first) {
                self.wake(e, self.now);
            }
        }
    }

    /// Wakes engines whose missing operands have been issued in this cycle.
    pub(in super::super) fn find_operands(&mut self) {
        for e in members(self.wait_unissued) {
            if self.finds_operands(e) {
                self.wake(e, self.now + 1);
            }
        }
    }

    fn finds_operands(&self, e: usize) -> bool {
        let engine = &self.engines[e];
        let entry = &engine.ring[engine.issued as usize & (engine.ring.len() - 1)];
        let is_issued = |address| self.slots.ready(self.now as u32, address).is_some();
        (entry.missing & 1 == 0 || is_issued(entry.a))
            && (entry.missing & 2 == 0 || is_issued(entry.b))
    }
}
