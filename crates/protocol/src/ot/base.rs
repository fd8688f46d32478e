//! The 128 base OTs: "the simplest protocol for oblivious transfer" of Chou and Orlandi
//! (LATINCRYPT 2015, ePrint 2015/267), on the Ristretto group, with random keys as its outcome.
//!
//! The base sender picks a scalar `a` and publishes `A = aG`. For transfer i with choice c the
//! base receiver publishes `B = rG + cA` and keeps the key `KDF(rA)`; the sender computes
//! `KDF(aB)` and `KDF(aB - aA)`, of which the receiver knows the one that it chose. The KDF is
//! keyed by the session and takes i, A and B beside the shared point.
//!
//! # What is proven
//!
//! The choices are hidden unconditionally: `B` is uniform in a group of prime order whatever c is,
//! and Ristretto has no other subgroup to confine it to. That a receiver learns at most one key of
//! each pair follows from CDH with the KDF as a random oracle. Against parties that follow the
//! protocol, that is security. Against malicious ones it is a proof of each property alone, not of
//! universal composability: a simulator learns the choices of a cheating receiver only when it
//! queries the oracle (Genç, Iovino and Rial, ePrint 2017/370). Keys are random rather than chosen
//! messages, and bound to the whole transcript, which removes the known practical attacks
//! (points replayed or related between transfers or sessions). Masny and Rindal's endemic OT
//! (CCS 2019) closes that gap for twice the exponentiations and two hashes to the group.
//!
//! # Time
//!
//! Base sender: 128 multiplications of arbitrary points. Base receiver: 256 multiplications from
//! tables, one of which it makes for `A`. All points are computed halved and compressed with their
//! doubling, which takes one field inversion for all of them.

use super::{OtError, SessionId, fill_random};
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_TABLE;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoBasepointTable, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{Identity, IsIdentity};
use halfgate_engine::Delta;
use std::fmt;
use subtle::{Choice, ConditionallySelectable};
use zeroize::{Zeroize, Zeroizing};

/// How many base OTs there are: one for each bit of Δ.
pub const BASE_OTS: usize = 128;

const POINT_BYTES: usize = 32;

/// Both keys of every base OT, as the evaluator holds them. Wiped on drop.
pub struct SeedPairs {
    pub(super) pairs: Box<[[[u8; 16]; 2]; BASE_OTS]>,
    pub(super) session: SessionId,
}

/// The chosen key of every base OT and the choices, which are Δ, as the garbler holds them. Wiped
/// on drop.
pub struct Seeds {
    pub(super) keys: Box<[[u8; 16]; BASE_OTS]>,
    pub(super) choices: u128,
    pub(super) session: SessionId,
}

/// The evaluator's side of the base OTs, between its message and the garbler's answer.
pub struct BaseSender {
    session: SessionId,
    /// a/2: the answers are multiplied by it and doubled while being compressed.
    half: Scalar,
    /// aA/2.
    half_square: RistrettoPoint,
    public: CompressedRistretto,
}

impl BaseSender {
    /// Draws a key; the message of 32 bytes goes to the garbler.
    ///
    /// # Errors
    /// [`OtError::Random`].
    pub fn new(session: SessionId) -> Result<(BaseSender, Vec<u8>), OtError> {
        let half = random_scalar()?;
        let half_public = RISTRETTO_BASEPOINT_TABLE * &half;
        let public = half_public + half_public;
        // (a/2)·A = (a/2)·a·G.
        let half_square = half * public;
        let public = public.compress();
        let sender = BaseSender { session, half, half_square, public };
        Ok((sender, public.as_bytes().to_vec()))
    }

