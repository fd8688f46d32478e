//! The secrets of one garbling.

use super::SessionError;
use aes::Aes128Enc;
use aes::cipher::{BlockEncrypt, KeyInit};
use halfgate_engine::{Delta, Label, RunKey, Suite};
use zeroize::{Zeroize, Zeroizing};

/// False labels of input bits by their number: AES-128 in counter mode under a secret seed. The
/// key schedule is wiped on drop.
pub(crate) struct LabelSource {
    cipher: Aes128Enc,
}

impl LabelSource {
    pub fn new(seed: &[u8; 16]) -> LabelSource {
        LabelSource { cipher: Aes128Enc::new(seed.into()) }
    }

    /// The false label of input bit number `sequence`.
    pub fn label(&self, sequence: u64) -> Label {
        self.block(u128::from(sequence))
    }

    /// The label of the public constant 0.
    pub fn constant(&self) -> Label {
        self.block(u128::MAX)
    }

    /// What masks output label number `number` where it is stored beside the tables.
    pub fn mask(&self, number: u64) -> Label {
        self.block(1 << 64 | u128::from(number))
    }

    fn block(&self, counter: u128) -> Label {
        let mut block = counter.to_le_bytes().into();
        self.cipher.encrypt_block(&mut block);
        let label = Label::from_bytes(block.into());
        block.as_mut_slice().zeroize();
        label
    }
}

/// What is fresh for each garbling and constant over its cycles.
pub(crate) struct Garbling {
    /// The suite and its public start point.
    pub key: RunKey,
    /// The secret offset.
    pub delta: Delta,
    /// The false labels of the inputs.
    pub labels: LabelSource,
}

impl Garbling {
    /// Fresh secrets from the operating system, and the seed of the labels.
    pub fn random(suite: Suite) -> Result<(Garbling, Zeroizing<[u8; 16]>), SessionError> {
        let seed = random()?;
        let key = RunKey { suite, point: u128::from_le_bytes(*random()?) };
        Ok((Garbling { key, delta: random_delta()?, labels: LabelSource::new(&seed) }, seed))
    }
}

/// A fresh offset.
pub(crate) fn random_delta() -> Result<Delta, SessionError> {
    Ok(Delta::new(Label::from_bytes(*random()?)))
}

/// Fresh random bytes of the operating system.
pub(crate) fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>, SessionError> {
    let mut bytes = Zeroizing::new([0; N]);
    getrandom::fill(&mut *bytes).map_err(|e| SessionError::Random(e.to_string()))?;
    Ok(bytes)
}
