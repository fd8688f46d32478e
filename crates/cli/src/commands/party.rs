//! `halfgate garble` and `halfgate evaluate`: one party, with a peer.

use super::one_party::{engine, in_order, runs, show};
use super::preprocessing;
use crate::connection::Meeting;
use crate::failures::failure;
use crate::logging;
use crate::options;
use crate::ports;
use crate::session_args::{CommonArgs, EvaluateArgs, GarbleArgs, OwnValues, PeerArgs};
use crate::stream::Stream;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Progress;
use halfgate_console::source::cycles;
use halfgate_console::{interrupt, mips_source, print, source};
use halfgate_protocol::offline::{TableFile, garble_from_file, garble_to_file};
use halfgate_protocol::session::{self, Event, Learn, RunOptions};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::Ordering;

pub(super) fn garble(args: &GarbleArgs) -> Result<(), Failure> {
    let common = ports::with_steps(&args.common)?;
    if args.to.is_some() || args.from.is_some() {
        let security = common.security;
        RunOptions { security, ..RunOptions::default() }.check_ahead_of_time()?;
    }
    let (peer, values, party) = (&args.peer, &args.values, Party::Garbler);
    let ahead = args.preprocessing.ahead()?;
    if let Some(file) = &args.to {
        return to_file(&common, file);
    }
    match ahead {
        Some(ahead) => preprocessing::execute(party, &common, (peer, values), &ahead, false),
        None => run(party, &common, peer, values, args.from.as_deref(), false),
    }
}

pub(super) fn evaluate(args: &EvaluateArgs) -> Result<(), Failure> {
    let common = ports::with_steps(&args.common)?;
    consent(&common.circuit, args.accept_secret_program)?;
    let (peer, values, party, any) = (&args.peer, &args.values, Party::Evaluator, args.any_order);
    match args.preprocessing.ahead()? {
        Some(ahead) => preprocessing::execute(party, &common, (peer, values), &ahead, any),
        None => run(party, &common, peer, values, None, any),
    }
}

/// Checks that this evaluator may run the program. A program that is the garbler's secret requires
/// that consent `is_given`.
fn consent(circuit: &CircuitArgs, is_given: bool) -> Result<(), Failure> {
    if !mips_source::is_secret(circuit) {
        let what = "--accept-secret-program is for a program that is the garbler's secret, and this one is not";
        return if is_given { Err(Failure::new(Exit::Usage, what)) } else { Ok(()) };
    }
    let what = format!(
        "{}: the program is the garbler's secret, so it may compute anything from your inputs and \
         show it to every party that learns outputs",
        circuit.circuit
    );
    if is_given {
        print::warning(&what);
        return Ok(());
    }
    let what = format!(
        "{what}: add --accept-secret-program to accept that, or run it with the garbler as \
         --privacy public"
    );
    Err(Failure::new(Exit::Usage, what))
}

