//! Events and reports that a session gives its caller.

use super::authenticated::cost::Phase;
use super::class::ErrorClass;
use super::level::SecurityLevel;
use halfgate_circuit::Bits;
use halfgate_engine::Counters;
use std::fmt;
use std::time::Duration;

/// An event in a session.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The handshake is done.
    Connected {
        /// The name of the other party's engine.
        peer_engine: String,
    },
    /// A malicious session begins to set up its oblivious transfers.
    SetupStarted,
    /// The oblivious transfers are set up and the first labels have arrived.
    Setup {
        /// Time since the session began.
        after: Duration,
    },
    /// The program is lowered for this party's engine.
    Prepared {
        /// How long that took.
        after: Duration,
    },
    /// A run starts.
    RunStarted {
        /// Its number, from 0.
        run: usize,
    },
    /// A phase of a malicious session starts. A long run has windows, and each window has its
    /// phases.
    PhaseStarted {
        /// The phase.
        phase: Phase,
    },
    /// Progress of the run.
    Progress {
        /// Cycles done.
        cycles: u64,
        /// ANDs done.
        ands: u64,
        /// ANDs of the whole run.
        total_ands: u64,
    },
    /// A note about the program that came up during the run.
    Note {
        /// The note's text.
        what: String,
    },
    /// The per-cycle outputs of some cycles are decoded. Only with
    /// [`RunOptions::stream`](super::RunOptions::stream), and only if this party learns any.
    Outputs {
        /// The first of the cycles. It follows the last cycle of the previous event.
        first_cycle: u64,
        /// The number of cycles.
        cycles: u64,
        /// An entry for each output of the circuit: the values, the first cycle's first, if it is a
        /// per-cycle output that this party learns.
        values: Vec<Option<Bits>>,
    },
    /// Bits of an output that maps give while the run goes on are decoded. Only with
    /// [`RunOptions::stream`](super::RunOptions::stream), if this party learns the output, and both
    /// engines run functions.
    OutputBits {
        /// The output, by its index among the circuit's outputs.
        output: usize,
        /// The number of the first of the bits in the output. They follow those of the previous
        /// event of the same output.
        first: usize,
        /// The values.
        bits: Bits,
    },
}

/// A party's result of a run. `Debug` shows no output.
#[derive(PartialEq)]
pub struct Report {
    /// A value for each output of the circuit that this party learns. The bits of a per-cycle
    /// output are its width times the number of cycles, the first cycle's first; there are none if
    /// it was [streamed](super::RunOptions::stream).
    pub outputs: Vec<Option<Bits>>,
    /// Who learns each output, as agreed.
    pub learn: Vec<super::Learn>,
    /// Against whom the session is secure, as agreed.
    pub security: SecurityLevel,
    /// Counters of the executed gates and cycles.
    pub counters: Counters,
    /// Bytes sent in this run, frame headers included; the first run's include the setup.
    pub bytes_sent: u64,
    /// Bytes received in this run; the first run's include the setup.
    pub bytes_received: u64,
    /// Time from the start of the session (on an existing connection) to the first usable
    /// correlated OT: handshake, base OTs and the first extension. The same in each run's report.
    pub setup: Duration,
    /// Time to lower the program for this party's engine. The same in each run's report.
    pub prepare: Duration,
    /// Time of the run alone, from its first label to its outputs.
    pub total: Duration,
    /// What each phase of a malicious session took; empty for a semi-honest one.
    pub phases: Vec<PhaseReport>,
    /// The names of the two engines: this party's, then the other's.
    pub engines: (String, String),
    /// Why the peer did not confirm the end of the run, if it did not. The outputs are verified
    /// nevertheless; whether the peer has its own is unknown.
    pub unconfirmed: Option<Unconfirmed>,
}

/// Time and traffic of a phase of a malicious session, in one run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PhaseReport {
    /// The phase.
    pub phase: Phase,
    /// Its time. The parties wait for each other in it.
    pub time: Duration,
    /// Bytes sent, frame headers included.
    pub bytes_sent: u64,
    /// Bytes received, frame headers included.
    pub bytes_received: u64,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
            .field("security", &self.security)
            .field("counters", &self.counters)
            .field("bytes_sent", &self.bytes_sent)
            .field("bytes_received", &self.bytes_received)
            .field("total", &self.total)
            .field("unconfirmed", &self.unconfirmed)
            .finish_non_exhaustive()
    }
}

/// What went wrong after a party had verified its outputs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unconfirmed {
    /// The kind of error.
    pub class: ErrorClass,
    /// The error, which names the party at fault.
    pub reason: String,
}
