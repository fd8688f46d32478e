//! What a session tells its caller, while it runs and after.

use halfgate_circuit::Bits;
use halfgate_engine::Counters;
use std::time::Duration;

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
}

/// What a party has of a run.
#[derive(Debug, PartialEq)]
pub struct Report {
    /// A value for each output of the circuit that this party learns. A per-cycle output has its
    /// width times the number of cycles in bits, the first cycle's first.
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
