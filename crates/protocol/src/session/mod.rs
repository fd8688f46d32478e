//! Sessions: a run of a program between two parties, from both sides.
//!
//! [`garble`] and [`evaluate`] take a connected channel and do the rest: the handshake, the
//! oblivious transfers, the runs, the comparison of digests, and the outputs. [`run_local`] runs
//! both parties in one process.
//!
//! Per-cycle outputs are decoded during the run, a [window](outputs) of cycles at a time, after
//! both sides have compared a digest of everything sent so far. The caller gets them at the end,
//! when the whole run is verified, or during the run if it sets [`RunOptions::stream`].
//!
//! The two parties' engines may request inputs and give outputs at different points of a cycle. So
//! the order of messages follows the cycles and not the engines. [`pace`] documents it, and why it
//! cannot deadlock.
//!
//! **Memory** of a party: its engine (the wires alive at once); 16 bytes for each per-run output
//! bit that a party learns; for per-cycle output bits 1 MiB, or 16 bytes for each bit of one cycle
//! if that is more; 16 bytes for each input bit that a cycle uses; one bit for each bit of its own
//! inputs and of the outputs that it learns (unless they pass through [`Feed`] and
//! [`Event::Outputs`]); some hundred KiB of channel buffers; and at most two
//! [batches](inputs::BATCH) of transfers ahead. Nothing grows with the number of gates. With feed
//! and events nothing grows with the number of cycles.

pub mod authenticated;
mod checks;
mod class;
mod decoding;
mod difference;
mod error;
mod evaluator;
mod evaluator_io;
mod feed;
mod garbler;
mod garbler_io;
pub mod inputs;
pub(crate) mod labels;
mod late;
mod layout;
mod learned;
mod level;
mod local;
mod options;
mod outputs;
mod pace;
mod parts;
mod prepare;
mod report;
mod reports;
mod stopped;
mod transfer;

pub use crate::ot::{OtField, OtMode};
pub use class::ErrorClass;
pub use difference::Difference;
pub use error::SessionError;
pub use evaluator::{Proposal, evaluate, evaluate_late, evaluate_proposal, proposal};
pub use feed::{Feed, Wanted};
pub(crate) use garbler::{Source, serve};
pub use garbler::{garble, garble_late};
pub use late::Fetch;
pub(crate) use late::Inputs;
pub use level::{STATISTICAL, SecurityLevel, UnknownLevel};
pub use local::{LocalParty, run_local};
pub use options::{Deadlines, Learn, RunOptions};
pub use prepare::meanwhile;
pub use report::{Event, PhaseReport, Report, Unconfirmed};
pub(crate) use stopped::{Stopped, stopped};

use crate::channel::{Channel, Timing, heartbeat_for};
use crate::frame::Transcript;
use crate::handshake::{self, Agreement, Hello, Requested};
use halfgate_circuit::{Bits, Circuit};
use halfgate_compiler::Program;
use halfgate_engine::{ContractError, Engine, EngineError, Strength, Suite};

/// One party's input values: an entry for each input of the circuit, `Some` for its own. The bits
/// of a per-cycle input are its width times the number of cycles, the first cycle's first. For a
/// per-cycle input, an own entry may also be `None`: then a [`Feed`] gives its values during the
/// run.
pub type PartyInputs = Vec<Option<Bits>>;

/// Checks a session before it begins.
fn check_session(program: &Program, runs: usize, options: &RunOptions) -> Result<(), SessionError> {
    if runs == 0 {
        return Err(SessionError::Usage("a session needs at least one run".to_owned()));
    }
    check_program(program, options)
}

/// Checks a garbling before it begins.
pub(crate) fn check_program(program: &Program, options: &RunOptions) -> Result<(), SessionError> {
    let usage = |text: &str| Err(SessionError::Usage(text.to_owned()));
    match options.suite.strength() {
        Strength::Broken => return Err(SessionError::BrokenSuite(options.suite.name())),
        Strength::Weak if !options.insecure_suite => {
            return Err(SessionError::WeakSuite(options.suite.name()));
        }
        Strength::Weak | Strength::Sound => {}
    }
    options.check_security()?;
    if options.cycles == 0 {
        return usage("a run needs at least one cycle");
    }
    let once = |per_cycle: bool| !per_cycle;
    let combinational = !program.circuit.is_sequential()
        && program.circuit.inputs.iter().all(|input| once(input.per_cycle))
        && program.circuit.outputs.iter().all(|output| once(output.per_cycle));
    if combinational && options.cycles != 1 {
        return usage(
            "the circuit has no state and no per-cycle ports, so it runs for exactly one cycle",
        );
    }
    check_counts(&program.circuit, options)?;
    let gates = program.gates_per_cycle();
    if gates > MAX_GATES {
        return Err(SessionError::Usage(format!(
            "the program has {gates} gates with all functions written out, more than {MAX_GATES}"
        )));
    }
    if program.skips.is_some() {
        // The number of ANDs becomes known during the run: see `Pace`.
        return Ok(());
    }
    let ands = program.ands_per_cycle().saturating_mul(options.cycles);
    check_key(options.suite, ands, || format!("this run has {ands}"))
}

