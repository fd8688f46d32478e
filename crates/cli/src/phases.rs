//! What the phases of a malicious session took, as text and as JSON.

use halfgate_console::print;
use halfgate_protocol::session::PhaseReport;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};

/// Time and traffic of a phase.
#[derive(Serialize)]
pub struct PhaseTime {
    /// Its name.
    pub phase: String,
    /// Its time. The parties wait for each other in it.
    pub seconds: f64,
    /// Bytes that this party sent.
    pub bytes_sent: u64,
    /// Bytes that it received.
    pub bytes_received: u64,
}

impl PhaseTime {
    /// In a run's report.
    pub fn of(report: &PhaseReport) -> PhaseTime {
        PhaseTime {
            phase: report.phase.to_string(),
            seconds: report.time.as_secs_f64(),
            bytes_sent: report.bytes_sent,
            bytes_received: report.bytes_received,
        }
    }
}

impl Display for PhaseTime {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "phase {}: {}; sent {}, received {}",
            self.phase,
            print::seconds(self.seconds),
            print::bytes(self.bytes_sent),
            print::bytes(self.bytes_received),
        )
    }
}
