//! `mobile_execute`, with `mobile_key` and `mobile_label`: executes items in order.

mod key;
mod label;
mod step;

use super::queue::Follows;
use super::{Form, Request, Word};
use crate::item::{Begin, Item};
use zeroize::Zeroize;

/// Number of words in the label memory.
const WORDS: u16 = 2 * crate::SLOTS as u16;

/// State of the execution.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// Wipes labels.
    Wipe,
    /// Waits for an item.
    Idle,
    /// Reads operands.
    Read,
    /// Hashes the operands, and receives the table.
    Work,
    /// Writes the lower word of a label.
    Store,
    /// Writes the higher word of a label.
    StoreHigh,
    /// Receives a label.
    Load,
    /// Sends a label.
    Give,
    /// Receives the parameters of a netlist cycle.
    Config,
}

/// Inputs to the evaluation of an AND.
pub struct And<'t> {
    /// Parameters of the AND's netlist cycle.
    pub begin: Begin,
    /// In `half-gates`, the AND number in the run; in `grr3`, the position in the body.
    pub number: u64,
    /// Label of operand a; a third operand is already XORed to it.
    pub a: u128,
    /// Label of operand b; a third operand is already XORed to it.
    pub b: u128,
    /// The garbled table, 32 or 48 bytes.
    pub table: &'t [u8],
}

