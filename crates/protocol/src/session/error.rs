//! Why a session ended without a result, and whose fault it was.

use super::class::ErrorClass;
use super::difference::Difference;
use super::report::{Report, Unconfirmed};
use crate::channel::ChannelError;
use crate::ot::OtError;
use halfgate_circuit::Party;
use halfgate_engine::{EngineError, wipe};

/// Why a session ended without a result. The message names the party at fault.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    /// The connection ended, or the peer sent nothing in time or something that is not a frame.
    #[error("the {peer} {error}{}", while_doing(.doing))]
    Channel {
        /// The other party.
        peer: Party,
        /// What happened.
        error: ChannelError,
        /// What this side was doing, such as "waiting for the handshake".
        doing: &'static str,
    },
    /// This side was cancelled; an abort was sent to the peer.
    #[error("cancelled; the {peer} has been notified")]
    Cancelled {
        /// The other party.
        peer: Party,
    },
    /// The two parties' settings differ.
    #[error(
        "the two parties differ in the {what}: ours is {ours}, the {peer}'s is {theirs}{}",
        remedy(what)
    )]
    Mismatch {
        /// The role that the other party should have.
        peer: Party,
        /// What differs.
        what: Difference,
        /// This side's value.
        ours: String,
        /// The peer's value.
        theirs: String,
    },
    /// The peer sent an unexpected frame, or one with wrong content.
    #[error("the {peer} broke the protocol: {what}")]
    Protocol {
        /// The party at fault.
        peer: Party,
        /// What it did.
        what: String,
    },
    /// The digests of the sent and the received frames differ.
    #[error(
        "what the {sender} sent is not what arrived: the digests differ, and the result is dropped"
    )]
    Digest {
        /// Whose frames were damaged.
        sender: Party,
    },
    /// A check of a malicious session failed. The peer is not told which.
    #[error(
        "the {peer} failed a check: {what}; it is cheating or the message was damaged, and the \
         result is dropped"
    )]
    Cheated {
        /// The party at fault.
        peer: Party,
        /// What did not pass.
        what: &'static str,
    },
    /// An oblivious transfer failed.
    #[error("{error}")]
    Ot {
        /// The other party.
        peer: Party,
        /// What happened.
        error: OtError,
    },
    /// This side's inputs or options do not fit the program.
    #[error("{0}")]
    Usage(String),
    /// This side's inputs could not be fetched. The peer receives the same text.
    #[error("{0}")]
    Unavailable(String),
    /// The suite must not be used in sessions.
    #[error("suite {0} is broken and exists for comparison only: sessions reject it")]
    BrokenSuite(&'static str),
    /// The suite is below today's security level, and the session did not allow such suites.
    #[error("suite {0} is too weak for secrets: set `insecure_suite` (--insecure-suite) to use it")]
    WeakSuite(&'static str),
    /// A run has more ANDs than the suite allows under one key. Both parties detect it
    /// independently.
    #[error(
        "suite {suite} is secure for {most} ANDs under one key, and {passed}: take suite \
         half-gates, which has no such limit, or fewer cycles"
    )]
    KeyLimit {
        /// The suite's name.
        suite: &'static str,
        /// The most ANDs.
        most: u64,
        /// How many ANDs there are, or where the limit is exceeded.
        passed: String,
    },
    /// A malicious session was given an engine other than the CPU engine.
    #[error(
        "engine {engine} cannot run authenticated garbling, which --security malicious needs; use \
         --engine cpu"
    )]
    Unauthenticated {
        /// The engine's name.
        engine: String,
    },
    /// This side's engine failed.
    #[error("this side's engine failed: {0}")]
    Engine(#[from] EngineError),
    /// The operating system provides no random bytes.
    #[error("the operating system gives no random bytes: {0}")]
    Random(String),
    /// The session failed after some of its runs had succeeded.
    #[error("{error}; {} of the session's runs ended before that", .finished.len())]
    Unfinished {
        /// The reports of those runs. Their outputs are verified.
        finished: Vec<Report>,
        /// The cause of the failure.
        error: Box<SessionError>,
    },
    /// A file of tables garbled ahead of time cannot be used.
    #[error(transparent)]
    File(#[from] crate::offline::FileError),
    /// A preprocessing file cannot be made or used.
    #[error(transparent)]
    Preprocessed(#[from] super::authenticated::ahead::PreprocessedError),
}

fn while_doing(doing: &&str) -> String {
    if doing.is_empty() { String::new() } else { format!(" (while {doing})") }
}

impl SessionError {
    /// The kind of error.
    pub fn class(&self) -> ErrorClass {
        match self {
            SessionError::Channel { error, .. } => match error {
                ChannelError::Closed | ChannelError::Io(_) => ErrorClass::Connection,
                ChannelError::Timeout { .. } | ChannelError::Deadline { .. } => ErrorClass::Timeout,
                ChannelError::Cancelled => ErrorClass::Cancelled,
                ChannelError::Aborted(_) => ErrorClass::Aborted,
                ChannelError::Damaged { .. } | ChannelError::Early => ErrorClass::Protocol,
                ChannelError::TooLong(_) => ErrorClass::Internal,
            },
            SessionError::Cancelled { .. } => ErrorClass::Cancelled,
            SessionError::Unfinished { error, .. } => error.class(),
            SessionError::Mismatch { .. } => ErrorClass::Mismatch,
            SessionError::Protocol { .. }
            | SessionError::Digest { .. }
            | SessionError::Cheated { .. } => ErrorClass::Protocol,
            SessionError::Ot { error: OtError::Random(_), .. } => ErrorClass::Internal,
            SessionError::Ot { .. } => ErrorClass::Protocol,
            SessionError::Usage(_)
            | SessionError::BrokenSuite(_)
            | SessionError::WeakSuite(_)
            | SessionError::KeyLimit { .. }
            | SessionError::Unauthenticated { .. } => ErrorClass::Usage,
            SessionError::Unavailable(_) | SessionError::Engine(_) | SessionError::Random(_) => {
                ErrorClass::Internal
            }
            SessionError::File(_) | SessionError::Preprocessed(_) => ErrorClass::File,
        }
    }

    /// The reason for an [`Abort`](crate::frame::Kind::Abort) to the peer; `None` if the peer knows
    /// already or cannot be reached.
    pub(crate) fn for_peer(&self) -> Option<String> {
        match self {
            SessionError::Channel { error, .. } => match error {
                ChannelError::Damaged { .. }
                | ChannelError::Early
                | ChannelError::Timeout { .. }
                | ChannelError::Deadline { .. } => Some(self.to_string()),
                _ => None,
            },
            SessionError::Cancelled { .. } => None,
            SessionError::Unfinished { error, .. } => error.for_peer(),
            SessionError::Cheated { .. } => Some(CHECK_FAILED.to_owned()),
            // Paths and values must not be disclosed to the peer.
            SessionError::Usage(_) => Some("its own inputs or options are wrong".to_owned()),
            SessionError::Engine(_) => Some("its engine failed".to_owned()),
            SessionError::File(_) => Some("its file of garbled tables is not usable".to_owned()),
            SessionError::Preprocessed(_) => {
                Some("its preprocessing file is not usable".to_owned())
            }
            _ => Some(self.to_string()),
        }
    }

    /// The same error, constructed anew. An error outlives its session and is moved as a whole. The
    /// bytes that its variant does not use keep earlier contents of the stack on which the error
    /// was made, perhaps labels.
    #[cold]
    pub(crate) fn fresh(self) -> Box<SessionError> {
        wipe::stack();
        self.remade()
    }

    #[inline(never)]
    fn remade(self) -> Box<SessionError> {
        Box::new(match self {
            SessionError::Channel { peer, error, doing } => {
                SessionError::Channel { peer, error: error.remade(), doing }
            }
            SessionError::Cancelled { peer } => SessionError::Cancelled { peer },
            SessionError::Mismatch { peer, what, ours, theirs } => {
                SessionError::Mismatch { peer, what, ours, theirs }
            }
            SessionError::Protocol { peer, what } => SessionError::Protocol { peer, what },
            SessionError::Digest { sender } => SessionError::Digest { sender },
            SessionError::Usage(what) => SessionError::Usage(what),
            SessionError::Random(what) => SessionError::Random(what),
            SessionError::Unfinished { finished, error } => {
                SessionError::Unfinished { finished, error }
            }
            // These occur before there are labels, or wrap other error types.
            other => other,
        })
    }

    /// Converts a channel's error, adding the party it concerns.
    pub(crate) fn channel(peer: Party, doing: &'static str, error: ChannelError) -> SessionError {
        match error {
            ChannelError::Cancelled => SessionError::Cancelled { peer },
            error => SessionError::Channel { peer, error, doing },
        }
    }
}

impl From<&SessionError> for Unconfirmed {
    fn from(error: &SessionError) -> Unconfirmed {
        Unconfirmed { class: error.class(), reason: error.to_string() }
    }
}

/// What the peer is told of a failed check, whichever it was.
pub(crate) const CHECK_FAILED: &str = "a check of the malicious session failed";

/// What to do if the parties differ in `what`, unless the two values make that obvious.
fn remedy(what: &Difference) -> &'static str {
    match what {
        Difference::ProtocolVersion => {
            "; both must run the same version of Halfgate: update the older one"
        }
        Difference::Program | Difference::Function { .. } => {
            "; both must give the same circuit with the same sizes and the same owner of each input"
        }
        Difference::Phase => {
            "; both must give the same of --preprocess-to, --preprocessed, and neither"
        }
        Difference::Generation => "; both must give the files that one preprocessing made",
        _ => "",
    }
}
