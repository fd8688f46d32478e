//! The 128 base OTs: the random OT of Canetti, Sarkar and Wang ("Blazing Fast OT for Three-Round UC
//! OT Extension", PKC 2020, ePrint 2020/110) on the Ristretto group, its keys bound to their index.
//!
//! The garbler is the base receiver, with the bits of Δ as its choices; the evaluator is the base
//! sender. G is the group's generator. H1 to H5 are random oracles, each for one purpose and one
//! session. In the paper's notation, with additive groups:
//!
//! 1. receiver → sender: a random seed, and for each transfer i with choice b the point
//!    `B_i = α_i·G + b·T`, where `T = H1(seed)` is a point whose logarithm is unknown.
//! 2. sender → receiver: `z = r·G`; for each transfer the challenge `χ_i = h(i,0) ^ h(i,1)`, where
//!    `h(i,b) = H3(i, p(i,b))`, `p(i,0) = H2(i, B_i, z, r·B_i)`,
//!    `p(i,1) = H2(i, B_i, z, r·(B_i - T))`; and the proof `H5(a)` of the response
//!    `a = H4(h(1,0), h(2,0), …)`.
//! 3. receiver → sender: the receiver computes `p(i,b) = H2(i, B_i, z, α_i·z)` and `h(i,b) ^
//!    b·χ_i`, which is `h(i,0)` for either b. From these values it computes a. It verifies the
//!    proof and sends a.
//!
//! The keys of transfer i are p(i,0) and p(i,1).
//!
//! # What is proven
//!
//! The paper proves that these three messages UC-realise random OT with selective failure (F_SFROT)
//! against static malicious corruption, under CDH, with observable random oracles. It also proves
//! that F_SFROT suffices for OT extension. `docs/security.md` lists which proof covers which use.
//! In short:
//!
//! - *A cheating receiver* (the garbler) must have queried H2 for one key of each transfer before
//!   its response is correct, so a simulator reads its choices from these queries. Chou and
//!   Orlandi's protocol lacks this step: there the choices are known only when a key is used, if
//!   ever. Two keys of one transfer give `r·T`, which is CDH of z and T.
//! - *A cheating sender* (the evaluator) can make a challenge wrong. Whether the receiver continues
//!   then reveals its choice there: n bits of Δ with probability 2^-n, as in the check of the
//!   extension. The receiver ends the connection, and Δ is never used again.
//!
//! # Where this differs from the paper
//!
//! McQuoid, Rosulek and Roy ("Batching Base Oblivious Transfers", ASIACRYPT 2021, ePrint 2021/682)
//! found that the paper's H2 omits the index: a receiver that sends one point 128 times makes all
//! its keys equal. Here H2 and H3 include the index, H2 also includes the messages to which it
//! belongs, and all oracles include the session. So keys are independent however points are
//! related, within a connection and between connections. The simulators remain valid: an oracle
//! query names its transfer. Challenges have 256 bits.
//!
//! # Time
//!
//! Base sender: 128 multiplications of arbitrary points. Base receiver: 256 multiplications with
//! precomputed tables, one of which it computes for z. All points are computed halved, and one
//! batch compresses their doubles with a single field inversion.

use super::{OtError, SessionId, fill_random, mask, oracle};
use curve25519_dalek::constants::RISTRETTO_BASEPOINT_TABLE;
use curve25519_dalek::ristretto::{CompressedRistretto, RistrettoBasepointTable, RistrettoPoint};
use curve25519_dalek::scalar::Scalar;
use curve25519_dalek::traits::{Identity, IsIdentity};
use halfgate_engine::Delta;
use std::fmt;
use subtle::{Choice, ConditionallySelectable, ConstantTimeEq};
use zeroize::{Zeroize, Zeroizing};

/// The number of base OTs: one for each bit of Δ.
pub const BASE_OTS: usize = 128;

const POINT_BYTES: usize = 32;
const SEED_BYTES: usize = 32;

/// Bytes of a challenge, of the proof, and of the response.
const HASH_BYTES: usize = 32;

/// Bytes of the garbler's opening: the seed, and a point for each transfer.
pub const OPENING_BYTES: usize = SEED_BYTES + BASE_OTS * POINT_BYTES;

