//! Collects the reports of a session as its runs end.

use super::report::{Event, PhaseReport, Report, Unconfirmed};
use super::{SessionError, report_to_peer};
use crate::channel::Channel;
use crate::handshake::Agreement;
use halfgate_circuit::Bits;
use halfgate_engine::Counters;
use std::time::{Duration, Instant};

/// The end of a run whose outputs are verified.
pub(crate) struct Ended {
    /// As [`Report::outputs`].
    pub outputs: Vec<Option<Bits>>,
    /// As [`Report::phases`].
    pub phases: Vec<PhaseReport>,
    /// The error after the outputs were verified: the session cannot continue.
    pub error: Option<SessionError>,
}

/// The result of a session of `runs` runs that ended with `result` after the runs `done`. Verified
/// results are kept, whatever happened after them.
pub(super) fn kept(
    channel: &mut dyn Channel,
    result: Result<(), SessionError>,
    mut done: Vec<Report>,
    runs: usize,
) -> Result<Vec<Report>, SessionError> {
    let Err(error) = report_to_peer(channel, result) else { return Ok(done) };
    let complete = done.len() == runs;
    match done.last_mut() {
        None => Err(error),
        Some(_) if !complete => {
            Err(SessionError::Unfinished { finished: done, error: error.fresh() })
        }
        Some(last) => {
            tracing::warn!(class = ?error.class(), "the peer did not confirm the end of the session");
            last.unconfirmed.get_or_insert_with(|| Unconfirmed::from(&error));
            Ok(done)
        }
    }
}

/// The reports of a session. Counts and times are taken in the same way for both roles.
pub(super) struct Reports {
    begin: Instant,
    setup: Duration,
    prepare: Duration,
    sent: u64,
    received: u64,
    engines: (String, String),
    pub(super) done: Vec<Report>,
}

impl Reports {
    /// The reports of a session that began at `begin`, with this party's `engine`.
    pub(super) fn new(begin: Instant, engine: String, agreement: &Agreement) -> Reports {
        Reports {
            begin,
            setup: Duration::ZERO,
            prepare: Duration::ZERO,
            sent: 0,
            received: 0,
            engines: (engine, agreement.peer_engine.clone()),
            done: Vec::new(),
        }
    }

    /// Records that the transfers are set up.
    pub(super) fn set_up(&mut self, events: &mut dyn FnMut(Event)) {
        self.setup = self.begin.elapsed();
        tracing::debug!(after = ?self.setup, "the first labels are transferred");
        events(Event::Setup { after: self.setup });
    }

    /// Records that the program is prepared; its preparation began at `start`.
    pub(super) fn prepared(&mut self, start: Instant, events: &mut dyn FnMut(Event)) {
        self.prepare = start.elapsed();
        tracing::debug!(took = ?self.prepare, engine = ?self.engines.0, "the program is lowered");
        events(Event::Prepared { after: self.prepare });
    }

    /// Records a run that has ended and took `total`.
    ///
    /// # Errors
    /// The error after its outputs were verified, if there was one: then this run is the last.
    #[inline(never)]
    pub(super) fn add(
        &mut self,
        channel: &dyn Channel,
        agreement: &Agreement,
        ended: Ended,
        counters: Counters,
        total: Duration,
    ) -> Result<(), SessionError> {
        let Ended { outputs, phases, error } = ended;
        let (sent, received) = (channel.bytes_sent(), channel.bytes_received());
        tracing::info!(
            run = self.done.len(),
            gates = counters.gates,
            ands = counters.ands,
            cycles = counters.cycles,
            sent = sent - self.sent,
            received = received - self.received,
            took = ?total,
            "the run is done"
        );
        self.done.push(Report {
            outputs,
            learn: agreement.learn.clone(),
            security: agreement.security,
            counters,
            bytes_sent: sent - self.sent,
            bytes_received: received - self.received,
            setup: self.setup,
            prepare: self.prepare,
            total,
            phases,
            engines: self.engines.clone(),
            unconfirmed: error.as_ref().map(Unconfirmed::from),
        });
        (self.sent, self.received) = (sent, received);
        error.map_or(Ok(()), Err)
    }
}
