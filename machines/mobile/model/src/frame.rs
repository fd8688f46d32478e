//! Frames on the link (`machines/mobile/spec/link.md`). Lost, duplicated or altered frames are
//! detected and retransmitted. Each side has a [`Sender`] for its own frames and a [`Receiver`] for
//! the frames of the peer.

use super::names::{FRAME_ACK, FRAME_AGAIN, FRAME_DATA, FRAME_RESET, STATUS_FINE};
use crc_fast::{CrcAlgorithm, Digest};
use std::collections::VecDeque;
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Maximum length of a frame's payload in bytes.
pub const PAYLOAD: usize = 1024;
/// Maximum number of unacknowledged frames. It is less than half of all frame numbers, so an old
/// frame is never taken for a new one.
pub const WINDOW: usize = 31;

/// Frame numbers wrap around at this value.
const NUMBERS: u8 = 64;
/// Bytes before the payload: kind and number, then the run's tag.
const HEAD: usize = 3;
const CHECK: usize = 4;
/// Maximum number of coded bytes between two zero bytes: a frame, and one code byte for every 254
/// bytes.
const LONGEST: usize = HEAD + PAYLOAD + CHECK + 5;

/// A decoded frame. Each frame has its run's tag, which the host draws at random or derives from
/// the program. Frames of another run are rejected.
#[derive(Clone, PartialEq, Eq)]
pub enum Frame {
    /// Payload of a numbered frame.
    Data {
        /// Frame number, 0 to 63.
        number: u8,
        /// The run's tag.
        run: u16,
        /// At least one byte. Holds labels and tables, so it is wiped on drop.
        payload: Zeroizing<Vec<u8>>,
    },
    /// Acknowledgement: the sender of this frame has all frames before `number`.
    Ack {
        /// Number of the next expected frame.
        number: u8,
        /// The run's tag.
        run: u16,
        /// Number of frames, beginning with `number`, for which there is free space.
        space: u8,
        /// Status of the chip.
        status: u8,
        /// Whether an unexpected frame arrived, so that the peer must retransmit from `number` on.
        again: bool,
    },
    /// From the host: begins the run with this tag, and aborts the current one.
    Reset {
        /// The run's tag.
        run: u16,
    },
    /// The chip's response to `Reset`, sent after the chip has wiped its state.
    Hello {
        /// The run's tag.
        run: u16,
        /// Version of the link.
        version: u8,
        /// Suites that the chip supports: bit n is set for suite number n.
        suites: u8,
        /// Binary logarithm of the number of label slots.
        slots: u8,
        /// Number of frames for which there is free space.
        space: u8,
    },
}

/// Why the bytes between two zero bytes are no frame. The receiver requests a retransmission, and
/// never repairs a frame.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FrameError {
    /// There are too many bytes.
    #[error("more than {LONGEST} bytes without an end")]
    TooLong,
    /// The byte stuffing or the length is invalid.
    #[error("bytes that are no frame")]
    Malformed,
    /// The checksum does not match.
    #[error("a frame was altered on the way")]
    Altered,
}

impl Frame {
    /// Encodes the frame for the link, including the zero byte that ends it.
    ///
    /// # Panics
    /// If the payload is empty or too long, or the number is 64 or more.
    pub fn encode(&self) -> Zeroizing<Vec<u8>> {
        let short;
        let (kind, number, run, payload) = match self {
            Frame::Data { number, run, payload } => (FRAME_DATA, *number, run, &payload[..]),
            Frame::Ack { number, run, space, status, again } => {
                short = [*space, *status, 0, 0];
                let kind = if *again { FRAME_AGAIN } else { FRAME_ACK };
                (kind, *number, run, &short[..2])
            }
            Frame::Reset { run } => (FRAME_RESET, 0, run, &[][..]),
            Frame::Hello { run, version, suites, slots, space } => {
                short = [*version, *suites, *slots, *space];
                (FRAME_RESET, 0, run, &short[..])
            }
        };
        assert!(number < NUMBERS && payload.len() <= PAYLOAD, "a frame's number and its length");
        assert!(kind != FRAME_DATA || !payload.is_empty(), "a frame has a payload");
        // Wiping covers the whole capacity, so the buffer has exactly the frame's length.
        let length = HEAD + payload.len() + CHECK;
        let mut bytes = Zeroizing::new(Vec::with_capacity(length));
        bytes.push(kind << 6 | number);
        bytes.extend(run.to_le_bytes());
        bytes.extend_from_slice(payload);
        let found = check(&bytes);
        bytes.extend(found);
        let mut coded = Zeroizing::new(vec![0; cobs::max_encoding_length(length) + 1]);
        let count = cobs::encode(&bytes, &mut coded);
        coded.truncate(count + 1);
        coded[count] = 0;
        coded
    }

