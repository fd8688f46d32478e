//! The consistency check of malicious-secure transfers: the evaluator must use the same choices x
//! in all groups of columns of an extension message. Without it, an evaluator that uses other
//! choices in one group learns that group's element of Δ as soon as it sees the effect of one
//! label.
//!
//! The check is that of Roy ("SoftSpokenOT", CRYPTO 2022, ePrint 2022/192, section 4), for the
//! repetition code, which is how SoftSpoken uses VOLE over F_q. It hashes each column, and the
//! choices, with a universal F_2-linear function h drawn after the columns are fixed. As
//! `q_i = t_i ^ Δ_i·x`, an honest evaluator's `h(x), h(t_0), …, h(t_127)` satisfy
//! `h(q_i) = h(t_i) ^ Δ_i·h(x)`. The k columns of a group are the coordinates of one column over
//! F_q. An F_2-linear h acts on each coordinate alike, so the check is the same for every q. (As a
//! matrix over F_q with entries in F_2, h is equally universal: a nonzero column has a nonzero
//! coordinate.) For q = 2 it is the check of Keller, Orsini and Scholl (CRYPTO 2015, ePrint
//! 2015/546), whose proof had a gap that Roy closed.
//!
//! - *Soundness.* Two different columns agree under h with probability at most (blocks)·2^-128. The
//!   response comes after h, so all pairs of groups count: 8,128 at most.
//!   Otherwise a cheater passes only if it guesses, for each group in which it cheats, the group's
//!   element of Δ, all k bits. One wrong guess ends the connection. As proven, it learns n bits of
//!   Δ with probability at most 2^-n.
//! - *Privacy.* The last 128 choices are random and belong to no transfer. They enter h(x)
//!   multiplied by a nonzero field element, so h(x) is uniform and reveals nothing about the other
//!   choices. The garbler can compute the h(t_i) from h(x), since it knows Δ and the q_i.
//! - *Challenge.* h is a polynomial in GF(2^128) (POLYVAL, RFC 8452) evaluated at a point that is
//!   hashed from session, base OTs, trees, batch and columns (Fiat-Shamir), which saves a round
//!   trip. The bound above then holds for each query that a cheater makes to the hash. For 2^64
//!   queries this leaves 2^-64 times the number of blocks and of pairs.
//!
//! # Time
//!
//! If the processor multiplies four blocks at once, the [powers](crate::universal) of the point are
//! computed once for all columns. A column's hash is then its inner product with them.

use super::base::BASE_OTS;
use super::{SessionId, mask, oracle};
use crate::universal::{feed, powers, reduce};
use halfgate_engine::Delta;
use halfgate_kernels::transfer::CarryLess;
use polyval::Polyval;
use polyval::universal_hash::UniversalHash;
use subtle::{Choice, ConstantTimeEq};
use zeroize::Zeroizing;

/// The number of hashed columns: those of the labels, and the choices as number 128.
const HASHES: usize = BASE_OTS + 1;

/// Bytes of the evaluator's response: the hashes of 128 columns and of the choices.
pub(super) const RESPONSE_BYTES: usize = 16 * HASHES;

/// The hashes of all columns. Wiped on drop.
pub(super) type Hashes = Zeroizing<[[u8; 16]; HASHES]>;

/// The point at which the columns of this message are hashed. `session` is that of
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

/// The hashes of all columns, computed incrementally; number 128 is for the choices.
pub(super) struct ColumnHash(Way);

enum Way {
    Wide {
        unit: CarryLess,
        /// The power of the point for each block. Public.
        powers: Vec<u128>,
        /// The sum of each column's products, not reduced.
        sums: Box<Zeroizing<[[u128; 2]; HASHES]>>,
    },
    /// One state for each column. Each wipes itself.
    Portable(Vec<Polyval>),
}

impl ColumnHash {
    /// Starts the hashes, at the given point, of columns of `blocks` blocks.
    pub(super) fn new(point: [u8; 16], blocks: usize) -> ColumnHash {
        ColumnHash(match CarryLess::detect() {
            Some(unit) => Way::Wide {
                unit,
                powers: powers(point, blocks),
                sums: Box::new(Zeroizing::new([[0; 2]; HASHES])),
            },
            None => Way::Portable(vec![Polyval::new(&point.into()); HASHES]),
        })
    }

    /// Adds `blocks` to column `i`; `first` is the number, within the column, of the first of these
    /// blocks.
    pub(super) fn update(&mut self, i: usize, first: usize, blocks: &[u128]) {
        match &mut self.0 {
            Way::Wide { unit, powers, sums } => {
                let [low, high] = unit.inner_product(blocks, &powers[first..][..blocks.len()]);
                sums[i][0] ^= low;
                sums[i][1] ^= high;
            }
            Way::Portable(states) => feed(&mut states[i], blocks),
        }
    }

    /// The hashes.
    pub(super) fn finish(self) -> Hashes {
        let mut hashes = Zeroizing::new([[0; 16]; HASHES]);
        match self.0 {
            Way::Wide { sums, .. } => {
                for (hash, sum) in hashes.iter_mut().zip(sums.iter()) {
                    *hash = reduce(*sum).to_le_bytes();
                }
            }
            Way::Portable(states) => {
                for (hash, state) in hashes.iter_mut().zip(states) {
                    *hash = state.finalize().into();
                }
            }
        }
        hashes
    }
}

/// Whether the evaluator's `response` matches the hashes of the garbler's own columns. Takes the
/// same time whichever column is wrong.
pub(super) fn response_is_right(own: &Hashes, delta: &Delta, response: &[u8]) -> bool {
    let (hashes, _) = response.as_chunks::<16>();
    let [columns @ .., choices] = hashes else { return false };
    let choices = u128::from_le_bytes(*choices);
    let mut right = Choice::from(u8::from(columns.len() == BASE_OTS));
    for (i, (theirs, own)) in columns.iter().zip(own.iter()).enumerate() {
        let chosen = mask(delta.label().to_u128() >> i);
        let expected = u128::from_le_bytes(*theirs) ^ (choices & chosen);
        right &= expected.ct_eq(&u128::from_le_bytes(*own));
    }
    right.into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Both implementations compute POLYVAL, so parties with different processors agree.
        #[test]
        fn both_implementations_are_polyval(
            point: [u8; 16],
            column in prop::collection::vec(any::<u128>(), 1..200),
            cut in any::<prop::sample::Index>(),
        ) {
            let cut = cut.index(column.len());
            let portable = Way::Portable(vec![Polyval::new(&point.into()); HASHES]);
            let ways = [ColumnHash(portable), ColumnHash::new(point, column.len())];
            let mut expected = Polyval::new(&point.into());
            for block in &column {
                expected.update(&[block.to_le_bytes().into()]);
            }
            let expected: [u8; 16] = expected.finalize().into();
            for mut hash in ways {
                for i in [0, BASE_OTS] {
                    hash.update(i, 0, &column[..cut]);
                    hash.update(i, cut, &column[cut..]);
                }
                let hashes = hash.finish();
                prop_assert_eq!((hashes[0], hashes[BASE_OTS]), (expected, expected));
                prop_assert_eq!(hashes[1], [0; 16]);
            }
        }
    }
}
