//! Sessions: a run of a program between two parties, from both sides.
//!
//! [`garble`] and [`evaluate`] take a connected channel and do all the rest: the handshake, the
//! oblivious transfers, the runs, the comparison of digests, the outputs. [`run_local`] is both
//! parties in one process.
//!
//! **Memory** of a party: what its engine holds (the wires alive at once), 16 bytes for each
//! output bit that somebody learns (per-cycle outputs once a cycle), a bit for each bit of its own
//! inputs, some hundred KiB of channel buffers, and input labels that came before they are used
//! (at most [`inputs::BATCH`] transfers ahead). Nothing grows with the number of gates.

mod error;
mod evaluator;
mod evaluator_io;
mod garbler;
mod garbler_io;
pub mod inputs;
pub(crate) mod labels;
mod local;
mod outputs;
mod prepare;
mod report;
mod transfer;

pub use crate::ot::OtMode;
pub use error::{ErrorClass, SessionError};
pub use evaluator::{Proposal, evaluate, evaluate_proposal, proposal};
pub use garbler::garble;
pub(crate) use garbler::{Source, serve};
pub use local::run_local;
pub use prepare::meanwhile;
pub use report::{Event, Report};

use crate::channel::{Channel, Timing, heartbeat_for};
use crate::frame::Transcript;
use crate::handshake::{self, Agreement, Hello};
use halfgate_circuit::{Bits, Party};
use halfgate_compiler::Program;
use halfgate_engine::{EngineError, Suite};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

/// One party's input values: an entry for each input of the circuit, `Some` for its own. A
/// per-cycle input has its width times the number of cycles in bits, the first cycle's first.
pub type PartyInputs = Vec<Option<Bits>>;

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
    /// How often the body runs.
    pub cycles: u64,
    /// Who learns each output; empty leaves it to the other party, and if that one is empty too
    /// both learn all.
    pub learn: Vec<Learn>,
    /// Against whom the oblivious transfers are secure.
    pub ot: OtMode,
    /// How long the other party may be silent. Slowness is not silence: a party that computes
    /// sends heartbeats.
    pub timeout: Duration,
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
            cycles: 1,
            learn: Vec::new(),
            ot: OtMode::SemiHonest,
            timeout: RunOptions::TIMEOUT,
            cancel: Arc::default(),
        }
    }
}

/// What is wrong with a session before it begins.
fn check_session(
    program: &Program,
    runs: &[PartyInputs],
    options: &RunOptions,
) -> Result<(), SessionError> {
    if runs.is_empty() {
        return Err(SessionError::Usage("a session needs at least one run".to_owned()));
    }
    check_program(program, options)
}

/// What is wrong with a garbling before it begins.
pub(crate) fn check_program(program: &Program, options: &RunOptions) -> Result<(), SessionError> {
    let usage = |text: &str| Err(SessionError::Usage(text.to_owned()));
    if !options.suite.is_secure() {
        return Err(SessionError::BrokenSuite(options.suite.name()));
    }
    if options.cycles == 0 {
        return usage("a run needs at least one cycle");
    }
    let once = |per_cycle: bool| !per_cycle;
    let combinational = !program.circuit.is_sequential()
        && program.circuit.inputs.iter().all(|input| once(input.per_cycle))
        && program.circuit.outputs.iter().all(|output| once(output.per_cycle));
    if combinational && options.cycles != 1 {
        return usage("the circuit has no state and nothing that changes: it runs for one cycle");
    }
    Ok(())
}

/// The handshake, and the timing that follows from it.
fn shake(
    channel: &mut dyn Channel,
    program: &Program,
    hello: &Hello,
    theirs: Option<Hello>,
    options: &RunOptions,
) -> Result<Agreement, SessionError> {
    let agreement = handshake::shake(channel, hello, theirs, program.circuit.outputs.len())?;
    let timing = Timing::new(options.timeout, options.cancel.clone());
    let heartbeat = timing.heartbeat.min(heartbeat_for(agreement.peer_timeout));
    channel.set_timing(Timing { heartbeat, ..timing });
    Ok(agreement)
}

/// Passes a session's result on, telling the peer of an error unless it is the one that is gone.
fn tell_peer<T>(
    channel: &mut dyn Channel,
    result: Result<T, SessionError>,
) -> Result<T, SessionError> {
    if let Some(reason) = result.as_ref().err().and_then(SessionError::for_peer) {
        channel.abort(&reason);
    }
    result
}

/// The payload of a digest frame: the run's number and the digest.
fn digest_payload(run: u32, digest: Transcript) -> [u8; 12] {
    let mut payload = [0; 12];
    payload[..4].copy_from_slice(&run.to_le_bytes());
    payload[4..].copy_from_slice(&digest.0.to_le_bytes());
    payload
}

/// This side's engine asked for what the program does not have, or in another order.
pub(crate) fn out_of_order(what: &str) -> SessionError {
    SessionError::Engine(EngineError::Unsupported(format!("it asked for {what}")))
}

#[cfg(test)]
pub(crate) mod tests;
