//! Oblivious transfer (OT): how the evaluator gets the labels of its own input bits without the
//! garbler learning the bits or the evaluator learning a second label.
//!
//! All functions take and return messages; the caller transports them. The garbler is the *sender*
//! of the transfers, the evaluator the *receiver* with its choice bits. The messages, in order:
//!
//! 1. garbler → evaluator, [`OPENING_BYTES`]: [`BaseReceiver::new`], whose base choices are the
//!    bits of Δ. The 128 base OTs run in the opposite direction to the transfers they are extended
//!    to, hence the garbler is the base receiver.
//! 2. evaluator → garbler, [`CHALLENGE_BYTES`] and [`tree_bytes`]: [`BaseSender::respond`], and the
//!    trees of [`ExtensionReceiver::new`]. The receiver's messages may follow at once.
//! 3. garbler → evaluator, 32 bytes: [`BaseReceiver::finish`], once [`ExtensionSender::new`] has
//!    accepted the trees. The evaluator uses no later message before [`BaseResponse::check`] has
//!    accepted this one.
//! 4. evaluator → garbler, [`message_bytes`] bytes, any number of times:
//!    [`ExtensionReceiver::extend`], processed by [`ExtensionSender::extend`] without a reply. For
//!    each transfer the garbler now holds a false label `q`, and the evaluator `q ^ choice·Δ`. If Δ
//!    is that of the garbling, these are the labels of the input wires, and OT is complete.
//! 5. garbler → evaluator, 32 bytes per transfer, only if the garbling has labels of its own (a
//!    later run over the same connection): [`RandomOtHash::mask_pairs`], opened by
//!    [`RandomOtHash::unmask`].
//!
//! The evaluator need not wait between two messages of step 4. A setup serves any number of
//! extensions, 2^64 transfers in all. Both sides derive everything from one [`SessionId`], which
//! must be fresh for each connection and known to both. The challenges of the extension's check
//! also depend on the messages of steps 1 and 2.
//!
//! The extension is SoftSpoken's VOLE over the field of 2^k elements. k is the caller's
//! [`OtField`], which both parties must know.
//!
//! # Why not the crate `cryprot-ot`
//!
//! That crate has Chou and Orlandi's base OT, IKNP and KOS15, but its API owns the transport. Every
//! call needs its own tokio-based `Connection` with sub-streams. A run would need an async runtime
//! and a second multiplexer below our frames. It could not be cancelled, timed out or tested
//! message by message as the rest of this crate is. Its extension also draws its own Δ and returns
//! hashed pairs, whereas the half-gates garbler needs the correlation itself under the garbling's Δ
//! with bit 0 set. It has no SoftSpoken either. The code that we would save is less than the
//! adapter.

mod base;
mod check;
mod columns;
mod extension;
mod field;
mod random;
mod tree;

pub use base::{
    BASE_OTS, BaseReceiver, BaseResponse, BaseSender, CHALLENGE_BYTES, OPENING_BYTES, SeedPairs,
    Seeds,
};
pub use extension::{ExtensionReceiver, ExtensionSender, message_bytes};
pub use field::OtField;
pub use random::{MASKED_PAIR_BYTES, RandomOtHash};
pub use tree::tree_bytes;

use std::fmt;
use subtle::{Choice, ConditionallySelectable};

/// Against whom the transfers are secure. Both parties must use the same mode.
///
/// `Malicious` protects the transfers alone: garbling stays semi-honest, and a run with it is not
/// secure against a malicious garbler.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OtMode {
    /// Secure against a party that follows the protocol but is curious.
    SemiHonest,
    /// Secure against a party that deviates in any way, by a consistency check of each extension.
    /// The default, since it costs only 2 to 4 kB per message.
    #[default]
    Malicious,
}

impl fmt::Display for OtMode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            OtMode::SemiHonest => "semi-honest",
            OtMode::Malicious => "malicious",
        })
    }
}

/// Separates one connection's OTs from all others: a hash of everything both parties sent before,
/// including fresh nonces. Not secret. Each [`BaseReceiver`] needs its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SessionId(pub [u8; 32]);

