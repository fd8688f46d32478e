//! What a run gives to Python.

use halfgate::engine::{Engine, Simulated};
use halfgate::protocol::session::{PhaseReport, Report};
use halfgate_circuit::Bits;
use serde_json::{Value, json};

/// The bits of each output that the party learns, and the run's report: an object of JSON with the
/// names that `halfgate run --json` has.
pub type Outcome = (Vec<Option<Vec<u8>>>, String);

/// The outcome of one of `runs` runs on `engine`.
pub fn outcome(report: &Report, engine: &dyn Engine, runs: u64) -> Outcome {
    let outputs = report.outputs.iter().map(|bits| bits.as_ref().map(Bits::to_bytes));
    let (own, peer) = &report.engines;
    let about = json!({
        "engine": own,
        "peer_engine": peer,
        "security": report.security.name(),
        "gates": report.counters.gates,
        "and_gates": report.counters.ands,
        "cycles": report.counters.cycles,
        "bytes_sent": report.bytes_sent,
        "bytes_received": report.bytes_received,
        "setup_seconds": report.setup.as_secs_f64(),
        "prepare_seconds": report.prepare.as_secs_f64(),
        "seconds": report.total.as_secs_f64(),
        "phases": report.phases.iter().map(phase).collect::<Vec<_>>(),
        "unconfirmed": report.unconfirmed.as_ref().map(|unconfirmed| &unconfirmed.reason),
        "simulated": simulated(engine, runs),
    });
    (outputs.collect(), about.to_string())
}

fn phase(of: &PhaseReport) -> Value {
    json!({
        "phase": of.phase.to_string(),
        "seconds": of.time.as_secs_f64(),
        "bytes_sent": of.bytes_sent,
        "bytes_received": of.bytes_received,
    })
}

/// One run's share of the time of a simulated machine: all runs take the same.
pub fn simulated(engine: &dyn Engine, runs: u64) -> Option<Value> {
    let all = engine.simulated().filter(|all| all.launches > 0)?;
    let runs = runs.max(1);
    let each = Simulated {
        clock_cycles: all.clock_cycles / runs,
        launches: all.launches / runs,
        mhz: all.mhz,
    };
    Some(json!({
        "clock_cycles": each.clock_cycles,
        "launches": each.launches,
        "mhz": each.mhz,
        "seconds": each.seconds(),
    }))
}
