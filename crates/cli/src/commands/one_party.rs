//! What the commands of one party have in common: its engine, its inputs, its program in the peer's
//! order, and its results.

use crate::failures::failure;
use crate::inputs::{Given, warn_of_literals};
use crate::ports;
use crate::report::{self, RunResult, Session};
use crate::session_args::{CommonArgs, OwnValues};
use halfgate_circuit::{Circuit, Party};
use halfgate_compiler::{Order, Program};
use halfgate_console::circuit_args::CircuitArgs;
use halfgate_console::error::{Exit, Failure};
use halfgate_console::print;
use halfgate_console::source::{self, cycles};
use halfgate_engine::Engine;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::session::{self, PartyInputs, Report, RunOptions, SessionError};
use halfgate_registry::OnCpu;

/// The engine of one party; `is_shared` says whether the peer runs on this computer too. Waveforms
/// contain secrets that the peer must never learn, so the user must explicitly allow them.
pub(super) fn engine(
    common: &CommonArgs,
    role: Party,
    is_shared: bool,
) -> Result<Box<dyn Engine>, Failure> {
    if common.trace.is_some() && !common.trace_secrets {
        let what = "--trace writes every label and delta to a file, and its readers learn the inputs; \
                    add --trace-secrets if no value of this session is secret";
        return Err(Failure::new(Exit::Usage, what));
    }
    let on = OnCpu { kernel: common.kernel.as_deref(), threads: common.threads, is_shared };
    halfgate_registry::engine(&common.engine, on, &[role], common.trace.as_deref())
}

/// The inputs of each run, and the number of cycles of each run.
pub(super) fn runs(
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

/// Compiles the program in the order that the garbler names.
pub(super) fn in_order(
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

/// Shows the results of a session of `count` runs.
pub(super) fn show(
    common: &CommonArgs,
    (party, engine): (Party, &dyn Engine),
    (program, options, count): (&Program, &RunOptions, u64),
    reports: Result<Vec<Report>, SessionError>,
) -> Result<(), Failure> {
    let session = Session {
        program,
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