/// Runs a session with a peer. A garbler takes its tables from the file `from` if there is one. An
/// evaluator compiles the program in any order that the garbler names if `any_order` is set.
fn run(
    party: Party,
    common: &CommonArgs,
    peer: &PeerArgs,
    values: &OwnValues,
    from: Option<&Path>,
    any_order: bool,
) -> Result<(), Failure> {
    options::check_security(common, &[&common.engine])?;
    let meeting = Meeting::prepare(peer)?;
    let engine = engine(common, party, meeting.is_local())?;
    let mut program = source::program(&common.circuit)?;
    logging::program(&common.circuit.circuit, &program);
    let circuit = &program.circuit;
    let (runs, cycles) = runs(common, circuit, party, values)?;
    if from.is_some() && runs.len() != 1 {
        return Err(Failure::new(Exit::Usage, "a file of garbled tables serves one run"));
    }
    let cancel = interrupt::flag()?;
    let mut options = RunOptions {
        deadlines: peer.deadlines(),
        program_name: peer.program_name.clone(),
        ..options::session(common, &circuit.outputs, cycles, &cancel)?
    };
    options.ot_field = options.ot_field.or(meeting.ot_field());
    if options.learn.is_empty() && mips_source::is_secret(&common.circuit) {
        options.learn = vec![Learn::Evaluator; circuit.outputs.len()];
    }
    // Refuse an unsuitable file before the peer has to wait.
    let tables = from.map(|path| tables(path, &program, &options)).transpose()?;

    let (mut channel, _) = meeting.rendezvous(options.timeout, &cancel)?;
    let channel = &mut *channel;
    let mut progress = Progress::start();
    let mut stream = Stream::of(&circuit.outputs, common.json);
    let mut events = |event| match event {
        Event::Outputs { first_cycle, cycles, values } => {
            stream.print(first_cycle, cycles, &values)
        }
        Event::OutputBits { output, first, bits } => stream.print_bits(output, first, &bits),
        event => progress.event(event),
    };
    let reports = match (party, tables) {
        (Party::Garbler, None) => {
            session::garble(channel, &program, &*engine, &runs, &options, &mut events)
        }
        (Party::Garbler, Some(tables)) => {
            garble_from_file(channel, tables, &runs[0], &options, &mut events)
                .map(|report| vec![report])
        }
        (Party::Evaluator, _) => {
            if source::leaves_order(&common.circuit) {
                // The garbler chooses the order.
                let proposal = session::proposal(channel, &options)?;
                if proposal.order() != program.order.to_string() {
                    program = in_order(channel, &common.circuit, proposal.order(), any_order)?;
                }
                let (engine, events) = (&*engine, &mut events);
                session::evaluate_proposal(
                    channel, proposal, &program, engine, &runs, &options, events,
                )
            } else {
                session::evaluate(channel, &program, &*engine, &runs, &options, &mut events)
            }
        }
    };
    drop(progress);
    stream.check()?;
    let count = runs.len() as u64;
    // Inputs may be as large as outputs, whose text follows.
    drop(runs);
    show(common, (party, &*engine), (&program, &options, count), reports)
}

/// Opens the garbling in the file at `path` and checks all of it.
fn tables<'p>(
    path: &'p Path,
    program: &'p Program,
    options: &RunOptions,
) -> Result<TableFile<'p>, Failure> {
    let mut tables = TableFile::open(path, program, options)?;
    tables.check_records()?;
    Ok(tables)
}

/// Garbles ahead of time.
fn to_file(common: &CommonArgs, path: &Path) -> Result<(), Failure> {
    let engine = engine(common, Party::Garbler, false)?;
    let program = source::program(&common.circuit)?;
    logging::program(&common.circuit.circuit, &program);
    let cycles = cycles(common.cycles, None, &program.circuit)?;
    let cancel = interrupt::flag()?;
    let options = options::session(common, &program.circuit.outputs, cycles, &cancel)?;
    let mut progress = Progress::start();
    let report =
        garble_to_file(&program, &*engine, &options, path, &mut |event| progress.event(event));
    drop(progress);
    let report = match report {
        Err(_) if cancel.load(Ordering::Relaxed) => {
            return Err(Failure::new(Exit::Cancelled, "cancelled; the file is removed"));
        }
        report => report.map_err(failure)?,
    };
    if common.json {
        let json = json!({
            "file": path.display().to_string(),
            "suite": options.suite.name(),
            "program_hash": program.hash.to_string(),
            "gates": report.counters.gates,
            "and_gates": report.counters.ands,
            "cycles": report.counters.cycles,
            "bytes": report.bytes,
            "seconds": report.total.as_secs_f64(),
        });
        return print::line(&json.to_string());
    }
    print::line(&format!(
        "{}: {} gates, {} ANDs, {} in {}; good for one run, and as secret as the input values",
        path.display(),
        print::grouped(report.counters.gates),
        print::grouped(report.counters.ands),
        print::bytes(report.bytes),
        print::seconds(report.total.as_secs_f64()),
    ))
}
