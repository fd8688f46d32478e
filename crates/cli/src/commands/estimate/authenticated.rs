//! The traffic and the time of a malicious session in advance.

use super::measured::Sample;
use halfgate_circuit::Party;
use halfgate_console::error::Failure;
use halfgate_console::print;
use halfgate_protocol::session::OtField;
use halfgate_protocol::session::authenticated::cost::{self, Cost, PhaseCost};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// One-way delays before the run: two each for TCP, TLS and the handshake; one for the parties'
/// agreement on what the session does, and three for the transfers' set-up.
const SETUP_DELAYS: f64 = 10.0;

/// Bytes, rounds and time of one run. The bytes of inputs, outputs and the set-up of transfers are
/// not counted.
#[derive(Serialize)]
pub struct PhasesEstimate {
    /// ANDs of the run.
    ands: u64,
    /// ANDs of a window.
    window_ands: u64,
    /// Windows of the run.
    windows: u64,
    /// Leaky ANDs that are combined into one.
    bucket_size: u32,
    /// Bits of an element of the transfers' field.
    ot_field: usize,
    /// Rounds of each window: messages that must wait for the peer's last one.
    rounds_per_window: u64,
    /// Bytes from the garbler.
    garbler_sends: u64,
    /// Bytes from the evaluator.
    evaluator_sends: u64,
    /// Bits per second.
    bandwidth: f64,
    /// One-way delay, in seconds.
    delay_seconds: f64,
    /// The link's part of the time: all bytes at the bandwidth, and the delay of each round.
    link_seconds: f64,
    /// ANDs of the session that was measured here.
    measured_ands: u64,
    /// The time before the run: what it took here, and the delay of its messages.
    setup_seconds: f64,
    /// Computing time of all phases, on this machine with both parties on it.
    computing_seconds: f64,
    /// Time of set-up, computation and link together.
    seconds: f64,
    /// The phases.
    phases: Vec<Phase>,
}

/// Traffic and time of a phase.
#[derive(Serialize)]
struct Phase {
    phase: String,
    garbler_bytes_per_and: f64,
    evaluator_bytes_per_and: f64,
    garbler_sends: u64,
    evaluator_sends: u64,
    rounds_per_window: u64,
    /// Computing time, without the link.
    seconds: f64,
    /// The same for each AND of the run.
    nanoseconds_per_and: f64,
}

impl PhasesEstimate {
    /// Estimates a run with `ands` ANDs on a link of that bandwidth and one-way delay. Without a
    /// `field`, the parties choose it by the round trip. Runs a short session to measure this
    /// machine.
    ///
    /// # Errors
    /// If the engine fails.
    pub fn measured(
        ands: u64,
        field: Option<OtField>,
        link: (f64, f64),
    ) -> Result<PhasesEstimate, Failure> {
        let round_trip = Duration::from_secs_f64(2.0 * link.1);
        let field = field.unwrap_or_else(|| OtField::for_round_trip(Some(round_trip)));
        Ok(PhasesEstimate::of(ands, field, link, &Sample::measure(ands, field)?))
    }

    fn of(
        ands: u64,
        field: OtField,
        (bandwidth, delay_seconds): (f64, f64),
        sample: &Sample,
    ) -> PhasesEstimate {
        let cost = Cost::of(ands, field);
        let [garbler_sends, evaluator_sends] =
            [Party::Garbler, Party::Evaluator].map(|party| cost.bytes(party));
        // A round begins when the last has arrived, so the two directions do not overlap.
        let bits = 8.0 * (garbler_sends as f64 + evaluator_sends as f64);
        let rounds = cost.rounds() as f64 * cost.windows as f64;
        let link_seconds = bits / bandwidth + rounds * delay_seconds;
        let setup_seconds = sample.setup + SETUP_DELAYS * delay_seconds;
        let phases = cost.phases.map(|phase| Phase::of(phase, &cost, sample));
        let computing_seconds = phases.iter().map(|phase| phase.seconds).sum();
        PhasesEstimate {
            ands,
            window_ands: cost.window_ands,
            windows: cost.windows,
            bucket_size: cost.bucket_size,
            ot_field: field.bits(),
            rounds_per_window: cost.rounds(),
            garbler_sends,
            evaluator_sends,
            bandwidth,
            delay_seconds,
            link_seconds,
            measured_ands: sample.ands(),
            setup_seconds,
            computing_seconds,
            seconds: setup_seconds + computing_seconds + link_seconds,
            phases: phases.into(),
        }
    }

