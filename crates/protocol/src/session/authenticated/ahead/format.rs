//! The layout of a preprocessing file. Integers are little endian.
//!
//! | bytes | field |
//! |---|---|
//! | 0..8 | magic `HGAHEAD!` |
//! | 8..10 | version |
//! | 10 | 1 once the file is used |
//! | 11 | what the file's key is encrypted under: 0 nothing, 1 a key file, 2 a passphrase |
//! | 12..16 | length L of the description |
//! | 16..48 | salt |
//! | 48..96 | the file's key and a tag; zeros once the file is used |
//! | 96..96+L | the description: see [`Description`] |
//! | 2048.. | chunks: 65,536 bytes (the last one fewer) and a tag of 16 bytes |
//!
//! The key of the chunks depends on the whole header without the mark and the file's key, so each
//! chunk authenticates the header. The chunks together hold the run's start point 16 bytes, Δ 16
//! bytes, the seed of the labels 16 bytes, and then windows: see [`super::write`].

use super::error::PreprocessedError;
use crate::handshake;
use crate::keys::Fingerprint;
use crate::session::{Difference, Learn, RunOptions};
use halfgate_circuit::Party;
use halfgate_compiler::{Program, ProgramHash};
use zeroize::Zeroizing;

/// The file's version.
pub(super) const VERSION: u16 = 1;
pub(super) const MAGIC: &[u8; 8] = b"HGAHEAD!";
/// The offset of the byte that marks a used file.
pub(super) const USED: u64 = 10;
/// The offset of the file's key, and its bytes.
pub(super) const KEY_AT: usize = 48;
pub(super) const KEY_SLOT: usize = 48;
const FIXED: usize = KEY_AT + KEY_SLOT;
/// Where chunks begin.
pub(super) const BODY: usize = 2048;

/// Who the parties are: the fingerprints of their keys, `None` on a connection without TLS.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Identities {
    /// This party.
    pub own: Option<Fingerprint>,
    /// The other party.
    pub peer: Option<Fingerprint>,
}

/// What a file was made for.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Description {
    pub role: Party,
    pub suite: String,
    pub order: String,
    pub skips: bool,
    pub program: [u8; 32],
    pub cycles: u64,
    /// The statistical security parameter in bits.
    pub statistical: u8,
    /// A hash of who learns each output.
    pub learners: [u8; 32],
    /// Whether both engines take inputs part by part.
    pub parts: bool,
    /// This party and its peer; `None` on a connection without TLS.
    pub identities: Identities,
    /// Random bytes that both parties' files share, and no other file has.
    pub generation: [u8; 32],
}

/// A header.
pub(super) struct Header {
    pub protection: u8,
    pub salt: [u8; 32],
    pub description: Description,
}

impl Header {
    /// All `BODY` bytes of the header, with this content of the key's slot.
    pub fn encode(&self, slot: &[u8; KEY_SLOT]) -> Zeroizing<Vec<u8>> {
        let mut out = Zeroizing::new(vec![0; BODY]);
        let header = self.authenticated();
        out[..header.len()].copy_from_slice(&header);
        out[KEY_AT..FIXED].copy_from_slice(slot);
        out
    }

    /// The header without the mark and the key.
    pub fn authenticated(&self) -> Vec<u8> {
        let description = self.description.encode();
        let mut out = vec![0; FIXED];
        out[..8].copy_from_slice(MAGIC);
        out[8..10].copy_from_slice(&VERSION.to_le_bytes());
        out[11] = self.protection;
        out[12..16].copy_from_slice(&(description.len() as u32).to_le_bytes());
        out[16..KEY_AT].copy_from_slice(&self.salt);
        out.extend_from_slice(&description);
        out
    }

    /// Reads a header of `BODY` bytes and the slot of its key. Whether the file is used is not
    /// checked.
    pub fn parse(bytes: &[u8]) -> Option<(Header, Zeroizing<[u8; KEY_SLOT]>)> {
        let length = u32::from_le_bytes(*bytes.get(12..16)?.first_chunk()?) as usize;
        let mut slot = Zeroizing::new([0; KEY_SLOT]);
        slot.copy_from_slice(bytes.get(KEY_AT..FIXED)?);
        let (description, rest) = bytes.get(FIXED..)?.split_at_checked(length)?;
        if rest.iter().any(|byte| *byte != 0) {
            return None;
        }
        let header = Header {
            protection: *bytes.get(11)?,
            salt: *bytes.get(16..KEY_AT)?.first_chunk()?,
            description: Description::parse(description)?,
        };
        Some((header, slot))
    }
}

impl Description {
    /// Describes a run of this session.
    pub fn new(
        role: Party,
        program: &Program,
        options: &RunOptions,
        (learn, parts): (&[Learn], bool),
        identities: Identities,
        generation: [u8; 32],
    ) -> Description {
        Description {
            role,
            suite: options.suite.name().to_owned(),
            order: program.order.to_string(),
            skips: program.skips.is_some(),
            program: program.hash.0,
            cycles: options.cycles,
            statistical: options.security.statistical(),
            learners: hash_of(learn),
            parts,
            identities,
            generation,
        }
    }

