//! The machine stage by stage, with wire addresses in place of labels.
//!
//! [`Exact::cycle`] is one cycle, in this order: window writes and reads, the bus, issue, the read
//! stages, dispatch, and memory. All decisions use *levels* registered at the end of the previous
//! cycle ([`engine::Levels`], copied first). So the order of the parts matters only where
//! `machine.md` requires one part before another.
//!
//! Memory: the window (8 bytes per slot), queues, and 4 bytes for each live wire that is still to
//! be read.

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
pub use run::{Extra, run, run_attached, run_with};
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
    /// Number of the next cycle.
    now: u64,
    rows: Rows<'a>,
    dispatcher: Dispatcher,
    loader: Loader,
    engines: Vec<Engine>,
    window: Window,
    /// Results that were on the bus in the previous cycle and are written into the window in this
    /// one.
    writing: Vec<Write>,
    halves: Halves,
    memory: Memory<'a>,
    tables: TableStreams<'a>,
    registered: Registered,
    /// State of a disturbed run.
    disturbance: Option<memory::Disturbed>,
    counts: Counts,
}

/// State that the parts of the machine use of each other, registered at the end of the previous
/// cycle.
#[derive(Clone, Copy, Default)]
struct Registered {
    /// Number of the lowest half that is not complete.
    complete: u32,
    /// The half of the oldest instruction that has not left its read stage, over all engines.
    oldest_half: u32,
    /// Inputs below this address have been placed in the window.
    loaded: u32,
    /// Whether all inputs have been placed.
    all_loaded: bool,
    /// Bursts of instructions that were used up.
    instructions_freed: u64,
    /// Whether all rows were dispatched.
    all_dispatched: bool,
}

/// Counters of the run.
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
    /// Simulates one cycle.
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
        // The bus delivers to all operands that are still missing.
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
