//! Dispatcher and loader.

use std::io;

use super::engine::Entry;
use super::{Fast, members};
use crate::code::Code;
use crate::instruction::Op;
use crate::model::Error;
use crate::model::config::{BANK_ACCESSES, BURST, BURST_LABELS, Config};
use crate::model::rows::Survey;

/// State of the loader.
pub struct Loader {
    /// Inputs below this address have been placed in the window.
    pub next: u32,
    pub end: u32,
    /// Bursts that were not requested yet.
    pub bursts: std::ops::Range<u32>,
    /// Number of bursts that have arrived and are not placed.
    pub here: u32,
    /// Number of the first of these bursts.
    burst: u32,
}

impl Loader {
    pub fn new(code: &Code, survey: &Survey, config: &Config) -> Loader {
        let (next, end) = (survey.first_loaded, code.first_output);
        // The address before the first output belongs to no wire if its slot is 0. If no input is
        // used, it is address 0 itself.
        let last = if config.shape.slot(end - 1) == 0 { end.saturating_sub(2) } else { end - 1 };
        let some = next < end;
        let bursts = if some { next / BURST_LABELS..last / BURST_LABELS + 1 } else { 0..0 };
        Loader { next, end, burst: bursts.start, bursts, here: 0 }
    }

    #[inline]
    pub fn is_done(&self) -> bool {
        self.next >= self.end
    }
}

impl Fast<'_> {
    /// Places the labels of bursts that have arrived.
    pub(super) fn load(&mut self) -> bool {
        if self.loader.here == 0 {
            return false;
        }
        let count = self.loader.here.min(self.config.loader_bursts);
        for _ in 0..count {
            let burst = self.loader.burst;
            while self.loader.next / BURST_LABELS == burst && self.loader.next < self.loader.end {
                let window = self.config.shape.window;
                self.banks.take(self.loader.next, window, self.now as u32 + 1, BANK_ACCESSES);
                self.counts.activity.window_writes += 1;
                self.loader.next = self.config.shape.next_address(self.loader.next);
            }
            self.loader.burst += 1;
        }
        self.loader.here -= count;
        self.written_in(self.now + 1);
        for e in members(std::mem::take(&mut self.wait_input)) {
            self.wake(e, self.now + 1);
        }
        true
    }

    /// Records a write into the window in `cycle`.
    #[inline]
    pub(super) fn written_in(&mut self, cycle: u64) {
        self.counts.last_write = self.counts.last_write.max(Some(cycle));
        self.happens(cycle);
    }

    /// Records that the run does not end before the end of `cycle`.
    #[inline]
    pub(super) fn happens(&mut self, cycle: u64) {
        self.counts.last_event = self.counts.last_event.max(Some(cycle));
    }

    /// Dispatches a row, if it has arrived and there is free space.
    pub(super) fn dispatch<E>(&mut self) -> Result<bool, Error<E>> {
        let status = self.dispatch_status()?;
        self.dispatched.note(status);
        // Instructions that left FIFOs in this cycle free their places for the next cycle only.
        let mut full = 0;
        if status == 0 {
            full = self.give_out()?;
        }
        self.full = full | self.still_full();
        Ok(status == 0)
    }

    /// The dispatcher's action in this cycle, as an index into
    /// [`STATUSES`](super::accounts::STATUSES).
    fn dispatch_status(&mut self) -> io::Result<u8> {
        if self.rows_left == 0 {
            return Ok(3);
        }
        let (end, some) = self.ahead.about()?;
        if end > self.memory.instructions_here * u64::from(8 * BURST) {
            return Ok(1);
        }
        Ok(if some & self.full == 0 { 0 } else { 2 })
    }

    /// Issue FIFOs that were full and still are full.
    fn still_full(&self) -> u64 {
        let is_full = |&e: &usize| self.engines[e].fifo() >= self.config.issue;
        members(self.full).filter(is_full).fold(0, |set, e| set | 1 << e)
    }

    /// Dispatches the next row. Returns the engines whose FIFOs are full now.
    fn give_out(&mut self) -> io::Result<u64> {
        let (end, some) = self.ahead.about()?;
        let mut full = 0;
        for e in members(some) {
            let instruction = self.ahead.peek(e);
            let out = self.next_output;
            let kind = instruction.op();
            let unary = kind == Op::Unary;
            let address = |slot| if slot == 0 { 0 } else { self.config.operand(slot, out) };
            let a = address(instruction.a());
            let b = if unary { a } else { address(instruction.b()) };
            let is_input = |address| address != 0 && address < self.first_output;
            let reads_input = is_input(a) || is_input(b);
            // R1 will read these slots some cycles from now.
            self.touched ^= self.slots.touch(a) ^ self.slots.touch(b);
            let entry = Entry::new(instruction, [a, b], out, self.next_and, reads_input);
            self.next_and += u64::from(kind == Op::And);
            self.next_output = self.config.shape.next_address(out);
            let engine = &mut self.engines[e];
            let wakes = engine.push(entry);
            let fifo = engine.fifo();
            full |= u64::from(fifo >= self.config.issue) << e;
            self.late |= u64::from(fifo >= self.config.late) << e;
            if wakes && self.awake & 1 << e == 0 {
                self.wake(e, self.now + 1);
            }
        }
        self.used_bits = end;
        self.rows_left -= 1;
        self.counts.unissued += u64::from(some.count_ones());
        self.ahead.pop();
        self.happens(self.now);
        Ok(full)
    }
}