    /// Checks that a file at `path` with this description is for a session that `wanted` describes.
    /// Their generations may differ.
    ///
    /// # Errors
    /// [`PreprocessedError::Mismatch`].
    pub fn check(&self, wanted: &Description, path: &str) -> Result<(), PreprocessedError> {
        let yes = |is_set: bool| if is_set { "yes" } else { "no" }.to_owned();
        let hash = |hash: [u8; 32]| ProgramHash(hash).to_string();
        let values = |d: &Description| {
            [
                (Difference::Role, d.role.to_string()),
                (Difference::Statistical, d.statistical.to_string()),
                (Difference::Suite, d.suite.clone()),
                (Difference::Order, d.order.clone()),
                (Difference::Skipping, yes(d.skips)),
                (Difference::Program, hash(d.program)),
                (Difference::Cycles, d.cycles.to_string()),
                (Difference::Learners, hash(d.learners)),
                (Difference::Parts, yes(d.parts)),
                (Difference::OwnIdentity, identity(d.identities.own)),
                (Difference::PeerIdentity, identity(d.identities.peer)),
            ]
        };
        for ((what, file), (_, session)) in values(self).into_iter().zip(values(wanted)) {
            if file != session {
                let path = path.to_owned();
                return Err(PreprocessedError::Mismatch { path, what, file, session });
            }
        }
        Ok(())
    }

    /// The name under which a ledger lists this party's file of the generation. Both parties may
    /// have the same ledger.
    pub fn ledger_entry(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key("halfgate 1 used preprocessing");
        hasher.update(&[self.role as u8]).update(&self.generation);
        *hasher.finalize().as_bytes()
    }

    fn encode(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(BODY - FIXED);
        out.extend_from_slice(&handshake::VERSION.to_le_bytes());
        out.push(self.role as u8);
        for text in [&self.suite, &self.order] {
            let len = text.floor_char_boundary(255);
            out.push(len as u8);
            out.extend_from_slice(&text.as_bytes()[..len]);
        }
        out.push(self.skips.into());
        out.extend_from_slice(&self.program);
        out.extend_from_slice(&self.cycles.to_le_bytes());
        out.push(self.statistical);
        out.extend_from_slice(&self.learners);
        out.push(self.parts.into());
        for identity in [self.identities.own, self.identities.peer] {
            out.push(identity.is_some().into());
            out.extend_from_slice(&identity.map_or([0; 32], Fingerprint::to_bytes));
        }
        out.extend_from_slice(&self.generation);
        out
    }

    fn parse(mut rest: &[u8]) -> Option<Description> {
        let rest = &mut rest;
        if take(rest)? != handshake::VERSION.to_le_bytes() {
            return None;
        }
        let role = match take(rest)? {
            [role] if role == Party::Garbler as u8 => Party::Garbler,
            [role] if role == Party::Evaluator as u8 => Party::Evaluator,
            _ => return None,
        };
        let description = Description {
            role,
            suite: take_text(rest)?,
            order: take_text(rest)?,
            skips: take_flag(rest)?,
            program: take(rest)?,
            cycles: u64::from_le_bytes(take(rest)?),
            statistical: u8::from_le_bytes(take(rest)?),
            learners: take(rest)?,
            parts: take_flag(rest)?,
            identities: Identities { own: take_identity(rest)?, peer: take_identity(rest)? },
            generation: take(rest)?,
        };
        rest.is_empty().then_some(description)
    }
}

fn identity(identity: Option<Fingerprint>) -> String {
    identity.map_or_else(|| "none".to_owned(), |fingerprint| fingerprint.to_string())
}

fn hash_of(learn: &[Learn]) -> [u8; 32] {
    let bytes: Vec<u8> = learn.iter().map(|learn| *learn as u8).collect();
    *blake3::hash(&bytes).as_bytes()
}

fn take<const N: usize>(rest: &mut &[u8]) -> Option<[u8; N]> {
    let (taken, after) = rest.split_first_chunk::<N>()?;
    *rest = after;
    Some(*taken)
}

fn take_flag(rest: &mut &[u8]) -> Option<bool> {
    let [flag] = take(rest)?;
    (flag < 2).then_some(flag == 1)
}

fn take_text(rest: &mut &[u8]) -> Option<String> {
    let [len] = take(rest)?;
    let (text, after) = rest.split_at_checked(usize::from(len))?;
    *rest = after;
    String::from_utf8(text.to_vec()).ok()
}

fn take_identity(rest: &mut &[u8]) -> Option<Option<Fingerprint>> {
    let is_some = take_flag(rest)?;
    let bytes = take(rest)?;
    Some(is_some.then(|| Fingerprint::from_bytes(bytes)))
}
