//! `mobile_window`, `mobile_wide_parse`, `mobile_wide_items`, `mobile_wide_rows`, and the register
//! between these and the execution. They decode bytes into items and the bytes that follow each
//! item.

use super::SLOTS;
use crate::item::{Item, SHORT};
use crate::names::*;
use std::collections::VecDeque;
use zeroize::Zeroizing;

/// Capacity of the window in bytes; and (`ROW`) the maximum number of bytes that are added or taken
/// in a clock cycle.
const BYTES: usize = 256;
const ROW: usize = 16;
/// Bytes of a `Begin` that do not fit into its first row.
const BEGIN_REST: usize = 10;
/// Maximum number of bytes of an item before its table or label. The parser sees this many bytes.
const HEAD: usize = 11;

/// State of the decoder.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// Parses the bytes at the beginning of an item.
    Parse,
    /// Accepts the item, if all its bytes had arrived.
    Take,
    /// Takes the first 16 bytes that follow the item, of more than 16.
    Row,
    /// Takes the last of the bytes that follow the item.
    RowLast,
    /// Stopped, because the bytes were no item.
    Failed,
}

/// An item and the bytes that follow it: an AND's table, a label (in the higher half), or a
/// `Begin`.
#[derive(Clone)]
pub(super) struct Offered {
    pub item: Item,
    pub data: Zeroizing<[u8; 32]>,
}

/// The parsed beginning of an item.
#[derive(Clone, Copy, Default)]
struct Head {
    kind: u8,
    /// Kind of the next item, if this byte of kinds has one.
    second: Option<u8>,
    bytes: usize,
    /// Slots a, b, c and out, as they are encoded.
    slots: [[u8; 2]; 4],
    how: u8,
}

fn has_third(kind: u8) -> bool {
    matches!(kind, KIND_XOR3 | KIND_XOR3_TO_A | KIND_CHOICE..=KIND_AND3)
}

fn is_and(kind: u8) -> bool {
    (KIND_AND..=KIND_AND3).contains(&kind)
}

fn slot([first, second]: [u8; 2]) -> u32 {
    match u32::from(first).checked_sub(SHORT) {
        None => first.into(),
        Some(high) => (high << 8) + u32::from(second) + SHORT,
    }
}

fn beyond(bytes: [u8; 2]) -> bool {
    slot(bytes) >= SLOTS
}

impl Head {
    /// Parses the beginning of an item. If the item is the second of a pair, `second` is its kind;
    /// otherwise the first byte has the kinds of both items.
    fn read(second: Option<u8>, bytes: &[u8; HEAD]) -> Head {
        let kind = second.unwrap_or(bytes[0] & 15);
        let own = usize::from(second.is_none());
        let mut at = own;
        let two = |at: usize| [bytes[at], bytes.get(at + 1).copied().unwrap_or(0)];
        let mut slots = [[0; 2]; 4];
        let mut how = 0;
        let next = |at: &mut usize| {
            let found = two(*at);
            *at += if found[0] >= SHORT as u8 { 2 } else { 1 };
            found
        };
        match kind {
            KIND_END | KIND_BEGIN | KIND_NONE => (),
            KIND_LOAD | KIND_READ => slots[0] = next(&mut at),
            _ => {
                slots[0] = next(&mut at);
                slots[1] = next(&mut at);
                if has_third(kind) {
                    slots[2] = next(&mut at);
                }
                if kind == KIND_AND3 {
                    how = bytes[at];
                    at += 1;
                }
                let head = Head { kind, how, ..Head::default() };
                if head.has_own() {
                    slots[3] = next(&mut at);
                }
            }
        }
        let behind = bytes[0] >> 4;
        let second = (second.is_none() && behind != KIND_NONE).then_some(behind);
        Head { kind, second, bytes: at, slots, how }
    }

    /// Whether the encoding has a slot for the result.
    fn has_own(&self) -> bool {
        match self.kind {
            KIND_XOR | KIND_XOR3 | KIND_AND | KIND_CHOICE => true,
            kind => kind == KIND_AND3 && self.how >> 3 & 3 == 3,
        }
    }

    /// The status to report for the first invalid field.
    fn wrong(&self) -> Option<u8> {
        let [a, b, c, out] = self.slots;
        let has_second = self.kind < KIND_LOAD;
        let operands = [(self.kind < KIND_END, a), (has_second, b), (has_third(self.kind), c)];
        if operands.iter().any(|(is_one, slot)| *is_one && beyond(*slot)) {
            return Some(STATUS_NO_SLOT);
        }
        let how = self.kind == KIND_AND3 && (self.how >> 5 != 0 || self.how & 7 == 0);
        if self.kind == KIND_NONE || how {
            return Some(STATUS_NO_ITEM);
        }
        (self.has_own() && beyond(out)).then_some(STATUS_NO_SLOT)
    }

    fn item(&self) -> Item {
        let [a, b, c, own] = self.slots.map(slot);
        let third = has_third(self.kind);
        let out = match self.kind {
            KIND_AND_TO_B | KIND_CHOICE_TO_B => b,
            KIND_CHOICE_TO_C => c,
            KIND_AND3 => [a, b, c, own][usize::from(self.how >> 3 & 3)],
            _ if self.has_own() => own,
            _ => a,
        };
        match self.kind {
            KIND_LOAD => Item::Load { slot: a },
            KIND_READ => Item::Read { slot: a },
            KIND_BEGIN => Item::Begin,
            KIND_END => Item::End,
            KIND_AND3 => Item::And { a, b, c, xors: self.how & 7, out },
            kind if is_and(kind) => Item::And { a, b, c, xors: if third { 6 } else { 0 }, out },
            _ => Item::Xor { a, b, c: third.then_some(c), out },
        }
    }
}

