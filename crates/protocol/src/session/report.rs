//! What a session tells its caller, while it runs and after.

use super::class::ErrorClass;
use halfgate_circuit::Bits;
use halfgate_engine::Counters;
use std::fmt;
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

/// What a party has of a run. `Debug` shows no output.
#[derive(PartialEq)]
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
    /// Why the peer has not confirmed the end of the run, if it has not. The outputs are verified
    /// all the same; whether the peer has its own is unknown.
    pub unconfirmed: Option<Unconfirmed>,
}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Report")
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