    /// Decodes the bytes between two zero bytes.
    ///
    /// # Errors
    /// If they are no frame.
    pub fn decode(coded: &[u8]) -> Result<Frame, FrameError> {
        if coded.len() > LONGEST {
            return Err(FrameError::TooLong);
        }
        let bytes = cobs::decode_vec(coded).map_err(|_| FrameError::Malformed)?;
        let bytes = Zeroizing::new(bytes);
        let (bytes, found) = bytes.split_last_chunk::<CHECK>().ok_or(FrameError::Malformed)?;
        if *found != check(bytes) {
            return Err(FrameError::Altered);
        }
        let (&[first, low, high], payload) =
            bytes.split_first_chunk::<HEAD>().ok_or(FrameError::Malformed)?;
        let (number, run) = (first & (NUMBERS - 1), u16::from_le_bytes([low, high]));
        match (first >> 6, payload) {
            (FRAME_DATA, payload) if (1..=PAYLOAD).contains(&payload.len()) => {
                Ok(Frame::Data { number, run, payload: payload.to_vec().into() })
            }
            (FRAME_ACK, &[space, status]) => {
                Ok(Frame::Ack { number, run, space, status, again: false })
            }
            (FRAME_AGAIN, &[space, status]) => {
                Ok(Frame::Ack { number, run, space, status, again: true })
            }
            (FRAME_RESET, []) if number == 0 => Ok(Frame::Reset { run }),
            (FRAME_RESET, &[version, suites, slots, space]) if number == 0 => {
                Ok(Frame::Hello { run, version, suites, slots, space })
            }
            _ => Err(FrameError::Malformed),
        }
    }
}

/// Shows only the length of the payload, because the payload is secret.
impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Frame::Data { number, run, payload } => {
                write!(f, "Data {{ number: {number}, run: {run}, {} bytes }}", payload.len())
            }
            Frame::Ack { number, run, space, status, again } => write!(
                f,
                "Ack {{ number: {number}, run: {run}, space: {space}, status: {status}, again: {again} }}"
            ),
            Frame::Reset { run } => write!(f, "Reset {{ run: {run} }}"),
            Frame::Hello { run, version, suites, slots, space } => write!(
                f,
                "Hello {{ run: {run}, version: {version}, suites: {suites}, slots: {slots}, space: {space} }}"
            ),
        }
    }
}

fn check(bytes: &[u8]) -> [u8; CHECK] {
    let mut digest = Digest::new(CrcAlgorithm::Crc32Iscsi);
    digest.update(bytes);
    (digest.finalize() as u32).to_le_bytes()
}

/// Splits a byte stream into frames. Memory: one frame.
pub struct Deframer {
    bytes: Zeroizing<Vec<u8>>,
    is_too_long: bool,
}

impl Default for Deframer {
    fn default() -> Deframer {
        Deframer { bytes: Zeroizing::new(Vec::with_capacity(LONGEST)), is_too_long: false }
    }
}

impl Deframer {
    /// Takes the next byte. If the byte ends a frame, returns the frame or an error. Of several
    /// zero bytes in a row, only the first can end a frame.
    pub fn push(&mut self, byte: u8) -> Option<Result<Frame, FrameError>> {
        if byte != 0 {
            match self.bytes.len() < LONGEST {
                true => self.bytes.push(byte),
                false => self.is_too_long = true,
            }
            return None;
        }
        let is_too_long = std::mem::take(&mut self.is_too_long);
        let found = match self.bytes.is_empty() {
            true => None,
            false if is_too_long => Some(Err(FrameError::TooLong)),
            false => Some(Frame::decode(&self.bytes)),
        };
        // Later bytes in the buffer were wiped before.
        self.bytes[..].zeroize();
        self.bytes.clear();
        found
    }
}

