//! Estimates the cost of a run in advance: its bytes, and its time by a model.
//!
//! The parties compute while the network transfers, so after set-up a run takes as long as the
//! slower of computing and transferring. Bytes count the payloads of tables, labels, transfers and
//! decoding data. Frame headers, TLS records and TCP's slow start are not counted.

pub mod authenticated;
pub mod measured;

use authenticated::PhasesEstimate;
use halfgate_circuit::{Input, Output, Party};
use halfgate_console::print;
use halfgate_engine::Suite;
use serde::Serialize;

/// Round trips in which a party waits for the other. Before the first label: TCP, TLS, handshake,
/// base OTs and the first extension. After the last table: digests and decoding.
const ROUND_TRIPS: f64 = 7.0;
/// Computing time of set-up: 128 base OTs on curve25519, at a fast core's rate.
const SETUP_SECONDS: f64 = 0.01;
/// Bytes of a label on the connection.
const LABEL: u64 = 16;

/// The cost of a run, by the session's security level.
#[derive(Serialize)]
#[serde(tag = "security", rename_all = "kebab-case")]
pub enum Expected {
    /// Bytes and time.
    SemiHonest(Estimate),
    /// The same for each phase.
    Malicious(PhasesEstimate),
}

impl Expected {
    /// The lines of a text about it; `measured` says where the rate of an engine comes from.
    pub fn text(&self, measured: bool) -> String {
        match self {
            Expected::SemiHonest(estimate) => estimate.text(measured),
            Expected::Malicious(estimate) => estimate.text(),
        }
    }
}

/// Bytes and time of one run.
#[derive(Serialize)]
pub struct Estimate {
    /// Bytes from the garbler: tables, its own labels, decoding data.
    pub garbler_sends: u64,
    /// Bytes from the evaluator: OT extension, labels of the garbler's outputs.
    pub evaluator_sends: u64,
    /// Bits per second.
    pub bandwidth: f64,
    /// One-way delay, in seconds.
    pub delay_seconds: f64,
    /// ANDs per second of the slower party.
    pub ands_per_second: f64,
    /// Time of the whole run.
    pub seconds: f64,
    /// `network`, `engine` or `delay`: the part that takes most of the time.
    pub bound_by: &'static str,
}

/// The parties and their link.
#[derive(Clone, Copy)]
pub struct On {
    /// Bits per second.
    pub bandwidth: f64,
    /// One-way delay, in seconds.
    pub delay_seconds: f64,
    /// ANDs per second of the slower party.
    pub ands_per_second: f64,
}

impl Estimate {
    /// Estimates a run of `cycles` cycles with `ands` ANDs in total, where both parties learn all
    /// outputs.
    pub fn of(
        (inputs, outputs): (&[Input], &[Output]),
        (cycles, ands): (u64, u64),
        On { bandwidth, delay_seconds, ands_per_second }: On,
    ) -> Estimate {
        let times = |per_cycle: bool| if per_cycle { cycles } else { 1 };
        let bits = |party| -> u64 {
            let own = inputs.iter().filter(|input| input.party == party);
            own.map(|input| u64::from(input.width).saturating_mul(times(input.per_cycle))).sum()
        };
        let outputs: u64 = outputs
            .iter()
            .map(|output| (output.bits.len() as u64).saturating_mul(times(output.per_cycle)))
            .sum();
        let tables = ands.saturating_mul(Suite::HalfGates.table_bytes() as u64);
        // An extended OT costs its receiver 128 bits. A decoded bit costs the garbler two hashes,
        // and the evaluator one label.
        let labels = bits(Party::Garbler).saturating_mul(LABEL);
        let garbler_sends =
            tables.saturating_add(labels).saturating_add(outputs.saturating_mul(2 * LABEL));
        let transfers = bits(Party::Evaluator).saturating_mul(LABEL);
        let evaluator_sends = transfers.saturating_add(outputs.saturating_mul(LABEL));

        let network = 8.0 * garbler_sends.max(evaluator_sends) as f64 / bandwidth;
        let engine = ands as f64 / ands_per_second;
        let waiting = ROUND_TRIPS * 2.0 * delay_seconds + SETUP_SECONDS;
        let bound_by = match network.max(engine) {
            busy if waiting >= busy => "delay",
            _ if network >= engine => "network",
            _ => "engine",
        };
        Estimate {
            garbler_sends,
            evaluator_sends,
            bandwidth,
            delay_seconds,
            ands_per_second,
            seconds: network.max(engine) + waiting,
            bound_by,
        }
    }

    /// The lines of a text about it; `measured` says where the rate comes from.
    fn text(&self, measured: bool) -> String {
        format!(
            "bytes      garbler sends {}, evaluator {}\n\
             time       about {} at {}, {} one way, {} ({}); most of it {}",
            print::bytes(self.garbler_sends),
            print::bytes(self.evaluator_sends),
            print::seconds(self.seconds),
            print::bandwidth(self.bandwidth),
            print::seconds(self.delay_seconds),
            print::rate(self.ands_per_second, "AND"),
            if measured { "measured here" } else { "--rate" },
            match self.bound_by {
                "delay" => "set-up and delay",
                other => other,
            }
        )
    }
}
