//! A party's options for a session.

use super::feed::Feed;
use super::level::SecurityLevel;
use crate::channel::{Channel, Deadline};
use crate::ot::{OtField, OtMode};
use halfgate_circuit::Party;
use halfgate_engine::Suite;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// Who learns an output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Learn {
    /// The garbler alone.
    Garbler,
    /// The evaluator alone.
    Evaluator,
    /// Both.
    #[default]
    Both,
    /// Neither party.
    None,
}

impl Learn {
    /// Whether `party` learns the output.
    pub fn by(self, party: Party) -> bool {
        match self {
            Learn::Both => true,
            Learn::None => false,
            Learn::Garbler => party == Party::Garbler,
            Learn::Evaluator => party == Party::Evaluator,
        }
    }
}

/// A party's options for a session. The handshake compares those that both must agree on.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The suite.
    pub suite: Suite,
    /// Whether `suite` may be below today's security level:
    /// [`Strength::Weak`](halfgate_engine::Strength::Weak).
    pub insecure_suite: bool,
    /// The number of cycles: how often the body runs.
    pub cycles: u64,
    /// Who learns each output; empty if both parties learn all of them. Must be the same for both
    /// parties.
    pub learn: Vec<Learn>,
    /// Against whom the session is secure. A malicious session has the suite half-gates, transfers
    /// that are secure against a malicious peer, and the CPU engine.
    pub security: SecurityLevel,
    /// Against whom the oblivious transfers are secure: by default against a malicious peer.
    pub ot: OtMode,
    /// The smallest field for the transfers; the larger of the two parties' is used. `None`
    /// chooses by the round trip of the connection.
    pub ot_field: Option<OtField>,
    /// The idle timeout. A slow peer does not trigger it: a party that computes sends heartbeats.
    pub timeout: Duration,
    /// How long each step of the session may take, whatever the peer sends.
    pub deadlines: Deadlines,
    /// The source of the values of own per-cycle inputs for which
    /// [`PartyInputs`](super::PartyInputs) has none.
    pub feed: Option<Feed>,
    /// Whether per-cycle outputs are passed on by [`Event::Outputs`](super::Event::Outputs), and
    /// outputs that maps give by [`Event::OutputBits`](super::Event::OutputBits), as soon as they
    /// are decoded, and not collected. If the run then ends with an error, earlier events
    /// have the correct outputs of the first cycles only if both parties followed the protocol.
    /// These outputs are not a result of the run.
    pub stream: bool,
    /// Ends the session when set; the peer is sent an abort.
    pub cancel: Arc<AtomicBool>,
    /// This party's name for the program, for a peer that offers several; may be empty. Texts are
    /// cut at 255 bytes.
    pub program_name: String,
}

/// How long the steps of a session may take. Heartbeats do not extend these times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// The limit of each of two steps. The first is the handshake, including the peer's compilation
    /// of the program if it compiles during the handshake. The second is the setup of oblivious
    /// transfers with the labels of the first cycle.
    pub setup: Duration,
    /// The limit of each run, including the peer's preparation of the program. `None` sets no
    /// limit: a run takes as long as its program.
    pub run: Option<Duration>,
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines { setup: Duration::from_secs(600), run: None }
    }
}

impl Deadlines {
    /// The deadline of a handshake that begins now.
    pub(crate) fn handshake(&self) -> Option<Deadline> {
        Deadline::of("handshake", self.setup)
    }

    /// The deadline of a setup of transfers that begins now.
    pub(crate) fn transfers(&self) -> Option<Deadline> {
        Deadline::of("set-up of oblivious transfers", self.setup)
    }

    /// The deadline of a run that begins now.
    pub(crate) fn run(&self) -> Option<Deadline> {
        Deadline::of("run", self.run?)
    }
}

impl RunOptions {
    /// The default idle timeout.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// The field that this party requests over `channel`.
    pub(crate) fn ot_field_over(&self, channel: &dyn Channel) -> OtField {
        self.ot_field.unwrap_or_else(|| OtField::for_round_trip(channel.round_trip()))
    }
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            suite: Suite::HalfGates,
            insecure_suite: false,
            cycles: 1,
            learn: Vec::new(),
            security: SecurityLevel::default(),
            ot: OtMode::default(),
            ot_field: None,
            timeout: RunOptions::TIMEOUT,
            deadlines: Deadlines::default(),
            feed: None,
            stream: false,
            cancel: Arc::default(),
            program_name: String::new(),
        }
    }
}
