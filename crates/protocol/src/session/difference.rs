//! What two parties, or a session and a file, can differ in.

use std::fmt;

/// A setting that must be the same on both sides. Its `Display` is the noun for messages.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash)]
#[non_exhaustive]
pub enum Difference {
    /// The version of the protocol: both must run the same version of Halfgate.
    ProtocolVersion,
    /// The role: one party garbles, the other evaluates.
    Role,
    /// Against whom the session is secure.
    SecurityLevel,
    /// The statistical security parameter of a malicious session.
    Statistical,
    /// The suite.
    Suite,
    /// The order of the program's gates.
    Order,
    /// Whether gates are skipped.
    Skipping,
    /// The program: the circuit, its sizes, and who owns each input.
    Program,
    /// A function of the program. Functions before it are the same.
    Function {
        /// Its number, from 0.
        number: usize,
    },
    /// Cycles of a run.
    Cycles,
    /// Runs of the session.
    Runs,
    /// Against whom the oblivious transfers are secure.
    TransferSecurity,
    /// The number of outputs with a named learner.
    LearnerCount,
    /// Who learns which output.
    Learners,
    /// Whether a malicious session preprocesses, or uses preprocessing files.
    Phase,
    /// The generation of preprocessing files.
    Generation,
    /// Whether inputs are taken part by part.
    Parts,
    /// This party's identity.
    OwnIdentity,
    /// The other party's identity.
    PeerIdentity,
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Difference::Function { number } => {
                return write!(f, "program's function {number}");
            }
            Difference::ProtocolVersion => "protocol version",
            Difference::Role => "role",
            Difference::SecurityLevel => "security level",
            Difference::Statistical => "statistical security parameter",
            Difference::Suite => "suite",
            Difference::Order => "order",
            Difference::Skipping => "skipping of gates",
            Difference::Program => "program",
            Difference::Cycles => "number of cycles",
            Difference::Runs => "number of runs",
            Difference::TransferSecurity => "security of oblivious transfers",
            Difference::LearnerCount => "number of outputs with a learner",
            Difference::Learners => "learners",
            Difference::Phase => "use of preprocessing",
            Difference::Generation => "generation of their preprocessing files",
            Difference::Parts => "kind of engine",
            Difference::OwnIdentity => "identity of this party",
            Difference::PeerIdentity => "peer",
        })
    }
}
