//! Outputs: which label belongs to which bit, and how labels become values.
//!
//! For a bit that the evaluator learns, the garbler sends `h(W0, o)` and `h(W1, o)`, o being the
//! bit's number among all that the evaluator learns; for one that the garbler learns, the evaluator
//! returns its label. `h` is the TMMO hash of [`RandomOtHash`] under a permutation of its own, whose
//! key BLAKE3 derives from the run in a context used for nothing else, so that it has nothing in
//! common with the hash of the gates: the hashes tell the evaluator which of the two its own label
//! is, and nothing about the other, circular correlation robustness being just that.
//!
//! Memory: 16 bytes for each bit of each output that somebody learns (per-cycle outputs once a
//! cycle), until the run is over. Decoding data comes last, so neither party can let go earlier.

use super::{Learn, SessionError};
use crate::ot::{RandomOtHash, SessionId};
use halfgate_circuit::{Bit, Bits, Circuit, Output, Party};
use halfgate_engine::{Delta, Label, RunKey};
use subtle::ConstantTimeEq;
use zeroize::Zeroize;

/// Bits decoded in one frame.
pub(crate) const FRAME_BITS: usize = 4096;

/// Bytes of `h(W0, o)` and `h(W1, o)`.
pub(crate) const DECODING_BYTES: usize = 32;

/// The most output bits of a run, all cycles together: 16 GiB of labels.
const MAX_BITS: u64 = 1 << 30;

/// Output labels of a run, in their places. Wiped on drop.
pub(crate) struct OutputLabels<'c> {
    outputs: &'c [Output],
    learn: &'c [Learn],
    cycles: u64,
    /// Where the labels of each output begin, and the end. Outputs that nobody learns have none.
    start: Vec<usize>,
    /// The output that each bit (numbered through all outputs) belongs to begins there.
    first_bit: Vec<u32>,
    labels: Vec<Label>,
    present: Bits,
}

impl<'c> OutputLabels<'c> {
    /// Room for the labels of a run.
    ///
    /// # Errors
    /// [`SessionError::Usage`] if there are more than 2^30 output bits over all cycles.
    pub fn new(
        circuit: &'c Circuit,
        learn: &'c [Learn],
        cycles: u64,
    ) -> Result<OutputLabels<'c>, SessionError> {
        let mut start = vec![0];
        let mut first_bit = vec![0];
        let mut total = 0u64;
        for (output, learn) in circuit.outputs.iter().zip(learn) {
            let times = if output.per_cycle { cycles } else { 1 };
            let bits = if *learn == Learn::None { 0 } else { output.bits.len() as u64 };
            total = total.saturating_add(bits.saturating_mul(times));
            if total > MAX_BITS {
                let text = format!("output {:?} is too long over {cycles} cycles", output.name);
                return Err(SessionError::Usage(text));
            }
            start.push(total as usize);
            first_bit.push(first_bit[first_bit.len() - 1] + output.bits.len() as u32);
        }
        Ok(OutputLabels {
            outputs: &circuit.outputs,
            learn,
            cycles,
            start,
            first_bit,
            labels: vec![Label::ZERO; total as usize],
            present: Bits::with_len(total as usize),
        })
    }

    /// Puts labels in their places: those of `bits`, numbered through all outputs, in `cycle`.
    ///
    /// # Errors
    /// If the engine gave a bit or a cycle that there is not.
    pub fn put(&mut self, cycle: u64, bits: &[u32], labels: &[Label]) -> Result<(), SessionError> {
        for (&bit, &label) in bits.iter().zip(labels) {
            let port = self.first_bit.partition_point(|first| *first <= bit) - 1;
            let Some(output) = self.outputs.get(port) else {
                return Err(engine_error("an output bit that the program does not have"));
            };
            if cycle >= self.cycles || (!output.per_cycle && cycle + 1 != self.cycles) {
                return Err(engine_error("an output in a cycle that has none"));
            }
            if self.learn[port] == Learn::None {
                continue;
            }
            let before = if output.per_cycle { cycle as usize * output.bits.len() } else { 0 };
            let place = self.start[port] + before + (bit - self.first_bit[port]) as usize;
            self.labels[place] = label;
            self.present.set(place, true);
        }
        Ok(())
    }

    /// Checks that every bit that somebody learns has come.
    ///
    /// # Errors
    /// If the engine left one out.
    pub fn check_complete(&self) -> Result<(), SessionError> {
        let missing = (0..self.outputs.len())
            .flat_map(|port| self.places(port))
            .any(|(bit, place)| bit.as_constant().is_none() && !self.present.get(place));
        if missing { Err(engine_error("no label for some output bit")) } else { Ok(()) }
    }

    /// The places of the bits of an output, in order.
    fn places(&self, port: usize) -> impl Iterator<Item = (Bit, usize)> + '_ {
        let bits = &self.outputs[port].bits;
        let places = self.start[port]..self.start[port + 1];
        bits.iter().copied().cycle().zip(places)
    }

    /// The labels of all bits that `party` learns, in order, constants apart.
    pub fn learned_by(&self, party: Party) -> impl Iterator<Item = Label> + '_ {
        (0..self.outputs.len())
            .filter(move |port| self.learn[*port].by(party))
            .flat_map(|port| self.places(port))
            .filter(|(bit, _)| bit.as_constant().is_none())
            .map(|(_, place)| self.labels[place])
    }

    /// The values of `party`'s outputs: constants are known, the other bits are `bits`, in the
    /// order of [`learned_by`](OutputLabels::learned_by).
    pub fn values(&self, party: Party, bits: &Bits) -> Vec<Option<Bits>> {
        let mut next = 0..bits.len();
        let mut value = |bit: Bit| match bit.as_constant() {
            Some(constant) => constant,
            None => next.next().is_some_and(|index| bits.get(index)),
        };
        (0..self.outputs.len())
            .map(|port| {
                self.learn[port].by(party).then(|| {
                    let mut bits = Bits::new();
                    self.places(port).for_each(|(bit, _)| bits.push(value(bit)));
                    bits
                })
            })
            .collect()
    }
}

