//! The consistency check of malicious-secure transfers: that the evaluator used the same choices x
//! in all 128 columns of an extension message. Without it, an evaluator that puts other choices
//! into one column learns that column's bit of Δ from one label it sees used.
//!
//! The check is that of Keller, Orsini and Scholl (CRYPTO 2015, ePrint 2015/546). The proof given
//! there had a gap, found by Roy ("SoftSpokenOT", CRYPTO 2022, ePrint 2022/192); what is used here
//! is the form proven by Roy, for subfield VOLE over F_2: hash each column, and the choices, with a
//! universal F_2-linear function h drawn after the columns are fixed. As `q_i = t_i ^ Δ_i·x`, an
//! honest evaluator's `h(x), h(t_0), …, h(t_127)` satisfy `h(q_i) = h(t_i) ^ Δ_i·h(x)`.
//!
//! - *Soundness.* Two different columns agree under h with probability at most (blocks)·2^-128, so
//!   but for that a cheater passes only by guessing the bits of Δ in the columns where it cheats,
//!   and one wrong guess ends the connection: as proven, it learns n bits of Δ with probability
//!   2^-n at most.
//! - *Privacy.* The last 128 choices are random and belong to no transfer. They enter h(x) through
//!   multiplication by a nonzero field element, hence h(x) is uniform and says nothing of the rest;
//!   the h(t_i) then follow from what the garbler knows.
//! - *Challenge.* h is a polynomial in GF(2^128) (POLYVAL, RFC 8452) at a point hashed from
//!   session, base OTs, batch and columns (Fiat-Shamir): no round trip. The bound above then holds
//!   for each query that a cheater makes to the hash, which for 2^64 of them leaves 2^-64 times the
//!   number of blocks.

use super::base::BASE_OTS;
use super::{SessionId, oracle};
use halfgate_engine::Delta;
use polyval::Polyval;
use polyval::universal_hash::{KeyInit, UniversalHash};
use subtle::{Choice, ConstantTimeEq};

/// Bytes of the evaluator's answer: the hashes of 128 columns and of the choices.
pub(super) const ANSWER_BYTES: usize = 16 * (BASE_OTS + 1);

/// The point at which the hash of this message's columns is taken. `session` is that of
/// [`super::SeedPairs`], which binds the base OTs.
pub(super) fn challenge(session: &SessionId, batch: u64, count: usize, columns: &[u8]) -> [u8; 16] {
    let mut hasher = oracle(session, "OT extension, challenge to the evaluator");
    hasher.update(&batch.to_le_bytes());
    hasher.update(&(count as u64).to_le_bytes());
    hasher.update(columns);
    let mut point = [0; 16];
    hasher.finalize_xof().fill(&mut point);
    point
}

/// The hashes of all columns in the making; number 128 is for the choices.
pub(super) struct ColumnHash(Vec<Polyval>);

impl ColumnHash {
    /// The hashes of empty columns, at the given point.
    pub(super) fn new(point: [u8; 16]) -> ColumnHash {
        ColumnHash(vec![Polyval::new(&point.into()); BASE_OTS + 1])
    }

    /// Goes on with `words` of column `i`, two a field element.
    pub(super) fn update(&mut self, i: usize, words: &[u64]) {
        let mut blocks = [polyval::Block::default(); super::transpose::BLOCKS];
        for (block, words) in blocks.iter_mut().zip(words.chunks_exact(2)) {
            block[..8].copy_from_slice(&words[0].to_le_bytes());
            block[8..].copy_from_slice(&words[1].to_le_bytes());
        }
        self.0[i].update(&blocks[..words.len() / 2]);
    }

    /// The hashes.
    pub(super) fn finish(self) -> [[u8; 16]; BASE_OTS + 1] {
        let mut hashes = [[0; 16]; BASE_OTS + 1];
        for (hash, state) in hashes.iter_mut().zip(self.0) {
            *hash = state.finalize().into();
        }
        hashes
    }
}

/// Whether the evaluator's `answer` fits the hashes of the garbler's own columns. Takes the same
/// time whichever column is wrong.
pub(super) fn answer_is_right(
    own: &[[u8; 16]; BASE_OTS + 1],
    delta: &Delta,
    answer: &[u8],
) -> bool {
    let (hashes, _) = answer.as_chunks::<16>();
    let [columns @ .., choices] = hashes else { return false };
    let choices = u128::from_le_bytes(*choices);
    let mut right = Choice::from(u8::from(columns.len() == BASE_OTS));
    for (i, (theirs, own)) in columns.iter().zip(own).enumerate() {
        let chosen = (delta.label().to_u128() >> i & 1).wrapping_neg();
        let expected = u128::from_le_bytes(*theirs) ^ (choices & chosen);
        right &= expected.ct_eq(&u128::from_le_bytes(*own));
    }
    right.into()
}
