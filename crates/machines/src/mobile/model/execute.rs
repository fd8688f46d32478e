//! `mobile_execute`, with `mobile_key` and `mobile_label`: items, one after the other.

use super::queue::Follows;
use super::{Ask, Form, Word};
use crate::mobile::item::{Begin, Item};
use zeroize::Zeroize;

/// Words of the label memory.
const WORDS: u16 = 2 * crate::mobile::SLOTS as u16;

/// What the chip is at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Step {
    /// It wipes labels.
    Wipe,
    /// It waits for an item.
    Idle,
    /// It asks for operands.
    Read,
    /// It hashes, and a table comes.
    Work,
    /// It writes the lower word of a label.
    Store,
    /// It writes the higher one.
    StoreHigh,
    /// A label comes.
    Load,
    /// A label goes.
    Give,
    /// A netlist cycle begins.
    Config,
}

/// An AND that is evaluated.
pub struct And<'t> {
    /// The beginning of its netlist cycle.
    pub begin: Begin,
    /// `half-gates`: its number in the run; `grr3`: its place in the body.
    pub number: u64,
    /// The label of operand a, with what is added to it.
    pub a: u128,
    /// That of operand b.
    pub b: u128,
    /// 32 or 48 bytes.
    pub table: &'t [u8],
}

/// Whoever evaluates ANDs.
pub trait Evaluate {
    /// The label that an AND gives.
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

/// Labels that are read, the first one lowest.
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
    ask: u8,
    due: u8,
    ask_high: bool,
    ask_single: bool,
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
    /// The word that is wiped; one is read behind the last.
    wipe: u16,
    clear: bool,
    /// Words that were asked for, and are still to come.
    reads: u8,
    /// Cycles in which hashes are still busy.
    busy: u8,
    /// The label is turned in this cycle: by what bytes, if those are not its own.
    turns: Option<Option<Follows>>,
    response: Option<u64>,
    /// What is added to the number.
    far: u8,
    number: u64,
    is_grr3: bool,
    /// The number behind an AND's beginning.
    taken: u64,
}

pub(super) struct Execute {
    form: Form,
    now: Registers,
    memory: Vec<u64>,
    label: u128,
    operands: [u128; 2],
    table: Vec<u8>,
    /// Cycle and point, as they came, and the number until they are there.
    beginning: [u8; 20],
}

pub(super) struct In {
    pub clear: bool,
    pub item: Option<Item>,
    /// Bytes that follow the item.
    pub bytes: Option<Follows>,
    /// How far the next AND is.
    pub step: Option<u8>,
    /// The byte that is given is taken.
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
            ask: 0,
            due: 0,
            ask_high: false,
            ask_single: false,
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

    /// The word that is wiped.
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

    /// The byte of a label that is given out.
    pub fn gives(&self) -> Option<u8> {
        let now = &self.now;
        let gives = now.step == Step::Give && now.due_none && now.turns.is_none();
        // A label that is given is turned when its lowest bytes have gone.
        let gone = match self.form {
            Form::Half => 0,
            Form::Round => 8 * u32::from(now.left.is_multiple_of(2)),
        };
        gives.then_some((self.label >> gone) as u8)
    }

    pub fn asks(&self) -> Option<Ask> {
        let now = &self.now;
        let due_last = now.due_high && now.due_single;
        let [a, b, c, out] = now.slots;
        let of = |slot: u32, high: bool| 2 * slot as u16 + u16::from(high);
        let (write, address) = match now.step {
            Step::Wipe if now.clear && now.wipe <= WORDS => (now.wipe < WORDS, now.wipe % WORDS),
            Step::Read => {
                let slot = match now.ask {
                    ask if ask & B != 0 => b,
                    ask if ask & (B_TOO | A_TOO | THIRD) != 0 => c,
                    _ => a,
                };
                (false, of(slot, now.ask_high))
            }
            Step::Store if (now.due_none || due_last) && now.turns.is_none() => {
                (true, of(out, false))
            }
            Step::StoreHigh if now.due_none => (true, of(out, true)),
            _ => return None,
        };
        let half = 64 * u32::from(address & 1);
        let data = if write { (self.label >> half) as u64 } else { 0 };
        Some(Ask { write, address, data: Word(data) })
    }