/// Bytes of the evaluator's challenge: a point, a challenge for each transfer, and the proof.
pub const CHALLENGE_BYTES: usize = POINT_BYTES + BASE_OTS * HASH_BYTES + HASH_BYTES;

type Hash = [u8; HASH_BYTES];

/// Both keys of every base OT: the evaluator's result. Wiped on drop.
pub struct SeedPairs {
    pub(super) pairs: Box<[[[u8; 16]; 2]; BASE_OTS]>,
    pub(super) session: SessionId,
}

impl SeedPairs {
    /// Replaces key 0 of the first transfer by random bytes. A receiver whose first choice is not 1
    /// then has no key of this transfer, and its later messages fail. An honest one has key 1,
    /// since bit 0 of every Δ is set.
    ///
    /// # Errors
    /// [`OtError::Random`].
    pub fn require_first_choice(mut self) -> Result<SeedPairs, OtError> {
        fill_random(&mut self.pairs[0][0])?;
        Ok(self)
    }
}

/// The chosen key of every base OT, and the choices, which are Δ: the garbler's result. Wiped on
/// drop.
pub struct Seeds {
    pub(super) keys: Box<[[u8; 16]; BASE_OTS]>,
    pub(super) choices: u128,
    pub(super) session: SessionId,
}

/// The garbler's state between its opening and the evaluator's challenge. Wiped on drop.
pub struct BaseReceiver {
    session: SessionId,
    choices: u128,
    /// α_i/2 for each transfer.
    halves: Zeroizing<Vec<Scalar>>,
    opening: Vec<u8>,
}

impl BaseReceiver {
    /// Draws a point for each transfer; bit i of `delta` is the choice of transfer i. Also returns
    /// the opening of [`OPENING_BYTES`] for the evaluator.
    ///
    /// # Errors
    /// [`OtError::Random`].
    pub fn new(session: SessionId, delta: &Delta) -> Result<(BaseReceiver, Vec<u8>), OtError> {
        BaseReceiver::with_choices(session, delta.label().to_u128())
    }

    /// [`new`](BaseReceiver::new) with any choices; those of an honest party have bit 0 set.
    pub(crate) fn with_choices(
        session: SessionId,
        choices: u128,
    ) -> Result<(BaseReceiver, Vec<u8>), OtError> {
        let mut opening = vec![0; SEED_BYTES];
        fill_random(&mut opening)?;
        let half_element = half_element(&session, &opening);

        let mut halves = Zeroizing::new(Vec::with_capacity(BASE_OTS));
        let mut points = Vec::with_capacity(BASE_OTS);
        for index in 0..BASE_OTS {
            let half = Zeroizing::new(random_scalar()?);
            let choice = Choice::from((choices >> index) as u8 & 1);
            let identity = RistrettoPoint::identity();
            let shift = RistrettoPoint::conditional_select(&identity, &half_element, choice);
            points.push(RISTRETTO_BASEPOINT_TABLE * &*half + shift);
            halves.push(*half);
        }
        for point in RistrettoPoint::double_and_compress_batch(&points) {
            opening.extend_from_slice(point.as_bytes());
        }
        let receiver = BaseReceiver { session, choices, halves, opening: opening.clone() };
        Ok((receiver, opening))
    }

