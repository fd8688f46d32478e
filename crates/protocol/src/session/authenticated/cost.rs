//! The traffic of authenticated garbling, by a formula.
//!
//! Both parties make authenticated ANDs for a window of ANDs at a time, and a window is always
//! full. The counts are of payloads: frame headers, the set-up of transfers, inputs and outputs are
//! not counted. Rounds are those of the messages in docs/malicious.md.

use crate::ot::OtField;
use crate::session::STATISTICAL;
use halfgate_circuit::Party;
use std::fmt;

/// Most ANDs of a window.
pub const MAX_WINDOW_ANDS: u64 = 1 << 17;

/// Fewest ANDs of a window. A circuit with fewer makes ANDs that it does not use.
pub const MIN_WINDOW_ANDS: u64 = 128;

/// Smallest number of leaky ANDs that are combined into one.
pub const MIN_BUCKET: u32 = 3;

/// Authenticated bits for which one message is sent.
pub(super) const BITS_AT_ONCE: usize = 1 << 16;

/// Leaky ANDs that are made together. What is in work then is some 2 MB, as large as a
/// second-level cache.
pub(super) const LEAKY_AT_ONCE: usize = 3 << 12;

/// ANDs whose buckets are combined together. Their bits stay in a second-level cache of 2 MB.
pub(super) const COMBINED_AT_ONCE: usize = 1 << 11;

/// A phase of a malicious session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Authenticated ANDs of random bits, which depend on neither the circuit nor the inputs.
    Correlations,
    /// The garbled tables, which depend on the circuit.
    FunctionDependent,
    /// The masked values of wires, which depend on the inputs.
    Online,
}

impl Phase {
    /// All phases, in the order of a window's rounds.
    pub const ALL: [Phase; 3] = [Phase::Correlations, Phase::FunctionDependent, Phase::Online];
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::Correlations => "correlations",
            Phase::FunctionDependent => "function-dependent",
            Phase::Online => "online",
        })
    }
}

/// Traffic of a phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseCost {
    /// The phase.
    pub phase: Phase,
    /// Bits for each AND that the garbler sends.
    pub garbler_bits: u64,
    /// Bits for each AND that the evaluator sends.
    pub evaluator_bits: u64,
    /// Rounds for each window. A round is a message that waits for the peer's last one. Those in
    /// which bits for inputs are drawn are not counted: two for each 8,192 input bits.
    pub rounds: u64,
    /// The ANDs that are paid for.
    pub ands: u64,
}

impl PhaseCost {
    /// Bytes that `party` sends for each AND.
    pub fn bytes_per_and(&self, party: Party) -> f64 {
        self.bits(party) as f64 / 8.0
    }

    /// Bytes that `party` sends in all, rounded up.
    pub fn bytes(&self, party: Party) -> u64 {
        let bits = u128::from(self.ands) * u128::from(self.bits(party));
        u64::try_from(bits.div_ceil(8)).unwrap_or(u64::MAX)
    }

    fn bits(&self, party: Party) -> u64 {
        match party {
            Party::Garbler => self.garbler_bits,
            Party::Evaluator => self.evaluator_bits,
        }
    }
}

/// Traffic of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cost {
    /// ANDs of the run.
    pub ands: u64,
    /// ANDs of a window: N.
    pub window_ands: u64,
    /// Windows of the run: R.
    pub windows: u64,
    /// Leaky ANDs that are combined into one: B.
    pub bucket_size: u32,
    /// The phases, in the order of their rounds.
    pub phases: [PhaseCost; 3],
}

