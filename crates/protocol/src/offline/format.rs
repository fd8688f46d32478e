//! The layout of a file of garbled tables. Integers are little endian.
//!
//! | bytes | field |
//! |---|---|
//! | 0..8 | magic `HGTABLES` |
//! | 8..10 | version |
//! | 10 | 1 once the file is used |
//! | 11 | 1 once the file is complete |
//! | 12..16 | length L of the description |
//! | 16..48 | keyed BLAKE3 of the description |
//! | 48..48+L | the description: see [`Description`]; zeros once the file is used |
//! | 1024.. | records: kind u8, three zero bytes, length u32, payload, 16 bytes of tag |
//!
//! The key of all tags is derived from the file's own secrets. The tags detect damage and
//! cut-and-paste. They do not stop a forger who can read the file, but such a forger learns nothing
//! more by forging it.

use crate::session::labels::{Garbling, LabelSource};
use halfgate_engine::{Counters, Delta, Label, RunKey, Suite};
use zeroize::{Zeroize, Zeroizing};

/// The file's version.
pub(super) const VERSION: u16 = 2;
pub(super) const MAGIC: &[u8; 8] = b"HGTABLES";
/// Where records begin.
pub(super) const BODY: u64 = 1024;
/// The offset of the byte that marks a used file.
pub(super) const USED: u64 = 10;
pub(super) const FIXED: usize = 48;
pub(super) const RECORD_HEADER: usize = 8;
pub(super) const TAG: usize = 16;
/// The longest payload of a record.
pub(super) const MAX_RECORD: usize = 1 << 20;

/// What a record holds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub(super) enum Record {
    /// Requests the label of the public constant 0. No payload.
    Constant = 1,
    /// Requests the labels of the next input bits. The payload is their number, a u32.
    Inputs = 2,
    /// Garbled tables.
    Tables = 3,
    /// False labels of output bits: cycle u64, bit u32, label 16 bytes, repeated. Each label is
    /// [masked](LabelSource::mask). An unmasked label would reveal Δ to anyone who also has the
    /// active label from a recorded session, even after the file was used and Δ was erased from it.
    Outputs = 4,
    /// The end of the garbling: gates, ANDs and cycles as u64.
    End = 5,
}

impl Record {
    pub fn from_number(number: u8) -> Option<Record> {
        use Record::{Constant, End, Inputs, Outputs, Tables};
        [Constant, Inputs, Tables, Outputs, End].into_iter().find(|kind| *kind as u8 == number)
    }
}

/// Bytes of one output bit in a record.
pub(super) const OUTPUT_BYTES: usize = 28;

/// What the file was garbled for, and the secrets of the garbling. Fields in order: suite, order
/// and engine as texts (a length byte before each), program hash 32 bytes, cycles u64, start point
/// 16 bytes, Δ 16 bytes, seed of the labels 16 bytes, length of the records u64.
pub(super) struct Description {
    pub suite: Suite,
    pub order: String,
    pub engine: String,
    pub program: [u8; 32],
    pub cycles: u64,
    pub point: u128,
    /// Δ and the seed are boxed, so that moving a description leaves no copy of them.
    pub delta: Box<Zeroizing<[u8; 16]>>,
    pub seed: Box<Zeroizing<[u8; 16]>>,
    pub body: u64,
}

impl Description {
    /// The whole header: `BODY` bytes.
    pub fn encode(&self, complete: bool) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(Vec::with_capacity(BODY as usize));
        out.extend_from_slice(MAGIC);
        out.extend_from_slice(&VERSION.to_le_bytes());
        out.extend_from_slice(&[0, u8::from(complete)]);
        out.resize(FIXED, 0);
        for text in [self.suite.name(), &self.order, &self.engine] {
            let len = text.floor_char_boundary(255);
            out.push(len as u8);
            out.extend_from_slice(&text.as_bytes()[..len]);
        }
        out.extend_from_slice(&self.program);
        out.extend_from_slice(&self.cycles.to_le_bytes());
        out.extend_from_slice(&self.point.to_le_bytes());
        out.extend_from_slice(&**self.delta);
        out.extend_from_slice(&**self.seed);
        out.extend_from_slice(&self.body.to_le_bytes());
        let len = (out.len() - FIXED) as u32;
        out[12..16].copy_from_slice(&len.to_le_bytes());
        let tag = blake3::keyed_hash(&self.key(), &out[FIXED..]);
        out[16..FIXED].copy_from_slice(tag.as_bytes());
        out.resize(BODY as usize, 0);
        out
    }

    /// Reads a description, whose tag is `tag`; `None` if it is damaged.
    pub fn parse(mut rest: &[u8], tag: &[u8]) -> Option<Description> {
        let whole = rest;
        let rest = &mut rest;
        let suite = take_text(rest)?.parse().ok()?;
        let description = Description {
            suite,
            order: take_text(rest)?,
            engine: take_text(rest)?,
            program: take(rest)?,
            cycles: u64::from_le_bytes(take(rest)?),
            point: u128::from_le_bytes(take(rest)?),
            delta: Box::new(Zeroizing::new(take(rest)?)),
            seed: Box::new(Zeroizing::new(take(rest)?)),
            body: u64::from_le_bytes(take(rest)?),
        };
        let expected = blake3::keyed_hash(&description.key(), whole);
        (rest.is_empty() && expected.as_bytes() == tag).then_some(description)
    }

    /// The secrets in the form that a session uses.
    pub fn garbling(&self) -> Garbling {
        Garbling {
            key: RunKey { suite: self.suite, point: self.point },
            delta: Delta::new(Label::from_bytes(**self.delta)),
            labels: LabelSource::new(self.suite, &self.seed),
        }
    }

    /// The key of all tags.
    pub fn key(&self) -> Zeroizing<[u8; 32]> {
        let mut hasher = blake3::Hasher::new_derive_key("halfgate 1 file of garbled tables");
        hasher.update(&**self.delta).update(&**self.seed).update(&self.point.to_le_bytes());
        let key = Zeroizing::new(*hasher.finalize().as_bytes());
        hasher.zeroize();
        key
    }
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*taken)
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let [len] = take(rest)?;
    let (text, after) = rest.split_at_checked(usize::from(len))?;
    *rest = after;
    String::from_utf8(text.to_vec()).ok()
}

/// The tag of record number `index`.
pub(super) fn tag(key: &[u8; 32], index: u64, header: &[u8], payload: &[u8]) -> [u8; TAG] {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(&index.to_le_bytes()).update(header).update(payload);
    let mut tag = [0; TAG];
    tag.copy_from_slice(&hasher.finalize().as_bytes()[..TAG]);
    tag
}

/// The payload of [`Record::End`].
pub(super) fn counters_bytes(counters: Counters) -> [u8; 24] {
    let mut bytes = [0; 24];
    bytes[..8].copy_from_slice(&counters.gates.to_le_bytes());
    bytes[8..16].copy_from_slice(&counters.ands.to_le_bytes());
    bytes[16..].copy_from_slice(&counters.cycles.to_le_bytes());
    bytes
}

/// Parses the payload of [`Record::End`].
pub(super) fn counters(mut bytes: &[u8]) -> Option<Counters> {
    let rest = &mut bytes;
    let mut next = || Some(u64::from_le_bytes(take(rest)?));
    Some(Counters { gates: next()?, ands: next()?, cycles: next()? })
}