impl SessionId {
    /// The identifier for one purpose within the session, such as one of two set-ups of transfers.
    pub fn part(&self, purpose: &str) -> SessionId {
        SessionId(*oracle(self, purpose).finalize().as_bytes())
    }
}

/// Why an oblivious transfer stopped.
#[derive(Debug, thiserror::Error)]
pub enum OtError {
    /// A message has the wrong length.
    #[error("oblivious transfer: {peer}'s {message} has {got} bytes, not {expected}")]
    Length {
        /// Who sent it: "the garbler" or "the evaluator".
        peer: &'static str,
        /// Which message of the sequence.
        message: &'static str,
        /// Bytes that the protocol requires.
        expected: usize,
        /// Bytes received.
        got: usize,
    },
    /// A group element is not a valid encoding, or is the identity.
    #[error("oblivious transfer: point {index} of {peer}'s {message} is not a valid group element")]
    Point {
        /// Who sent it.
        peer: &'static str,
        /// Which message of the sequence.
        message: &'static str,
        /// Which point of the message.
        index: usize,
    },
    /// The evaluator's challenges do not match the keys. The setup must not be used, because each
    /// failure may reveal a bit of Δ to the evaluator.
    #[error(
        "oblivious transfer: the evaluator's base challenge fails its check; the evaluator is \
         cheating or the message was damaged, and the connection must end"
    )]
    Proof,
    /// The evaluator's trees do not match its digests. The setup must not be used, because each
    /// failure may reveal bits of Δ to the evaluator.
    #[error(
        "oblivious transfer: the evaluator's trees of keys fail their check; the evaluator is \
         cheating or the message was damaged, and the connection must end"
    )]
    Trees,
    /// The garbler's response does not prove that it has a key of each base OT.
    #[error(
        "oblivious transfer: the garbler's base response is wrong; the garbler is cheating or the \
         message was damaged, and the connection must end"
    )]
    Response,
    /// The consistency check failed: the evaluator did not use the same choices in all columns. The
    /// setup must not be used again, because each failure may reveal a bit of Δ to the evaluator.
    #[error(
        "oblivious transfer: the evaluator's extension message {batch} fails the consistency \
         check; the evaluator is cheating or the message was damaged, and the connection must end"
    )]
    Inconsistent {
        /// The number of the extension, from 0.
        batch: u64,
    },
    /// The setup was used after a consistency check had failed.
    #[error("oblivious transfer: the setup failed its consistency check before and is not usable")]
    Failed,
    /// There are fewer choice bits than transfers.
    #[error("oblivious transfer: {got} bytes of choice bits given for {count} transfers")]
    Choices {
        /// Transfers requested.
        count: usize,
        /// Bytes of packed choices given.
        got: usize,
    },
    /// The operating system provides no random bytes.
    #[error("oblivious transfer: the operating system gives no random bytes: {0}")]
    Random(String),
}

/// Fills `bytes` from the operating system's generator.
pub(crate) fn fill_random(bytes: &mut [u8]) -> Result<(), OtError> {
    getrandom::fill(bytes).map_err(|e| OtError::Random(e.to_string()))
}

/// All ones if the lowest bit of `bits`, a secret, is set, otherwise zero. An optimiser that knows
/// a mask to have only two values may turn it into a branch (one did); `subtle` hides that from it.
fn mask(bits: u128) -> u128 {
    u128::conditional_select(&0, &u128::MAX, Choice::from((bits & 1) as u8))
}

/// A random oracle for one purpose in one session: BLAKE3 keyed by the session, over the purpose
/// and the caller's data. The purpose's length comes first, so no purpose is a prefix of another.
/// The purpose of a message names its sender.
fn oracle(session: &SessionId, purpose: &str) -> blake3::Hasher {
    let mut hasher = blake3::Hasher::new_keyed(&session.0);
    hasher.update(&(purpose.len() as u64).to_le_bytes());
    hasher.update(purpose.as_bytes());
    hasher
}

#[cfg(test)]
mod tests;
