//! The messages that a hostile peer sends instead of its next frame.

use super::model::{Model, honest};
use halfgate_protocol::frame::{HEADER, Header, Kind, MAX_PAYLOAD, crc32c};

/// The payloads tried for each kind: empty; short; the honest frame's; random of that length;
/// random and long; random of the maximum length; zeros of the maximum length.
const PAYLOADS: usize = 7;

/// Random numbers: SplitMix64.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        x ^ (x >> 31)
    }

    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end as u64) as usize
    }

    fn bytes(&mut self, len: usize) -> Vec<u8> {
        let mut bytes: Vec<u8> =
            (0..len.div_ceil(8)).flat_map(|_| self.next().to_le_bytes()).collect();
        bytes.truncate(len);
        bytes
    }

    fn kind(&mut self) -> Kind {
        Kind::ALL[self.below(Kind::ALL.len())]
    }
}

/// A message, its description, and how it is delivered.
pub struct Message {
    pub what: String,
    pub bytes: Vec<u8>,
    /// The most bytes that arrive at a time.
    pub piece: usize,
    /// Whether the peer stops reading once the whole message was delivered.
    pub hangs_up: bool,
}

/// The context of a message.
pub struct Around<'a> {
    pub model: &'a Model<'a>,
    /// The frame before, the next honest one, and the one after it if it exists.
    pub before: &'a [u8],
    pub next: Option<&'a [u8]>,
    pub after: Option<&'a [u8]>,
}

/// A frame with correct checksums.
pub fn frame(kind: Kind, sequence: u64, payload: &[u8]) -> Vec<u8> {
    let mut frame = [&[0; HEADER], payload].concat();
    Header::seal(kind, sequence, &mut frame);
    frame
}

/// A frame with arbitrary fields and correct checksums for them.
fn faulty(kind: u8, len: u32, sequence: u64, payload: &[u8]) -> Vec<u8> {
    let mut frame = [&[0; HEADER], payload].concat();
    frame[4..7].copy_from_slice(&len.to_le_bytes()[..3]);
    frame[7] = kind;
    frame[8..14].copy_from_slice(&sequence.to_le_bytes()[..6]);
    let check = crc32c(&frame[4..14]);
    let check = (check >> 16) as u16 ^ check as u16;
    frame[14..16].copy_from_slice(&check.to_le_bytes());
    let crc = crc32c(&frame[4..]);
    frame[..4].copy_from_slice(&crc.to_le_bytes());
    frame
}

/// Message number `number` in this context.
pub fn message(around: &Around, number: u64, random: &mut Random) -> Message {
    let (what, bytes) = match number % 2 {
        0 => sweep(around, (number / 2) as usize, random),
        _ => other(around, random),
    };
    let piece = match random.below(8) {
        0 => 1 + random.below(HEADER),
        1 => 1 + random.below(300),
        _ => usize::MAX,
    };
    // Delivering a megabyte in single bytes would show nothing more.
    let piece = piece.max(bytes.len() / 64);
    Message { what, bytes, piece, hangs_up: random.below(4) == 0 }
}

/// Each kind with each payload.
fn sweep(around: &Around, number: usize, random: &mut Random) -> (String, Vec<u8>) {
    let kind = Kind::ALL[number % Kind::ALL.len()];
    let next = around.next.map_or(&[][..], |next| &next[HEADER..]);
    let payload = match number / Kind::ALL.len() % PAYLOADS {
        0 => Vec::new(),
        1 => {
            let len = 1 + random.below(20);
            random.bytes(len)
        }
        2 => next.to_vec(),
        3 => random.bytes(next.len()),
        4 => {
            let len = random.below(1 << 12) * 16;
            random.bytes(len)
        }
        5 => {
            let len = [MAX_PAYLOAD, 1000, 999, 40_000][random.below(4)];
            random.bytes(len)
        }
        _ => vec![0; MAX_PAYLOAD >> (2 * random.below(3))],
    };
    let what = format!("{kind:?} of {} bytes", payload.len());
    (what, frame(kind, around.model.sequence, &payload))
}

/// All other messages.
fn other(around: &Around, random: &mut Random) -> (String, Vec<u8>) {
    let sequence = around.model.sequence;
    let next = around.next.unwrap_or(around.before);
    match random.below(25) {
        0..4 => {
            let (mut bytes, bit) = (next.to_vec(), random.below(8 * next.len().max(1)));
            if let Some(byte) = bytes.get_mut(bit / 8) {
                *byte ^= 1 << (bit % 8);
            }
            (format!("the frame with bit {bit} flipped"), bytes)
        }
        4..8 => changed_payload(around, next, random),
        8..10 => {
            let len = random.below(next.len().max(1));
            (format!("the frame cut to {len} bytes"), next[..len].to_vec())
        }
        10 => ("the frame twice".to_owned(), [next, next].concat()),
        11 => {
            let again = frame(honest(next).kind, sequence + 1, honest(next).payload);
            ("the frame twice, numbered".to_owned(), [next, &again].concat())
        }
        12 => {
            let again = frame(honest(around.before).kind, sequence, honest(around.before).payload);
            ("the frame before".to_owned(), again)
        }
        13 => swapped(around, next, random),
        14..17 => header_fault(next, sequence, random),
        17 => heartbeats(around, next, random),
        18 => abort(sequence, random),
        19 => ("the end of the connection".to_owned(), Vec::new()),
        20 => {
            let len = 1 + random.below(3000);
            (format!("{len} random bytes"), random.bytes(len))
        }
        21 => several(sequence, random),
        22 if random.below(8) == 0 => flood(sequence, random),
        22 | 23 => {
            let kind = if random.below(2) == 0 { Kind::Checkpoint } else { Kind::Digest };
            let payload = around.model.digest_payload();
            (format!("the right digest as a {kind:?}"), frame(kind, sequence, &payload))
        }
        _ => {
            let last = [next, &frame(random.kind(), sequence + 1, &[])[..]].concat();
            ("the frame and another".to_owned(), last)
        }
    }
}

