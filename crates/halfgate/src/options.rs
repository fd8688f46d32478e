//! A party's options.

use crate::error::Error;
use halfgate_engine::Suite;
use halfgate_engine::cpu::{CpuEngine, Threads};
use halfgate_protocol::session::{Deadlines, Learn, OtField, OtMode, RunOptions, SecurityLevel};
use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// A party's options. The defaults suit most uses.
///
/// ```
/// use halfgate::Options;
/// use std::time::Duration;
/// let patient = Options { timeout: Duration::from_secs(300), ..Options::default() };
/// ```
#[derive(Clone, Debug)]
pub struct Options {
    /// The garbling scheme; both parties must choose the same.
    pub suite: Suite,
    /// Against whom the session is secure: by default against a peer that follows the protocol.
    /// Both parties must choose the same. A malicious session needs the default `suite` and `ot`.
    pub security: SecurityLevel,
    /// Against whom the oblivious transfers are secure: by default against a malicious peer. Both
    /// parties must choose the same.
    pub ot: OtMode,
    /// The smallest field for the transfers; the larger of the two parties' is used. `None`,
    /// the default, chooses by the round trip of the connection.
    pub ot_field: Option<OtField>,
    /// How long to wait for the peer to connect, and the idle timeout. A slow peer does not trigger
    /// it: a party that computes sends heartbeats.
    pub timeout: Duration,
    /// How long each step of a session may take, with or without heartbeats. A run has no limit
    /// unless one is set here.
    pub deadlines: Deadlines,
    /// Ends the session when set; the other party is notified.
    pub cancel: Arc<AtomicBool>,
    /// The kernel's name, such as `portable` or `aesni`; `None` chooses the fastest that works
    /// here. The parties' kernels may differ.
    pub kernel: Option<String>,
    /// Threads that run maps of a program with functions; `None`, the default, takes one for each
    /// core, or half of them if both parties run in this process.
    pub threads: Option<NonZeroUsize>,
}

impl Default for Options {
    fn default() -> Options {
        let session = RunOptions::default();
        Options {
            suite: session.suite,
            security: session.security,
            ot: session.ot,
            ot_field: session.ot_field,
            timeout: session.timeout,
            deadlines: session.deadlines,
            cancel: session.cancel,
            kernel: None,
            threads: None,
        }
    }
}

impl Options {
    pub(crate) fn session(&self, learn: &[Learn], cycles: u64) -> RunOptions {
        RunOptions {
            suite: self.suite,
            cycles,
            learn: learn.to_vec(),
            security: self.security,
            ot: self.ot,
            ot_field: self.ot_field,
            timeout: self.timeout,
            deadlines: self.deadlines,
            cancel: Arc::clone(&self.cancel),
            ..RunOptions::default()
        }
    }

    /// The engine of a party, if `parties` run in this process.
    pub(crate) fn engine(&self, parties: usize) -> Result<CpuEngine, Error> {
        let threads = Threads::for_parties(self.threads, parties);
        Ok(CpuEngine::new(self.kernel.as_deref())?.with_threads(threads))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_are_secure_against_malicious_peers_by_default() {
        assert_eq!(Options::default().session(&[], 1).ot, OtMode::Malicious);
    }

    #[test]
    fn the_security_level_reaches_the_session() {
        for security in SecurityLevel::ALL {
            let options = Options { security, ..Options::default() };
            assert_eq!(options.session(&[], 1).security, security);
        }
        assert_eq!(Options::default().security, SecurityLevel::SemiHonest);
    }
}
