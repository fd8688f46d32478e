//! Commitments, and joint random numbers: both parties commit to a value before either opens it.
//!
//! A commitment is BLAKE3, keyed by the session, over its sender, its number, 32 random bytes and
//! the value. As a random oracle it hides and binds.

use crate::ot::{OtError, SessionId, fill_random};
use halfgate_circuit::Party;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Bytes of a commitment.
pub(crate) const COMMITMENT_BYTES: usize = 32;

const NONCE_BYTES: usize = 32;

/// Bytes of the opening of a value of `bytes` bytes.
pub(crate) const fn opening_bytes(bytes: usize) -> usize {
    NONCE_BYTES + bytes
}

/// The commitments of a session.
pub(crate) struct Commitments {
    session: SessionId,
    party: Party,
    made: u64,
}

impl Commitments {
    /// Those of `party`.
    pub fn new(session: &SessionId, party: Party) -> Commitments {
        Commitments { session: session.part("commitments"), party, made: 0 }
    }

    /// Commits to `value`. Returns the commitment and its opening.
    ///
    /// # Errors
    /// [`OtError::Random`].
    pub fn commit(
        &mut self,
        value: &[u8],
    ) -> Result<([u8; COMMITMENT_BYTES], Zeroizing<Vec<u8>>), OtError> {
        let mut opening = Zeroizing::new(vec![0; opening_bytes(value.len())]);
        fill_random(&mut opening[..NONCE_BYTES])?;
        opening[NONCE_BYTES..].copy_from_slice(value);
        self.made += 1;
        Ok((self.hash(self.party, &opening), opening))
    }

    /// The value that `opening` opens, if it fits the peer's `commitment`, the one with the number
    /// of the last own one.
    pub fn open<'o>(&self, commitment: &[u8], opening: &'o [u8]) -> Option<&'o [u8]> {
        let expected = self.hash(self.party.other(), opening);
        bool::from(expected.ct_eq(commitment)).then(|| &opening[NONCE_BYTES..])
    }

    fn hash(&self, party: Party, opening: &[u8]) -> [u8; COMMITMENT_BYTES] {
        let mut hasher = blake3::Hasher::new_keyed(&self.session.0);
        hasher.update(&[(party == Party::Evaluator) as u8]);
        hasher.update(&self.made.to_le_bytes());
        hasher.update(opening);
        *hasher.finalize().as_bytes()
    }
}

/// Joint random numbers.
pub(crate) struct Coins(blake3::OutputReader);

impl Coins {
    /// From the garbler's and the evaluator's value, which were committed to.
    pub fn new(session: &SessionId, garbler: &[u8], evaluator: &[u8]) -> Coins {
        let mut hasher = blake3::Hasher::new_keyed(&session.part("coins").0);
        hasher.update(garbler).update(evaluator);
        Coins(hasher.finalize_xof())
    }

    /// A number of 128 bits.
    pub fn number(&mut self) -> u128 {
        let mut bytes = [0; 16];
        self.0.fill(&mut bytes);
        u128::from_le_bytes(bytes)
    }

    /// A number below `bound`, uniform up to bound·2^-128.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.number() % bound as u128) as usize
    }
}
