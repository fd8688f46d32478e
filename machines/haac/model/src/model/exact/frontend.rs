//! The parts before the engines: the dispatcher, which distributes rows, and the loader, which puts
//! inputs into the window.

use std::collections::VecDeque;
use std::io;

use super::engine::{Levels, Queued};
use super::{Cause, Exact, Mutation};
use crate::code::Code;
use crate::instruction::Op;
use crate::model::config::{BURST, BURST_LABELS, Config};
use crate::model::rows::Survey;

/// Dispatches rows of the instruction queue.
pub struct Dispatcher {
    rows_left: u64,
    /// Address of the next instruction's output.
    next_output: u32,
    /// Number of the next AND.
    next_and: u64,
    /// Numbers of bursts that were requested, that have arrived, and that are used up.
    pub requested: u64,
    pub arrived: u64,
    pub freed: u64,
    /// Number of bits of the stream that were used.
    used: u64,
}

impl Dispatcher {
    pub fn new(code: &Code, survey: &Survey) -> Dispatcher {
        Dispatcher {
            rows_left: survey.rows,
            next_output: code.first_output,
            next_and: 0,
            requested: 0,
            arrived: 0,
            freed: 0,
            used: 0,
        }
    }

    /// The next output address. `None` once all rows were dispatched.
    pub fn next_output(&self) -> Option<u32> {
        (self.rows_left > 0).then_some(self.next_output)
    }
}

impl Exact<'_> {
    /// Dispatches a row, if all of it has arrived and its engines have free space.
    pub(super) fn dispatch(&mut self, seen: &[Levels]) -> io::Result<()> {
        // Reads into `rows` all rows whose last bit has arrived.
        self.rows.has_burst(self.dispatcher.arrived)?;
        let cause = self.dispatch_status(seen);
        let row = cause == Cause::Issue;
        for e in 0..self.engines.len() {
            self.engines[e].dispatched = cause;
            if !row {
                continue;
            }
            let instruction = self.rows.peek(e);
            if instruction.is_nop() {
                self.engines[e].dispatched = Cause::Nop;
                continue;
            }
            let dispatcher = &mut self.dispatcher;
            let queued =
                Queued { instruction, out: dispatcher.next_output, and: dispatcher.next_and };
            let counts =
                instruction.op() == Op::And || self.mutation == Some(Mutation::AndNumberCountsAll);
            dispatcher.next_and += u64::from(counts);
            dispatcher.next_output = match self.mutation {
                Some(Mutation::SlotZeroGiven) => dispatcher.next_output + 1,
                _ => self.config.shape.next_address(dispatcher.next_output),
            };
            self.engines[e].fifo.push_back(queued);
            self.engines[e].levels.fifo += 1;
        }
        if row {
            let dispatcher = &mut self.dispatcher;
            dispatcher.used = self.rows.end().expect("a row was there");
            dispatcher.freed = dispatcher.used / u64::from(8 * BURST);
            dispatcher.rows_left -= 1;
            self.rows.pop();
        }
        Ok(())
    }

    /// [`Cause::Issue`] if a row is dispatched in this cycle; otherwise the reason why not.
    fn dispatch_status(&self, seen: &[Levels]) -> Cause {
        if self.dispatcher.rows_left == 0 {
            return Cause::Finished;
        }
        let arrived = self.dispatcher.arrived * u64::from(8 * BURST);
        if self.rows.end().is_none_or(|end| end > arrived) {
            return Cause::Instructions;
        }
        let overflow = self.mutation == Some(Mutation::FifoOverflows);
        let space = |(e, levels): (usize, &Levels)| {
            levels.fifo < self.config.issue || self.rows.peek(e).is_nop() || overflow
        };
        if seen.iter().enumerate().all(space) { Cause::Issue } else { Cause::Behind }
    }
}

/// Puts inputs into the window, in the order of their addresses.
pub struct Loader {
    /// The next address to be placed.
    next: u32,
    /// The first address that is not an input.
    end: u32,
    /// Numbers of the bursts that have arrived, four addresses each.
    queue: VecDeque<u32>,
    /// Addresses to be written in the next cycle.
    written: Vec<u32>,
    /// Bursts that were not requested yet.
    bursts: std::ops::Range<u32>,
}

impl Loader {
    pub fn new(code: &Code, survey: &Survey, config: &Config) -> Loader {
        let first = survey.first_loaded;
        let end = code.first_output;
        let skips = config.shape.slot(end - 1) == 0;
        // If no input is used, `end - 1` is 0, and no address comes before it.
        let last = (end - 1).saturating_sub(u32::from(skips));
        let bursts = if first < end { first / BURST_LABELS..last / BURST_LABELS + 1 } else { 0..0 };
        Loader { next: first, end, queue: VecDeque::new(), written: Vec::new(), bursts }
    }

    /// Inputs below this address have been placed in the window.
    pub fn committed(&self) -> u32 {
        self.next
    }

    /// Whether all inputs have been placed.
    pub fn is_done(&self) -> bool {
        self.next >= self.end
    }

    /// Whether all inputs have been placed and no label is on its way to the window.
    pub fn is_idle(&self) -> bool {
        self.is_done() && self.written.is_empty()
    }

    /// The addresses that were placed in the previous cycle.
    pub fn take_written(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.written)
    }

    /// Takes the next burst to request.
    pub fn request(&mut self) -> Option<u32> {
        self.bursts.next()
    }

    /// The number of the burst that is requested next.
    pub fn next_request(&self) -> Option<u32> {
        self.bursts.clone().next()
    }

    /// Whether there is a burst to request.
    pub fn has_request(&self) -> bool {
        !self.bursts.is_empty()
    }

    /// Records the arrival of a burst.
    pub fn arrived(&mut self, burst: u32) {
        self.queue.push_back(burst);
    }

    /// Places all inputs at once, for a preloaded start. Returns their addresses and number of
    /// bursts.
    pub fn preload(&mut self, config: &Config) -> (Vec<u32>, u64) {
        let mut all = Vec::new();
        while self.next < self.end {
            all.push(self.next);
            self.next = config.shape.next_address(self.next);
        }
        let bursts = self.bursts.len() as u64;
        self.bursts = 0..0;
        (all, bursts)
    }
}

impl Exact<'_> {
    /// Reserves accesses in the next cycle for the labels of arrived bursts, before any read does.
    /// There always are free accesses, since engines leave them to the loader.
    pub(super) fn load(&mut self) {
        let loader = &mut self.loader;
        for _ in 0..self.config.loader_bursts {
            let Some(burst) = loader.queue.pop_front() else { break };
            while loader.next / BURST_LABELS == burst && loader.next < loader.end {
                self.window.take(self.config.bank(loader.next), self.now + 1);
                loader.written.push(loader.next);
                loader.next = self.config.shape.next_address(loader.next);
            }
        }
    }
}
