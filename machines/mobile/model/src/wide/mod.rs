//! The wide core clock by clock, as its SystemVerilog is (`machines/mobile/rtl/mobile_wide.sv`):
//! bytes of items come up to 16 in a clock, and several ANDs are evaluated at once.
//!
//! Of each part, what its registers say is read before a clock, and then the clock is made.

mod execute;
mod items;
mod went;

pub use execute::Job;
pub use items::State;
pub use went::Went;

use super::Slot;
use super::item::{Encoder, Item};
use super::model::{And, Evaluate};
use execute::Execute;
use items::Items;

/// ANDs at once, as on the board for which it is placed.
pub const UNITS: usize = 4;

/// Its label slots: 32 KiB of block RAM.
pub const SLOTS: u32 = 2048;

/// Bytes that come in a clock at most.
pub const COME: usize = 16;

/// What happens in a clock.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Bytes that come are taken.
    pub ready: bool,
    /// A byte of a label that was read is offered.
    pub gives: Option<u8>,
    /// What came is no item: the status that says so.
    pub wrong: Option<u8>,
    /// There is nothing more.
    pub over: bool,
    /// Labels are being wiped.
    pub wipes: bool,
    /// What the decoder of items is at.
    pub items: State,
    /// A job is begun: an operand is read, and what for.
    pub job: Option<Job>,
    /// The slot of a label that is written.
    pub writes: Option<Slot>,
}

/// What comes in a clock.
#[derive(Clone, Copy, Default)]
pub struct Comes<'b> {
    /// A run begins.
    pub clear: bool,
    /// Bytes of items, [`COME`] at most; none are none.
    pub bytes: &'b [u8],
    /// A byte of a label is taken, if one is offered.
    pub takes: bool,
}

/// The core, with its label memory.
pub struct Core {
    items: Items,
    execute: Execute,
}

impl Core {
    /// After its reset, with so many [units](UNITS).
    pub fn new(units: usize) -> Core {
        Core { items: Items::new(), execute: Execute::new(units) }
    }

    /// A clock. ANDs are evaluated by `evaluate`.
    pub fn clock(&mut self, comes: Comes<'_>, evaluate: &mut dyn Evaluate) -> Seen {
        let Core { items, execute } = self;
        let step = execute.step(items.offered());
        let seen = Seen {
            ready: items.is_ready(),
            gives: execute.gives(),
            wrong: items.wrong(),
            over: execute.is_over(),
            wipes: execute.wipes(),
            items: items.state(),
            job: step.job,
            writes: step.writes,
        };
        let clear = comes.clear || execute.wipes();
        let looked = items.offered().filter(|_| step.keeps).map(|item| execute.look(item, &step));
        items.clock(clear, comes.bytes, step.done);
        execute.clock(&step, looked, comes, evaluate);
        seen
    }
}

/// Clocks in which the results of these items are written, if their bytes are there when the core takes them; with what follows each.
pub fn stores(units: usize, items: &[(Item, &[u8])]) -> Vec<u64> {
    let (mut encoder, mut bytes) = (Encoder::default(), Vec::new());
    for (item, follows) in items {
        encoder.push(*item, None, follows, &mut bytes);
    }
    encoder.flush(&mut bytes);
    let (mut core, mut found, mut left) = (Core::new(units), Vec::new(), &bytes[..]);
    let mut evaluate = |and: &And<'_>| and.a ^ and.b;
    while core.clock(Comes::default(), &mut evaluate).wipes {}
    for clock in 0.. {
        let row = &left[..left.len().min(COME)];
        let seen = core.clock(Comes { bytes: row, ..Comes::default() }, &mut evaluate);
        if seen.ready {
            left = &left[row.len()..];
        }
        found.extend(seen.writes.map(|_| clock));
        if found.len() == items.len() {
            break;
        }
    }
    found
}
