//! How a party wants to run.

use crate::error::Error;
use halfgate_engine::Suite;
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::session::{Deadlines, Learn, OtField, OtMode, RunOptions};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// How a party wants to run: the defaults are right for most.
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
    /// Against whom the oblivious transfers are secure: by default anybody; both parties must
    /// choose the same.
    pub ot: OtMode,
    /// The smallest field that the transfers are made in; the larger one of both parties' is used.
    /// `None`, the default, goes by the round trip of the connection.
    pub ot_field: Option<OtField>,
    /// How long to wait for the peer to come, and how long it may be silent. Slowness is not
    /// silence: a party that computes sends heartbeats.
    pub timeout: Duration,
    /// How long each step of a session may take, signs of life or not. A run has no limit unless
    /// one is set here.
    pub deadlines: Deadlines,
    /// Set it to end the session; the other party is told.
    pub cancel: Arc<AtomicBool>,
    /// The kernel by name, such as `portable` or `aesni`; `None` takes the best that works here.
    /// The parties may differ.
    pub kernel: Option<String>,
}

impl Default for Options {
    fn default() -> Options {
        let session = RunOptions::default();
        Options {
            suite: session.suite,
            ot: session.ot,
            ot_field: session.ot_field,
            timeout: session.timeout,
            deadlines: session.deadlines,
            cancel: session.cancel,
            kernel: None,
        }
    }
}

impl Options {
    pub(crate) fn session(&self, learn: &[Learn], cycles: u64) -> RunOptions {
        RunOptions {
            suite: self.suite,
            cycles,
            learn: learn.to_vec(),
            ot: self.ot,
            ot_field: self.ot_field,
            timeout: self.timeout,
            deadlines: self.deadlines,
            cancel: Arc::clone(&self.cancel),
            ..RunOptions::default()
        }
    }

    pub(crate) fn engine(&self) -> Result<CpuEngine, Error> {
        Ok(CpuEngine::new(self.kernel.as_deref())?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn transfers_are_secure_against_anybody_by_default() {
        assert_eq!(Options::default().session(&[], 1).ot, OtMode::Malicious);
    }
}
