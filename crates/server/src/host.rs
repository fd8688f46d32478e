//! What the server leaves to the command: circuits, values as users write them, and results.

use crate::config;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, Suite};
use halfgate_protocol::session::{Learn, PartyInputs, Report};
use std::path::Path;

/// A program that is ready to be served.
pub struct Loaded {
    /// What the configuration says of it.
    pub config: config::Program,
    /// It, compiled.
    pub program: Program,
    /// How often its body runs.
    pub cycles: u64,
    /// Who learns each output; empty if both learn all.
    pub learn: Vec<Learn>,
    /// Under which suite.
    pub suite: Suite,
}

/// Values as a user writes them.
pub enum Values<'v> {
    /// There are none: the party has no inputs.
    None,
    /// Those of a file, whose name says how they are written.
    File(&'v Path),
    /// Text as in a file, or JSON.
    Text(&'v [u8]),
    /// Raw bytes.
    Bytes(&'v [u8]),
}

/// What the server tells whoever started it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// It listens, on this port.
    Ready(u16),
    /// It reads its configuration again.
    Reloading,
    /// It serves no new sessions.
    Stopping,
}

/// What the server leaves to its host. Errors are sentences for the operator, without values.
pub trait Host: Sync {
    /// Reads and compiles a program.
    ///
    /// # Errors
    /// If there is none of that name, or an option makes no sense.
    fn load(&self, program: &config::Program) -> Result<Loaded, String>;

    /// An engine for a session.
    ///
    /// # Errors
    /// If there is none for this processor.
    fn engine(&self) -> Result<Box<dyn Engine>, String>;

    /// The server's inputs for a run of `program`.
    ///
    /// # Errors
    /// If the values do not fit.
    fn inputs(&self, program: &Loaded, values: Values<'_>) -> Result<PartyInputs, String>;

    /// What the server has learned, as JSON.
    ///
    /// # Errors
    /// If the run gave no result.
    fn result(&self, program: &Loaded, report: Report) -> Result<String, String>;

    /// Tells whoever started the server.
    fn notify(&self, state: State) {
        let _ = state;
    }
}
