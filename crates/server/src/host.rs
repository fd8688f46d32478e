//! The parts that the command provides to the server: circuits, values in the user's formats, and
//! results.

use crate::config;
use crate::limits::Refusal;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, Suite};
use halfgate_protocol::session::{Learn, PartyInputs, Report, SecurityLevel};
use std::path::Path;

/// A program that is ready to be served.
pub struct Loaded {
    /// Its entry in the configuration.
    pub config: config::Program,
    /// The compiled program.
    pub program: Program,
    /// How often the body runs.
    pub cycles: u64,
    /// Who learns each output; empty if both parties learn all of them.
    pub learn: Vec<Learn>,
    /// The suite.
    pub suite: Suite,
    /// Against whom sessions are secure.
    pub security: SecurityLevel,
}

impl Loaded {
    /// Checks that `peer` may use as many ANDs as a session of this program takes.
    pub(crate) fn check_ands(&self, peer: &config::Peer) -> Result<(), Refusal> {
        // The number of skipped ANDs becomes known only during the run.
        let Some(most) = peer.limits.ands.filter(|_| self.program.skips.is_none()) else {
            return Ok(());
        };
        match self.program.ands_per_cycle().saturating_mul(self.cycles) {
            ands if ands > most => {
                let (name, who) = (&self.config.name, &peer.name);
                let text =
                    format!("{name} takes {ands} ANDs, and {who} may use {most} in a session");
                Err(Refusal { reason: "ands", text })
            }
            _ => Ok(()),
        }
    }
}

/// Values in one of the user's formats.
pub enum Values<'v> {
    /// No values: the party has no inputs.
    None,
    /// The values of a file. Its name determines the format.
    File(&'v Path),
    /// Text in the format of a file, or JSON.
    Text(&'v [u8]),
    /// Raw bytes.
    Bytes(&'v [u8]),
}

/// A state that the server reports to its host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It listens on this port.
    Ready(u16),
    /// It reads its configuration again.
    Reloading,
    /// It accepts no new sessions.
    Stopping,
}

/// The services that the command provides. Errors are sentences for the operator and contain no
/// values.
pub trait Host: Sync {
    /// Reads and compiles a program.
    ///
    /// # Errors
    /// If there is no program of that name, or an option is invalid.
    fn load(&self, program: &config::Program) -> Result<Loaded, String>;

    /// An engine for a session.
    ///
    /// # Errors
    /// If no engine supports this processor.
    fn engine(&self) -> Result<Box<dyn Engine>, String>;

    /// The server's inputs for a run of `program`.
    ///
    /// # Errors
    /// If the values do not fit the program's inputs.
    fn inputs(&self, program: &Loaded, values: Values<'_>) -> Result<PartyInputs, String>;

    /// The outputs that the server learned, as JSON.
    ///
    /// # Errors
    /// If the run has no result.
    fn result(&self, program: &Loaded, report: Report) -> Result<String, String>;

    /// Reports the server's state.
    fn notify(&self, state: State) {
        let _ = state;
    }
}