impl Cost {
    /// The traffic of a run with `ands` ANDs and transfers over `field`.
    pub fn of(ands: u64, field: OtField) -> Cost {
        let bucket = bucket_size(ands);
        let (window_ands, windows) = split(ands, MAX_WINDOW_ANDS);
        let b = u64::from(bucket);
        // For each leaky AND: 3 transfers, one hash, and 2 opened bits.
        let transfer = 8 * (16 / field.bits() as u64);
        let each = 3 * b * transfer + b * 8 * 16 + 2 * b;
        let phase = |phase, (garbler_bits, evaluator_bits), rounds, ands| PhaseCost {
            phase,
            garbler_bits,
            evaluator_bits,
            rounds,
            ands,
        };
        let made = window_ands.saturating_mul(windows);
        Cost {
            ands,
            window_ands,
            windows,
            bucket_size: bucket,
            phases: [
                phase(Phase::Correlations, (each, each), correlation_rounds(window_ands, b), made),
                // Two rows, and the colour bit of the output's label.
                phase(Phase::FunctionDependent, (8 * 32 + 1, 0), 1, ands),
                // Masked inputs do not wait for tables: the rounds are labels, masked values, the
                // proof, and the evaluator's shares of outputs.
                phase(Phase::Online, (0, 1), 4, ands),
            ],
        }
    }

    /// Bytes that `party` sends in all phases.
    pub fn bytes(&self, party: Party) -> u64 {
        self.phases.iter().fold(0, |sum, phase| sum.saturating_add(phase.bytes(party)))
    }

    /// Rounds for each window, in all phases.
    pub fn rounds(&self) -> u64 {
        self.phases.iter().map(|phase| phase.rounds).sum()
    }
}

/// Rounds of a window's correlations. Long messages are sent in pieces, and each waits for the
/// peer's last one.
fn correlation_rounds(ands: u64, bucket: u64) -> u64 {
    let pieces = |count: u64, at_once: usize| count.div_ceil(at_once as u64);
    let made = pieces(ands, LEAKY_AT_ONCE) + pieces(ands * (bucket - 1), LEAKY_AT_ONCE);
    // The last piece's G and d follow. Then where the walks have stopped, the commitment, its
    // opening, and the opened bits.
    pieces(ands, BITS_AT_ONCE) + made + 2 + 4
}

/// The number of ANDs in each window of a run with `ands` ANDs: N. The windows are as equal as they
/// can be, so that the last one makes few ANDs that are not used.
pub fn window_ands(ands: u64) -> u64 {
    split(ands, MAX_WINDOW_ANDS).0
}

/// The number of windows of a run with `ands` ANDs: R.
pub fn windows(ands: u64) -> u64 {
    split(ands, MAX_WINDOW_ANDS).1
}

/// N and R of a run with `ands` ANDs, in windows of at most `most`.
pub(super) fn split(ands: u64, most: u64) -> (u64, u64) {
    let windows = ands.div_ceil(most);
    (ands.div_ceil(windows.max(1)).max(MIN_WINDOW_ANDS), windows)
}

/// How many leaky ANDs are combined into one for a run with `ands` ANDs: B. It is the smallest with
/// R · 2^-B · N^-(B-1) <= 2^-[`STATISTICAL`].
///
/// If R windows of N·B leaky ANDs each are permuted at random, this bounds the probability that a
/// bucket has only ANDs of which the peer has guessed a bit.
pub fn bucket_size(ands: u64) -> u32 {
    bucket_size_of(split(ands, MAX_WINDOW_ANDS))
}

/// [`bucket_size`] for R `windows` of N `ands` each.
pub(super) fn bucket_size_of((ands, windows): (u64, u64)) -> u32 {
    let n = u128::from(ands);
    // R is at most 2^47, so the product is exact.
    let bound = u128::from(windows.max(1)) << STATISTICAL;
    let mut bucket = MIN_BUCKET;
    while (2 * n).saturating_pow(bucket) / n < bound {
        bucket += 1;
    }
    bucket
}

#[cfg(test)]
mod tests {
    use super::*;

    /// log2 of R · 2^-B · N^-(B-1).
    fn exponent(ands: u64, bucket: u32) -> f64 {
        let (n, r) = (window_ands(ands) as f64, windows(ands).max(1) as f64);
        r.log2() - f64::from(bucket) - f64::from(bucket - 1) * n.log2()
    }

