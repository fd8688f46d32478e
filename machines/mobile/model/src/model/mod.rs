//! Cycle-accurate model of the small core (`machines/mobile/rtl`). It has the same signals on the
//! link and at the label memory as the RTL, in each clock cycle.
//!
//! Modules have the names of the SystemVerilog modules. Outputs are read from the registers before
//! each clock edge; then the registers are updated. Labels are XORed and hashed in the clock cycle
//! in which the hardware has the result.

mod execute;
mod frames;
mod items;
mod labels;
mod queue;
mod send;
mod went;

pub use execute::{And, Evaluate, Step};
pub use items::State;
pub use went::Went;

use super::SLOTS;
use super::frame::Frame;
use super::item::{Encoder, Item};
use super::names::*;
use execute::Execute;
use frames::Frames;
use items::Items;
use labels::Labels;
use queue::Queue;
use send::Send;

/// A request to the label memory in a clock cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Request {
    /// Whether the word is written; otherwise it is read.
    pub write: bool,
    /// Twice the slot, plus one for the higher word.
    pub address: u16,
    /// Data to write; 0 for a read.
    pub data: Word,
}

/// Half of a label.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Word(pub u64);

impl std::fmt::Debug for Word {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("…")
    }
}

/// Observable events of a clock cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Seen {
    /// Byte that is offered to the link.
    pub sends: Option<u8>,
    /// Request to the label memory.
    pub requests: Option<Request>,
    /// Whether a byte of a frame is executed.
    pub takes: bool,
    /// What the decoder of items waits for.
    pub items: State,
    /// State of the execution.
    pub execute: Step,
}

/// How much of the FPGA the chip uses (the RTL's parameter `Round`).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Form {
    /// AES computes half a round per clock cycle, as published. Bytes that follow an item are taken
    /// one per clock cycle.
    #[default]
    Half,
    /// AES computes a round per clock cycle. Bytes that follow an item are taken two per clock
    /// cycle.
    Round,
}

impl Form {
    /// Maximum number of bytes that follow an item and are taken in one clock cycle.
    fn lanes(self) -> usize {
        match self {
            Form::Half => 1,
            Form::Round => 2,
        }
    }

    /// Number of clock cycles in which the hashes of an AND are busy, including the first.
    fn hashes(self) -> u8 {
        match self {
            Form::Half => 42,
            Form::Round => 22,
        }
    }
}

/// The chip with a label memory that responds in the next clock cycle.
pub struct Chip {
    frames: Frames,
    queue: Queue,
    items: Items,
    execute: Execute,
    labels: Labels,
    send: Send,
    /// First error of the run; and (`now`) the error that was found in the previous clock cycle.
    wrong: u8,
    now: Option<u8>,
}

impl Default for Chip {
    fn default() -> Chip {
        Chip::new(Form::default())
    }
}

impl Chip {
    /// Returns a chip after its reset.
    pub fn new(form: Form) -> Chip {
        Chip {
            frames: Frames::new(),
            queue: Queue::new(form.lanes()),
            items: Items::new(),
            execute: Execute::new(form),
            labels: Labels::default(),
            send: Send::default(),
            wrong: STATUS_FINE,
            now: None,
        }
    }

