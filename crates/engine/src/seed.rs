//! Input labels from a seed.

use aes::Aes128Enc;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_kernels::Label;
use zeroize::{Zeroize, Zeroizing};

/// Expands a secret seed into the false labels of a run's input bits, with AES-128 in counter mode.
///
/// Input bit number n has the label `AES_seed(n)`. Numbers count from 0 in the order in which the
/// bits are requested ([`io`](crate::io)); n and labels are little-endian integers of 128 bits. A
/// machine that has the seed makes the labels itself. The seed and its key schedule are wiped on
/// drop.
pub struct LabelSeed {
    seed: Zeroizing<[u8; 16]>,
    cipher: Aes128Enc,
}

impl LabelSeed {
    /// Expands `seed`.
    pub fn new(seed: &[u8; 16]) -> LabelSeed {
        LabelSeed { seed: Zeroizing::new(*seed), cipher: Aes128Enc::new(seed.into()) }
    }

    /// The seed's bytes, which are the AES key.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.seed
    }

    /// The false label of input bit `number`.
    pub fn label(&self, number: u64) -> Label {
        self.block(u128::from(number))
    }

    /// The label of the public constant 0, under the highest counter.
    pub fn constant(&self) -> Label {
        self.block(u128::MAX)
    }

    /// The encryption of a counter. Counters of 2^64 and more belong to no input bit.
    pub fn block(&self, counter: u128) -> Label {
        let mut block = counter.to_le_bytes().into();
        self.cipher.encrypt_block(&mut block);
        let label = Label::from_bytes(block.into());
        block.as_mut_slice().zeroize();
        label
    }
}

impl std::fmt::Debug for LabelSeed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("LabelSeed(…)")
    }
}