pub(super) struct Items {
    bytes: Zeroizing<Vec<u8>>,
    ready: bool,
    state: State,
    head: Head,
    /// Number of bytes in the window when the item was parsed.
    seen: usize,
    second: Option<u8>,
    /// Bytes to parse next, and how many of these were in the window.
    ahead: (Zeroizing<[u8; HEAD]>, usize),
    row: Zeroizing<[u8; ROW]>,
    /// Decoded items that wait for the execution, at most two.
    between: VecDeque<Offered>,
}

impl Items {
    pub fn new() -> Items {
        Items {
            bytes: Zeroizing::new(Vec::with_capacity(BYTES)),
            ready: false,
            state: State::Parse,
            head: Head::default(),
            seen: 0,
            second: None,
            ahead: (Zeroizing::default(), 0),
            row: Zeroizing::default(),
            between: VecDeque::new(),
        }
    }

    pub fn is_ready(&self) -> bool {
        self.ready
    }

    pub fn state(&self) -> State {
        self.state
    }

    /// The next item to execute.
    pub fn offered(&self) -> Option<&Offered> {
        self.between.front()
    }

    /// Whether a netlist cycle begins with a suite that the core lacks.
    fn is_other_suite(&self) -> bool {
        let begins = self.state == State::RowLast && self.head.kind == KIND_BEGIN;
        begins && self.row[0] & 1 == SUITE_GRR3
    }

    /// The status to report for bytes that are no item.
    pub fn wrong(&self) -> Option<u8> {
        match self.state {
            State::Take if self.seen >= self.head.bytes => self.head.wrong(),
            _ => self.is_other_suite().then_some(STATUS_NO_ITEM),
        }
    }

    fn view<const N: usize>(&self, from: usize) -> [u8; N] {
        std::array::from_fn(|at| self.bytes.get(from + at).copied().unwrap_or(0))
    }

    /// Runs a clock cycle. `comes` are the received bytes; `done` means that the offered item is
    /// taken.
    pub fn clock(&mut self, clear: bool, comes: &[u8], done: bool) {
        let level = self.bytes.len();
        let (is_free, pushes) = (self.between.len() < 2, self.ready && !comes.is_empty());
        let Head { kind, bytes, second, .. } = self.head;
        let (is_begin, is_load) = (kind == KIND_BEGIN, kind == KIND_LOAD);
        let follows = is_and(kind) || is_begin || is_load;
        let (whole, wrong) = (self.seen >= bytes, self.wrong().is_some());
        let enough =
            level >= if is_begin && self.state == State::RowLast { BEGIN_REST } else { ROW };
        let takes = self.state == State::Take && whole && !wrong && (follows || is_free);
        let ends = self.state == State::RowLast && enough && !wrong && is_free;
        let taken = match self.state {
            State::Take if takes => bytes,
            State::Row if enough => ROW,
            State::RowLast if ends => {
                if is_begin {
                    BEGIN_REST
                } else {
                    ROW
                }
            }
            State::Failed => level.min(ROW),
            _ => 0,
        };
        if done {
            self.between.pop_front();
        }
        let view: Zeroizing<[u8; ROW]> = Zeroizing::new(self.view(0));
        let look = match self.state {
            State::Take => bytes + if is_load { ROW } else { 0 },
            State::Row => 2 * ROW,
            State::RowLast if is_begin => BEGIN_REST,
            State::RowLast => ROW,
            _ => 0,
        };
        // The bytes after an incomplete item were parsed in vain, and must be parsed again.
        let is_lost = self.state == State::Take && !whole;
        let there = if is_lost { 0 } else { level.saturating_sub(look) };
        let next = (Zeroizing::new(self.view(look)), there);
        let (ahead, seen) = std::mem::replace(&mut self.ahead, next);
        if ends || (takes && !follows) {
            let mut data = Zeroizing::new([0; 32]);
            data[..ROW].copy_from_slice(&self.row[..]);
            data[ROW..].copy_from_slice(&view[..]);
            self.between.push_back(Offered { item: self.head.item(), data });
        }
        if self.state == State::Parse || ends {
            (self.head, self.seen) = (Head::read(self.second, &ahead), seen);
        }
        if self.state == State::Row {
            self.row = view;
        }
        self.state = match self.state {
            State::Parse if seen > 0 || self.second.is_some_and(|kind| kind >= KIND_END) => {
                State::Take
            }
            State::Take if !whole => State::Parse,
            State::Take | State::RowLast if wrong => State::Failed,
            State::Take if takes && !follows => State::Parse,
            State::Take if takes && is_load => State::RowLast,
            State::Take if takes => State::Row,
            State::Row if enough => State::RowLast,
            State::RowLast if ends && is_begin => State::Parse,
            State::RowLast if ends => State::Take,
            state => state,
        };
        if takes {
            self.second = second;
        }
        self.bytes.drain(..taken);
        if pushes {
            self.bytes.extend(comes);
        }
        self.ready = self.bytes.len() <= BYTES - ROW;
        if clear {
            *self = Items::new();
        }
    }
}