    /// Computes the chosen key of each transfer, and checks the evaluator's `challenge` of
    /// [`CHALLENGE_BYTES`]. Returns the response of 32 bytes for the evaluator, and the keys.
    ///
    /// # Errors
    /// [`OtError::Length`] or [`OtError::Point`] if the challenge is malformed, [`OtError::Proof`]
    /// if its proof is wrong. Then the connection must end, and Δ must not be used again.
    pub fn finish(self, challenge: &[u8]) -> Result<(Vec<u8>, Seeds), OtError> {
        let (peer, message) = (EVALUATOR, "base challenge");
        check_length(peer, message, CHALLENGE_BYTES, challenge)?;
        let (public, rest) = challenge.split_at(POINT_BYTES);
        let (challenges, proof) = rest.split_at(BASE_OTS * HASH_BYTES);
        let point = decode(public).ok_or(OtError::Point { peer, message, index: 0 })?;

        let table = RistrettoBasepointTable::create(&point);
        let halves: Vec<_> = self.halves.iter().map(|half| &table * half).collect();
        let halves = Zeroizing::new(halves);
        let mut shared = RistrettoPoint::double_and_compress_batch(halves.iter());
        let mut keys = Box::new([[0; 16]; BASE_OTS]);
        let mut responses = Zeroizing::new(Vec::with_capacity(BASE_OTS * HASH_BYTES));
        for (index, key) in keys.iter_mut().enumerate() {
            let own = point_bytes(&self.opening, index);
            *key = derive(&self.session, index, own, public, &shared[index]);
            let hash = Zeroizing::new(hash_key(&self.session, index, key));
            let chosen = mask(self.choices >> index) as u8;
            let challenge = &challenges[index * HASH_BYTES..][..HASH_BYTES];
            responses.extend(hash.iter().zip(challenge).map(|(h, c)| h ^ c & chosen));
        }
        shared.zeroize();
        let seeds = Seeds {
            keys,
            choices: self.choices,
            session: transcript(&self.session, &self.opening, challenge),
        };
        let response = hash_all(&self.session, &responses);
        if !bool::from(prove(&self.session, &response).ct_eq(proof)) {
            return Err(OtError::Proof);
        }
        Ok((response.to_vec(), seeds))
    }
}

/// The evaluator's side of the base OTs. It takes a single step, so it has no state of its own.
pub struct BaseSender;

impl BaseSender {
    /// Computes both keys of each transfer from the garbler's `opening`. Also returns the challenge
    /// of [`CHALLENGE_BYTES`] for the garbler, and the check of the garbler's response. Until
    /// [`BaseResponse::check`] has succeeded, the keys may mask what the evaluator sends, but no
    /// message from the garbler may be used.
    ///
    /// # Errors
    /// [`OtError::Length`] or [`OtError::Point`] if the opening is malformed, [`OtError::Random`].
    pub fn respond(
        session: SessionId,
        opening: &[u8],
    ) -> Result<(Vec<u8>, SeedPairs, BaseResponse), OtError> {
        let (peer, message) = (GARBLER, "base opening");
        check_length(peer, message, OPENING_BYTES, opening)?;
        let half_element = half_element(&session, &opening[..SEED_BYTES]);
        let element = half_element + half_element;
        let half = Zeroizing::new(random_scalar()?);
        let half_public = RISTRETTO_BASEPOINT_TABLE * &*half;
        let public = (half_public + half_public).compress();
        let shift = Zeroizing::new(*half * element);

        let mut halves = Zeroizing::new(Vec::with_capacity(2 * BASE_OTS));
        for index in 0..BASE_OTS {
            // The identity and T would reveal a choice. An honest party never draws them.
            let point = decode(point_bytes(opening, index))
                .filter(|point| *point != element)
                .ok_or(OtError::Point { peer, message, index })?;
            let shared = *half * point;
            halves.push(shared);
            halves.push(shared - *shift);
        }
        let mut shared = RistrettoPoint::double_and_compress_batch(halves.iter());
        let mut pairs = Box::new([[[0; 16]; 2]; BASE_OTS]);
        let mut challenge = Vec::with_capacity(CHALLENGE_BYTES);
        challenge.extend_from_slice(public.as_bytes());
        let mut responses = Zeroizing::new(Vec::with_capacity(BASE_OTS * HASH_BYTES));
        for (index, pair) in pairs.iter_mut().enumerate() {
            let theirs = point_bytes(opening, index);
            let mut hashes = [[0; HASH_BYTES]; 2];
            for (side, (key, hash)) in pair.iter_mut().zip(&mut hashes).enumerate() {
                let shared = &shared[2 * index + side];
                *key = derive(&session, index, theirs, public.as_bytes(), shared);
                *hash = hash_key(&session, index, key);
            }
            challenge.extend(hashes[0].iter().zip(&hashes[1]).map(|(zero, one)| zero ^ one));
            responses.extend_from_slice(&hashes[0]);
            hashes.zeroize();
        }
        shared.zeroize();
        let response = hash_all(&session, &responses);
        challenge.extend_from_slice(&prove(&session, &response));
        let bound = transcript(&session, opening, &challenge);
        Ok((challenge, SeedPairs { pairs, session: bound }, BaseResponse(response)))
    }
}

/// The response that the garbler must send.
pub struct BaseResponse(Hash);

