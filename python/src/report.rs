//! What a run gives to Python.

use halfgate::protocol::session::Report;
use halfgate_circuit::Bits;

/// The bits of each output that the party learns, and numbers about the run.
pub type Outcome = (Vec<Option<Vec<u8>>>, Numbers);

/// Names and numbers: ANDs, bytes sent and received, seconds.
pub type Numbers = Vec<(&'static str, f64)>;

/// The outcome of a report.
pub fn outcome(report: &Report) -> Outcome {
    let outputs = report.outputs.iter().map(|bits| bits.as_ref().map(Bits::to_bytes));
    let numbers = vec![
        ("bytes_sent", report.bytes_sent as f64),
        ("bytes_received", report.bytes_received as f64),
        ("setup_seconds", report.setup.as_secs_f64()),
        ("prepare_seconds", report.prepare.as_secs_f64()),
        ("seconds", report.total.as_secs_f64()),
        ("confirmed", f64::from(u8::from(report.unconfirmed.is_none()))),
    ];
    (outputs.collect(), numbers)
}
