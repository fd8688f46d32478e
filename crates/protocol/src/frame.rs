//! The wire format: frames, and the digest that chains them.
//!
//! A frame is a header of 16 bytes and a payload:
//!
//! | bytes | field |
//! |---|---|
//! | 0..4 | CRC-32C of all that follows, payload included |
//! | 4..7 | length of the payload, little endian, at most [`MAX_PAYLOAD`] |
//! | 7 | [`Kind`] |
//! | 8..14 | the frame's number on this side of the connection, from 0, little endian |
//! | 14..16 | check of bytes 4..14: the two halves of their CRC-32C, XORed |
//!
//! The header has a check of its own, so that a receiver can reject a damaged length at once
//! instead of waiting for bytes that were never sent. CRCs detect accidents, not attacks. TLS
//! authenticates the frames; a plaintext connection does not.

/// Bytes of a header.
pub const HEADER: usize = 16;

/// The longest payload: 1 MiB. A longer one is rejected before memory is allocated for it.
pub const MAX_PAYLOAD: usize = 1 << 20;

/// What a frame carries. Each variant names its sender first.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[repr(u8)]
pub enum Kind {
    /// Both: the [handshake](crate::handshake).
    Hello = 1,
    /// Both: the sender is alive. Eight bytes of progress, in ANDs. Never part of a digest.
    Heartbeat = 2,
    /// Both: the session is over; the reason as UTF-8.
    Abort = 3,
    /// Both: a message of the base OTs.
    BaseOt = 4,
    /// Evaluator: a message of the OT extension, for the next batch of its input bits.
    Extension = 5,
    /// Garbler: label pairs of the batch, masked by hashed random OTs.
    MaskedPairs = 6,
    /// Garbler: a run begins; its number and its public start point or key.
    Run = 7,
    /// Garbler: active labels of its own input bits, in the order of first use.
    Labels = 8,
    /// Garbler: the label of the public constant 0.
    Constant = 9,
    /// Garbler: garbled tables in program order. A frame may end between any two tables.
    Tables = 10,
    /// Both: the digest of all frames sent before this one.
    Digest = 11,
    /// Evaluator: active labels of output bits that the garbler learns.
    OutputLabels = 12,
    /// Garbler: hashes of both labels of output bits that the evaluator learns.
    Decoding = 13,
    /// Both: the run's outputs are decoded.
    Done = 14,
    /// Both: the digest of all frames sent before this one, during a run. The garbler's follows the
    /// tables of a window of cycles. The evaluator responds with its own and then the
    /// [`OutputLabels`](Kind::OutputLabels) of these cycles. The garbler sends their
    /// [`Decoding`](Kind::Decoding) among later tables.
    Checkpoint = 15,
    /// Both, in malicious sessions: a commitment, to joint coins and the digest of a window's leaky
    /// ANDs.
    Commitment = 16,
    /// Both, in malicious sessions: the opening of a commitment.
    Opening = 17,
    /// Both, in malicious sessions: the G of leaky ANDs.
    LeakyAnds = 18,
    /// Both, in malicious sessions: shares of authenticated bits, opened, and a digest of their
    /// MACs.
    Shares = 19,
    /// Both, in malicious sessions: public bits of leaky ANDs, and the garbler's colour bits of
    /// output labels.
    PublicBits = 20,
    /// Both, in malicious sessions: masked values of input bits, and the evaluator's of ANDs.
    MaskedBits = 21,
    /// Both, in malicious sessions: a digest that proves masked values or tables.
    Check = 22,
    /// Both, in malicious sessions: where the walk of shares has stopped.
    Position = 23,
    /// Both, in malicious sessions: whether the session preprocesses, and the generation of
    /// preprocessing files.
    Phase = 24,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 24] = [
        Kind::Hello,
        Kind::Heartbeat,
        Kind::Abort,
        Kind::BaseOt,
        Kind::Extension,
        Kind::MaskedPairs,
        Kind::Run,
        Kind::Labels,
        Kind::Constant,
        Kind::Tables,
        Kind::Digest,
        Kind::OutputLabels,
        Kind::Decoding,
        Kind::Done,
        Kind::Checkpoint,
        Kind::Commitment,
        Kind::Opening,
        Kind::LeakyAnds,
        Kind::Shares,
        Kind::PublicBits,
        Kind::MaskedBits,
        Kind::Check,
        Kind::Position,
        Kind::Phase,
    ];

    /// The kind with this number.
    pub fn from_number(number: u8) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| *kind as u8 == number)
    }
}

/// A frame's header.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Header {
    /// CRC-32C of the rest of the header and the payload.
    pub crc: u32,
    /// Length of the payload in bytes.
    pub len: usize,
    /// What the frame carries.
    pub kind: Kind,
    /// The frame's number.
    pub sequence: u64,
}

/// CRC-32C.
pub fn crc32c(bytes: &[u8]) -> u32 {
    crc_fast::crc32_iscsi(bytes)
}

fn header_check(fields: &[u8]) -> u16 {
    let crc = crc32c(fields);
    (crc >> 16) as u16 ^ crc as u16
}

