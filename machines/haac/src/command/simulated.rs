//! The output of a simulation: the cycles of all launches; for one launch the causes of its cycles,
//! bytes, bounds and energy. If the model stopped, the reason.

use crate::dram::RunError;
use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::Error;
use halfgate_haac_model::model::bounds::Bounds;
use halfgate_haac_model::model::energy::Energy;
use halfgate_haac_model::report::{Bytes, Report};
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use std::fmt::Write;

/// One role's run on a machine.
pub(super) struct Simulated<'a> {
    /// The role of the machine.
    pub role: Party,
    /// The model's report.
    pub report: Report,
    /// Lower bounds of the program.
    pub bounds: Bounds,
    /// The machine.
    pub machine: &'a Machine,
    /// Whether queues and window were full at the start.
    pub preloaded: bool,
    /// Number of launches, which run one after the other, one per netlist cycle. Every launch takes
    /// the same number of clock cycles, since times depend only on the code.
    pub launches: u64,
    /// Whether an HBM2 is attached.
    pub has_hbm2: bool,
}

/// Clock cycles of `launches` launches that take `each` cycles.
///
/// # Errors
/// If they exceed 64 bits.
pub(super) fn all_cycles(launches: u64, each: u64) -> Result<u64, Failure> {
    launches.checked_mul(each).ok_or_else(|| {
        let what = format!(
            "--cycles {launches}: a launch takes {each} clock cycles, and more than {} launches \
             take more than 64 bits can count",
            u64::MAX / each.max(1)
        );
        Failure::new(Exit::Usage, what)
    })
}

