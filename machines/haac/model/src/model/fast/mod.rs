//! A model that keeps times only: for each slot of the window, when its label is there; for each
//! engine, the event for which it waits. Equal to [`exact`](super::exact) in cycles and every
//! counter.
//!
//! An engine that cannot move sleeps until an event wakes it: an operand is ready, memory responds,
//! a queue has free space, or a row arrives. The cycles of its sleep are counted when it wakes. If
//! all engines sleep and nothing else moves, time jumps to the next known event.
//!
//! Memory: the window (8 bytes per slot) and queues.

mod accounts;
mod ahead;
mod engine;
mod frontend;
mod memory;
mod run;
mod window;

pub use run::{run, run_attached};

use super::Error;
use super::attached::Ports;
use super::config::Config;
use crate::issue::Sink;
use crate::report::{Activity, Traffic};
use accounts::Dispatched;
use ahead::Ahead;
use engine::Engine;
use memory::Memory;
use window::{Banks, Slots};

/// A set of engines as a bit mask.
type Engines = u64;

/// The engines in a set, in ascending order.
#[inline]
fn members(mut set: Engines) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let e = set.trailing_zeros() as usize;
        set &= set - 1;
        Some(e)
    })
}

/// The machine's state.
struct Fast<'a> {
    config: Config,
    first_output: u32,
    is_evaluator: bool,
    now: u64,
    engines: Vec<Engine>,
    /// Engines that are awake.
    awake: Engines,
    /// Sleeping engines that wait for the write interlock, for a half to be complete before they
    /// read, for the loader, and for an operand whose instruction was not issued yet.
    wait_write: Engines,
    wait_read: Engines,
    wait_input: Engines,
    wait_unissued: Engines,
    slots: Slots,
    banks: Banks,
    /// The cycle in which long past times in `slots` and `banks` are refreshed next.
    refresh_at: u64,
    /// Events of the next cycles: a ring.
    wheel: Vec<Spoke>,
    /// Addresses of live results on the bus, indexed by the cycle's place in the ring, by AND or
    /// XOR, and by engine.
    results: Vec<u32>,
    /// Issue FIFOs that are full, as registered.
    full: Engines,
    /// Engines that are late, as registered.
    late: Engines,
    /// Outputs below the first limit pass the read interlock. Outputs below the second pass the
    /// write interlock, as last computed.
    read_limit: u64,
    write_limit: u64,
    halves: Halves,
    ahead: Ahead<'a>,
    dispatched: Dispatched,
    rows_left: u64,
    next_output: u32,
    next_and: u64,
    used_bits: u64,
    loader: frontend::Loader,
    memory: Memory<'a>,
    counts: Counts,
    /// Keeps the early loads of slots from being optimised away; its value has no meaning.
    touched: u32,
}

/// Events of a future cycle.
#[derive(Clone, Copy, Default)]
struct Spoke {
    /// Engines that wake up.
    wake: Engines,
    /// Engines with live results of ANDs and XORs on the bus.
    live_and: Engines,
    live_xor: Engines,
    /// Engines whose tables come out of the unit (garbler).
    table: Engines,
}

impl Spoke {
    fn is_empty(self) -> bool {
        self.wake | self.live_and | self.live_xor | self.table == 0
    }
}

/// The two lowest halves that are not complete.
struct Halves {
    complete: u32,
    /// Issued instructions of each half.
    issued: [u32; 2],
    /// Number of instructions in the first half.
    size: u32,
    /// Live labels that are not in memory yet.
    unwritten: [u32; 2],
    /// The cycle in which the last finished instruction of each half finished.
    finished: [u64; 2],
}

/// Counters of the run.
#[derive(Default)]
struct Counts {
    traffic: Traffic,
    memory_bound: u64,
    first_issue: Option<u64>,
    last_write: Option<u64>,
    activity: Activity,
    /// The last cycle with an event that the run must wait for.
    last_event: Option<u64>,
    unissued: u64,
    /// Live labels and tables on their way to memory.
    to_memory: u64,
}