    pub fn clock(
        &mut self,
        In { clear, item, bytes, step, given }: In,
        evaluate: &mut dyn Evaluate,
    ) {
        let old = self.now.clone();
        let asks = self.asks();
        let take = item.filter(|_| self.is_item_ready());
        let folds = bytes.filter(|_| self.is_byte_ready());
        let due_last = old.due_high && old.due_single;
        let word = old.response.filter(|_| !old.due_none);
        let go = word.is_some() && due_last && old.what == What::And;
        let quiet = old.due_none && old.turns.is_none() && old.busy == 0;
        let sums = old.step == Step::Work && !old.more && quiet;

        self.memory_clock(asks);
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
        let reads = asks.is_some_and(|ask| !ask.write);
        now.reads = old.reads + u8::from(reads) - u8::from(old.response.is_some());
        now.busy = if go { self.form.hashes() } else { old.busy.saturating_sub(1) };
        now.ask_single = without_lowest(old.ask) == 0;
        now.due_single = without_lowest(old.due) == 0;
        match take {
            Some(item) => Execute::take(now, &old, item, self.form),
            None => {
                if old.step == Step::Read {
                    now.ask_high = !old.ask_high;
                    if old.ask_high {
                        now.ask = without_lowest(old.ask);
                    }
                }
                if word.is_some() {
                    (now.due_high, now.first) = (!old.due_high, false);
                    if old.due_high {
                        now.due = without_lowest(old.due);
                        now.role = match now.due {
                            _ if old.what != What::And => Role::Plain,
                            due if due & (B | B_TOO) != 0 => Role::B,
                            due if due & A_TOO != 0 || due & THIRD == 0 => Role::A,
                            _ => Role::Plain,
                        };
                    }
                }
                if folds.is_some() || given {
                    now.left = old.left.wrapping_sub(1);
                    now.last = old.left == 1;
                }
            }
        }
        if clear {
            now.step = Step::Wipe;
            (now.held, now.over, now.clear, now.more, now.set) =
                (false, false, false, false, false);
            (now.wipe, now.due_none) = (0, true);
            now.busy = 0;
            return;
        }
        now.clear = old.step == Step::Wipe;
        now.set = matches!(take, Some(Item::And { .. }));
        if old.step == Step::Wipe && asks.is_some() {
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
        let ask_last = old.ask_high && old.ask_single;
        now.step = match old.step {
            Step::Wipe if old.wipe > WORDS && old.reads == 0 => {
                now.wipe = 0;
                Step::Idle
            }
            Step::Read if ask_last => match old.what {
                What::And => Step::Work,
                What::Xor => Step::Store,
                _ => Step::Give,
            },
            Step::Work if sums => Step::Store,
            Step::Load if turns_end => Step::Store,
            Step::Store if asks.is_some() => Step::StoreHigh,
            Step::StoreHigh if old.due_none => {
                now.held = true;
                Step::Idle
            }
            Step::Give | Step::Config if turns_end => Step::Idle,
            step => step,
        };
    }

    /// An item begins.
    fn take(now: &mut Registers, old: &Registers, item: Item, form: Form) {
        let (what, slots) = match item {
            Item::Xor { a, b, c, out } => (What::Xor, [a, b, c.unwrap_or(0), out]),
            Item::And { a, b, c, out, .. } => (What::And, [a, b, c, out]),
            Item::Load { slot } => (What::Load, [slot, 0, 0, slot]),
            Item::Read { slot } => (What::Read, [slot, 0, 0, slot]),
            Item::Begin => (What::Begin, [0; 4]),
            Item::End => (What::End, [0; 4]),
        };
        let held = what == What::Xor
            && (old.held || old.step == Step::StoreHigh)
            && slots[0] == old.slots[3];
        let needs = match item {
            Item::Xor { c, .. } => {
                B | if c.is_some() { THIRD } else { 0 } | if held { 0 } else { A }
            }
            Item::And { xors, .. } => {
                let third = [(2, B_TOO), (1, A_TOO), (4, THIRD)];
                let third = third.iter().filter(|(bit, _)| xors & bit != 0);
                third.fold(A | B, |needs, (_, need)| needs | need)
            }
            Item::Read { .. } => A,
            _ => 0,
        };
        let is_and = what == What::And;
        (now.what, now.slots, now.ask, now.due) = (what, slots, needs, needs);
        (now.ask_high, now.due_high) = (false, false);
        now.due_none = needs == 0;
        now.role = if is_and { Role::B } else { Role::Plain };
        now.first = !is_and && !held;
        (now.held, now.last) = (false, false);
        now.over |= what == What::End;
        now.more = !matches!(what, What::Xor | What::End);
        let follows = match what {
            What::Begin => 26,
            What::And if old.is_grr3 => 48,
            What::And => 32,
            _ => 16,
        };
        let at_once = if what == What::Read { 1 } else { form.lanes() as u8 };
        now.left = follows / at_once - 1;
        now.step = match what {
            What::Load => Step::Load,
            What::Begin => Step::Config,
            What::End => Step::Idle,
            _ => Step::Read,
        };
    }

    /// The label memory: what is written, and what is there in the next cycle.
    fn memory_clock(&mut self, asks: Option<Ask>) {
        self.now.response = None;
        if let Some(Ask { write, address, data: Word(data) }) = asks {
            let word = &mut self.memory[usize::from(address)];
            match write {
                true => *word = data,
                false => self.now.response = Some(*word),
            }
        }
    }

    fn label_clock(
        &mut self,
        old: &Registers,
        word: Option<u64>,
        folds: Option<Follows>,
        given: bool,
    ) {
        if old.step == Step::Wipe {
            self.label.zeroize();
            self.operands.zeroize();
            self.now.turns = None;
            return;
        }
        if old.set {
            (self.label, self.operands) = (0, [0; 2]);
            self.table.clear();
        }
        if let Some(word) = word {
            let value = u128::from(word) << (64 * u32::from(old.due_high));
            let to = match old.role {
                Role::Plain => &mut self.label,
                Role::A => &mut self.operands[0],
                Role::B => &mut self.operands[1],
            };
            *to = if old.first { value } else { *to ^ value };
        }
        if let Some(bytes) = old.turns {
            let own = self.label.to_le_bytes();
            for &byte in bytes.as_deref().unwrap_or(&own[..self.form.lanes()]) {
                self.label = self.label >> 8 | u128::from(byte) << 120;
            }
        }
        self.now.turns = match (folds, old.step) {
            (Some(bytes), Step::Load) => Some(Some(bytes)),
            (Some(bytes), Step::Work) => {
                self.table.extend_from_slice(&bytes);
                Some(None)
            }
            _ if given && (self.form == Form::Half || old.left.is_multiple_of(2)) => Some(None),
            _ => None,
        };
    }

    fn key_clock(&mut self, old: &Registers, folds: Option<Follows>, step: Option<u8>) {
        let now = &mut self.now;
        if old.step == Step::Wipe {
            (now.number, now.far, now.is_grr3) = (0, 0, false);
            self.beginning.zeroize();
            return;
        }
        if old.set {
            now.taken = old.number;
        }
        if let (Some(bytes), Step::Config) = (folds, old.step) {
            for &byte in bytes.iter() {
                now.is_grr3 = now.number & 1 == 1;
                now.number = now.number >> 8 | u64::from(self.beginning[0]) << 32;
                self.beginning.rotate_left(1);
                self.beginning[19] = byte;
            }
            return;
        }
        now.number = (old.number + u64::from(old.far)) % Begin::NUMBERS;
        now.far = step.unwrap_or(u8::from(old.set && !old.is_grr3));
    }

    pub fn begin(&self) -> Begin {
        let (cycle, point) = self.beginning.split_at(4);
        let whole =
            |bytes: &[u8]| bytes.iter().rev().fold(0, |all, byte| all << 8 | u128::from(*byte));
        Begin {
            is_grr3: self.now.is_grr3,
            number: self.now.number,
            cycle: whole(cycle) as u32,
            point: whole(point),
        }
    }
}
