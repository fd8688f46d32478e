//! The secrets of one garbling.

use super::SessionError;
use halfgate_engine::wipe;
use halfgate_engine::{Delta, Label, LabelSeed, RunKey, Suite};
use zeroize::Zeroizing;

/// The false labels of input bits by their number, and other data derived from their seed.
pub(crate) struct LabelSource {
    suite: Suite,
    seed: LabelSeed,
}

impl LabelSource {
    pub fn new(suite: Suite, seed: &[u8; 16]) -> LabelSource {
        LabelSource { suite, seed: LabelSeed::new(seed) }
    }

    /// The seed, for an engine that makes labels itself.
    pub fn seed(&self) -> LabelSeed {
        LabelSeed::new(self.seed.bytes())
    }

    /// The false label of input bit number `sequence`.
    pub fn label(&self, sequence: u64) -> Label {
        self.suite.clip(self.seed.label(sequence))
    }

    /// The label of the public constant 0.
    pub fn constant(&self) -> Label {
        self.suite.clip(self.seed.constant())
    }

    /// The mask of output label number `number`, which is stored masked beside the tables.
    pub fn mask(&self, number: u64) -> Label {
        self.seed.block(1 << 64 | u128::from(number))
    }
}

/// A queue of unused labels. Wiped when it is dropped or reallocated.
#[derive(Default)]
pub(crate) struct LabelQueue {
    labels: Zeroizing<Vec<Label>>,
    used: usize,
}

impl LabelQueue {
    /// The number of unused labels.
    pub fn len(&self) -> usize {
        self.labels.len() - self.used
    }

    /// Whether all labels are used.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Appends labels.
    pub fn extend(&mut self, labels: &[[u8; 16]]) {
        self.labels.drain(..self.used);
        self.used = 0;
        wipe::reserve(&mut self.labels, labels.len());
        self.labels.extend(labels.iter().map(|bytes| Label::from_bytes(*bytes)));
    }

    /// The next label.
    pub fn pop_front(&mut self) -> Option<Label> {
        let label = self.labels.get(self.used).copied()?;
        self.used += 1;
        Some(label)
    }
}

/// Data that is fresh for each garbling and constant over its cycles.
pub(crate) struct Garbling {
    /// The suite and its public start point.
    pub key: RunKey,
    /// The secret offset.
    pub delta: Delta,
    /// The false labels of the inputs.
    pub labels: LabelSource,
}

impl Garbling {
    /// Fresh secrets from the operating system. Also returns the seed of the labels.
    pub fn random(suite: Suite) -> Result<(Garbling, Zeroizing<[u8; 16]>), SessionError> {
        let seed = random()?;
        let key = RunKey { suite, point: u128::from_le_bytes(*random()?) };
        let delta = Delta::new(suite.clip(random_delta()?.label()));
        #[cfg(test)]
        super::tests::memory::recording::note("seeds of labels", &seed);
        Ok((Garbling { key, delta, labels: LabelSource::new(suite, &seed) }, seed))
    }
}

/// A fresh offset.
pub(crate) fn random_delta() -> Result<Delta, SessionError> {
    let delta = Delta::new(Label::from_bytes(*random()?));
    #[cfg(test)]
    super::tests::memory::recording::note("offsets", &delta.label().to_bytes());
    Ok(delta)
}

/// Random bytes from the operating system.
pub(crate) fn random<const N: usize>() -> Result<Zeroizing<[u8; N]>, SessionError> {
    let mut bytes = Zeroizing::new([0; N]);
    getrandom::fill(&mut *bytes).map_err(|e| SessionError::Random(e.to_string()))?;
    Ok(bytes)
}
