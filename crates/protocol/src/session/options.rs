//! What a party wants of a session.

use super::feed::Feed;
use crate::ot::OtMode;
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
    /// Against whom the oblivious transfers are secure.
    pub ot: OtMode,
    /// How long the other party may be silent. Slowness is not silence: a party that computes
    /// sends heartbeats.
    pub timeout: Duration,
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
}

impl RunOptions {
    /// The default silence that ends a session.
    pub const TIMEOUT: Duration = Duration::from_secs(30);
}

impl Default for RunOptions {
    fn default() -> RunOptions {
        RunOptions {
            suite: Suite::HalfGates,
            insecure_suite: false,
            cycles: 1,
            learn: Vec::new(),
            ot: OtMode::SemiHonest,
            timeout: RunOptions::TIMEOUT,
            feed: None,
            stream: false,
            cancel: Arc::default(),
        }
    }
}