impl Fast<'_> {
    /// Simulates one cycle. Then jumps over the following cycles if nothing happens in them.
    fn cycle<S: Sink>(&mut self, sink: &mut S) -> Result<(), Error<S::Error>> {
        if self.now >= self.refresh_at {
            self.refresh();
        }
        let mut moved = self.requests()?;
        moved |= self.results_and_wakes();
        if self.wait_write != 0 {
            self.wake_writers();
        }
        if self.awake != 0 {
            let issued = self.issue(sink)?;
            if issued && self.wait_unissued != 0 {
                self.find_operands();
            }
        }
        // The loader's accesses come before the engines'; engines see the loaded inputs a cycle
        // later.
        let loaded = self.loader.next;
        moved |= self.load();
        if self.awake != 0 {
            self.read(loaded);
        }
        moved |= self.dispatch()?;
        moved |= self.ends();
        moved |= self.advance_half();
        if moved || self.awake != 0 {
            self.now += 1;
            return Ok(());
        }
        self.jump()
    }

    /// Refreshes past times, since times are kept in few bits.
    #[cold]
    fn refresh(&mut self) {
        self.slots.refresh(self.now as u32);
        self.banks.refresh(self.now as u32);
        self.refresh_at = self.now + window::REFRESH;
    }

    fn spoke(&mut self, cycle: u64) -> &mut Spoke {
        let ring = self.wheel.len() - 1;
        &mut self.wheel[cycle as usize & ring]
    }

    /// Handles the results on the bus in this cycle, and the engines due to wake.
    fn results_and_wakes(&mut self) -> bool {
        let now = self.now;
        let spoke = std::mem::take(self.spoke(now));
        if spoke.is_empty() {
            return false;
        }
        for e in members(spoke.wake) {
            self.wake(e, now);
        }
        let ring = self.wheel.len() - 1;
        let row = (now as usize & ring) * 2 * self.config.engines;
        for e in members(spoke.live_and) {
            self.engines[e].push_live(self.results[row + e]);
        }
        for e in members(spoke.live_xor) {
            self.engines[e].push_live(self.results[row + self.config.engines + e]);
        }
        self.memory.live |= spoke.live_and | spoke.live_xor;
        for e in members(spoke.table) {
            self.engines[e].tables += 1;
            if self.engines[e].tables >= super::config::BURST_TABLES {
                self.memory.tables |= 1 << e;
            }
        }
        true
    }

    /// Ends the cycle: the lowest half may be complete.
    fn advance_half(&mut self) -> bool {
        let halves = &mut self.halves;
        let done = halves.issued[0] == halves.size
            && halves.unwritten[0] == 0
            && halves.finished[0] <= self.now;
        if !done {
            return false;
        }
        halves.complete += 1;
        halves.issued = [halves.issued[1], 0];
        halves.unwritten = [halves.unwritten[1], 0];
        halves.finished = [halves.finished[1], 0];
        halves.size = self.config.instructions_in_half(halves.complete, self.first_output);
        self.read_limit = (u64::from(halves.complete) + 2) * u64::from(self.config.shape.half());
        for e in members(std::mem::take(&mut self.wait_read)) {
            self.wake(e, self.now + 1);
        }
        self.memory.wires_to_look_at = !0;
        true
    }

    /// Jumps to the next cycle with a known event.
    #[cold]
    fn jump<E>(&mut self) -> Result<(), Error<E>> {
        if self.memory.is_watched() {
            self.now += 1;
            let is_dead = self.memory.ports.as_ref().is_some_and(Ports::is_dead);
            return if is_dead { Err(self.stuck()) } else { Ok(()) };
        }
        let end = (!self.is_at_work()).then(|| self.end().max(self.now + 1));
        let next = self.next_event().into_iter().chain(end).min();
        let next = next.ok_or_else(|| self.stuck())?;
        let skipped = next - self.now - 1;
        self.dispatched.skip(skipped);
        self.memory.skip(skipped, &self.config);
        if self.memory.is_blocked {
            self.counts.memory_bound += skipped;
        }
        self.now = next;
        Ok(())
    }

    fn next_event(&self) -> Option<u64> {
        let ring = self.wheel.len() as u64;
        let wheel = (self.now + 1..self.now + ring)
            .find(|&cycle| !self.wheel[(cycle & (ring - 1)) as usize].is_empty());
        let halves = &self.halves;
        let half = (halves.issued[0] == halves.size && halves.unwritten[0] == 0)
            .then_some(halves.finished[0]);
        let response = self.memory.next_response();
        let credit = self.memory.next_credit(self.now, &self.config);
        let flush = self.next_flush();
        let all = [wheel, half, response, credit, flush];
        all.into_iter().flatten().filter(|&cycle| cycle > self.now).min()
    }

    /// Garbler: the cycle from which on an engine with a single table left counts as having nothing
    /// left to do.
    fn next_flush(&self) -> Option<u64> {
        if self.is_evaluator || self.rows_left > 0 {
            return None;
        }
        let left = self.engines.iter().filter(|engine| engine.tables == 1 && engine.is_empty());
        left.map(|engine| engine.last_due + 1).filter(|&cycle| cycle > self.now).min()
    }

    #[cold]
    fn stuck<E>(&self) -> Error<E> {
        let oldest = |engine: &Engine| engine.oldest().unwrap_or(u32::MAX);
        let (engine, waits) = (0..)
            .zip(&self.engines)
            .min_by_key(|(_, engine)| oldest(engine))
            .expect("there is at least one engine");
        Error::Stuck { cycle: self.now, engine, waits_for: waits.waits_for() }
    }
}
