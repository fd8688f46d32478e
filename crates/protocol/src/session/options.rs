//! What a party wants of a session.

use super::feed::Feed;
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
    /// Nobody.
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

/// What a party wants of a session. What both must agree on is compared in the handshake.
#[derive(Clone, Debug)]
pub struct RunOptions {
    /// The suite.
    pub suite: Suite,
    /// Whether it may be one that is below today's level:
    /// [`Strength::Weak`](halfgate_engine::Strength::Weak).
    pub insecure_suite: bool,
    /// How often the body runs.
    pub cycles: u64,
    /// Who learns each output; empty if both are to learn all of them. Both parties must say the
    /// same.
    pub learn: Vec<Learn>,
    /// Against whom the oblivious transfers are secure: by default anybody.
    pub ot: OtMode,
    /// The smallest field that the transfers are made in; the larger one of both parties' is used.
    /// `None` goes by the round trip of the connection.
    pub ot_field: Option<OtField>,
    /// How long the other party may be silent. Slowness is not silence: a party that computes
    /// sends heartbeats.
    pub timeout: Duration,
    /// How long each step of the session may take, whatever the other party sends.
    pub deadlines: Deadlines,
    /// Where the values of own per-cycle inputs come from that [`PartyInputs`](super::PartyInputs)
    /// has none for.
    pub feed: Option<Feed>,
    /// Whether per-cycle outputs go out by [`Event::Outputs`](super::Event::Outputs) as soon as
    /// they are decoded, and are not collected. What such events said of a run that ends with an
    /// error is the outputs of its first cycles if both parties followed the protocol, and no
    /// result.
    pub stream: bool,
    /// Set to end the session; the other party is told.
    pub cancel: Arc<AtomicBool>,
    /// What this party calls the program, for a peer that offers several; empty where it says
    /// nothing. Texts beyond 255 bytes are cut.
    pub program_name: String,
}

/// How long the steps of a session may take. Signs of life do not extend them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadlines {
    /// The handshake, with the peer's compiling of the program, if it does that then; and the
    /// set-up of oblivious transfers with the labels for the first cycle: each of the two may take
    /// so long.
    pub setup: Duration,
    /// Each run, with the peer's preparing of the program. `None` sets no limit: a run takes as
    /// long as its program.
    pub run: Option<Duration>,
}

impl Default for Deadlines {
    fn default() -> Deadlines {
        Deadlines { setup: Duration::from_secs(600), run: None }
    }
}

impl Deadlines {
    /// When the handshake must be over that begins now.
    pub(crate) fn handshake(&self) -> Option<Deadline> {
        Deadline::of("handshake", self.setup)
    }

    /// When the set-up must be over that begins now.
    pub(crate) fn transfers(&self) -> Option<Deadline> {
        Deadline::of("set-up of oblivious transfers", self.setup)
    }

    /// When the run must be over that begins now.
    pub(crate) fn run(&self) -> Option<Deadline> {
        Deadline::of("run", self.run?)
    }
}

impl RunOptions {
    /// The default silence that ends a session.
    pub const TIMEOUT: Duration = Duration::from_secs(30);

    /// The field that this party asks for over `channel`.
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
