//! Time and traffic of the phases of a run.

use super::cost::Phase;
use super::link::Link;
use crate::session::report::PhaseReport;
use std::time::{Duration, Instant};

/// Adds up what each phase takes.
pub(super) struct Meter {
    phases: [PhaseReport; 3],
    /// When the last phase ended, and the bytes sent and received until then.
    last: (Instant, u64, u64),
}

impl Meter {
    /// Starts now.
    pub fn start(link: &Link<'_>) -> Meter {
        let none =
            |phase| PhaseReport { phase, time: Duration::ZERO, bytes_sent: 0, bytes_received: 0 };
        Meter { phases: Phase::ALL.map(none), last: now(link) }
    }

    /// Counts what happened since the last call to `phase`.
    pub fn ended(&mut self, phase: Phase, link: &Link<'_>) {
        let now = now(link);
        let report = &mut self.phases[phase as usize];
        report.time += now.0 - self.last.0;
        report.bytes_sent += now.1 - self.last.1;
        report.bytes_received += now.2 - self.last.2;
        self.last = now;
    }

    /// All phases in order.
    pub fn phases(self) -> Vec<PhaseReport> {
        self.phases.into()
    }
}

fn now(link: &Link<'_>) -> (Instant, u64, u64) {
    (Instant::now(), link.channel.bytes_sent(), link.channel.bytes_received())
}