/// Keeps the frames of one side until the peer acknowledges them. Memory: [`WINDOW`] frames.
#[derive(Default)]
pub struct Sender {
    /// Number of the first frame in `kept`.
    first: u8,
    kept: VecDeque<Zeroizing<Vec<u8>>>,
    space: usize,
    run: u16,
}

impl Sender {
    /// Starts a run with a peer that has free space for `space` frames.
    pub fn new(run: u16, space: u8) -> Sender {
        Sender { space: usize::from(space), run, ..Sender::default() }
    }

    /// Whether the window and the peer's free space allow another frame.
    pub fn may_send(&self) -> bool {
        self.kept.len() < self.space.min(WINDOW)
    }

    /// Encodes and keeps the next frame, and returns its bytes.
    ///
    /// # Panics
    /// If [`may_send`](Sender::may_send) is false, or the payload is empty or too long.
    pub fn send(&mut self, payload: &[u8]) -> &[u8] {
        assert!(self.may_send(), "the peer has free space");
        let number = (self.first + self.kept.len() as u8) % NUMBERS;
        let payload = payload.to_vec().into();
        self.kept.push_back(Frame::Data { number, run: self.run, payload }.encode());
        &self.kept[self.kept.len() - 1]
    }

    /// Handles an acknowledgement: the peer has all frames before `number`, and free space for
    /// `space` frames beginning with `number`. Returns how many frames are newly acknowledged.
    /// Returns `None`, and changes nothing, for an outdated acknowledgement.
    pub fn acknowledged(&mut self, number: u8, space: u8) -> Option<usize> {
        let count = usize::from((number % NUMBERS + NUMBERS - self.first) % NUMBERS);
        if count > self.kept.len() {
            return None;
        }
        self.kept.drain(..count);
        (self.first, self.space) = (number % NUMBERS, usize::from(space));
        Some(count)
    }

    /// Whether the peer has acknowledged all frames.
    pub fn is_done(&self) -> bool {
        self.kept.is_empty()
    }

    /// All unacknowledged frames in order, to be retransmitted on request or after a timeout.
    pub fn again(&self) -> impl Iterator<Item = &[u8]> {
        self.kept.iter().map(|frame| &frame[..])
    }
}

/// Delivers each frame of the peer exactly once and in order.
#[derive(Default)]
pub struct Receiver {
    run: u16,
    next: u8,
    is_requested: bool,
}

impl Receiver {
    /// Starts a run: no frame has been received yet.
    pub fn new(run: u16) -> Receiver {
        Receiver { run, ..Receiver::default() }
    }

    /// The number of the next expected frame.
    pub fn next(&self) -> u8 {
        self.next
    }

    /// Returns the payload if `number` is the next expected frame. Otherwise the frame is a
    /// duplicate, or an earlier frame was lost: returns `None` and requests a retransmission.
    pub fn take(&mut self, number: u8, payload: Zeroizing<Vec<u8>>) -> Option<Zeroizing<Vec<u8>>> {
        if number != self.next {
            // One request is enough until the expected frame arrives.
            self.is_requested = true;
            return None;
        }
        (self.next, self.is_requested) = ((number + 1) % NUMBERS, false);
        Some(payload)
    }

    /// Requests a retransmission, because the received bytes were no frame.
    pub fn garbled(&mut self) {
        self.is_requested = true;
    }