impl Simulated<'_> {
    fn role(&self) -> &'static str {
        match self.role {
            Party::Garbler => "garbler",
            Party::Evaluator => "evaluator",
        }
    }

    /// Clock cycles of all launches; [`all_cycles`] has checked for overflow.
    fn cycles(&self) -> u64 {
        self.launches.saturating_mul(self.report.cycles)
    }

    fn seconds(&self, cycles: u64) -> f64 {
        cycles as f64 / f64::from(self.machine.mhz) * 1e-6
    }

    fn share(&self) -> f64 {
        self.bounds.share(self.report.cycles)
    }

    /// Energy of each part in nJ. The HBM2 interface counts only if it is attached.
    fn energy(&self) -> [(&'static str, f64); 7] {
        let parts = Energy::of(&self.report, self.machine).nanojoules;
        let phy = if self.has_hbm2 { parts.phy } else { 0.0 };
        [
            ("half_gates", parts.half_gate),
            ("xors", parts.free_xor),
            ("forwarding", parts.forwarding),
            ("crossbar", parts.crossbar),
            ("window", parts.window),
            ("queues", parts.queues),
            ("hbm2_interface", phy),
        ]
    }

    /// The results as text.
    pub fn text(&self, gates: u64) -> String {
        let report = &self.report;
        let n = print::grouped;
        let mut text = String::new();
        let _ = writeln!(text, "\n{} with {}", self.role(), self.machine.memory.name);
        let _ = writeln!(
            text,
            "cycles       {}, {} at {} MHz; {}first issue in cycle {}, {} from there to the last write-back",
            n(self.cycles()),
            print::seconds(self.seconds(self.cycles())),
            self.machine.mhz,
            if self.launches == 1 { "" } else { "in each launch " },
            n(report.first_issue),
            n(report.busy_cycles())
        );
        if self.launches != 1 {
            let _ = writeln!(
                text,
                "launches     {} of {} cycles each, one per netlist cycle; the rest is for one",
                n(self.launches),
                n(report.cycles)
            );
        }
        let a_second = gates as f64 / self.seconds(report.cycles).max(1e-12);
        let _ = writeln!(text, "rate         {}", print::rate(a_second, "gates"));
        let _ = writeln!(
            text,
            "bound        {} cycles ({}): engines {}, longest path {}, memory {}; {:.1} % of it reached",
            n(self.bounds.greatest()),
            self.bounds.limit(),
            n(self.bounds.engines),
            n(self.bounds.path),
            n(self.bounds.memory),
            100.0 * self.share()
        );
        let _ = writeln!(text, "cycles went  {}", print::shares(&report.causes().named()));
        let _ = writeln!(
            text,
            "memory       {:.1} % of the bandwidth; in {} cycles something waited for it",
            100.0 * report.memory_share(),
            n(report.memory_bound_cycles)
        );
        let (counted, bursts) = (report.traffic.bytes(16), report.traffic.bytes(64));
        let _ = writeln!(text, "bytes        {:>14} {:>14}", "wires 16 B", "wires 64 B");
        for ((name, some), (_, more)) in kinds(&counted).into_iter().zip(kinds(&bursts)) {
            let _ = writeln!(text, "  {name:22} {:>14} {:>14}", n(some), n(more));
        }
        let energy = self.energy();
        let parts: Vec<_> = energy.iter().map(|(name, nj)| format!("{name} {nj:.1}")).collect();
        let total: f64 = energy.iter().map(|(_, nj)| nj).sum();
        let _ = write!(text, "energy       {total:.1} nJ: {}", parts.join(", "));
        text
    }

    /// The results as JSON. `cycles` and `seconds` are those of all launches; all other values are
    /// those of one launch.
    pub fn json(&self) -> Value {
        let report = &self.report;
        let map = |pairs: &[(&'static str, u64)]| -> Map<String, Value> {
            pairs.iter().map(|(name, value)| ((*name).to_owned(), json!(value))).collect()
        };
        let nj: Map<_, _> =
            self.energy().iter().map(|(name, nj)| ((*name).to_owned(), json!(nj))).collect();
        json!({
            "role": self.role(),
            "preloaded": self.preloaded,
            "launches": self.launches,
            "cycles": self.cycles(),
            "seconds": self.seconds(self.cycles()),
            "launch_cycles": report.cycles,
            "first_issue": report.first_issue,
            "last_write_back": report.last_write_back,
            "busy_cycles": report.busy_cycles(),
            "bounds": {
                "engines": self.bounds.engines,
                "path": self.bounds.path,
                "memory": self.bounds.memory,
                "cycles": self.bounds.greatest(),
                "by": self.bounds.limit(),
                "reached": self.share(),
            },
            "engine_cycles": map(&report.causes().named()),
            "per_engine": report.engines.iter().map(|e| map(&e.named())).collect::<Vec<_>>(),
            "bytes_16": map(&kinds(&report.traffic.bytes(16))),
            "bytes_64": map(&kinds(&report.traffic.bytes(64))),
            "wire_bytes": report.wire_bytes,
            "preloaded_bytes": report.preloaded_bytes,
            "memory_share": report.memory_share(),
            "memory_bound_cycles": report.memory_bound_cycles,
            "energy_nj": nj,
        })
    }
}

/// Bytes by kind, and the sum.
fn kinds(bytes: &Bytes) -> [(&'static str, u64); 8] {
    [
        ("instructions", bytes.instructions),
        ("tables", bytes.tables),
        ("oor_addresses", bytes.oor_addresses),
        ("oor_wires", bytes.oor_wires),
        ("live", bytes.live),
        ("live_outputs", bytes.live_outputs),
        ("inputs", bytes.inputs),
        ("all", bytes.sum()),
    ]
}

/// The failure for a run with a DRAM.
pub(super) fn dram_failure(error: RunError<Infallible>) -> Failure {
    match error {
        RunError::Model(error) => failure(error),
        RunError::Dram(error) => Failure::new(Exit::Local, error),
        RunError::TooLarge(error) => Failure::new(Exit::Usage, error),
    }
}

/// The failure for a model that stopped: the program does not fit the machine, or is invalid.
pub(super) fn failure(error: Error<Infallible>) -> Failure {
    let exit = match &error {
        Error::Io(_) => Exit::Local,
        Error::Machine(_) => Exit::Unknown,
        _ => Exit::Circuit,
    };
    Failure::new(exit, error)
}
