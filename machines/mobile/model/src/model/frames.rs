//! `mobile_frames`: finds and checks frames in the received bytes.

use crate::frame::PAYLOAD;
use crate::names::*;
use crc_fast::{CrcAlgorithm, Digest};

const HEAD: u16 = 3;
const CHECK: u16 = 4;
const MOST: u16 = HEAD + PAYLOAD as u16 + CHECK;
/// Value of the CRC-32C register after a frame and its correct checksum.
const WHOLE: u32 = 0xb798_b438;

/// Decisions about a frame that has ended.
#[derive(Clone, Copy, Default)]
pub(super) struct End {
    pub keep: bool,
    pub drop: bool,
    pub reset: bool,
    pub again: bool,
    pub responses: bool,
    pub other: bool,
    /// The host has all labels before this number. If the flag is set, it requests all labels from
    /// this number on again.
    pub acked: Option<(u8, bool)>,
}

#[derive(Clone)]
pub(super) struct Frames {
    left: u8,
    zero: bool,
    first: bool,
    there: bool,
    end: bool,
    cut: bool,
    byte: u8,
    count: u16,
    crc: u32,
    kind: u8,
    tag: u16,
    lost: bool,
    ended: bool,
    whole: bool,
    ours: bool,
    is_next: bool,
    is_short: bool,
    next: u8,
    requested: bool,
    run: u16,
    out: End,
    /// Decisions that take effect later: whether a frame is kept, a response is due, and a
    /// retransmission is requested. Index 0 is the newest decision.
    late: [(bool, bool, bool); 3],
    acknowledged: u8,
}

/// Returns the CRC-32C `crc` after one more byte.
pub(super) fn crc32c(crc: u32, byte: u8) -> u32 {
    let mut digest = Digest::new_with_init_state(CrcAlgorithm::Crc32Iscsi, crc.into());
    digest.update(&[byte]);
    !(digest.finalize() as u32)
}

impl Frames {
    pub fn new() -> Frames {
        Frames {
            left: 0,
            zero: false,
            first: true,
            there: false,
            end: false,
            cut: false,
            byte: 0,
            count: 0,
            crc: !0,
            kind: 0,
            tag: 0,
            lost: false,
            ended: false,
            whole: false,
            ours: false,
            is_next: false,
            is_short: false,
            next: 0,
            requested: false,
            run: 0,
            out: End::default(),
            late: [(false, false, false); 3],
            acknowledged: 0,
        }
    }

    pub fn run(&self) -> u16 {
        self.run
    }

    /// Number of the next expected frame, to be acknowledged. A frame that the queue has not yet
    /// counted is not acknowledged.
    pub fn acknowledged(&self) -> u8 {
        self.acknowledged
    }

    pub fn end(&self) -> End {
        let number = (self.kind & 63, self.kind >> 6 == FRAME_AGAIN);
        End { acked: self.out.acked.map(|_| number), ..self.out }
    }

    /// The byte to store in the queue: a byte of the payload, or of the checksum after it.
    pub fn write(&self, full: bool) -> Option<u8> {
        let fits = self.count >= HEAD && self.count != MOST && !full && !self.lost;
        (self.there && fits).then_some(self.byte)
    }

    pub fn clock(&mut self, busy: bool, comes: Option<u8>, full: bool) {
        let old = self.clone();
        self.judge(&old);
        self.ended = old.end && !busy;
        self.whole = !old.cut && !old.lost && old.crc == WHOLE && old.count >= HEAD + CHECK;
        self.ours = old.tag == old.run;
        self.is_next = old.kind & 63 == old.next;
        self.is_short = old.count == HEAD + CHECK;

        let (is_head, too_long) = (old.count < HEAD, old.count == MOST);
        if busy || old.end {
            (self.count, self.lost, self.crc) = (0, false, !0);
        } else if old.there {
            self.crc = crc32c(old.crc, old.byte);
            self.count += u16::from(!too_long);
            self.lost |= !is_head && (full || too_long);
        }
        if old.there && old.count == 0 {
            self.kind = old.byte;
        } else if old.there && is_head {
            self.tag = u16::from(old.byte) << 8 | old.tag >> 8;
        }

        let is_code = old.left == 0;
        let byte = comes.unwrap_or(0);
        (self.byte, self.cut) = (if is_code { 0 } else { byte }, !is_code);
        let is_end = comes == Some(0);
        self.there = comes.is_some() && !is_end && (!is_code || (old.zero && !old.first));
        self.end = is_end && !old.first;
        if comes.is_some() {
            self.first = is_end;
            self.left = match (is_end, is_code) {
                (true, _) => 0,
                (_, true) => byte - 1,
                _ => old.left - 1,
            };
            if is_code && !is_end {
                self.zero = byte != 0xff;
            }
        }
        if busy {
            (self.left, self.zero, self.there, self.end, self.first) =
                (0, false, false, false, true);
        }
    }

    /// Decides about a frame, in the second clock cycle after its end.
    fn judge(&mut self, old: &Frames) {
        let whole = old.ended && old.whole;
        let ours = whole && old.ours;
        let kind = old.kind >> 6;
        let keep = ours && kind == FRAME_DATA && old.is_next && !old.is_short;
        let reset = whole && kind == FRAME_RESET && old.is_short;
        let acked = ours && (kind == FRAME_ACK || kind == FRAME_AGAIN);
        let other = whole && !reset && !old.ours;
        let missed = old.ended && !(reset || acked || keep || other);
        let again_now = missed && !old.requested;
        if reset {
            (self.next, self.requested, self.run) = (0, false, old.tag);
        } else if keep {
            (self.next, self.requested) = ((old.next + 1) & 63, false);
        } else if missed {
            self.requested = true;
        }
        let requests = acked && kind == FRAME_AGAIN;
        let (acknowledged, responses, again) = match reset {
            true => (false, false, false),
            false => old.late[2],
        };
        self.late =
            [(keep, again_now || keep || requests || other, again_now), old.late[0], old.late[1]];
        self.acknowledged = (old.acknowledged + u8::from(acknowledged)) & 63;
        if reset {
            (self.late, self.acknowledged) = Default::default();
        }
        self.out = End {
            keep,
            drop: old.ended && !keep,
            reset,
            again,
            responses,
            other,
            acked: acked.then_some((0, false)),
        };
    }
}