impl Header {
    /// Writes the header into the first [`HEADER`] bytes of `frame`, whose payload already follows
    /// them. Returns the CRC.
    pub fn seal(kind: Kind, sequence: u64, frame: &mut [u8]) -> u32 {
        Header::write_fields(kind, sequence, frame.len() - HEADER, frame);
        let crc = crc32c(&frame[4..]);
        frame[..4].copy_from_slice(&crc.to_le_bytes());
        crc
    }

    /// As [`seal`](Header::seal), but without the CRC: for frames that never leave the process.
    pub fn write_fields(kind: Kind, sequence: u64, len: usize, header: &mut [u8]) {
        debug_assert!(len <= MAX_PAYLOAD && sequence < 1 << 48);
        header[..4].fill(0);
        header[4..7].copy_from_slice(&(len as u32).to_le_bytes()[..3]);
        header[7] = kind as u8;
        header[8..14].copy_from_slice(&sequence.to_le_bytes()[..6]);
        let check = header_check(&header[4..14]);
        header[14..16].copy_from_slice(&check.to_le_bytes());
    }

    /// Reads a header.
    ///
    /// # Errors
    /// A text that describes the error, if the header is damaged, its length too large or its kind
    /// unknown.
    pub fn parse(bytes: &[u8; HEADER]) -> Result<Header, &'static str> {
        let check = u16::from_le_bytes([bytes[14], bytes[15]]);
        if check != header_check(&bytes[4..14]) {
            return Err("its header is damaged, or the peer does not speak this protocol");
        }
        let len = u32::from_le_bytes([bytes[4], bytes[5], bytes[6], 0]) as usize;
        if len > MAX_PAYLOAD {
            return Err("it is longer than frames may be");
        }
        let Some(kind) = Kind::from_number(bytes[7]) else {
            return Err("its kind is unknown");
        };
        let crc = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]);
        let mut sequence = [0; 8];
        sequence[..6].copy_from_slice(&bytes[8..14]);
        Ok(Header { crc, len, kind, sequence: u64::from_le_bytes(sequence) })
    }
}

/// The digest of one direction: the chained CRCs of its frames. It costs a few operations per
/// frame, and nothing per table.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Transcript(pub u64);

impl Transcript {
    /// Adds a frame.
    pub fn add(&mut self, kind: Kind, len: usize, crc: u32) {
        self.0 = mix(self.0 ^ (u64::from(crc) | (len as u64) << 32 | (kind as u64) << 56));
    }
}

/// A bijection of 64-bit numbers in which every input bit reaches every output bit: the finisher
/// of SplitMix64 (Steele, Lea and Flood, 2014).
fn mix(mut x: u64) -> u64 {
    x = x.wrapping_add(0x9e37_79b9_7f4a_7c15);
    x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ (x >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(payload: &[u8]) -> Vec<u8> {
        let mut frame = vec![0; HEADER];
        frame.extend_from_slice(payload);
        Header::seal(Kind::Labels, 0x1234_5678_9abc, &mut frame);
        frame
    }

    #[test]
    fn the_checksum_is_crc_32c() {
        // The check value of RFC 3720, appendix B.4, and of the CRC catalogue.
        assert_eq!(crc32c(b"123456789"), 0xe306_9283);
        assert_eq!(crc32c(&[0; 32]), 0x8a91_36aa);
    }

    #[test]
    fn a_header_reads_back() {
        let frame = frame(b"some payload");
        let header = Header::parse(frame[..HEADER].try_into().unwrap()).unwrap();
        assert_eq!(header.kind, Kind::Labels);
        assert_eq!(header.len, 12);
        assert_eq!(header.sequence, 0x1234_5678_9abc);
        assert_eq!(header.crc, crc32c(&frame[4..]));
    }

    #[test]
    fn every_flipped_bit_of_a_header_is_seen_without_the_payload() {
        let frame = frame(&[7; 100]);
        let good: [u8; HEADER] = frame[..HEADER].try_into().unwrap();
        for bit in 32..8 * HEADER {
            let mut bad = good;
            bad[bit / 8] ^= 1 << (bit % 8);
            assert!(Header::parse(&bad).is_err(), "bit {bit}");
        }
    }

    #[test]
    fn a_length_beyond_the_maximum_is_refused() {
        let mut header = [0; HEADER];
        header[4..7].copy_from_slice(&(MAX_PAYLOAD as u32 + 1).to_le_bytes()[..3]);
        header[7] = Kind::Tables as u8;
        let check = header_check(&header[4..14]);
        header[14..16].copy_from_slice(&check.to_le_bytes());
        assert_eq!(Header::parse(&header), Err("it is longer than frames may be"));
    }

    #[test]
    fn a_digest_depends_on_the_order() {
        let (mut x, mut y) = (Transcript::default(), Transcript::default());
        x.add(Kind::Tables, 32, 1);
        x.add(Kind::Tables, 32, 2);
        y.add(Kind::Tables, 32, 2);
        y.add(Kind::Tables, 32, 1);
        assert_ne!(x, y);
    }
}
