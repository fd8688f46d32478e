//! `halfgate garble` and `halfgate evaluate`: one party, with a peer.

use crate::connection::Meeting;
use crate::failures::failure;
use crate::inputs::{Given, warn_of_literals};
use crate::logging;
use crate::options::{self, OnCpu};
use crate::ports;
use crate::report::{self, RunResult, Session};
use crate::session_args::{CommonArgs, EvaluateArgs, GarbleArgs, OwnValues, PeerArgs};
use crate::stream::Stream;
use halfgate_circuit::{Circuit, Party};
use halfgate_compiler::{Order, Program};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::progress::Progress;
use halfgate_console::source::cycles;
use halfgate_console::{interrupt, mips_source, print, source};
use halfgate_engine::Engine;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::offline::{TableFile, garble_from_file, garble_to_file};
use halfgate_protocol::session::{self, Event, Learn, PartyInputs, RunOptions, SessionError};
use serde_json::json;
use std::path::Path;
use std::sync::atomic::Ordering;

pub(super) fn garble(args: &GarbleArgs) -> Result<(), Failure> {
    let common = ports::with_steps(&args.common)?;
    if args.to.is_some() || args.from.is_some() {
        let security = common.security;
        RunOptions { security, ..RunOptions::default() }.check_ahead_of_time()?;
    }
    match &args.to {
        Some(file) => to_file(&common, file),
        None => {
            party(Party::Garbler, &common, &args.peer, &args.values, args.from.as_deref(), false)
        }
    }
}

pub(super) fn evaluate(args: &EvaluateArgs) -> Result<(), Failure> {
    let common = ports::with_steps(&args.common)?;
    consent(&common.circuit, args.accept_secret_program)?;
    party(Party::Evaluator, &common, &args.peer, &args.values, None, args.any_order)
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

/// The engine of one party; `is_shared` says whether the peer runs on this computer too. Waveforms
/// contain secrets that the peer must never learn, so the user must explicitly allow them.
fn engine(common: &CommonArgs, role: Party, is_shared: bool) -> Result<Box<dyn Engine>, Failure> {
    if common.trace.is_some() && !common.trace_secrets {
        let what = "--trace writes every label and delta to a file, and its readers learn the inputs; \
                    add --trace-secrets if no value of this session is secret";
        return Err(Failure::new(Exit::Usage, what));
    }
    let on = OnCpu { kernel: common.kernel.as_deref(), threads: common.threads, is_shared };
    options::engine(&common.engine, on, &[role], common.trace.as_deref())
}

/// Runs a session with a peer. A garbler takes its tables from the file `from` if there is one. An
/// evaluator compiles the program in any order that the garbler names if `any_order` is set.
fn party(
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

    let mut channel = meeting.rendezvous(options.timeout, &cancel)?;
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
    let session = Session {
        program: &program,
        suite: options.suite,
        party: Some(party),
        runs: count,
        // The tables of a file were made earlier, and the file does not store on what machine.
        simulated: vec![(party, engine.simulated().filter(|all| all.launches > 0))],
        links: vec![(party, engine.traffic())],
    };
    // The results of runs that ended before the session failed are valid.
    let (reports, ended) = match reports {
        Err(SessionError::Unfinished { finished, error }) => (finished, Err(failure(*error))),
        reports => (reports.map_err(failure)?, Ok(())),
    };
    let outputs = &program.circuit.outputs;
    let finished = reports
        .iter()
        .try_for_each(|report| ports::check_finished(&common.circuit, outputs, &report.outputs));
    // Of several runs, some may have finished: show them before returning the error.
    if reports.len() == 1 && finished.is_err() {
        return finished;
    }
    let results: Vec<_> = reports.into_iter().map(|report| session.result(report)).collect();
    let error = ended.as_ref().err().map(Failure::to_string);
    match common.json {
        true => report::print_json(&results, error)?,
        false => print::line(&report::text(&results))?,
    }
    ended.and(finished).and(confirmed(&results))
}

/// Checks that the peer has confirmed the end of the session.
fn confirmed(results: &[RunResult]) -> Result<(), Failure> {
    match results.last().and_then(|last| last.unconfirmed.as_ref()) {
        None => Ok(()),
        Some(reason) => {
            let what = format!(
                "warning: the result is verified, but the peer did not confirm the end of the run \
                 and may not have its own: {reason}"
            );
            Err(Failure::new(Exit::Unconfirmed, what))
        }
    }
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

/// Compiles the program in the order that the garbler names.
fn in_order(
    channel: &mut dyn Channel,
    circuit: &CircuitArgs,
    order: &str,
    any_order: bool,
) -> Result<Program, Failure> {
    if !any_order && !order.parse::<Order>().is_ok_and(|order| order.is_bounded()) {
        channel.abort("the evaluator takes this order only if its options name it too");
        let what = format!(
            "the garbler names the order {order}, whose time or memory is not bounded: add --order \
             {order} if you know it, or --any-order"
        );
        return Err(Failure::new(Exit::Mismatch, what));
    }
    let circuit = CircuitArgs { order: Some(order.to_owned()), ..circuit.clone() };
    let doing = "compiling the program in the garbler's order";
    let program = session::meanwhile(channel, Party::Garbler, doing, || source::program(&circuit))?;
    if program.is_err() {
        channel.abort("the program cannot be compiled in the order that the garbler names");
    }
    program
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

/// The inputs of each run, and the number of cycles of each run.
fn runs(
    common: &CommonArgs,
    circuit: &Circuit,
    party: Party,
    OwnValues { input, runs }: &OwnValues,
) -> Result<(Vec<PartyInputs>, u64), Failure> {
    if let (Some(runs), 2..) = (runs, input.len()) {
        let what = format!("--runs {runs} repeats one --input; {} are given", input.len());
        return Err(Failure::new(Exit::Usage, what));
    }
    // Without values there is one run as well, for a party without inputs.
    let none = [String::new()];
    let values = if input.is_empty() { &none[..] } else { input };
    values.iter().for_each(|text| warn_of_literals(text));
    let mut stdin = Some(std::io::stdin().lock());
    let read = |text| Given::read(text, &common.circuit.circuit, circuit, party, &mut stdin);
    let given = values.iter().map(|text| text.as_str()).map(read).collect::<Result<Vec<_>, _>>()?;
    let first = given.first().map_or(Ok(None), Given::cycles)?;
    let cycles = cycles(common.cycles, first, circuit)?;
    let repeats = runs.unwrap_or(1) as usize;
    let given = given.iter().flat_map(|given| std::iter::repeat_n(given, repeats));
    let runs: Result<_, _> = given.map(|given| given.bits(circuit, cycles)).collect();
    Ok((runs?, cycles))
}