/// The honest frame with another payload, sealed again.
fn changed_payload(around: &Around, next: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let super::model::Frame { kind, payload } = honest(next);
    let mut payload = payload.to_vec();
    let what = match random.below(6) {
        0..3 if !payload.is_empty() => {
            let bit = random.below(8 * payload.len());
            payload[bit / 8] ^= 1 << (bit % 8);
            format!("bit {bit} flipped")
        }
        3 if !payload.is_empty() => {
            payload.truncate(random.below(payload.len()));
            format!("only {} bytes", payload.len())
        }
        4 if payload.len() > 16 => {
            let middle = 16 * random.below(payload.len() / 16);
            payload.rotate_left(middle);
            format!("turned by {middle} bytes")
        }
        _ => {
            let more = [1, 16, 32, 1 + random.below(100)][random.below(4)];
            payload.extend(random.bytes(more));
            format!("{more} bytes more")
        }
    };
    (format!("{kind:?} with {what}"), frame(kind, around.model.sequence, &payload))
}

/// The next frame and the one after it, swapped.
fn swapped(around: &Around, next: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let after = around.after.unwrap_or(around.before);
    let sequence = around.model.sequence;
    match random.below(2) {
        0 => ("two frames swapped".to_owned(), [after, next].concat()),
        _ => {
            let first = frame(honest(after).kind, sequence, honest(after).payload);
            let second = frame(honest(next).kind, sequence + 1, honest(next).payload);
            ("two frames swapped, numbered".to_owned(), [first, second].concat())
        }
    }
}

/// A header with a wrong field.
fn header_fault(next: &[u8], sequence: u64, random: &mut Random) -> (String, Vec<u8>) {
    let (kind, payload) = (next[7], &next[HEADER..]);
    let len = payload.len() as u32;
    let (what, bytes) = match random.below(6) {
        0 => {
            let most = MAX_PAYLOAD as u32;
            let len = [most + 1, most, (1 << 24) - 1, len + 1][random.below(4)];
            (format!("a length of {len}"), faulty(kind, len, sequence, payload))
        }
        1 => {
            let other = [sequence + 1, sequence.wrapping_sub(1), u64::MAX, random.next()];
            let other = other[random.below(4)];
            (format!("number {other}"), faulty(kind, len, other, payload))
        }
        2 => {
            let unknown = [0, 16, 255, random.next() as u8][random.below(4)];
            (format!("kind {unknown}"), faulty(unknown, len, sequence, payload))
        }
        3 => {
            let mut bytes = next.to_vec();
            bytes[..4].copy_from_slice(&random.bytes(4));
            ("another CRC".to_owned(), bytes)
        }
        4 => {
            let mut bytes = next.to_vec();
            bytes[..HEADER].copy_from_slice(&random.bytes(HEADER));
            ("a random header".to_owned(), bytes)
        }
        _ => {
            let len = len.saturating_sub(1 + random.below(16) as u32);
            (format!("a length of {len}"), faulty(kind, len, sequence, payload))
        }
    };
    (format!("the frame with {what}"), bytes)
}

/// Many heartbeats, sometimes followed by the honest frame.
fn heartbeats(around: &Around, next: &[u8], random: &mut Random) -> (String, Vec<u8>) {
    let sequence = around.model.sequence;
    let count = [1, 2, 20, 3000][random.below(4)];
    let len = [8, 8, 8, 0, 7, 1 << 10][random.below(if count > 99 { 5 } else { 6 })];
    let mut bytes = Vec::new();
    for number in 0..count {
        bytes.extend(frame(Kind::Heartbeat, sequence + number, &random.bytes(len)));
    }
    if random.below(2) == 0 {
        bytes.extend(frame(honest(next).kind, sequence + count, honest(next).payload));
    }
    (format!("{count} heartbeats of {len} bytes"), bytes)
}

fn abort(sequence: u64, random: &mut Random) -> (String, Vec<u8>) {
    let reasons =
        [&b""[..], b"\x1b[2J\x07\r\nresult: 7", b"\xff\xfe\x80", "\u{202e}txet".as_bytes()];
    let reason = match random.below(5) {
        4 => vec![b'x'; MAX_PAYLOAD],
        index => reasons[index].to_vec(),
    };
    ("an abort".to_owned(), frame(Kind::Abort, sequence, &reason))
}

fn several(sequence: u64, random: &mut Random) -> (String, Vec<u8>) {
    let (mut what, mut bytes) = (String::new(), Vec::new());
    for number in 0..2 + random.below(8) as u64 {
        let (kind, len) = (random.kind(), 16 * random.below(4));
        what += &format!("{kind:?} of {len} bytes, ");
        bytes.extend(frame(kind, sequence + number, &random.bytes(len)));
    }
    (what, bytes)
}

/// Several megabytes of short frames of one kind.
fn flood(sequence: u64, random: &mut Random) -> (String, Vec<u8>) {
    let kind = random.kind();
    let len = [0, 8, 32, 500][random.below(4)];
    let payload = random.bytes(len);
    let mut bytes = Vec::new();
    for number in 0..(4 << 20) / (HEADER + len) as u64 {
        bytes.extend(frame(kind, sequence + number, &payload));
    }
    (format!("a flood of {kind:?} of {len} bytes"), bytes)
}
