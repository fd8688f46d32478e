//! The key schedule (FIPS 197, section 5.2).

use super::round::{round_constant, xor_bytes};
use super::{Byte, State, sbox};
use crate::builder::Builder;
use crate::id::Bit;

/// A column of a round key.
type Word = [Byte; 4];

/// The round keys of one key, each computed on first use.
pub struct Schedule {
    /// The key's words, followed by the words computed so far.
    words: Vec<Word>,
    /// Words in the key: 4, 6 or 8.
    key_words: usize,
}

impl Schedule {
    /// Creates the schedule of `key`, in FIPS byte order. Adds no gates yet:
    /// [`round_key`](Schedule::round_key) adds 1,280, 1,024 or 1,664 ANDs in all for keys of 128,
    /// 192 or 256 bits.
    ///
    /// # Panics
    /// If `key` does not have 128, 192 or 256 bits.
    pub fn new(key: &[Bit]) -> Schedule {
        assert!([128, 192, 256].contains(&key.len()), "an AES key of {} bits", key.len());
        let word = |i: usize| -> Word {
            std::array::from_fn(|r| std::array::from_fn(|j| key[32 * i + 8 * r + j]))
        };
        let key_words = key.len() / 32;
        Schedule { words: (0..key_words).map(word).collect(), key_words }
    }

    /// Returns the bits of all round keys, in order, for a function that encrypts with them: see
    /// [`of_round_keys`](Schedule::of_round_keys).
    pub fn all_round_keys(&mut self, b: &mut Builder) -> Vec<Bit> {
        (0..=self.rounds()).flat_map(|round| self.round_key(b, round).concat()).collect()
    }

    /// Creates a schedule from the bits of all its round keys, which takes no gates.
    ///
    /// # Panics
    /// If there are not 11, 13 or 15 round keys of 128 bits.
    pub fn of_round_keys(bits: &[Bit]) -> Schedule {
        let rounds = bits.len() / 128;
        assert!(
            bits.len().is_multiple_of(128) && [11, 13, 15].contains(&rounds),
            "{} bits of round keys",
            bits.len()
        );
        let word = |i: usize| -> Word {
            std::array::from_fn(|r| std::array::from_fn(|j| bits[32 * i + 8 * r + j]))
        };
        Schedule { words: (0..4 * rounds).map(word).collect(), key_words: rounds - 7 }
    }

    /// Number of rounds: 10, 12 or 14.
    pub fn rounds(&self) -> usize {
        self.key_words + 6
    }

    /// Returns the key of `round`; round key 0 is added before the first round. Its AND depth is 6
    /// per column substituted so far. This is never more than the depth of the state to which it is
    /// added.
    ///
    /// # Panics
    /// If `round` is above [`rounds`](Schedule::rounds).
    pub fn round_key(&mut self, b: &mut Builder, round: usize) -> State {
        assert!(round <= self.rounds(), "round {round} of {}", self.rounds());
        while self.words.len() < 4 * (round + 1) {
            let (i, n) = (self.words.len(), self.key_words);
            let mut word = self.words[i - 1];
            if i.is_multiple_of(n) {
                word = substitute(b, &[word[1], word[2], word[3], word[0]]);
                word[0] = add_constant(&word[0], round_constant(i / n - 1));
            } else if n > 6 && i % n == 4 {
                word = substitute(b, &word);
            }
            self.words.push(xor_words(b, &self.words[i - n], &word));
        }
        std::array::from_fn(|i| self.words[4 * round + i / 4][i % 4])
    }
}

/// Computes the round key of a 128-bit key that follows `key`, for circuits that compute one per
/// cycle: `round_constant` may be secret. 128 ANDs, of depth 6.
pub fn next_round_key_128(b: &mut Builder, key: &State, round_constant: &Byte) -> State {
    let word = |i: usize| -> Word { std::array::from_fn(|r| key[4 * i + r]) };
    let last = word(3);
    let mut sum = substitute(b, &[last[1], last[2], last[3], last[0]]);
    sum[0] = xor_bytes(b, &sum[0], round_constant);
    let columns: [Word; 4] = std::array::from_fn(|i| {
        sum = xor_words(b, &word(i), &sum);
        sum
    });
    std::array::from_fn(|i| columns[i / 4][i % 4])
}

fn substitute(b: &mut Builder, word: &Word) -> Word {
    word.map(|byte| sbox(b, &byte))
}

fn xor_words(b: &mut Builder, x: &Word, y: &Word) -> Word {
    std::array::from_fn(|r| xor_bytes(b, &x[r], &y[r]))
}

fn add_constant(byte: &Byte, constant: u8) -> Byte {
    std::array::from_fn(|j| byte[j].invert_if(constant >> j & 1 == 1))
}
