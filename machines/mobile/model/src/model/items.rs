//! `mobile_items`: decodes bytes into items.

use crate::item::{Item, SHORT};
use crate::names::*;

/// What the decoder waits for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum State {
    /// The kinds of two items.
    Kind,
    /// A slot.
    Slot,
    /// The second byte of a slot.
    Long,
    /// The byte that selects what an AND's third operand is XORed to.
    How,
    /// A byte of an AND's distance from the AND before, in gates. Only `grr3` has distances.
    Step,
    /// The acceptance of the decoded item.
    Offer,
    /// The bytes that follow the item.
    Follow,
    /// Nothing: the bytes were no item.
    Failed,
}

#[derive(Clone)]
pub(super) struct Items {
    state: State,
    kind: u8,
    second: u8,
    second_valid: bool,
    index: usize,
    slots: [u32; 4],
    high: u32,
    how: u8,
}

pub(super) struct In {
    pub clear: bool,
    pub is_grr3: bool,
    pub byte: Option<u8>,
    pub takes: bool,
    pub item_ready: bool,
    pub last: bool,
}

fn first(kind: u8) -> State {
    match kind {
        KIND_END | KIND_BEGIN => State::Offer,
        KIND_NONE => State::Failed,
        _ => State::Slot,
    }
}

impl Items {
    pub fn new() -> Items {
        Items {
            state: State::Kind,
            kind: 0,
            second: 0,
            second_valid: false,
            index: 0,
            slots: [0; 4],
            high: 0,
            how: 0,
        }
    }

    pub fn state(&self) -> State {
        self.state
    }

    fn is_and(&self) -> bool {
        (KIND_AND..=KIND_AND3).contains(&self.kind)
    }

    fn has_third(&self) -> bool {
        matches!(self.kind, KIND_XOR3 | KIND_XOR3_TO_A | KIND_CHOICE..=KIND_AND3)
    }

    fn has_out(&self) -> bool {
        matches!(self.kind, KIND_XOR | KIND_XOR3 | KIND_AND | KIND_CHOICE)
    }

    fn long(&self, byte: u8) -> u32 {
        SHORT + (self.high << 8) + u32::from(byte)
    }

    /// The item that is offered.
    pub fn item(&self) -> Option<Item> {
        if self.state != State::Offer {
            return None;
        }
        let [a, b, c, own] = self.slots;
        let third = self.has_third();
        Some(match self.kind {
            KIND_LOAD => Item::Load { slot: a },
            KIND_READ => Item::Read { slot: a },
            KIND_BEGIN => Item::Begin,
            KIND_END => Item::End,
            KIND_XOR..=KIND_XOR3_TO_A => {
                Item::Xor { a, b, c: third.then_some(c), out: if self.has_out() { own } else { a } }
            }
            kind => {
                let xors = match kind {
                    KIND_AND3 => self.how & 7,
                    _ if third => 6,
                    _ => 0,
                };
                let out = match kind {
                    KIND_AND_TO_B | KIND_CHOICE_TO_B => b,
                    KIND_CHOICE_TO_C => c,
                    KIND_AND | KIND_CHOICE => own,
                    KIND_AND3 => self.slots[usize::from(self.how >> 3)],
                    _ => a,
                };
                Item::And { a, b, c, xors, out }
            }
        })
    }

    /// The status to report if the byte is invalid.
    pub fn wrong(&self, byte: Option<u8>) -> Option<u8> {
        let byte = byte?;
        match self.state {
            State::Kind => (byte & 15 == KIND_NONE).then_some(STATUS_NO_ITEM),
            State::Long => (self.long(byte) >= crate::SLOTS).then_some(STATUS_NO_SLOT),
            State::How => (byte >> 5 != 0 || byte & 7 == 0).then_some(STATUS_NO_ITEM),
            _ => None,
        }
    }

    pub fn clock(&mut self, In { clear, is_grr3, byte, takes, item_ready, last }: In) {
        let old = self.clone();
        let done = if old.is_and() && is_grr3 { State::Step } else { State::Offer };
        let is_single = matches!(old.kind, KIND_LOAD | KIND_READ);
        let behind = match old.index {
            0 if is_single => done,
            1 if !old.has_third() && !old.has_out() => done,
            2 if old.kind == KIND_AND3 => State::How,
            2 if !old.has_out() => done,
            3 => done,
            _ => State::Slot,
        };
        let follows = old.is_and() || matches!(old.kind, KIND_LOAD | KIND_BEGIN);
        let next_item = match old.state {
            State::Offer => item_ready && !follows,
            _ => old.state == State::Follow && takes && last,
        };
        let wrong = old.wrong(byte).is_some();
        let slot = byte.and_then(|byte| match old.state {
            State::Slot if byte < SHORT as u8 => Some(byte.into()),
            State::Long => Some(old.long(byte) % crate::SLOTS),
            _ => None,
        });
        if let (State::Kind, Some(kinds)) = (old.state, byte) {
            (self.kind, self.second) = (kinds & 15, kinds >> 4);
        } else if next_item {
            self.kind = old.second;
        }
        match (old.state, byte) {
            (State::Slot, Some(byte)) => self.high = u32::from(byte & 31),
            (State::How, Some(byte)) => self.how = byte & 31,
            _ => (),
        }
        if let Some(slot) = slot {
            self.slots[old.index] = slot;
        }
        if matches!(old.state, State::Kind | State::Offer | State::Follow) {
            self.index = 0;
        } else if slot.is_some() {
            self.index = if old.index == 1 && !old.has_third() { 3 } else { (old.index + 1) & 3 };
        }
        if clear {
            (self.state, self.second_valid) = (State::Kind, false);
            return;
        }
        if next_item {
            self.state = if old.second_valid { first(old.second) } else { State::Kind };
            self.second_valid = false;
            return;
        }
        self.state = match (old.state, byte) {
            (State::Offer, _) if item_ready => State::Follow,
            (state @ (State::Offer | State::Follow | State::Failed), _) | (state, None) => state,
            (_, Some(_)) if wrong => State::Failed,
            (State::Kind, Some(kinds)) => {
                self.second_valid = kinds >> 4 != KIND_NONE;
                first(kinds & 15)
            }
            (State::Slot, Some(byte)) if byte >= SHORT as u8 => State::Long,
            (State::Slot | State::Long, Some(_)) => behind,
            (State::How, Some(how)) => {
                if how >> 3 == 3 {
                    State::Slot
                } else {
                    done
                }
            }
            (State::Step, Some(far)) => {
                if far == 255 {
                    State::Step
                } else {
                    State::Offer
                }
            }
        };
    }
}