    /// Computes both keys of each transfer from the garbler's answer of 4,096 bytes.
    ///
    /// # Errors
    /// [`OtError::Length`] or [`OtError::Point`] for an answer that is none.
    pub fn finish(self, answer: &[u8]) -> Result<SeedPairs, OtError> {
        let (peer, message) = ("the garbler", "base answer");
        check_length(peer, message, BASE_OTS * POINT_BYTES, answer)?;
        let mut halves = Zeroizing::new(Vec::with_capacity(2 * BASE_OTS));
        for (index, encoding) in answer.chunks_exact(POINT_BYTES).enumerate() {
            // B = A would be a receiver that shows its choice: harmless to us, but no honest
            // party sends it, nor the identity.
            let point = decode(encoding)
                .filter(|_| encoding != self.public.as_bytes())
                .ok_or(OtError::Point { peer, message, index })?;
            let shared = self.half * point;
            halves.push(shared);
            halves.push(shared - self.half_square);
        }
        let mut shared = RistrettoPoint::double_and_compress_batch(halves.iter());
        let mut pairs = Box::new([[[0; 16]; 2]; BASE_OTS]);
        for (index, pair) in pairs.iter_mut().enumerate() {
            let encoding = &answer[index * POINT_BYTES..][..POINT_BYTES];
            for (side, key) in pair.iter_mut().enumerate() {
                let shared = &shared[2 * index + side];
                *key = derive(&self.session, index, &self.public, encoding, shared);
            }
        }
        shared.zeroize();
        Ok(SeedPairs { pairs, session: self.session })
    }
}

/// The garbler's side of the base OTs: one step, hence no state.
pub struct BaseReceiver;

impl BaseReceiver {
    /// Answers the evaluator's `opening`, choosing by the bits of `delta` (bit i for transfer i).
    /// Returns the answer of 4,096 bytes and the chosen keys.
    ///
    /// # Errors
    /// [`OtError::Length`] or [`OtError::Point`] for an opening that is none, [`OtError::Random`].
    pub fn respond(
        session: SessionId,
        delta: &Delta,
        opening: &[u8],
    ) -> Result<(Vec<u8>, Seeds), OtError> {
        let (peer, message) = ("the evaluator", "base opening");
        check_length(peer, message, POINT_BYTES, opening)?;
        let public = decode(opening).ok_or(OtError::Point { peer, message, index: 0 })?;
        let table = RistrettoBasepointTable::create(&public);
        let half_public = public * (Scalar::ONE + Scalar::ONE).invert();
        let choices = delta.label().to_u128();

        let mut answers = Vec::with_capacity(BASE_OTS);
        let mut halves = Zeroizing::new(Vec::with_capacity(BASE_OTS));
        for index in 0..BASE_OTS {
            let half = Zeroizing::new(random_scalar()?);
            let choice = Choice::from((choices >> index) as u8 & 1);
            let identity = RistrettoPoint::identity();
            let shift = RistrettoPoint::conditional_select(&identity, &half_public, choice);
            answers.push(RISTRETTO_BASEPOINT_TABLE * &*half + shift);
            halves.push(&table * &*half);
        }
        let answer: Vec<u8> = RistrettoPoint::double_and_compress_batch(&answers)
            .iter()
            .flat_map(|point| point.to_bytes())
            .collect();
        let mut shared = RistrettoPoint::double_and_compress_batch(halves.iter());
        let public = CompressedRistretto(public.compress().to_bytes());
        let mut keys = Box::new([[0; 16]; BASE_OTS]);
        for (index, key) in keys.iter_mut().enumerate() {
            let encoding = &answer[index * POINT_BYTES..][..POINT_BYTES];
            *key = derive(&session, index, &public, encoding, &shared[index]);
        }
        shared.zeroize();
        Ok((answer, Seeds { keys, choices, session }))
    }
}

/// The point behind `encoding`, 32 bytes, unless it is malformed or the identity.
fn decode(encoding: &[u8]) -> Option<RistrettoPoint> {
    let point = CompressedRistretto::from_slice(encoding).ok()?.decompress()?;
    (!point.is_identity()).then_some(point)
}

/// The key of transfer `index`: BLAKE3 keyed by the session over all that was said about it.
fn derive(
    session: &SessionId,
    index: usize,
    public: &CompressedRistretto,
    answer: &[u8],
    shared: &CompressedRistretto,
) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new_keyed(&session.0);
    hasher.update(b"halfgate base OT");
    hasher.update(&(index as u64).to_le_bytes());
    hasher.update(public.as_bytes());
    hasher.update(answer);
    hasher.update(shared.as_bytes());
    let mut key = [0; 16];
    hasher.finalize_xof().fill(&mut key);
    hasher.zeroize();
    key
}