impl BaseResponse {
    /// Checks that the garbler's `response` of 32 bytes proves that it has a key of each transfer.
    ///
    /// # Errors
    /// [`OtError::Length`], and [`OtError::Response`] if it does not.
    pub fn check(self, response: &[u8]) -> Result<(), OtError> {
        check_length(GARBLER, "base response", HASH_BYTES, response)?;
        match bool::from(self.0.ct_eq(response)) {
            true => Ok(()),
            false => Err(OtError::Response),
        }
    }
}

const GARBLER: &str = "the garbler";
const EVALUATOR: &str = "the evaluator";

/// The point of transfer `index` in the garbler's opening.
fn point_bytes(opening: &[u8], index: usize) -> &[u8] {
    &opening[SEED_BYTES + index * POINT_BYTES..][..POINT_BYTES]
}

/// The point encoded in `encoding`, 32 bytes; `None` if it is malformed or the identity.
fn decode(encoding: &[u8]) -> Option<RistrettoPoint> {
    let point = CompressedRistretto::from_slice(encoding).ok()?.decompress()?;
    (!point.is_identity()).then_some(point)
}

/// H1: T/2, a point whose logarithm is unknown.
fn half_element(session: &SessionId, seed: &[u8]) -> RistrettoPoint {
    let mut hasher = oracle(session, "base OT, group element from the garbler's seed");
    let mut bytes = [0; 64];
    hasher.update(seed).finalize_xof().fill(&mut bytes);
    RistrettoPoint::from_uniform_bytes(&bytes)
}

/// H2: the key of transfer `index`, from the shared point and the points it was computed from.
fn derive(
    session: &SessionId,
    index: usize,
    receiver: &[u8],
    sender: &[u8],
    shared: &CompressedRistretto,
) -> [u8; 16] {
    let mut hasher = oracle(session, "base OT, key");
    hasher.update(&(index as u64).to_le_bytes());
    hasher.update(receiver);
    hasher.update(sender);
    hasher.update(shared.as_bytes());
    let mut key = [0; 16];
    finish(hasher, &mut key);
    key
}

/// H3: the hash of a key of transfer `index`, used in its challenge.
fn hash_key(session: &SessionId, index: usize, key: &[u8; 16]) -> Hash {
    let mut hasher = oracle(session, "base OT, challenge from the evaluator");
    hasher.update(&(index as u64).to_le_bytes());
    hasher.update(key);
    let mut hash = [0; HASH_BYTES];
    finish(hasher, &mut hash);
    hash
}

/// H4: the response to all challenges.
fn hash_all(session: &SessionId, responses: &[u8]) -> Hash {
    let mut hasher = oracle(session, "base OT, answer from the garbler");
    hasher.update(responses);
    let mut hash = [0; HASH_BYTES];
    finish(hasher, &mut hash);
    hash
}

/// H5: the proof that the evaluator knows the response.
fn prove(session: &SessionId, response: &Hash) -> Hash {
    let mut hasher = oracle(session, "base OT, proof from the evaluator");
    hasher.update(response);
    *hasher.finalize().as_bytes()
}

/// The session id for everything after the base OTs: binds the session and both complete messages.
/// The proof in the challenge binds the response as well.
fn transcript(session: &SessionId, opening: &[u8], challenge: &[u8]) -> SessionId {
    let mut hasher = oracle(session, "base OT, transcript");
    hasher.update(opening);
    hasher.update(challenge);
    SessionId(*hasher.finalize().as_bytes())
}

/// Fills `out` from a hasher that has absorbed a secret, and wipes the hasher.
pub(super) fn finish(mut hasher: blake3::Hasher, out: &mut [u8]) {
    let mut reader = hasher.finalize_xof();
    reader.fill(out);
    reader.zeroize();
    hasher.zeroize();
}

fn random_scalar() -> Result<Scalar, OtError> {
    let mut bytes = Zeroizing::new([0; 64]);
    fill_random(&mut *bytes)?;
    Ok(Scalar::from_bytes_mod_order_wide(&bytes))
}

/// Rejects a message whose length is not `expected` bytes.
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

impl Drop for BaseReceiver {
    fn drop(&mut self) {
        self.choices.zeroize();
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
hide!(BaseReceiver, BaseResponse, SeedPairs, Seeds);

#[cfg(test)]
#[path = "base_tests.rs"]
mod tests;