/// Checks that a run of `ands` ANDs is within the suite's limit under one key. `passed` describes
/// the excess for the error.
fn check_key(suite: Suite, ands: u64, passed: impl FnOnce() -> String) -> Result<(), SessionError> {
    match suite.max_ands() {
        Some(most) if ands > most => {
            Err(SessionError::KeyLimit { suite: suite.name(), most, passed: passed() })
        }
        _ => Ok(()),
    }
}

/// Checks that everything that is numbered over a run fits: ANDs, each of which takes two numbers
/// of the hash, gates, and input and output bits.
fn check_counts(circuit: &Circuit, options: &RunOptions) -> Result<(), SessionError> {
    let cycles = options.cycles;
    let fits =
        |count: usize| (count as u64).checked_mul(cycles).is_some_and(|count| count < MAX_COUNT);
    // A circuit has fewer than 2^32 wires: if its wires can be numbered, so can its ANDs and
    // inputs.
    if !fits(circuit.wires()) || !fits(circuit.output_bits()) {
        return Err(SessionError::Usage(format!(
            "{cycles} cycles of {} wires are more than can be numbered: a run has fewer than 2^63",
            circuit.wires()
        )));
    }
    let each = circuit.outputs.iter().filter(|output| output.per_cycle);
    let each: u64 = each.map(|output| output.bits.len() as u64).sum();
    if !options.stream && each.saturating_mul(cycles) > MAX_COLLECTED {
        return Err(SessionError::Usage(format!(
            "{each} output bits per cycle over {cycles} cycles are too many to collect: stream \
             them"
        )));
    }
    Ok(())
}

/// Upper bound (exclusive) of the ANDs, gates, and input or output bits in a run.
const MAX_COUNT: u64 = 1 << 63;

/// Most gates of a program's body: the bytes of their tables are counted in 64 bits.
const MAX_GATES: u64 = 1 << 57;

/// Maximum number of per-cycle output bits that are collected: 8 GiB.
const MAX_COLLECTED: u64 = 1 << 36;

/// Does the handshake and sets the channel's timing accordingly.
fn shake(
    channel: &mut dyn Channel,
    program: &Program,
    hello: &Hello,
    requested: Option<Requested>,
    options: &RunOptions,
) -> Result<Agreement, SessionError> {
    tracing::debug!(role = %hello.role, program = %program.hash, "shaking hands");
    channel.set_deadline(options.deadlines.handshake());
    let agreement = handshake::shake(channel, hello, requested, program.circuit.outputs.len())
        .map_err(|error| with_name(error, program))?;
    tracing::info!(
        role = %hello.role,
        suite = %options.suite,
        order = %program.order,
        cycles = hello.cycles,
        runs = hello.runs,
        security = %agreement.security,
        ot_field = %agreement.ot_field,
        peer_engine = ?agreement.peer_engine,
        "the parties agree"
    );
    let timing = Timing::new(options.timeout, options.cancel.clone());
    let heartbeat = timing.heartbeat.min(heartbeat_for(agreement.peer_timeout));
    channel.set_timing(Timing { heartbeat, ..timing });
    channel.set_deadline(options.deadlines.transfers());
    Ok(agreement)
}

/// Adds this party's name of the function in which the programs differ.
fn with_name(error: SessionError, program: &Program) -> SessionError {
    match error {
        SessionError::Mismatch { peer, what, ours, theirs } => {
            let name = match what {
                Difference::Function { number } => program.structure.as_ref().and_then(|all| {
                    all.circuit.functions.get(number).map(|function| &function.name)
                }),
                _ => None,
            };
            let ours = name.map(|name| format!("{name:?} ({ours})")).unwrap_or(ours);
            SessionError::Mismatch { peer, what, ours, theirs }
        }
        error => error,
    }
}

/// Checks that `engine` can run `program` at the session's security level.
pub(crate) fn check_engine(
    engine: &dyn Engine,
    program: &Program,
    options: &RunOptions,
) -> Result<(), SessionError> {
    if options.security == SecurityLevel::Malicious && !is_cpu(engine) {
        return Err(SessionError::Unauthenticated { engine: engine.name() });
    }
    match program.skips.is_some() && !engine.skips() {
        true => Err(SessionError::Engine(EngineError::Skips { engine: engine.name() })),
        false => Ok(()),
    }
}

/// Whether this is the CPU engine, whose name is `cpu` followed by its kernel in parentheses.
fn is_cpu(engine: &dyn Engine) -> bool {
    engine.name().split(' ').next() == Some("cpu")
}

/// Returns a session's result. Sends an error to the peer first, unless the connection is the
/// cause.
fn report_to_peer<T>(
    channel: &mut dyn Channel,
    result: Result<T, SessionError>,
) -> Result<T, SessionError> {
    if let Some(error) = result.as_ref().err() {
        tracing::debug!(class = ?error.class(), "the session failed");
    }
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

/// The error when this side's engine violated its contract.
pub(crate) fn contract(error: ContractError) -> SessionError {
    SessionError::Engine(error.into())
}

#[cfg(test)]
pub(crate) mod tests;
