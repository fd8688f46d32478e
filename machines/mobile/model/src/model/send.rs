//! `mobile_send`: sends frames to the host.

use super::frames::{End, crc32c};
use crate::names::*;

#[derive(Clone, Copy, PartialEq, Eq, Default)]
enum State {
    #[default]
    Wait,
    Begin,
    Make,
    Close,
    Fetch,
    Send,
}

#[derive(Clone, Default)]
pub(super) struct Send {
    state: State,
    hello: bool,
    response: bool,
    again: bool,
    progress: bool,
    /// Decisions of the previous clock cycle.
    hellos: bool,
    responses: bool,
    space: u8,
    status: u8,
    kind: u8,
    number: u8,
    index: u8,
    last: u8,
    crc: u32,
    other: u8,
    made: u8,
    is_label: bool,
    is_check: bool,
    chosen: bool,
    ready: bool,
    words: [u8; 32],
    place: u8,
    code: u8,
    sent: u8,
    byte: u8,
}

pub(super) struct In<'e> {
    pub clear: bool,
    /// Address of the word that is wiped. Meanwhile no frame is begun.
    pub wipes: Option<u16>,
    pub run: u16,
    pub end: &'e End,
    pub next: u8,
    pub space: u8,
    pub status: u8,
    pub label: Option<u8>,
    pub label_number: u8,
    pub label_byte: u8,
    pub is_taken: bool,
}

impl Send {
    /// The byte that is offered to the link.
    pub fn byte(&self) -> Option<u8> {
        let byte = if self.sent == self.place { 0 } else { self.byte };
        (self.state == State::Send).then_some(byte)
    }

    /// Whether the next frame has a label as its payload.
    pub fn takes_label(&self) -> bool {
        self.state == State::Begin && !self.hellos && !self.responses
    }

    /// Address of the label's byte that is needed in the next clock cycle.
    pub fn word(&self) -> u16 {
        u16::from(self.number & 31) << 4 | u16::from(self.index.wrapping_sub(3) & 15)
    }

    pub fn clock(&mut self, input: In<'_>) {
        let old = self.clone();
        let In { clear, wipes, run, end, next, space, status, label, .. } = input;
        let starts = old.state == State::Begin;
        if clear {
            (self.hello, self.response, self.again, self.progress) = (true, false, false, false);
            (self.space, self.status) = (0, 0);
        } else {
            self.progress = !starts && (old.response || space > old.space || status != old.status);
            self.hello &= !(starts && old.hellos);
            self.response = end.responses || (old.response && !(starts && old.responses));
            self.again = end.again || (old.again && !(starts && old.responses));
            if starts && (old.hellos || old.responses) {
                (self.space, self.status) = (space, status);
            }
        }
        (self.hellos, self.responses) = (old.hello, !old.hello && old.progress);
        self.make(&old, starts, &input, run, next);
        self.write(&old, wipes);
        if clear {
            (self.state, self.place, self.sent) = (State::Send, 0, 0);
            return;
        }
        match old.state {
            State::Wait if wipes.is_none() && (old.hello || old.progress || label.is_some()) => {
                self.state = State::Begin;
            }
            State::Wait => (),
            State::Begin => (self.state, self.place, self.sent) = (State::Make, 1, 0),
            State::Make if old.ready => {
                self.place = (old.place + 1) & 31;
                if old.index == old.last {
                    self.state = State::Close;
                }
            }
            State::Make => (),
            State::Close => self.state = State::Fetch,
            State::Fetch => self.state = State::Send,
            State::Send if input.is_taken => {
                self.state = if old.sent == old.place { State::Wait } else { State::Fetch };
                self.sent = (old.sent + 1) & 31;
            }
            State::Send => (),
        }
    }

    /// Assembles the bytes of a frame.
    fn make(&mut self, old: &Send, starts: bool, input: &In<'_>, run: u16, next: u8) {
        if starts {
            (self.kind, self.number, self.last) = match (old.hellos, old.responses) {
                (true, _) => (FRAME_RESET, 0, 10),
                (_, true) => (if old.again { FRAME_AGAIN } else { FRAME_ACK }, next, 8),
                _ => (FRAME_DATA, input.label_number, 22),
            };
            (self.index, self.code, self.crc) = (0, 0, !0);
            (self.is_label, self.is_check, self.chosen, self.ready) = (false, false, false, false);
            return;
        }
        if old.state != State::Make {
            return;
        }
        (self.ready, self.chosen) = (old.chosen, !old.chosen && !old.ready);
        let is_hello = old.kind == FRAME_RESET;
        self.other = match old.index {
            0 => old.kind << 6 | old.number,
            1 => run as u8,
            2 => (run >> 8) as u8,
            3 if is_hello => FORMAT_VERSION,
            3 => old.space,
            4 if is_hello => 3,
            4 => old.status,
            5 => crate::SLOTS.ilog2() as u8,
            _ => old.space,
        };
        self.made = match (old.is_check, old.is_label) {
            (true, _) => !old.crc as u8,
            (_, true) => input.label_byte,
            _ => old.other,
        };
        if old.ready {
            self.is_label = old.kind == FRAME_DATA && old.index >= 2;
            self.is_check |= old.index + 4 == old.last;
            self.crc = if old.is_check { old.crc >> 8 } else { crc32c(old.crc, old.made) };
            self.index += 1;
            if old.made == 0 {
                self.code = old.place;
            }
        }
    }

    /// Writes the frame with byte stuffing.
    fn write(&mut self, old: &Send, wipes: Option<u16>) {
        self.byte = old.words[usize::from(old.sent & 31)];
        let is_zero = old.state == State::Close || old.made == 0;
        if let Some(word) = wipes {
            self.words[usize::from(word & 31)] = 0;
        } else if old.state == State::Close || (old.state == State::Make && old.ready) {
            let (at, byte) = match is_zero {
                true => (old.code, old.place.wrapping_sub(old.code) & 31),
                false => (old.place, old.made),
            };
            self.words[usize::from(at & 31)] = byte;
        }
    }
}