    #[test]
    fn windows_cover_all_ands() {
        for (ands, n, r) in [
            (0, 128, 0),
            (1, 128, 1),
            (128, 128, 1),
            (129, 129, 1),
            (1 << 17, 1 << 17, 1),
            ((1 << 17) + 1, (1 << 16) + 1, 2),
            (u64::MAX, 1 << 17, 1 << 47),
        ] {
            assert_eq!((window_ands(ands), windows(ands)), (n, r), "{ands}");
        }
    }

    #[test]
    fn buckets_are_the_smallest_within_the_bound() {
        for (ands, bucket) in [
            (0, 6),
            (32, 6),
            (128, 6),
            (6_400, 4),
            (1 << 17, 4),
            (1 << 32, 4),
            ((1 << 32) + 1, 5),
            (1 << 50, 5),
            ((1 << 50) + 1, 6),
            (u64::MAX, 6),
        ] {
            assert_eq!(bucket_size(ands), bucket, "{ands}");
        }
        let rough = (0..64).flat_map(|bits| [1u64 << bits, (1 << bits) + 1, 3 << bits >> 1]);
        for ands in rough {
            let bucket = bucket_size(ands);
            let bound = -f64::from(STATISTICAL);
            // The logarithms are rounded.
            assert!(exponent(ands, bucket) <= bound + 1e-9, "{ands}");
            let is_least = bucket == MIN_BUCKET || exponent(ands, bucket - 1) > bound - 1e-9;
            assert!(is_least, "{ands}: {bucket}");
        }
    }

    #[test]
    fn larger_windows_need_no_larger_buckets() {
        let sizes: Vec<_> = (7..18).map(|bits| bucket_size(1 << bits)).collect();
        assert!(sizes.is_sorted_by(|a, b| a >= b), "{sizes:?}");
        assert_eq!((sizes[0], sizes[10]), (6, 4));
    }

    #[test]
    fn traffic_of_aes() {
        let cost = Cost::of(6_400, OtField::Eight);
        assert_eq!((cost.window_ands, cost.windows, cost.bucket_size), (6_400, 1, 4));
        let [correlations, tables, online] = cost.phases;
        for party in [Party::Garbler, Party::Evaluator] {
            // 12 transfers of 2 bytes, 4 hashes of 16 bytes, 8 bits.
            assert_eq!(correlations.bytes_per_and(party), 89.0);
            assert_eq!(correlations.bytes(party), 569_600);
        }
        assert_eq!(tables.bytes_per_and(Party::Garbler), 32.125);
        assert_eq!(tables.bytes(Party::Garbler), 205_600);
        assert_eq!((tables.bytes(Party::Evaluator), online.bytes(Party::Garbler)), (0, 0));
        assert_eq!(online.bytes(Party::Evaluator), 800);
        assert_eq!(cost.bytes(Party::Garbler), 775_200);
        assert_eq!(cost.phases.map(|phase| phase.rounds), [10, 1, 4]);
        assert_eq!(cost.rounds(), 15);
        assert_eq!(Cost::of(1 << 17, OtField::Eight).phases[0].rounds, 2 + 11 + 32 + 6);
    }

    #[test]
    fn smaller_fields_send_more() {
        let each = OtField::ALL.map(|field| {
            let [correlations, ..] = Cost::of(1 << 17, field).phases;
            correlations.bytes_per_and(Party::Garbler)
        });
        assert_eq!(each, [257.0, 161.0, 113.0, 89.0]);
    }

    /// A small circuit pays for the whole window.
    #[test]
    fn unused_ands_are_paid_for() {
        let [correlations, tables, _] = Cost::of(32, OtField::Eight).phases;
        assert_eq!((correlations.ands, tables.ands), (128, 32));
        assert_eq!(tables.bytes(Party::Garbler), 32 * 32 + 4);
        let [correlations, ..] = Cost::of((1 << 17) + 1, OtField::Eight).phases;
        assert_eq!(correlations.ands, (1 << 17) + 2);
        assert_eq!(Cost::of(u64::MAX, OtField::One).bytes(Party::Garbler), u64::MAX);
    }
}
