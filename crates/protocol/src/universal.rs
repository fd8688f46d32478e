//! A universal hash of secret blocks: POLYVAL (RFC 8452), a polynomial in GF(2^128), evaluated at a
//! point that is drawn after the blocks are fixed.
//!
//! Two different lists of n blocks have the same hash with probability at most n·2^-128. The hash
//! is linear, so it must not be sent where the peer may not know a sum of the blocks: see
//! [`finish`](Universal::finish).
//!
//! POLYVAL block by block has to wait for each multiplication. If the processor multiplies four
//! blocks at once, the hash of some blocks is their inner product with the powers of the point,
//! reduced once.

use halfgate_engine::Label;
use halfgate_kernels::transfer::CarryLess;
use polyval::universal_hash::UniversalHash;
use polyval::{Block, Polyval};
use zeroize::Zeroizing;

/// The hash of labels. Wiped on drop.
pub(crate) struct Universal(Way);

enum Way {
    Wide {
        unit: CarryLess,
        /// The power of the point for each of [`AT_ONCE`] blocks. Public.
        powers: Vec<u128>,
        hash: Zeroizing<u128>,
    },
    /// It wipes itself.
    Portable(Polyval),
}

/// Blocks of one inner product.
const AT_ONCE: usize = 128;

impl Universal {
    /// Of no labels yet, at a public point.
    pub fn new(point: [u8; 16]) -> Universal {
        Universal(match CarryLess::detect() {
            Some(unit) => {
                Way::Wide { unit, powers: powers(point, AT_ONCE), hash: Zeroizing::new(0) }
            }
            None => Way::Portable(Polyval::new(&point.into())),
        })
    }

    /// Adds labels.
    pub fn add(&mut self, labels: &[Label]) {
        match &mut self.0 {
            Way::Wide { unit, powers, hash } => {
                for blocks in Label::integers(labels).chunks(AT_ONCE) {
                    let powers = &powers[AT_ONCE - blocks.len()..];
                    // The hash so far is added to the first block.
                    let [low, high] = unit.inner_product(blocks, powers);
                    let [more, most] = unit.inner_product(&[**hash], &powers[..1]);
                    **hash = reduce([low ^ more, high ^ most]);
                }
            }
            Way::Portable(state) => feed(state, Label::integers(labels)),
        }
    }

    /// The hash. Whoever expected other labels may learn a sum of them from it, with public
    /// factors.
    pub fn finish(self) -> Zeroizing<[u8; 16]> {
        Zeroizing::new(match self.0 {
            Way::Wide { hash, .. } => hash.to_le_bytes(),
            Way::Portable(state) => state.finalize().into(),
        })
    }
}

/// Feeds `blocks` to POLYVAL, block by block.
pub(crate) fn feed(state: &mut Polyval, blocks: &[u128]) {
    let mut bytes = Zeroizing::new([[0; 16]; 8]);
    for blocks in blocks.chunks(bytes.len()) {
        for (bytes, block) in bytes.iter_mut().zip(blocks) {
            *bytes = block.to_le_bytes();
        }
        state.update(Block::cast_slice_from_core(&bytes[..blocks.len()]));
    }
}

/// The factors by which POLYVAL at `point` multiplies each of `blocks` blocks in total. The last
/// block's factor is the point; each earlier block's factor has one more power of the point. A
/// product a·b stands for a·b·x^-128.
pub(crate) fn powers(point: [u8; 16], blocks: usize) -> Vec<u128> {
    let times_point = Polyval::new(&point.into());
    let mut powers = vec![0; blocks];
    let mut power = point;
    for slot in powers.iter_mut().rev() {
        *slot = u128::from_le_bytes(power);
        let mut state = times_point.clone();
        state.update(&[power.into()]);
        power = state.finalize().into();
    }
    powers
}

/// `sum`·x^-128 modulo x^128 + x^127 + x^126 + x^121 + 1. Clears 64 bits at a time by adding a
/// multiple of the modulus.
pub(crate) fn reduce(sum: [u128; 2]) -> u128 {
    let [low, high] = sum;
    let mut words = [low as u64, (low >> 64) as u64, high as u64, (high >> 64) as u64];
    for i in [0, 1] {
        let w = words[i];
        words[i + 1] ^= w << 57 ^ w << 62 ^ w << 63;
        words[i + 2] ^= w >> 7 ^ w >> 2 ^ w >> 1 ^ w;
    }
    u128::from(words[2]) | u128::from(words[3]) << 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Parties with different processors agree, however labels are divided.
        #[test]
        fn both_ways_are_polyval(
            point: [u8; 16],
            blocks in prop::collection::vec(any::<u128>(), 0..1500),
            cuts in prop::collection::vec(any::<prop::sample::Index>(), 2),
        ) {
            let labels: Vec<Label> = blocks.iter().map(|block| Label::from_u128(*block)).collect();
            let mut cuts: Vec<usize> =
                cuts.iter().map(|cut| cut.index(labels.len() + 1)).collect();
            cuts.sort_unstable();
            let mut expected = Polyval::new(&point.into());
            for block in &blocks {
                expected.update(&[block.to_le_bytes().into()]);
            }
            let expected: [u8; 16] = expected.finalize().into();
            let portable = Universal(Way::Portable(Polyval::new(&point.into())));
            for mut hash in [portable, Universal::new(point)] {
                hash.add(&labels[..cuts[0]]);
                hash.add(&labels[cuts[0]..cuts[1]]);
                hash.add(&labels[cuts[1]..]);
                prop_assert_eq!(*hash.finish(), expected);
            }
        }
    }
}