impl Drop for OutputLabels<'_> {
    fn drop(&mut self) {
        self.labels.zeroize();
    }
}

fn engine_error(what: &str) -> SessionError {
    let text = format!("it gave {what}");
    SessionError::Engine(halfgate_engine::EngineError::Unsupported(text))
}

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

    /// Garbler: what the evaluator decodes by, for bits from number `first` on; appended to `out`.
    pub fn decoding(&self, first: u64, labels: &[Label], delta: &Delta, out: &mut Vec<u8>) {
        let mut pairs = Vec::with_capacity(labels.len());
        self.hash.hash_pairs(first, labels, delta, &mut pairs);
        for (zero, one) in pairs {
            out.extend_from_slice(&zero.to_bytes());
            out.extend_from_slice(&one.to_bytes());
        }
    }

    /// Evaluator: replaces the labels of bits from number `first` on by their hashes.
    pub fn hash(&self, first: u64, labels: &mut [Label]) {
        self.hash.hash(first, labels);
    }
}

/// Evaluator: the value of a bit whose label has this hash, or `None` if the garbler's data does
/// not fit it.
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
        let mut data = Vec::new();
        DecodingHash::new(2, KEY).decoding(7, &labels, &delta, &mut data);
        let data = data.as_chunks::<DECODING_BYTES>().0;
        let values = |run, first, offset: Label| -> Vec<_> {
            let mut hashes: Vec<_> = labels.iter().map(|label| *label ^ offset).collect();
            DecodingHash::new(run, KEY).hash(first, &mut hashes);
            hashes.into_iter().zip(data).map(|(hash, data)| decode(hash, data)).collect()
        };
        assert!(values(2, 7, Label::ZERO).iter().all(|value| *value == Some(false)));
        assert!(values(2, 7, delta.label()).iter().all(|value| *value == Some(true)));
        // Another label, another place, another run.
        assert!(values(2, 7, label(3)).iter().all(Option::is_none));
        assert!(values(2, 8, Label::ZERO).iter().all(Option::is_none));
        assert!(values(1, 7, Label::ZERO).iter().all(Option::is_none));
    }

    #[test]
    fn data_that_fits_both_values_is_no_decoding() {
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
