//! Random OTs from correlated ones, and label pairs masked by them.
//!
//! Transfer i gives the garbler q and the evaluator t = q ^ x·Δ. To a party that holds one of q and
//! q ^ Δ, the keys H(q, i) and H(q ^ Δ, i) look independent if the hash is tweakable circular
//! correlation robust. H is TMMO of Guo, Katz, Wang and Yu ("Efficient and secure multiparty
//! computation from fixed-key block ciphers", IEEE S&P 2020, ePrint 2019/074, section 7.4):
//!
//! > H(x, i) = π(π(x) ^ i) ^ π(x)
//!
//! with π a random permutation: here AES-128 under a public key derived from the session, so that
//! work spent on one session's π is useless against others. The tweak i is the transfer's number in
//! its setup and must not be used twice.

use super::base::check_length;
use super::columns::reserve;
use super::{OtError, SessionId};
use aes::Aes128Enc;
use aes::cipher::{Block, BlockEncrypt, KeyInit};
use halfgate_engine::{Delta, Label};
use std::fmt;
use zeroize::{Zeroize, Zeroizing};

/// Bytes of one masked pair of labels.
pub const MASKED_PAIR_BYTES: usize = 32;

/// Hashes per call of the cipher: enough to fill its pipeline.
const LANES: usize = 16;

/// The hash H of a session.
pub struct RandomOtHash {
    permutation: Aes128Enc,
}

impl RandomOtHash {
    /// The hash of `session`.
    pub fn new(session: &SessionId) -> RandomOtHash {
        let key = blake3::keyed_hash(&session.0, b"halfgate OT permutation");
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&key.as_bytes()[..16]);
        RandomOtHash { permutation: Aes128Enc::new(&bytes.into()) }
    }

    /// Replaces `labels[j]` by `H(labels[j], first + j)`: turns the evaluator's labels into its
    /// keys.
    pub fn hash(&self, first: u64, labels: &mut [Label]) {
        let mut scratch = Scratch::default();
        for (chunk, labels) in labels.chunks_mut(LANES).enumerate() {
            let first = first + (chunk * LANES) as u64;
            self.hash_few(labels, |lane| first + lane as u64, &mut scratch);
        }
    }

    /// Appends both keys of each transfer to `pairs`: `(H(q, i), H(q ^ Δ, i))` for the j-th of
    /// `labels`, with i = `first` + j.
    pub fn hash_pairs(
        &self,
        first: u64,
        labels: &[Label],
        delta: &Delta,
        pairs: &mut Vec<(Label, Label)>,
    ) {
        let mut scratch = Scratch::default();
        let mut lanes = Zeroizing::new([Label::ZERO; LANES]);
        reserve(pairs, labels.len());
        for (chunk, labels) in labels.chunks(LANES / 2).enumerate() {
            let first = first + (chunk * LANES / 2) as u64;
            for (pair, &label) in lanes.chunks_exact_mut(2).zip(labels) {
                pair.copy_from_slice(&[label, label ^ delta.label()]);
            }
            let lanes = &mut lanes[..2 * labels.len()];
            self.hash_few(lanes, |lane| first + lane as u64 / 2, &mut scratch);
            pairs.extend(lanes.chunks_exact(2).map(|pair| (pair[0], pair[1])));
        }
    }

    /// Appends `pairs`, each masked by the two keys of its transfer, to `message`:
    /// [`MASKED_PAIR_BYTES`] bytes each. `labels` are the false labels of the transfers, one per
    /// pair, starting with number `first`.
    ///
    /// # Panics
    /// If there are not as many labels as pairs.
    pub fn mask_pairs(
        &self,
        first: u64,
        labels: &[Label],
        delta: &Delta,
        pairs: &[(Label, Label)],
        message: &mut Vec<u8>,
    ) {
        assert_eq!(labels.len(), pairs.len(), "a transfer for each pair of labels");
        let mut keys = Zeroizing::new(Vec::with_capacity(pairs.len()));
        self.hash_pairs(first, labels, delta, &mut keys);
        message.reserve(MASKED_PAIR_BYTES * pairs.len());
        for (pair, key) in pairs.iter().zip(keys.iter()) {
            message.extend_from_slice(&(pair.0 ^ key.0).to_bytes());
            message.extend_from_slice(&(pair.1 ^ key.1).to_bytes());
        }
    }

    /// Opens the chosen label of each pair of `message`. `labels` are the evaluator's labels of the
    /// transfers starting with number `first`, and are replaced by the opened labels. `choices` are
    /// the choices of these transfers (packed as for [`super::ExtensionReceiver::extend`]).
    ///
    /// # Errors
    /// [`OtError::Length`] if the message has another length, [`OtError::Choices`] if there are
    /// fewer choices than labels; `labels` are unchanged then.
    pub fn unmask(
        &self,
        first: u64,
        labels: &mut [Label],
        choices: &[u8],
        message: &[u8],
    ) -> Result<(), OtError> {
        let count = labels.len();
        check_length("the garbler", "masked labels", MASKED_PAIR_BYTES * count, message)?;
        if choices.len() < count.div_ceil(8) {
            return Err(OtError::Choices { count, got: choices.len() });
        }
        self.hash(first, labels);
        let (masked, _) = message.as_chunks::<16>();
        for (j, (label, pair)) in labels.iter_mut().zip(masked.chunks_exact(2)).enumerate() {
            let choice = choices[j / 8] >> (j % 8) & 1 == 1;
            let (zero, one) = (Label::from_bytes(pair[0]), Label::from_bytes(pair[1]));
            *label ^= zero ^ (zero ^ one).masked(choice);
        }
        Ok(())
    }

    /// Hashes at most [`LANES`] labels.
    #[inline(always)]
    fn hash_few(&self, labels: &mut [Label], tweak: impl Fn(usize) -> u64, scratch: &mut Scratch) {
        let blocks = &mut scratch.0[..labels.len()];
        for (block, label) in blocks.iter_mut().zip(&*labels) {
            *block = label.to_bytes().into();
        }
        self.permutation.encrypt_blocks(blocks);
        for (lane, (block, label)) in blocks.iter_mut().zip(&mut *labels).enumerate() {
            *label = Label::from_bytes((*block).into());
            *block = (*label ^ Label::from_u128(tweak(lane).into())).to_bytes().into();
        }
        self.permutation.encrypt_blocks(blocks);
        for (block, label) in blocks.iter().zip(labels) {
            *label ^= Label::from_bytes((*block).into());
        }
    }
}

/// The blocks of one call of the cipher. Wiped on drop.
#[derive(Default)]
struct Scratch([Block<Aes128Enc>; LANES]);

impl Drop for Scratch {
    fn drop(&mut self) {
        self.0.iter_mut().for_each(|block| block.as_mut_slice().zeroize());
    }
}

impl fmt::Debug for RandomOtHash {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("RandomOtHash(…)")
    }
}
