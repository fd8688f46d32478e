//! The costly parts of oblivious transfer: pseudo-random columns, and the inner products of its
//! consistency check. They use 512-bit vectors where the processor has them. Elsewhere columns come
//! from the crate `aes`, and callers compute the check without this module ([`CarryLess::detect`]).

use crate::schedule::RoundKeys;
use aes::Aes128Enc;
use aes::cipher::{Block, BlockEncrypt, KeyInit};
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Blocks that the portable stream encrypts at once.
const PORTABLE_BLOCKS: usize = 8;

/// AES-128 in counter mode under a secret key, from block 0 on. Its keys are wiped on drop.
pub struct Stream {
    keys: Keys,
    next: u64,
}

enum Keys {
    #[cfg(target_arch = "x86_64")]
    Wide(Zeroizing<RoundKeys>),
    /// The cipher wipes its own keys.
    Portable(Box<Aes128Enc>),
}

impl Stream {
    /// Makes the stream under `key`, with the fastest instructions that the processor has.
    pub fn new(key: &[u8; 16]) -> Stream {
        #[cfg(target_arch = "x86_64")]
        if crate::vaes512::KERNEL.is_available() {
            let expanded = Zeroizing::new(crate::aesni::expand(u128::from_le_bytes(*key)));
            return Stream { keys: Keys::Wide(expanded), next: 0 };
        }
        Stream::portable(key)
    }

    /// Makes the same stream with the crate `aes` alone.
    pub fn portable(key: &[u8; 16]) -> Stream {
        Stream { keys: Keys::Portable(Box::new(Aes128Enc::new(key.into()))), next: 0 }
    }

    /// Fills `blocks` with the next blocks, each as a little-endian integer.
    #[inline]
    pub fn fill(&mut self, blocks: &mut [u128]) {
        match &self.keys {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: keys of this variant exist only where the kernel is available.
            Keys::Wide(keys) => unsafe { crate::transfer512::fill(keys, self.next, blocks) },
            Keys::Portable(cipher) => fill_portable(cipher, self.next, blocks),
        }
        self.next += blocks.len() as u64;
    }
}

fn fill_portable(cipher: &Aes128Enc, first: u64, blocks: &mut [u128]) {
    let mut space = [Block::<Aes128Enc>::default(); PORTABLE_BLOCKS];
    for (number, blocks) in blocks.chunks_mut(PORTABLE_BLOCKS).enumerate() {
        let space = &mut space[..blocks.len()];
        for (lane, block) in space.iter_mut().enumerate() {
            let counter = first + (number * PORTABLE_BLOCKS + lane) as u64;
            *block = u128::from(counter).to_le_bytes().into();
        }
        cipher.encrypt_blocks(space);
        for (to, from) in blocks.iter_mut().zip(space) {
            *to = u128::from_le_bytes((*from).into());
        }
    }
    space.iter_mut().for_each(|block| block.as_mut_slice().zeroize());
}

impl fmt::Debug for Stream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream(block {})", self.next)
    }
}

/// XORs `other` into `into`, which is addition of vectors over F_2.
///
/// # Panics
/// If the slices differ in length.
#[inline]
pub fn add(into: &mut [u128], other: &[u128]) {
    assert_eq!(into.len(), other.len(), "both sides have the same number of blocks");
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx512f") {
        // SAFETY: the processor has the instructions, and the slices have one length.
        return unsafe { crate::transfer512::add(into, other) };
    }
    for (into, other) in into.iter_mut().zip(other) {
        *into ^= other;
    }
}

/// Carry-less multiplication on 512-bit vectors. A value of this type exists only if the processor
/// has it.
#[derive(Clone, Copy, Debug)]
pub struct CarryLess(());

impl CarryLess {
    /// `None` where the processor has no VPCLMULQDQ on 512-bit vectors.
    pub fn detect() -> Option<CarryLess> {
        #[cfg(target_arch = "x86_64")]
        if is_x86_feature_detected!("vpclmulqdq") && is_x86_feature_detected!("avx512f") {
            return Some(CarryLess(()));
        }
        None
    }

    /// The sum of `a[i]·b[i]` for all i, as polynomials over F_2 with bit j for x^j. Returns the
    /// coefficients below x^128, then the others.
    ///
    /// # Panics
    /// If the slices differ in length.
    pub fn inner_product(self, a: &[u128], b: &[u128]) -> [u128; 2] {
        assert_eq!(a.len(), b.len(), "both sides have the same number of factors");
        #[cfg(target_arch = "x86_64")]
        // SAFETY: a value of this type exists only where the processor has the instructions, and
        // the slices have one length.
        unsafe {
            crate::transfer512::inner_product(a, b)
        }
        #[cfg(not(target_arch = "x86_64"))]
        unreachable!("no value of this type exists here")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Computes the product by its definition, one bit at a time.
    fn plain_product(a: &[u128], b: &[u128]) -> [u128; 2] {
        let mut sum = [0; 2];
        for (&a, &b) in a.iter().zip(b) {
            for j in (0..128).filter(|j| b >> j & 1 == 1) {
                sum[0] ^= a << j;
                sum[1] ^= a.checked_shr(128 - j).unwrap_or(0);
            }
        }
        sum
    }

    #[test]
    fn the_stream_is_that_of_fips_197() {
        // The plaintext of FIPS 197's appendix B is not a counter block. So the stream is compared
        // with the cipher of the crate `aes`, under the key of that appendix.
        let key = 0x3c4f_cf09_8815_f7ab_a6d2_ae28_1615_7e2b_u128.to_le_bytes();
        let cipher = Aes128Enc::new(&key.into());
        let mut blocks = [0; 2];
        Stream::new(&key).fill(&mut blocks);
        for (counter, block) in blocks.into_iter().enumerate() {
            let mut expected = Block::<Aes128Enc>::from((counter as u128).to_le_bytes());
            cipher.encrypt_block(&mut expected);
            assert_eq!(block.to_le_bytes(), <[u8; 16]>::from(expected));
        }
    }

    #[test]
    fn debug_shows_no_key() {
        assert_eq!(format!("{:?}", Stream::new(&[7; 16])), "Stream(block 0)");
    }

    proptest! {
        #[test]
        fn both_streams_are_one(
            key: [u8; 16],
            lengths in prop::collection::vec(0..200_usize, 1..5),
        ) {
            let (mut best, mut portable) = (Stream::new(&key), Stream::portable(&key));
            for length in lengths {
                let (mut a, mut b) = (vec![0; length], vec![1; length]);
                best.fill(&mut a);
                portable.fill(&mut b);
                prop_assert_eq!(a, b);
            }
        }

        #[test]
        fn sums_are_of_each_bit(pairs in prop::collection::vec(any::<(u128, u128)>(), 0..40)) {
            let (mut into, other): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let mut expected = into.clone();
            for (expected, other) in expected.iter_mut().zip(&other) {
                *expected = (*expected | other) & !(*expected & other);
            }
            add(&mut into, &other);
            prop_assert_eq!(into, expected);
        }

        #[test]
        fn inner_products_are_those_of_the_definition(
            pairs in prop::collection::vec(any::<(u128, u128)>(), 0..40),
        ) {
            let (a, b): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            match CarryLess::detect() {
                Some(unit) => prop_assert_eq!(unit.inner_product(&a, &b), plain_product(&a, &b)),
                None => println!("not run: this processor has no VPCLMULQDQ"),
            }
        }
    }
}
