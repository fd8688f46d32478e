//! Cycle-accurate model of the wide core (`machines/mobile/rtl/mobile_wide.sv`). The core takes up
//! to 16 bytes of items per clock cycle, and evaluates several ANDs in parallel.
//!
//! Outputs are read from the registers before each clock edge, and then the registers are updated.

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

/// Number of AND units, as placed on the board's FPGA.
pub const UNITS: usize = 4;

/// Number of label slots: 32 KiB of block RAM.
pub const SLOTS: u32 = 2048;

/// Maximum number of bytes received in a clock cycle.
pub const COME: usize = 16;

/// Observable events of a clock cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Whether the core takes the received bytes.
    pub ready: bool,
    /// Byte of a label that is offered.
    pub gives: Option<u8>,
    /// The status to report for bytes that were no item.
    pub wrong: Option<u8>,
    /// Whether the item [`Item::End`] was executed.
    pub over: bool,
    /// Whether labels are being wiped.
    pub wipes: bool,
    /// State of the decoder.
    pub items: State,
    /// The job that begins: an operand that is read, and its use.
    pub job: Option<Job>,
    /// Slot of a label that is written.
    pub writes: Option<Slot>,
}

/// Inputs of a clock cycle.
#[derive(Clone, Copy, Default)]
pub struct Comes<'b> {
    /// Whether a run begins.
    pub clear: bool,
    /// Bytes of items, at most [`COME`]; may be empty.
    pub bytes: &'b [u8],
    /// Whether the offered byte of a label is taken.
    pub takes: bool,
}

/// The core, with its label memory.
pub struct Core {
    items: Items,
    execute: Execute,
}

impl Core {
    /// Returns a core after its reset, with `units` AND units, for example [`UNITS`].
    pub fn new(units: usize) -> Core {
        Core { items: Items::new(), execute: Execute::new(units) }
    }

    /// Runs a clock cycle. `evaluate` computes ANDs.
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

/// Returns the clock cycles in which the results of `items` are written, if bytes always arrive in
/// time. Each item has the bytes that follow it.
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