    /// The lines of a text about it.
    pub(super) fn text(&self) -> String {
        let n = print::grouped;
        let mut text = format!(
            "malicious  {} windows of {} ANDs, buckets of {}, transfers over a field of {} bits\n",
            n(self.windows),
            n(self.window_ands),
            self.bucket_size,
            self.ot_field
        );
        for phase in &self.phases {
            let _ = writeln!(
                text,
                "  {:18} garbler sends {} ({:.3} bytes per AND), evaluator {} ({:.3}); {} rounds \
                 per window; about {} of computation, {:.0} ns per AND",
                phase.phase,
                print::bytes(phase.garbler_sends),
                phase.garbler_bytes_per_and,
                print::bytes(phase.evaluator_sends),
                phase.evaluator_bytes_per_and,
                phase.rounds_per_window,
                print::seconds(phase.seconds),
                phase.nanoseconds_per_and,
            );
        }
        let _ = write!(
            text,
            "bytes      garbler sends {}, evaluator {}, without inputs and outputs\n\
             link       about {} at {}, {} one way: {} rounds per window, {} in all\n\
             time       about {}: set-up {}, computation {}, and the link; an estimate from this machine, \
             where both parties just ran {} ANDs of AES-128",
            print::bytes(self.garbler_sends),
            print::bytes(self.evaluator_sends),
            print::seconds(self.link_seconds),
            print::bandwidth(self.bandwidth),
            print::seconds(self.delay_seconds),
            self.rounds_per_window,
            n(self.rounds_per_window.saturating_mul(self.windows)),
            print::seconds(self.seconds),
            print::seconds(self.setup_seconds),
            print::seconds(self.computing_seconds),
            n(self.measured_ands),
        );
        text
    }
}

impl Phase {
    fn of(phase: PhaseCost, cost: &Cost, sample: &Sample) -> Phase {
        let [first, other] = sample.seconds_per_and(phase.phase);
        let in_first = phase.ands.min(cost.window_ands);
        let seconds = in_first as f64 * first + (phase.ands - in_first) as f64 * other;
        // Correlations take as long as their leaky ANDs.
        let buckets = match phase.phase {
            cost::Phase::Correlations => {
                f64::from(cost.bucket_size) / f64::from(sample.bucket_size)
            }
            cost::Phase::FunctionDependent | cost::Phase::Online => 1.0,
        };
        let seconds = buckets * seconds;
        Phase {
            phase: phase.phase.to_string(),
            garbler_bytes_per_and: phase.bytes_per_and(Party::Garbler),
            evaluator_bytes_per_and: phase.bytes_per_and(Party::Evaluator),
            garbler_sends: phase.bytes(Party::Garbler),
            evaluator_sends: phase.bytes(Party::Evaluator),
            rounds_per_window: phase.rounds,
            seconds,
            nanoseconds_per_and: 1e9 * seconds / cost.ands.max(1) as f64,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::measured::SampleWindow;
    use super::*;

    fn sample(windows: Vec<SampleWindow>) -> Sample {
        Sample { bucket_size: 4, setup: 0.5, windows }
    }

    fn seconds(ands: u64, sample: &Sample) -> Vec<f64> {
        let estimate = PhasesEstimate::of(ands, OtField::Two, (1e9, 0.25), sample);
        assert_eq!(estimate.setup_seconds, 0.5 + 10.0 * 0.25);
        assert_eq!(estimate.measured_ands, sample.ands());
        let sum: f64 = estimate.phases.iter().map(|phase| phase.seconds).sum();
        assert!((estimate.computing_seconds - sum).abs() < 1e-9);
        let all = estimate.setup_seconds + sum + estimate.link_seconds;
        assert!((estimate.seconds - all).abs() < 1e-9);
        estimate.phases.iter().map(|phase| phase.seconds).collect()
    }

    #[test]
    fn time_is_in_proportion_to_the_sample() {
        let window = |ands| SampleWindow { ands, seconds: [4.0, 2.0, 1.0] };
        let one = sample(vec![window(1_000)]);
        assert_eq!(seconds(8_000, &one), [32.0, 16.0, 8.0]);
        // 128 ANDs are made, in larger buckets.
        assert_eq!(seconds(1, &one), [0.128 * 4.0 * 6.0 / 4.0, 0.002, 0.001]);
        assert_eq!(seconds(0, &one), [0.0; 3]);
        // The first window takes longer than the others.
        let two = sample(vec![window(1_000), window(2_000)]);
        assert_eq!(seconds(8_000, &two), [32.0, 16.0, 8.0]);
        let long = seconds(1 << 18, &two);
        let expected = [4.0, 2.0, 1.0].map(|each| f64::from(1 << 17) * each * 1.5e-3);
        for (found, expected) in long.iter().zip(expected) {
            assert!((found - expected).abs() < 1e-6 * expected, "{found} {expected}");
        }
    }

    #[test]
    fn a_sample_has_about_as_many_ands_as_the_run() {
        for (ands, measured, windows) in [(1, 6_400, 1), (20_000, 19_200, 1), (1 << 40, 134_400, 2)]
        {
            let sample = Sample::measure(ands, OtField::Two).expect("a session");
            assert_eq!((sample.ands(), sample.windows.len()), (measured, windows));
            assert!(sample.setup > 0.0);
            for window in &sample.windows {
                assert!(window.ands > 0 && window.seconds.iter().all(|seconds| *seconds > 0.0));
            }
        }
    }
}
