//! The seed of an instance, and the secrets that follow from it.

use halfgate_engine::{Delta, Label, LabelSeed, RunKey, Suite, wipe};
use std::fmt;
use std::str::FromStr;
use zeroize::{Zeroize, Zeroizing};

/// Context of the derivation: see `spec/instances.md`.
const CONTEXT: &str = "halfgate 2026-11-27 instance 1";

/// Counter of the constant's label among the blocks of the label seed.
const CONSTANT: u128 = u128::MAX;

/// The secret seed of an instance: 32 random bytes. Wiped on drop.
pub struct Seed(Zeroizing<[u8; 32]>);

/// A seed could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes: {0}")]
    Random(String),
    /// The text is not a seed.
    #[error("a seed has 64 hexadecimal digits; this has {digits} characters or another digit")]
    Text {
        /// Characters of the text.
        digits: usize,
    },
}

impl Seed {
    /// A fresh seed from the operating system.
    ///
    /// # Errors
    /// [`SeedError::Random`].
    pub fn random() -> Result<Seed, SeedError> {
        let mut bytes = Zeroizing::new([0; 32]);
        getrandom::fill(&mut *bytes).map_err(|error| SeedError::Random(error.to_string()))?;
        Ok(Seed(bytes))
    }

    /// The seed with these bytes. The caller wipes its copy.
    pub fn from_bytes(bytes: &[u8; 32]) -> Seed {
        Seed(Zeroizing::new(*bytes))
    }

    /// The 64 hexadecimal digits that [`from_str`](Seed::from_str) reads.
    pub fn digits(&self) -> Zeroizing<String> {
        let mut digits = Zeroizing::new(String::with_capacity(64));
        for byte in *self.0 {
            for half in [byte >> 4, byte & 15] {
                // Arithmetic, since a table would be indexed by a secret.
                let letter = (9_u8.wrapping_sub(half) >> 7) * (b'a' - b'0' - 10);
                digits.push(char::from(b'0' + half + letter));
            }
        }
        digits
    }

    /// Everything about the instance that is drawn at random in a session.
    pub(crate) fn secrets(&self, suite: Suite) -> Secrets {
        // What is built next has unused bytes, which would carry the derivation's stack away.
        let parts = wipe::stack_after(|| self.parts());
        let [labels, delta, point] = &*parts;
        let labels = LabelSeed::new(labels);
        Secrets {
            key: RunKey { suite, point: u128::from_le_bytes(*point) },
            delta: Delta::new(suite.clip(Label::from_bytes(*delta))),
            constant: suite.clip(labels.block(CONSTANT)),
            labels,
        }
    }

    /// The label seed, Δ, and S or K.
    fn parts(&self) -> Zeroizing<[[u8; 16]; 3]> {
        let mut parts = Zeroizing::new([[0; 16]; 3]);
        let mut derivation = blake3::Hasher::new_derive_key(CONTEXT);
        derivation.update(&*self.0);
        let mut reader = derivation.finalize_xof();
        parts.iter_mut().for_each(|part| reader.fill(part));
        derivation.zeroize();
        reader.zeroize();
        parts
    }
}

impl FromStr for Seed {
    type Err = SeedError;

    /// Reads 64 hexadecimal digits.
    fn from_str(text: &str) -> Result<Seed, SeedError> {
        let wrong = SeedError::Text { digits: text.chars().count() };
        if text.len() != 64 {
            return Err(wrong);
        }
        let mut bytes = Zeroizing::new([0_u8; 32]);
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            for &digit in pair {
                let Some(value) = char::from(digit).to_digit(16) else { return Err(wrong) };
                *byte = *byte << 4 | value as u8;
            }
        }
        Ok(Seed(bytes))
    }
}

impl fmt::Debug for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// What follows from a seed before anything is garbled.
pub(crate) struct Secrets {
    /// The suite and its public start point.
    pub key: RunKey,
    /// The secret offset.
    pub delta: Delta,
    /// The seed of the false labels of input bits.
    pub labels: LabelSeed,
    /// The public label of the constant 0.
    pub constant: Label,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_are_read_back() {
        let bytes: [u8; 32] = std::array::from_fn(|i| (i * 37 + 9) as u8);
        let seed = Seed::from_bytes(&bytes);
        let wanted: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        assert_eq!(*seed.digits(), wanted);
        assert_eq!(*Seed::from_str(&wanted.to_uppercase()).unwrap().0, bytes);
    }

    #[test]
    fn a_wrong_text_is_refused_without_being_shown() {
        for text in ["", "12", &"g".repeat(64), &"0".repeat(63), &"é".repeat(32)] {
            let error = Seed::from_str(text).unwrap_err();
            assert_eq!(error, SeedError::Text { digits: text.chars().count() });
        }
        assert_eq!(format!("{:?}", Seed::random().unwrap()), "Seed(…)");
    }

    #[test]
    fn other_seeds_and_suites_have_other_secrets() {
        let of = |byte, suite| {
            let secrets = Seed::from_bytes(&[byte; 32]).secrets(suite);
            (secrets.key.point, secrets.delta.label(), secrets.constant, secrets.labels.label(0))
        };
        let [a, b] = [1, 2].map(|byte| of(byte, Suite::HalfGates));
        assert!(a.0 != b.0 && a.1 != b.1 && a.2 != b.2 && a.3 != b.3);
        assert!(a.1.colour());
        assert!(of(1, Suite::Grr3Sha1).1.to_u128() < 1 << 80);
    }
}
