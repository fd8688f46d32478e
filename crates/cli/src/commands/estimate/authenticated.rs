//! The traffic of a malicious session in advance.

use halfgate_circuit::Party;
use halfgate_console::print;
use halfgate_protocol::session::OtField;
use halfgate_protocol::session::authenticated::cost::{Cost, PhaseCost};
use serde::Serialize;
use std::fmt::Write;
use std::time::Duration;

/// Bytes and rounds of one run. Inputs, outputs and the set-up of transfers are not counted.
#[derive(Serialize)]
pub struct Traffic {
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
    /// The phases.
    phases: Vec<Phase>,
}

/// Traffic of a phase.
#[derive(Serialize)]
struct Phase {
    phase: String,
    garbler_bytes_per_and: f64,
    evaluator_bytes_per_and: f64,
    garbler_sends: u64,
    evaluator_sends: u64,
    rounds_per_window: u64,
}

impl Traffic {
    /// The traffic of a run with `ands` ANDs on a link of that bandwidth and one-way delay. Without
    /// a `field`, the parties choose it by the round trip.
    pub fn of(
        ands: u64,
        field: Option<OtField>,
        (bandwidth, delay_seconds): (f64, f64),
    ) -> Traffic {
        let round_trip = Duration::from_secs_f64(2.0 * delay_seconds);
        let field = field.unwrap_or_else(|| OtField::for_round_trip(Some(round_trip)));
        let cost = Cost::of(ands, field);
        let [garbler_sends, evaluator_sends] =
            [Party::Garbler, Party::Evaluator].map(|party| cost.bytes(party));
        // A round begins when the last has arrived, so the two directions do not overlap.
        let bits = 8.0 * (garbler_sends as f64 + evaluator_sends as f64);
        let rounds = cost.rounds() as f64 * cost.windows as f64;
        Traffic {
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
            link_seconds: bits / bandwidth + rounds * delay_seconds,
            phases: cost.phases.map(Phase::of).into(),
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
                 per window",
                phase.phase,
                print::bytes(phase.garbler_sends),
                phase.garbler_bytes_per_and,
                print::bytes(phase.evaluator_sends),
                phase.evaluator_bytes_per_and,
                phase.rounds_per_window,
            );
        }
        let _ = write!(
            text,
            "bytes      garbler sends {}, evaluator {}, without inputs and outputs\n\
             link       about {} at {}, {} one way: {} rounds per window, {} in all",
            print::bytes(self.garbler_sends),
            print::bytes(self.evaluator_sends),
            print::seconds(self.link_seconds),
            print::bandwidth(self.bandwidth),
            print::seconds(self.delay_seconds),
            self.rounds_per_window,
            n(self.rounds_per_window.saturating_mul(self.windows)),
        );
        text
    }
}

impl Phase {
    fn of(cost: PhaseCost) -> Phase {
        Phase {
            phase: cost.phase.to_string(),
            garbler_bytes_per_and: cost.bytes_per_and(Party::Garbler),
            evaluator_bytes_per_and: cost.bytes_per_and(Party::Evaluator),
            garbler_sends: cost.bytes(Party::Garbler),
            evaluator_sends: cost.bytes(Party::Evaluator),
            rounds_per_window: cost.rounds,
        }
    }
}
