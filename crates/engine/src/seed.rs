//! Input labels from a seed.

use aes::Aes128Enc;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_kernels::Label;
use zeroize::{Zeroize, Zeroizing};

/// What the false labels of a run's input bits are expanded from: AES-128 in counter mode under a secret seed.
///
/// Input bit number n, counted from 0 in the order in which the bits are asked for ([`io`](crate::io)), has
/// `AES_seed(n)`, n and labels being little-endian integers of 128 bits. A machine that has the seed makes the
/// labels itself. The seed and its key schedule are wiped on drop.
pub struct LabelSeed {
    seed: Zeroizing<[u8; 16]>,
    cipher: Aes128Enc,
}

impl LabelSeed {
    /// The expansion of `seed`.
    pub fn new(seed: &[u8; 16]) -> LabelSeed {
        LabelSeed { seed: Zeroizing::new(*seed), cipher: Aes128Enc::new(seed.into()) }
    }

    /// The seed's bytes: the key of AES.
    pub fn bytes(&self) -> &[u8; 16] {
        &self.seed
    }

    /// The false label of the input bit of this number.
    pub fn label(&self, number: u64) -> Label {
        self.block(u128::from(number))
    }

    /// The encryption of a counter; those of 2^64 and more are no input bits'.
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