    /// Runs a clock cycle. `comes` is the byte received from the host, and `is_taken` accepts the
    /// byte that the chip offers. `evaluate` computes ANDs.
    pub fn clock(
        &mut self,
        comes: Option<u8>,
        is_taken: bool,
        evaluate: &mut dyn Evaluate,
    ) -> Seen {
        let (status, takes) = (self.status(), self.takes());
        let Chip { frames, queue, items, execute, labels, send, .. } = self;
        let (end, wipes, full) = (frames.end(), execute.wipes(), queue.is_full());
        let (byte, bytes, write) = (queue.byte(), queue.bytes(), frames.write(full));
        let given = execute.gives().filter(|_| !labels.is_full());
        let found = items.wrong(byte);
        let seen = Seen {
            sends: send.byte(),
            requests: execute.requests(),
            takes,
            items: items.state(),
            execute: execute.step(),
        };
        let sending = send::In {
            clear: end.reset,
            wipes,
            run: frames.run(),
            end: &end,
            next: frames.acknowledged(),
            space: queue.space(),
            status,
            label: labels.there(),
            label_number: labels.next(),
            label_byte: labels.byte(),
            is_taken,
        };
        let keeping = labels::In {
            clear: end.reset,
            wipes,
            given,
            acked: end.acked,
            takes: send.takes_label(),
            word: send.word(),
        };
        let queueing = queue::In {
            clear: end.reset,
            wipes,
            write,
            keep: end.keep,
            drop: end.drop,
            takes: match (takes, items.state()) {
                (false, _) => 0,
                (true, State::Follow) => bytes.map_or(0, |bytes| bytes.len()),
                (true, _) => 1,
            },
        };
        let reading = items::In {
            clear: end.reset,
            is_grr3: execute.is_grr3(),
            byte,
            takes,
            item_ready: execute.is_item_ready(),
            last: execute.is_last(),
        };
        let executing = execute::In {
            clear: end.reset,
            item: items.item(),
            bytes: bytes.filter(|_| items.state() == State::Follow),
            step: byte.filter(|_| items.state() == State::Step),
            given: given.is_some(),
        };
        frames.clock(wipes.is_some(), comes, full);
        queue.clock(queueing);
        items.clock(reading);
        execute.clock(executing, evaluate);
        send.clock(sending);
        labels.clock(keeping);
        self.note_wrong(end, found);
        seen
    }

    /// Whether the chip could take a byte of a frame, but none is available.
    pub fn starves(&self) -> bool {
        match self.items.state() {
            State::Follow => self.execute.is_byte_ready() && self.queue.bytes().is_none(),
            State::Offer => false,
            _ => self.queue.byte().is_none(),
        }
    }

    /// The status that the chip reports.
    fn status(&self) -> u8 {
        match self.wrong {
            STATUS_FINE if self.execute.is_over() => STATUS_OVER,
            other => other,
        }
    }

    /// Whether a byte of a frame is executed in this clock cycle.
    fn takes(&self) -> bool {
        let is_ready = match self.items.state() {
            State::Follow => self.execute.is_byte_ready() && self.queue.bytes().is_some(),
            other => other != State::Offer,
        };
        self.queue.byte().is_some() && is_ready
    }

    /// Records the first error of a run.
    fn note_wrong(&mut self, end: frames::End, found: Option<u8>) {
        self.wrong = match (self.wrong, self.now) {
            _ if end.reset => STATUS_FINE,
            (STATUS_FINE, Some(what)) => what,
            (STATUS_FINE, None) if end.other => STATUS_OTHER_RUN,
            (what, _) => what,
        };
        self.now = found.filter(|_| !end.reset);
    }
}

/// Returns the clock cycles in which the results of `items` are written, if the chip receives all
/// bytes before it executes the first item. Each item has the bytes that follow it. All items must
/// fit into one frame.
pub fn stores(form: Form, items: &[(Item, &[u8])]) -> Vec<u64> {
    let (mut encoder, mut payload) = (Encoder::default(), Vec::new());
    for (item, follows) in items {
        encoder.push(*item, None, follows, &mut payload);
    }
    encoder.flush(&mut payload);
    let frame = Frame::Data { number: 0, run: 0, payload: payload.into() }.encode();
    let (mut chip, mut found) = (Chip::new(form), Vec::new());
    // First the chip wipes its memory.
    let (wipes, ends) = (3 * SLOTS as usize, 100 * (1 + items.len()) + frame.len());
    let comes = std::iter::repeat_n(None, wipes).chain(frame.iter().copied().map(Some));
    for (clock, comes) in (0..).zip(comes.chain(std::iter::repeat_n(None, ends))) {
        let seen = chip.clock(comes, true, &mut |and: &And<'_>| and.a ^ and.b);
        if seen.execute == Step::StoreHigh {
            found.push(clock);
        }
    }
    found
}
