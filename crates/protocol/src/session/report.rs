//! What a session tells its caller, while it runs and after.

use crate::channel::Channel;
use crate::handshake::Agreement;
use halfgate_circuit::Bits;
use halfgate_engine::Counters;
use std::time::{Duration, Instant};

/// Something that happened in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The handshake is done.
    Connected {
        /// The other party's engine, as it names it.
        peer_engine: String,
    },
    /// The oblivious transfers are set up and the first labels are there.
    Setup {
        /// Time since the session began.
        after: Duration,
    },
    /// The program is lowered for this party's engine.
    Prepared {
        /// How long that took.
        after: Duration,
    },
    /// A run begins.
    RunStarted {
        /// Its number, from 0.
        run: usize,
    },
    /// So much of the run is done.
    Progress {
        /// Runs of the body done.
        cycles: u64,
        /// ANDs done.
        ands: u64,
        /// ANDs of the whole run.
        total_ands: u64,
    },
    /// Something about the program that showed while it ran.
    Note {
        /// It, in words.
        what: String,
    },
    /// The per-cycle outputs of some cycles are decoded: only with
    /// [`RunOptions::stream`](super::RunOptions::stream), and where this party learns any.
    Outputs {
        /// The first of the cycles, which follow those of the event before.
        first_cycle: u64,
        /// How many there are.
        cycles: u64,
        /// For each output of the circuit: its values, the first cycle's first, if it is a per-cycle
        /// one that this party learns.
        values: Vec<Option<Bits>>,
    },
}

/// What a party has of a run.
#[derive(Debug, PartialEq)]
pub struct Report {
    /// A value for each output of the circuit that this party learns. A per-cycle output has its
    /// width times the number of cycles in bits, the first cycle's first; none if it was
    /// [streamed](super::RunOptions::stream).
    pub outputs: Vec<Option<Bits>>,
    /// Who learns each output, as agreed.
    pub learn: Vec<super::Learn>,
    /// What the engine executed.
    pub counters: Counters,
    /// Bytes sent in this run, frame headers included; the first run's include the set-up's.
    pub bytes_sent: u64,
    /// Bytes received in this run; the first run's include the set-up's.
    pub bytes_received: u64,
    /// From the session's beginning (the connection was there) to the first usable correlated
    /// OT: handshake, base OTs and the first extension. The same in each run's report.
    pub setup: Duration,
    /// Lowering of the program for this party's engine. The same in each run's report.
    pub prepare: Duration,
    /// The run alone, from its first label to its outputs.
    pub total: Duration,
    /// The two engines' names: this party's, the other's.
    pub engines: (String, String),
}

/// The reports of a session, as its runs end: what is counted and timed is the same for both roles.
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
    /// Of a session that began at `begin`, with this party's `engine`.
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

    /// The transfers are set up.
    pub(super) fn set_up(&mut self, events: &mut dyn FnMut(Event)) {
        self.setup = self.begin.elapsed();
        tracing::debug!(after = ?self.setup, "the first labels are transferred");
        events(Event::Setup { after: self.setup });
    }

    /// The program, whose preparation began at `start`, is prepared.
    pub(super) fn prepared(&mut self, start: Instant, events: &mut dyn FnMut(Event)) {
        self.prepare = start.elapsed();
        tracing::debug!(took = ?self.prepare, engine = ?self.engines.0, "the program is lowered");
        events(Event::Prepared { after: self.prepare });
    }

    /// A run has ended that took `total`.
    pub(super) fn add(
        &mut self,
        channel: &dyn Channel,
        agreement: &Agreement,
        outputs: Vec<Option<Bits>>,
        counters: Counters,
        total: Duration,
    ) {
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
            counters,
            bytes_sent: sent - self.sent,
            bytes_received: received - self.received,
            setup: self.setup,
            prepare: self.prepare,
            total,
            engines: self.engines.clone(),
        });
        (self.sent, self.received) = (sent, received);
    }
}
