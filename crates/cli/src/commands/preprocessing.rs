//! `halfgate garble` and `halfgate evaluate` with `--preprocess-to` or `--preprocessed`: the two
//! halves of a malicious session.

use super::one_party::{engine, in_order, runs, show};
use crate::connection::Meeting;
use crate::failures::failure;
use crate::logging;
use crate::options;
use crate::preprocessing_args::Ahead;
use crate::session_args::{CommonArgs, OwnValues, PeerArgs};
use crate::stream::Stream;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Progress;
use halfgate_console::source::{self, cycles};
use halfgate_console::{interrupt, mips_source, print};
use halfgate_protocol::session::authenticated::ahead::{
    PreprocessedFile, PreprocessingReport, Side, Target, order_of, preprocess, run_preprocessed,
};
use halfgate_protocol::session::{self, Event, Learn, RunOptions, SecurityLevel};
use serde_json::json;
use std::path::Path;

/// Runs one half of a session with a peer.
pub(super) fn execute(
    party: Party,
    common: &CommonArgs,
    (peer, values): (&PeerArgs, &OwnValues),
    ahead: &Ahead,
    any_order: bool,
) -> Result<(), Failure> {
    if common.security != SecurityLevel::Malicious {
        let what = "preprocessing by both parties is for --security malicious; for semi-honest \
                    sessions, the garbler alone garbles ahead of time with --to";
        return Err(Failure::new(Exit::Usage, what));
    }
    options::check_security(common, &[&common.engine])?;
    let meeting = Meeting::prepare(peer)?;
    match &ahead.ledger {
        Some(ledger) => online(party, common, (peer, values), (ahead, ledger), &meeting),
        None => to_file(party, common, peer, ahead, &meeting, any_order),
    }
}

/// The first half, without inputs.
fn to_file(
    party: Party,
    common: &CommonArgs,
    peer: &PeerArgs,
    ahead: &Ahead,
    meeting: &Meeting,
    any_order: bool,
) -> Result<(), Failure> {
    let target = Target { path: &ahead.path, protection: ahead.protection() };
    // Refuse an unsuitable target before the peer has to wait.
    target.check()?;
    let engine = engine(common, party, meeting.is_local())?;
    let mut program = source::program(&common.circuit)?;
    logging::program(&common.circuit.circuit, &program);
    let cycles = cycles(common.cycles, None, &program.circuit)?;
    let cancel = interrupt::flag()?;
    let options = session_options(common, peer, &program, meeting, cycles, &cancel)?;
    let (mut channel, identities) = meeting.rendezvous(options.timeout, &cancel)?;
    let channel = &mut *channel;
    let mut progress = Progress::start();
    let mut proposal = None;
    if party == Party::Evaluator && source::leaves_order(&common.circuit) {
        // The garbler chooses the order.
        let proposed = session::proposal(channel, &options)?;
        if proposed.order() != program.order.to_string() {
            program = in_order(channel, &common.circuit, proposed.order(), any_order)?;
        }
        proposal = Some(proposed);
    }
    let side = Side { party, identities, program: &program, engine: &*engine, options: &options };
    let report = preprocess(channel, side, proposal, target, &mut |event| progress.event(event));
    drop(progress);
    print_file(common, &program, &ahead.path, &report.map_err(failure)?)
}

/// The second half, from a file.
fn online(
    party: Party,
    common: &CommonArgs,
    (peer, values): (&PeerArgs, &OwnValues),
    (ahead, ledger): (&Ahead, &Path),
    meeting: &Meeting,
) -> Result<(), Failure> {
    let engine = engine(common, party, meeting.is_local())?;
    // The evaluator may have left the order to the garbler when the file was made.
    let order = match party == Party::Evaluator && source::leaves_order(&common.circuit) {
        true => Some(order_of(&ahead.path)?),
        false => None,
    };
    let circuit = CircuitArgs { order, ..common.circuit.clone() };
    let circuit = if circuit.order.is_some() { &circuit } else { &common.circuit };
    let program = source::program(circuit)?;
    logging::program(&common.circuit.circuit, &program);
    let (runs, cycles) = runs(common, &program.circuit, party, values)?;
    let [inputs] = &runs[..] else {
        let what = "a preprocessing file serves one run: give one --input";
        return Err(Failure::new(Exit::Usage, what));
    };
    let cancel = interrupt::flag()?;
    let options = session_options(common, peer, &program, meeting, cycles, &cancel)?;
    // Refuse an unsuitable file before the peer has to wait.
    let protection = ahead.protection();
    let paths = (ahead.path.as_path(), ledger);
    let file = PreprocessedFile::open(paths, &protection, party, &program, &options)?;
    let (mut channel, identities) = meeting.rendezvous(options.timeout, &cancel)?;
    let mut progress = Progress::start();
    let mut stream = Stream::of(&program.circuit.outputs, common.json);
    let mut events = |event| match event {
        Event::Outputs { first_cycle, cycles, values } => {
            stream.print(first_cycle, cycles, &values)
        }
        Event::OutputBits { output, first, bits } => stream.print_bits(output, first, &bits),
        event => progress.event(event),
    };
    let side = Side { party, identities, program: &program, engine: &*engine, options: &options };
    let report = run_preprocessed(&mut *channel, side, None, file, inputs, &mut events);
    drop(progress);
    stream.check()?;
    drop(runs);
    let reports = report.map(|report| vec![report]);
    show(common, (party, &*engine), (&program, &options, 1), reports)
}

/// The options of a session, for one cycle of a program or more.
fn session_options(
    common: &CommonArgs,
    peer: &PeerArgs,
    program: &Program,
    meeting: &Meeting,
    cycles: u64,
    cancel: &std::sync::Arc<std::sync::atomic::AtomicBool>,
) -> Result<RunOptions, Failure> {
    let outputs = &program.circuit.outputs;
    let mut options = RunOptions {
        deadlines: peer.deadlines(),
        program_name: peer.program_name.clone(),
        ..options::session(common, outputs, cycles, cancel)?
    };
    options.ot_field = options.ot_field.or(meeting.ot_field());
    if options.learn.is_empty() && mips_source::is_secret(&common.circuit) {
        options.learn = vec![Learn::Evaluator; outputs.len()];
    }
    Ok(options)
}

fn print_file(
    common: &CommonArgs,
    program: &Program,
    path: &Path,
    report: &PreprocessingReport,
) -> Result<(), Failure> {
    let generation: String = report.generation.iter().map(|byte| format!("{byte:02x}")).collect();
    if common.json {
        let json = json!({
            "file": path.display().to_string(),
            "security": common.security.name(),
            "program_hash": program.hash.to_string(),
            "generation": generation,
            "gates": report.counters.gates,
            "and_gates": report.counters.ands,
            "cycles": report.counters.cycles,
            "bytes": report.bytes,
            "bytes_sent": report.bytes_sent,
            "bytes_received": report.bytes_received,
            "seconds": report.total.as_secs_f64(),
        });
        return print::line(&json.to_string());
    }
    print::line(&format!(
        "{}: generation {}, {} gates, {} ANDs, {} in {}; sent {}, received {}; good for one run \
         with this peer, and as secret as the input values",
        path.display(),
        &generation[..16],
        print::grouped(report.counters.gates),
        print::grouped(report.counters.ands),
        print::bytes(report.bytes),
        print::seconds(report.total.as_secs_f64()),
        print::bytes(report.bytes_sent),
        print::bytes(report.bytes_received),
    ))
}