    /// The acknowledgement to send. It reports free space for `space` frames.
    pub fn response(&mut self, space: u8) -> Frame {
        let again = std::mem::take(&mut self.is_requested);
        Frame::Ack { number: self.next, run: self.run, space, status: STATUS_FINE, again }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn frame() -> impl Strategy<Value = Frame> {
        let payload = proptest::collection::vec(any::<u8>(), 1..PAYLOAD + 1);
        prop_oneof![
            (0..NUMBERS, any::<u16>(), payload).prop_map(|(number, run, payload)| Frame::Data {
                number,
                run,
                payload: payload.into()
            }),
            (0..NUMBERS, any::<u16>(), any::<u8>(), any::<u8>(), any::<bool>()).prop_map(
                |(number, run, space, status, again)| Frame::Ack {
                    number,
                    run,
                    space,
                    status,
                    again
                }
            ),
            any::<u16>().prop_map(|run| Frame::Reset { run }),
            (any::<u16>(), any::<[u8; 4]>()).prop_map(|(run, [version, suites, slots, space])| {
                Frame::Hello { run, version, suites, slots, space }
            }),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

        #[test]
        fn frames_come_back_and_altered_ones_do_not(frame in frame(), at: usize, bit in 0..8) {
            let bytes = frame.encode();
            prop_assert!(bytes.len() <= LONGEST + 1);
            let end = bytes.len() - 1;
            prop_assert!(bytes[end] == 0 && !bytes[..end].contains(&0));
            prop_assert_eq!(Frame::decode(&bytes[..end]), Ok(frame));
            let mut altered = bytes[..end].to_vec();
            altered[at % end] ^= 1_u8 << bit;
            prop_assert!(altered.contains(&0) || Frame::decode(&altered).is_err());
            prop_assert!(Frame::decode(&bytes[..at % end]).is_err());
        }
    }

    /// On a link that loses, duplicates and alters bytes, every payload must arrive once and in
    /// order, and no side may exceed its memory.
    #[test]
    fn everything_arrives_on_a_bad_link() {
        for seed in 1..40_u64 {
            let mut random = seed;
            let mut chance = |percent: u64| {
                random = random.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(seed | 1);
                random >> 33 & 0xffff < percent * 655
            };
            let bad = seed % 20;
            let mut link = |bytes: &[u8], to: &mut Vec<u8>| {
                for _ in 0..1 + u32::from(chance(bad)) {
                    let kept = if chance(bad) { bytes.len() / 2 } else { bytes.len() };
                    let from = to.len();
                    to.extend_from_slice(&bytes[..kept]);
                    if chance(bad) {
                        to[from] ^= 0x10;
                    }
                }
            };
            let payloads: Vec<Zeroizing<Vec<u8>>> =
                (0..200_u8).map(|n| vec![n; 1 + usize::from(n) * 3 % 97].into()).collect();
            let (mut sender, mut receiver) = (Sender::new(7, 4), Receiver::new(7));
            let (mut there, mut back) = (Deframer::default(), Deframer::default());
            let (mut sent, mut found, mut turns) = (0, Vec::new(), 0);
            while found.len() < payloads.len() || !sender.is_done() {
                turns += 1;
                assert!(turns < 20_000, "seed {seed}: nothing arrives any more");
                let mut bytes = Vec::new();
                if sent < payloads.len() && sender.may_send() {
                    link(sender.send(&payloads[sent]), &mut bytes);
                    sent += 1;
                } else {
                    // This replaces a timeout.
                    sender.again().for_each(|frame| link(frame, &mut bytes));
                }
                for frame in bytes.into_iter().filter_map(|byte| there.push(byte)) {
                    match frame {
                        Ok(Frame::Data { number, payload, .. }) => {
                            found.extend(receiver.take(number, payload));
                        }
                        Ok(other) => panic!("{other:?}"),
                        Err(_) => receiver.garbled(),
                    }
                }
                let mut response = Vec::new();
                link(&receiver.response(1 + seed as u8 % 7).encode(), &mut response);
                for frame in response.into_iter().filter_map(|byte| back.push(byte)) {
                    if let Ok(Frame::Ack { number, space, .. }) = frame {
                        sender.acknowledged(number, space);
                    }
                }
            }
            assert_eq!(found, payloads, "seed {seed}");
        }
    }

    #[test]
    fn a_frame_without_an_end_takes_bounded_memory() {
        let mut deframer = Deframer::default();
        assert!((0..100_000).all(|_| deframer.push(7).is_none()));
        assert!(deframer.bytes.capacity() < 4 * LONGEST);
        assert_eq!(deframer.push(0), Some(Err(FrameError::TooLong)));
        assert_eq!(deframer.push(0), None);
        let reset = Frame::Reset { run: 5 }.encode();
        let mut frames = reset.iter().filter_map(|byte| deframer.push(*byte));
        assert_eq!(frames.next(), Some(Ok(Frame::Reset { run: 5 })));
    }
}