fn random_scalar() -> Result<Scalar, OtError> {
    let mut bytes = Zeroizing::new([0; 64]);
    fill_random(&mut *bytes)?;
    Ok(Scalar::from_bytes_mod_order_wide(&bytes))
}

/// Refuses a message whose length is not `expected` bytes.
pub(super) fn check_length(
    peer: &'static str,
    message: &'static str,
    expected: usize,
    bytes: &[u8],
) -> Result<(), OtError> {
    if bytes.len() == expected {
        return Ok(());
    }
    Err(OtError::Length { peer, message, expected, got: bytes.len() })
}

impl Drop for BaseSender {
    fn drop(&mut self) {
        self.half.zeroize();
        self.half_square.zeroize();
    }
}

impl Drop for SeedPairs {
    fn drop(&mut self) {
        self.pairs.zeroize();
    }
}

impl Drop for Seeds {
    fn drop(&mut self) {
        self.keys.zeroize();
        self.choices.zeroize();
    }
}

macro_rules! hide {
    ($($type:ident),*) => {$(
        impl fmt::Debug for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($type), "(…)"))
            }
        }
    )*};
}
hide!(BaseSender, SeedPairs, Seeds);

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_engine::Label;

    const SESSION: SessionId = SessionId([7; 32]);

    fn delta() -> Delta {
        Delta::new(Label::from_u128(0x0123_4567_89ab_cdef_0f1e_2d3c_4b5a_6978))
    }

    #[test]
    fn receiver_knows_the_chosen_key_and_no_other() {
        let (sender, opening) = BaseSender::new(SESSION).unwrap();
        let (answer, seeds) = BaseReceiver::respond(SESSION, &delta(), &opening).unwrap();
        let pairs = sender.finish(&answer).unwrap();
        for i in 0..BASE_OTS {
            let choice = (delta().label().to_u128() >> i & 1) as usize;
            assert_eq!(seeds.keys[i], pairs.pairs[i][choice]);
            assert_ne!(seeds.keys[i], pairs.pairs[i][1 - choice]);
        }
    }

    #[test]
    fn sessions_do_not_mix() {
        let (sender, opening) = BaseSender::new(SESSION).unwrap();
        let other = SessionId([8; 32]);
        let (answer, seeds) = BaseReceiver::respond(other, &delta(), &opening).unwrap();
        let pairs = sender.finish(&answer).unwrap();
        assert!((0..BASE_OTS).all(|i| !pairs.pairs[i].contains(&seeds.keys[i])));
    }

    #[test]
    fn bad_openings_are_refused() {
        let error = |opening: &[u8]| {
            BaseReceiver::respond(SESSION, &delta(), opening).unwrap_err().to_string()
        };
        assert!(error(&[1; 31]).contains("the evaluator's base opening has 31 bytes, not 32"));
        // The identity, and a field element that is out of range.
        assert!(error(&[0; 32]).contains("point 0 of the evaluator's base opening"));
        assert!(error(&[0xff; 32]).contains("point 0 of the evaluator's base opening"));
    }

    #[test]
    fn bad_answers_are_refused() {
        let answer = |change: &dyn Fn(&mut Vec<u8>, &[u8])| {
            let (sender, opening) = BaseSender::new(SESSION).unwrap();
            let (mut answer, _) = BaseReceiver::respond(SESSION, &delta(), &opening).unwrap();
            change(&mut answer, &opening);
            sender.finish(&answer).unwrap_err().to_string()
        };
        assert!(answer(&|a, _| a.truncate(4000)).contains("the garbler's base answer has 4000"));
        assert!(answer(&|a, _| a[64..96].fill(0)).contains("point 2 of the garbler's"));
        assert!(answer(&|a, _| a[32..64].fill(0xee)).contains("point 1 of the garbler's"));
        assert!(answer(&|a, opening| a[..32].copy_from_slice(opening)).contains("point 0"));
    }

    #[test]
    fn debug_shows_no_secret() {
        let (sender, _) = BaseSender::new(SESSION).unwrap();
        assert_eq!(format!("{sender:?}"), "BaseSender(…)");
    }
}
