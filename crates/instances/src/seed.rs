//! The seed of an instance, and the secrets that follow from it.

use crate::job::Job;
use halfgate_engine::{Delta, Label, LabelSeed, RunKey, wipe};
use std::fmt;
use std::str::FromStr;
use zeroize::{Zeroize, Zeroizing};

/// Context of the derivation: see `spec/instances.md`.
const CONTEXT: &str = "halfgate 2026-11-27 instance 1";

/// Context of a seed's fingerprint.
const FINGERPRINT_CONTEXT: &str = "halfgate 2026-11-27 fingerprint of a seed 1";

/// The secret seed of an instance: 32 random bytes. Wiped on drop.
pub struct Seed(Zeroizing<[u8; 32]>);

/// A seed could not be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SeedError {
    /// The operating system gave no random bytes.
    #[error("the operating system gave no random bytes: {0}")]
    Random(String),
    /// The text has another length.
    #[error("a seed has 64 hexadecimal digits; this has {characters} characters")]
    Length {
        /// Characters of the text.
        characters: usize,
    },
    /// A character of the text is no digit.
    #[error("a seed has 64 hexadecimal digits; one of these characters is none")]
    Digit,
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
        for &byte in self.0.iter() {
            for half in [byte >> 4, byte & 15] {
                // Arithmetic, since a table would be indexed by a secret.
                let letter = (9_u8.wrapping_sub(half) >> 7) * (b'a' - b'0' - 10);
                digits.push(char::from(b'0' + half + letter));
            }
        }
        digits
    }

    /// A hash of the seed, to recognise it by.
    pub fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new_derive_key(FINGERPRINT_CONTEXT);
        hasher.update(&*self.0);
        let fingerprint = *hasher.finalize().as_bytes();
        hasher.zeroize();
        fingerprint
    }

    /// Everything about the instance that is drawn at random in a session.
    pub(crate) fn secrets(&self, job: &Job<'_>) -> Secrets {
        // What is built next has unused bytes, which would carry the derivation's stack away.
        let parts = wipe::stack_after(|| self.parts(job));
        let (suite, [labels, delta, point]) = (job.suite, &*parts);
        let labels = LabelSeed::new(labels);
        Secrets {
            key: RunKey { suite, point: u128::from_le_bytes(*point) },
            delta: Delta::new(suite.clip(Label::from_bytes(*delta))),
            constant: suite.clip(labels.constant()),
            labels,
        }
    }

    /// The label seed, Δ, and S or K.
    fn parts(&self, job: &Job<'_>) -> Zeroizing<[[u8; 16]; 3]> {
        let mut parts = Zeroizing::new([[0; 16]; 3]);
        let mut derivation = blake3::Hasher::new_derive_key(CONTEXT);
        derivation.update(&*self.0);
        job.hash_into(&mut derivation);
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
        if text.len() != 64 {
            return Err(SeedError::Length { characters: text.chars().count() });
        }
        let mut bytes = Zeroizing::new([0_u8; 32]);
        let mut wrong = 0;
        for (byte, pair) in bytes.iter_mut().zip(text.as_bytes().chunks(2)) {
            for &digit in pair {
                let (value, is_wrong) = value_of(digit);
                *byte = *byte << 4 | value;
                wrong |= is_wrong;
            }
        }
        if wrong == 0 { Ok(Seed(bytes)) } else { Err(SeedError::Digit) }
    }
}

/// The value of a hexadecimal digit, and 255 if the character is none, else 0. There is no branch.
fn value_of(digit: u8) -> (u8, u8) {
    // 255 if `digit` is from `first` to `last`.
    let within = |first: u8, last: u8| {
        let (first, last, digit) = (i16::from(first), i16::from(last), i16::from(digit));
        !(((digit - first) | (last - digit)) >> 15) as u8
    };
    let [number, small, capital] = [(b'0', b'9'), (b'a', b'f'), (b'A', b'F')]
        .map(|(first, last)| (within(first, last), digit.wrapping_sub(first)));
    let letter = |(mask, value): (u8, u8)| mask & value.wrapping_add(10);
    let value = number.0 & number.1 | letter(small) | letter(capital);
    (value, !(number.0 | small.0 | capital.0))
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
        for text in ["", "12", &"0".repeat(63), &"é".repeat(33)] {
            let error = Seed::from_str(text).unwrap_err();
            assert_eq!(error, SeedError::Length { characters: text.chars().count() });
        }
        for text in ["g", "/", ":", "@", "`", "\u{7f}", "\0"].map(|one| one.repeat(64)) {
            assert_eq!(Seed::from_str(&text).unwrap_err(), SeedError::Digit, "{text}");
        }
        assert_eq!(Seed::from_str(&"é".repeat(32)).unwrap_err(), SeedError::Digit);
        assert_eq!(format!("{:?}", Seed::random().unwrap()), "Seed(…)");
    }

    #[test]
    fn all_bytes_are_read_as_characters_are() {
        for byte in 0..=255 {
            let wanted = char::from(byte).to_digit(16).filter(|_| byte.is_ascii());
            let (value, wrong) = value_of(byte);
            assert_eq!((wrong == 0).then_some(u32::from(value)), wanted, "{byte}");
        }
    }
}
