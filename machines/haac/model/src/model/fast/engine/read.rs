//! R1 and the stages before it.

use super::{Before, Code, EMPTY, OTHER, READ_STAGES, is_later, later, op};
use crate::machine::Forwarding;
use crate::model::Cause;
use crate::model::config::BANK_ACCESSES;
use crate::model::fast::{Fast, members};

impl Fast<'_> {
    /// R1 and the stages before it. Inputs below `loaded` have been placed, as registered.
    pub(in super::super) fn read(&mut self, loaded: u32) {
        let (late, others) = (self.awake & self.late, self.awake & !self.late);
        for e in members(late).chain(members(others)) {
            let mut moved = self.engines[e].before == Before::Issued;
            let code = self.read_stage(e, loaded, &mut moved);
            let engine = &mut self.engines[e];
            engine.history = engine.history << 4 | code;
            if engine.in_r1 == engine.left && engine.in_d != engine.in_r1 {
                engine.in_r1 = engine.in_r1.wrapping_add(1);
                moved = true;
            }
            if engine.in_d == engine.in_r1 && engine.pushed != engine.in_d {
                engine.in_d = engine.in_d.wrapping_add(1);
                moved = true;
                self.late &= !(u64::from(engine.fifo() < self.config.late) << e);
            }
            if !moved {
                self.may_sleep(e, code);
            }
        }
    }

    /// Tries to move the instruction in R1 of engine `e` on, and returns the outcome.
    #[inline]
    fn read_stage(&mut self, e: usize, loaded: u32, moved: &mut bool) -> Code {
        let engine = &mut self.engines[e];
        if engine.in_r1 == engine.left {
            return EMPTY;
        }
        let here = engine.wires_here != engine.wires_taken;
        let in_flight = engine.left.wrapping_sub(engine.issued);
        let mask = engine.ring.len() - 1;
        let index = engine.left as usize & mask;
        let mut popped = false;
        if engine.ring[index].pops == 2 && here {
            engine.ring[index].left = engine.pop_wire();
            engine.ring[index].pops = 1;
            engine.ring[index].queued = 3;
            (popped, *moved) = (true, true);
            self.memory.wires_to_look_at |= 1 << e;
            self.counts.activity.oor_pops += 1;
        }
        let entry = &engine.ring[index];
        if in_flight >= READ_STAGES {
            return OTHER;
        }
        if u64::from(entry.out) >= self.read_limit {
            return Cause::Interlock as Code;
        }
        let is_loaded = |address| address < loaded || address >= self.first_output;
        if entry.flags & op::INPUT != 0 && !(is_loaded(entry.a) && is_loaded(entry.b)) {
            return Cause::Input as Code;
        }
        if entry.pops == 2 || entry.pops == 1 && (!here || popped) {
            return Cause::OorEmpty as Code;
        }
        let index = engine.left;
        self.request(e, index);
        let done = self.engines[e].entry(index).has_all();
        self.request_ahead(e, loaded);
        if !done {
            return Cause::Bank as Code;
        }
        self.leave_read_stage(e);
        *moved = true;
        OTHER
    }

    /// The instruction in D also requests its operands.
    #[inline]
    fn request_ahead(&mut self, e: usize, loaded: u32) {
        let engine = &mut self.engines[e];
        let index = engine.in_r1;
        if engine.in_d == index {
            return;
        }
        let entry = engine.entry(index);
        let (a, b, flags) = (entry.a, entry.b, entry.flags);
        let is_loaded = |address| address < loaded || address >= self.first_output;
        let waits = flags & op::INPUT != 0 && !(is_loaded(a) && is_loaded(b));
        if u64::from(entry.out) < self.read_limit && !waits {
            self.request(e, index);
        }
    }

    /// Requests the window operands of instruction number `index` of engine `e`. The second operand
    /// is requested even if the first one is refused. Accesses that were won are kept.
    #[inline]
    fn request(&mut self, e: usize, index: u32) {
        let access = (self.now as u32).wrapping_add(1);
        let window = self.config.shape.window;
        if self.config.forwarding == Forwarding::AfterRead {
            self.read_again(e, index);
        }
        let entry = self.engines[e].entry(index);
        let (a, b) = (entry.a, entry.b);
        let requested = entry.wants() & !entry.won;
        let mut won = 0;
        if requested & 1 != 0 {
            won |= u8::from(self.banks.take(a, window, access, BANK_ACCESSES));
        }
        if requested & 2 != 0 {
            won |= u8::from(self.banks.take(b, window, access, BANK_ACCESSES)) << 1;
        }
        if won != 0 {
            self.counts.activity.window_reads += u64::from(won.count_ones());
            self.look_into_slots(e, index, won);
        }
    }

    /// Forgets the accesses of instruction number `index` for operands that were on the bus after
    /// them. It is in D or R1, which do not take results from the bus.
    fn read_again(&mut self, e: usize, index: u32) {
        let now = self.now as u32;
        let entry = self.engines[e].entry(index);
        for (bit, address) in [(1, entry.a), (2, entry.b)] {
            let is_past = |cycle| !is_later(cycle, now);
            if entry.awaited & bit != 0 && self.slots.ready(now, address).is_some_and(is_past) {
                entry.won &= !bit;
                entry.awaited &= !bit;
                entry.missing &= !bit;
                self.counts.activity.forwarded -= 1;
            }
        }
    }

    /// Handles operands of instruction number `index` that won their banks (1 for `a`, 2 for `b`).
    /// If a label is not in its slot when the bank is read, it will come over the bus.
    #[inline]
    fn look_into_slots(&mut self, e: usize, index: u32, won: u8) {
        let now = self.now as u32;
        let engine = &mut self.engines[e];
        let mask = engine.ring.len() - 1;
        let entry = &mut engine.ring[index as usize & mask];
        let same = u8::from(entry.a == entry.b && entry.flags & op::UNARY == 0) << 1;
        let won = won | won << 1 & same;
        let mut forwarded = 0;
        if entry.won == 0 {
            entry.ready = now;
        }
        for (bit, address) in [(1, entry.a), (2, entry.b)] {
            if won & bit == 0 || address < self.first_output {
                continue;
            }
            match self.slots.ready(now, address) {
                Some(cycle) => {
                    entry.ready = later(entry.ready, cycle);
                    if !is_later(cycle, now) {
                        continue;
                    }
                }
                None => entry.missing |= bit,
            }
            forwarded += 1;
            entry.awaited |= bit;
        }
        entry.won |= won;
        self.counts.activity.forwarded += forwarded;
    }

    #[inline]
    fn leave_read_stage(&mut self, e: usize) {
        let engine = &mut self.engines[e];
        let index = engine.left as usize & (engine.ring.len() - 1);
        let entry = &mut engine.ring[index];
        let first = entry.left;
        entry.left = self.now as u32;
        if entry.won == 0 {
            entry.ready = entry.left;
        }
        if entry.pops != 0 {
            entry.pops = 0;
            let word = engine.pop_wire();
            engine.ring[index].take(word, first);
            self.memory.wires_to_look_at |= 1 << e;
            self.counts.activity.oor_pops += 1;
        }
        engine.left = engine.left.wrapping_add(1);
    }
}
