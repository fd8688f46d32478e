//! The machine stage by stage, with the names of wires in place of labels.
//!
//! [`Exact::cycle`] is one cycle, read from top to bottom: what is written into and read from the
//! window, what goes over the bus, what is issued, what is read next, what is dispatched, and what
//! memory does. Whatever decides something looks at *levels* as they were registered at the end of
//! the cycle before ([`engine::Levels`], copied first), so that the order of the parts changes
//! nothing but where the text says that one comes first.
//!
//! Memory: the window (8 bytes a slot), queues, and 4 bytes for each live wire that is still to be
//! read.

mod engine;
mod frontend;
mod halves;
mod memory;
mod mutation;
mod responses;
mod run;
mod tables;
mod watch;
mod window;

pub use memory::Disturbance;
pub use mutation::Mutation;
pub use run::{Extra, run, run_with};
pub use watch::{NoWatch, QueueLevels, Snapshot, Watch};

use super::config::Config;
use super::rows::Rows;
use super::{Cause, Error};
use crate::code::Code;
use crate::issue::Sink;
use crate::report::{Activity, Traffic};
use engine::{Engine, Levels};
use frontend::{Dispatcher, Loader};
use halves::Halves;
use memory::Memory;
use tables::TableStreams;
use window::{Window, Write};

/// The machine's state.
struct Exact<'a> {
    config: Config,
    code: &'a Code,
    mutation: Option<Mutation>,
    /// The cycle that comes next.
    now: u64,
    rows: Rows<'a>,
    dispatcher: Dispatcher,
    loader: Loader,
    engines: Vec<Engine>,
    window: Window,
    /// What was on the bus in the cycle before: written into the window in this one.
    writing: Vec<Write>,
    halves: Halves,
    memory: Memory<'a>,
    tables: TableStreams<'a>,
    registered: Registered,
    /// Seeds the stalls of a disturbed run.
    disturbance: Option<memory::Disturbed>,
    counts: Counts,
}

/// What parts of the machine know of others: as it was at the end of the cycle before.
#[derive(Clone, Copy, Default)]
struct Registered {
    /// The lowest half of the address space that is not complete.
    complete: u32,
    /// The half of the oldest instruction that has not left its read stage, over all engines.
    oldest_half: u32,
    /// Inputs below this address have their place in the window.
    loaded: u32,
    /// Whether all of them have.
    all_loaded: bool,
    /// Bursts of instructions that were used up.
    instructions_freed: u64,
    /// Whether all rows were given out.
    all_dispatched: bool,
}

/// What is counted.
struct Counts {
    causes: Vec<[u64; Cause::COUNT]>,
    traffic: Traffic,
    memory_bound: u64,
    first_issue: Option<u64>,
    last_write: Option<u64>,
    activity: Activity,
    /// The last cycle in which anything moved.
    last_progress: u64,
    live_writes: u64,
    last_causes: Vec<Cause>,
}

impl Exact<'_> {
    /// One cycle.
    fn cycle<S: Sink, W: Watch>(
        &mut self,
        sink: &mut S,
        watch: &mut W,
    ) -> Result<(), Error<S::Error>> {
        let seen: Vec<Levels> = self.engines.iter().map(|engine| engine.levels).collect();
        self.registered = Registered {
            complete: self.halves.complete(),
            oldest_half: self.oldest_unread_half(),
            loaded: self.loader.committed(),
            all_loaded: self.loader.is_done(),
            instructions_freed: self.dispatcher.freed,
            all_dispatched: self.dispatcher.next_output().is_none(),
        };

        // The window: writes that were reserved for this cycle, then reads.
        if self.mutation == Some(Mutation::ReadsBeforeWrites) {
            self.read_window();
            self.write_window();
        } else {
            self.write_window();
            self.read_window();
        }
        // The bus, to every operand that is still missing.
        let bus = self.results();
        self.forward(&bus);
        self.writing = bus;

        let causes = self.issue(&seen, sink)?;
        self.load();
        self.read_stage(&seen);
        self.dispatch(&seen)?;
        self.request(&seen)?;
        self.responses();
        self.halves.advance();
        self.memory.forget(self.halves.complete());
        self.engines.iter_mut().for_each(Engine::note_idle);

        if causes.contains(&Cause::Issue) {
            self.counts.last_progress = self.counts.last_progress.max(self.now);
        }
        watch.cycle(&Snapshot::new(self.now, &causes, &self.engines, &self.memory));
        for (counts, cause) in self.counts.causes.iter_mut().zip(&causes) {
            counts[*cause as usize] += 1;
        }
        self.counts.last_causes = causes;
        self.now += 1;
        Ok(())
    }
}
