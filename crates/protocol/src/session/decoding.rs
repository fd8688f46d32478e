//! How labels of outputs are decoded to values.
//!
//! For a bit that the evaluator learns, the garbler sends `h(W0, o)` and `h(W1, o)`, where o is the
//! bit's number among all bits that the evaluator learns in the run. For a bit that the garbler
//! learns, the evaluator returns its label. `h` is the TMMO hash of [`RandomOtHash`] under its own
//! permutation. BLAKE3 derives its key from the run in a context used for nothing else, so that it
//! is independent of the hash of the gates. The hashes show the evaluator which of the two its own
//! label is, and nothing about the other label: that is circular correlation robustness.

use crate::ot::{RandomOtHash, SessionId};
use halfgate_engine::wipe::{self, Buffer};
use halfgate_engine::{Delta, Label, RunKey};
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// Bits decoded by one frame.
pub(crate) const FRAME_BITS: usize = 4096;

/// Bytes of `h(W0, o)` and `h(W1, o)`.
pub(crate) const DECODING_BYTES: usize = 32;

/// The hash `h` of a run.
pub(crate) struct DecodingHash {
    hash: RandomOtHash,
}

impl DecodingHash {
    /// The hash of run number `run` under `key`.
    pub fn new(run: u32, key: RunKey) -> DecodingHash {
        let mut hasher = blake3::Hasher::new_derive_key("halfgate 1 output decoding");
        hasher.update(&run.to_le_bytes()).update(&key.point.to_le_bytes());
        DecodingHash { hash: RandomOtHash::new(&SessionId(*hasher.finalize().as_bytes())) }
    }

    /// Garbler: appends the decoding data for the bits starting with number `first` to `out`.
    pub fn decoding(&self, first: u64, labels: &[Label], delta: &Delta, out: &mut Buffer) {
        let mut pairs = Zeroizing::new(Vec::with_capacity(labels.len()));
        wipe::far_below(|| self.hash.hash_pairs(first, labels, delta, &mut pairs));
        for (zero, one) in pairs.iter() {
            out.extend_from_slice(&zero.to_bytes());
            out.extend_from_slice(&one.to_bytes());
        }
    }

    /// Evaluator: replaces the labels of the bits starting with number `first` by their hashes.
    pub fn hash(&self, first: u64, labels: &mut [Label]) {
        wipe::far_below(|| self.hash.hash(first, labels));
    }
}

/// Evaluator: the value of a bit whose label has this hash, or `None` if the garbler's data does
/// not match it.
pub(crate) fn decode(hash: Label, data: &[u8; DECODING_BYTES]) -> Option<bool> {
    let hash = hash.to_bytes();
    let (zero, one) = (data[..16].ct_eq(&hash), data[16..].ct_eq(&hash));
    bool::from(zero ^ one).then(|| bool::from(one))
}

/// Garbler: the value of a bit whose label the evaluator returned, or `None` if it is neither of
/// the two labels.
pub(crate) fn value_of(returned: [u8; 16], false_label: Label, delta: &Delta) -> Option<bool> {
    let zero = returned.ct_eq(&false_label.to_bytes());
    let one = returned.ct_eq(&(false_label ^ delta.label()).to_bytes());
    bool::from(zero ^ one).then(|| bool::from(one))
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_engine::Suite;

    const KEY: RunKey = RunKey { suite: Suite::HalfGates, point: 5 };

    fn label(number: u128) -> Label {
        Label::from_u128(number.wrapping_mul(0x9e37_79b9_7f4a_7c15_f39c_c060_5ced_c835))
    }

    #[test]
    fn the_evaluator_decodes_either_label_and_no_other() {
        let delta = Delta::new(label(99));
        let labels: Vec<_> = (1..40).map(label).collect();
        let mut data = Buffer::default();
        DecodingHash::new(2, KEY).decoding(7, &labels, &delta, &mut data);
        let data = data.as_chunks::<DECODING_BYTES>().0;
        let values = |run, first, offset: Label| -> Vec<_> {
            let mut hashes: Vec<_> = labels.iter().map(|label| *label ^ offset).collect();
            DecodingHash::new(run, KEY).hash(first, &mut hashes);
            hashes.into_iter().zip(data).map(|(hash, data)| decode(hash, data)).collect()
        };
        assert!(values(2, 7, Label::ZERO).iter().all(|value| *value == Some(false)));
        assert!(values(2, 7, delta.label()).iter().all(|value| *value == Some(true)));
        // Another label, another bit number, another run.
        assert!(values(2, 7, label(3)).iter().all(Option::is_none));
        assert!(values(2, 8, Label::ZERO).iter().all(Option::is_none));
        assert!(values(1, 7, Label::ZERO).iter().all(Option::is_none));
    }

    #[test]
    fn decoding_data_that_fits_both_values_is_refused() {
        let hash = label(4);
        let both = [hash.to_bytes(), hash.to_bytes()].concat();
        assert_eq!(decode(hash, both[..].try_into().expect("32 bytes")), None);
    }

    #[test]
    fn the_garbler_accepts_either_label_and_no_other() {
        let (delta, zero) = (Delta::new(label(99)), label(1));
        assert_eq!(value_of(zero.to_bytes(), zero, &delta), Some(false));
        assert_eq!(value_of((zero ^ delta.label()).to_bytes(), zero, &delta), Some(true));
        assert_eq!(value_of(label(2).to_bytes(), zero, &delta), None);
    }
}