/// Evaluates ANDs.
pub trait Evaluate {
    /// Returns the label of an AND's result.
    fn and(&mut self, and: &And<'_>) -> u128;
}

impl<F: FnMut(&And<'_>) -> u128> Evaluate for F {
    fn and(&mut self, and: &And<'_>) -> u128 {
        self(and)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum What {
    Xor,
    And,
    Load,
    Read,
    Begin,
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Plain,
    A,
    B,
}

/// The operands that are still to be read, one bit each. The lowest bit is read first.
const B: u8 = 1;
const B_TOO: u8 = 2;
const A_TOO: u8 = 4;
const THIRD: u8 = 8;
const A: u8 = 16;

fn without_lowest(set: u8) -> u8 {
    set & set.wrapping_sub(1)
}

#[derive(Clone)]
struct Registers {
    step: Step,
    what: What,
    slots: [u32; 4],
    request: u8,
    due: u8,
    request_high: bool,
    request_single: bool,
    due_high: bool,
    due_single: bool,
    due_none: bool,
    role: Role,
    first: bool,
    held: bool,
    over: bool,
    set: bool,
    left: u8,
    more: bool,
    last: bool,
    /// Address of the word to wipe. After the last word, one more word is read.
    wipe: u16,
    clear: bool,
    /// Number of words that were requested from the memory and have not arrived.
    reads: u8,
    /// Number of clock cycles in which the hashes are still busy.
    busy: u8,
    /// `Some` if the label rotates in this clock cycle. The inner value has the bytes that are
    /// shifted in; `None` stands for the label's own bytes.
    turns: Option<Option<Follows>>,
    response: Option<u64>,
    /// Increment of the AND number.
    far: u8,
    number: u64,
    is_grr3: bool,
    /// AND number of the current AND.
    taken: u64,
}

pub(super) struct Execute {
    form: Form,
    now: Registers,
    memory: Vec<u64>,
    label: u128,
    operands: [u128; 2],
    table: Vec<u8>,
    /// Number of the netlist cycle, and the point, as received. The suite and the AND number are
    /// shifted through these bytes first.
    beginning: [u8; 20],
}

pub(super) struct In {
    pub clear: bool,
    pub item: Option<Item>,
    /// Bytes that follow the item.
    pub bytes: Option<Follows>,
    /// A byte of the next AND's distance.
    pub step: Option<u8>,
    /// Whether the offered byte of a label is taken.
    pub given: bool,
}

impl Drop for Execute {
    fn drop(&mut self) {
        self.memory.zeroize();
        self.label.zeroize();
        self.operands.zeroize();
        self.now.response.zeroize();
    }
}

impl Execute {
    pub fn new(form: Form) -> Execute {
        let now = Registers {
            step: Step::Wipe,
            what: What::Xor,
            slots: [0; 4],
            request: 0,
            due: 0,
            request_high: false,
            request_single: false,
            due_high: false,
            due_single: false,
            due_none: true,
            role: Role::Plain,
            first: false,
            held: false,
            over: false,
            set: false,
            left: 0,
            more: false,
            last: false,
            wipe: 0,
            clear: false,
            reads: 0,
            busy: 0,
            turns: None,
            response: None,
            far: 0,
            number: 0,
            is_grr3: false,
            taken: 0,
        };
        Execute {
            form,
            now,
            memory: vec![0; WORDS.into()],
            label: 0,
            operands: [0; 2],
            table: Vec::new(),
            beginning: [0; 20],
        }
    }

    pub fn step(&self) -> Step {
        self.now.step
    }

    pub fn is_over(&self) -> bool {
        self.now.over
    }

    pub fn is_grr3(&self) -> bool {
        self.now.is_grr3
    }

    /// Address of the word that is wiped in this clock cycle.
    pub fn wipes(&self) -> Option<u16> {
        (self.now.step == Step::Wipe).then_some(self.now.wipe % WORDS)
    }

    pub fn is_item_ready(&self) -> bool {
        let now = &self.now;
        now.step == Step::Idle || (now.step == Step::StoreHigh && now.due_none)
    }

    pub fn is_byte_ready(&self) -> bool {
        let now = &self.now;
        now.more
            && match now.step {
                Step::Work => now.due_none,
                step => step == Step::Load || step == Step::Config,
            }
    }

    pub fn is_last(&self) -> bool {
        self.now.last
    }

    /// The byte of a label that is offered to the host.
    pub fn gives(&self) -> Option<u8> {
        let now = &self.now;
        let gives = now.step == Step::Give && now.due_none && now.turns.is_none();
        // In form `Round`, a label rotates only after every second byte.
        let gone = match self.form {
            Form::Half => 0,
            Form::Round => 8 * u32::from(now.left.is_multiple_of(2)),
        };
        gives.then_some((self.label >> gone) as u8)
    }

    pub fn requests(&self) -> Option<Request> {
        let now = &self.now;
        let due_last = now.due_high && now.due_single;
        let [a, b, c, out] = now.slots;
        let of = |slot: u32, high: bool| 2 * slot as u16 + u16::from(high);
        let (write, address) = match now.step {
            Step::Wipe if now.clear && now.wipe <= WORDS => (now.wipe < WORDS, now.wipe % WORDS),
            Step::Read => {
                let slot = match now.request {
                    request if request & B != 0 => b,
                    request if request & (B_TOO | A_TOO | THIRD) != 0 => c,
                    _ => a,
                };
                (false, of(slot, now.request_high))
            }
            Step::Store if (now.due_none || due_last) && now.turns.is_none() => {
                (true, of(out, false))
            }
            Step::StoreHigh if now.due_none => (true, of(out, true)),
            _ => return None,
        };
        let half = 64 * u32::from(address & 1);
        let data = if write { (self.label >> half) as u64 } else { 0 };
        Some(Request { write, address, data: Word(data) })
    }

    pub fn clock(
        &mut self,
        In { clear, item, bytes, step, given }: In,
        evaluate: &mut dyn Evaluate,
    ) {
        let old = self.now.clone();
        let requests = self.requests();
        let take = item.filter(|_| self.is_item_ready());
        let folds = bytes.filter(|_| self.is_byte_ready());
        let due_last = old.due_high && old.due_single;
        let word = old.response.filter(|_| !old.due_none);
        let go = word.is_some() && due_last && old.what == What::And;
        let quiet = old.due_none && old.turns.is_none() && old.busy == 0;
        let sums = old.step == Step::Work && !old.more && quiet;

        self.memory_clock(requests);
        self.key_clock(&old, folds, step);
        self.label_clock(&old, word, folds, given);
        if sums {
            let and = And {
                begin: self.begin(),
                number: old.taken,
                a: self.operands[0],
                b: self.operands[1],
                table: &self.table,
            };
            self.label ^= evaluate.and(&and);
            self.operands.zeroize();
        }
        let now = &mut self.now;
        let reads = requests.is_some_and(|request| !request.write);
        now.reads = old.reads + u8::from(reads) - u8::from(old.response.is_some());
        now.busy = if go { self.form.hashes() } else { old.busy.saturating_sub(1) };
        now.request_single = without_lowest(old.request) == 0;
        now.due_single = without_lowest(old.due) == 0;
        match take {
            Some(item) => now.take(&old, item, self.form),
            None => now.advance(&old, word.is_some(), folds.is_some() || given),
        }
        if clear {
            now.clear();
            return;
        }
        now.clear = old.step == Step::Wipe;
        now.set = matches!(take, Some(Item::And { .. }));
        if old.step == Step::Wipe && requests.is_some() {
            now.wipe = old.wipe + 1;
        }
        if take.is_some() {
            return;
        }
        let turns_end = (folds.is_some() || given) && old.last;
        if turns_end {
            now.more = false;
        }
        if word.is_some() && due_last {
            now.due_none = true;
        }
        now.next_step(&old, requests.is_some(), sums, turns_end);
    }
}
