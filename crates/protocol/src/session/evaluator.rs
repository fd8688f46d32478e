//! The evaluator's side of a session.

use super::authenticated::{self, Malicious};
use super::evaluator_io::EvaluatorSide;
use super::garbler_io::RunNumber;
use super::inputs::{InputOrder, Values};
use super::labels::random;
use super::layout::Layout;
use super::learned::Learned;
use super::outputs::OutputLabels;
use super::prepare::prepare;
use super::reports::{Reports, kept};
use super::transfer::TransferReceiver;
use super::{
    Event, Fetch, Inputs, PartyInputs, Report, RunOptions, SecurityLevel, SessionError,
    check_engine, check_session, report_to_peer, shake,
};
use crate::channel::{Channel, Timing};
use crate::handshake::{self, Hello, Requested};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::{Engine, wipe};
use std::time::Instant;

/// Evaluates `program` once for each of `runs` over one connection.
///
/// # Errors
/// See [`SessionError`]. The garbler is notified, unless it is gone.
pub fn evaluate(
    channel: &mut dyn Channel,
    program: &Program,
    engine: &dyn Engine,
    runs: &[PartyInputs],
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    evaluate_after(channel, None, (program, engine), Inputs::Given(runs), options, events)
}

/// [`evaluate`] for one run, with inputs that are fetched after the parties have agreed.
///
/// # Errors
/// Those of [`evaluate`], and [`SessionError::Unavailable`].
pub fn evaluate_late(
    channel: &mut dyn Channel,
    program: &Program,
    engine: &dyn Engine,
    fetch: Fetch<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    evaluate_after(channel, None, (program, engine), Inputs::Late(fetch), options, events)
}

/// The garbler's hello, received before the evaluator has a program.
#[derive(Debug)]
pub struct Proposal(Requested);

impl Proposal {
    /// The garbler's gate order, by its name.
    pub fn order(&self) -> &str {
        &self.0.garbler().order
    }

    /// The hellos.
    pub(super) fn into_requested(self) -> Requested {
        self.0
    }
}

/// Exchanges first hellos with the garbler, so that the evaluator can compile the program in the
/// garbler's gate order. [`evaluate_proposal`] continues from there.
///
/// # Errors
/// If the connection is lost or idle for too long, or the garbler's message is not a handshake.
pub fn proposal(channel: &mut dyn Channel, options: &RunOptions) -> Result<Proposal, SessionError> {
    channel.set_timing(Timing::new(options.timeout, options.cancel.clone()));
    channel.set_deadline(options.deadlines.handshake());
    let requested = random().and_then(|nonce| handshake::request(channel, options, *nonce));
    // The caller now compiles the program, which has no deadline.
    channel.set_deadline(None);
    let result = requested.map(Proposal);
    report_to_peer(channel, result)
}

/// As [`evaluate`], after [`proposal`].
///
/// # Errors
/// Those of [`evaluate`].
pub fn evaluate_proposal(
    channel: &mut dyn Channel,
    proposal: Proposal,
    program: &Program,
    engine: &dyn Engine,
    runs: &[PartyInputs],
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    let inputs = Inputs::Given(runs);
    evaluate_after(channel, Some(proposal.0), (program, engine), inputs, options, events)
}

/// The evaluator's side of a session, given the garbler's hello if it was received already.
fn evaluate_after(
    channel: &mut dyn Channel,
    requested: Option<Requested>,
    what: (&Program, &dyn Engine),
    inputs: Inputs<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    let (runs, mut reports) = (inputs.runs(), None);
    let result = wipe::stack_after(|| {
        let result =
            evaluate_inner(channel, requested, what, inputs, options, events, &mut reports);
        let done = reports.map(|reports| reports.done).unwrap_or_default();
        kept(channel, result, done, runs).map_err(SessionError::fresh)
    });
    result.map_err(|error| *error)
}

fn evaluate_inner(
    channel: &mut dyn Channel,
    requested: Option<Requested>,
    (program, engine): (&Program, &dyn Engine),
    mut inputs: Inputs<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
    reports: &mut Option<Reports>,
) -> Result<(), SessionError> {
    let begin = Instant::now();
    check_session(program, inputs.runs(), options)?;
    check_engine(engine, program, options)?;
    let mut order = InputOrder::of(program, options.cycles)?;
    inputs.check((&order, &program.circuit), Party::Evaluator, options)?;

    channel.set_timing(Timing::new(options.timeout, options.cancel.clone()));
    let hello = hello(channel, (program, engine), inputs.runs(), options)?;
    let agreement = shake(channel, program, &hello, requested, options)?;
    events(Event::Connected { peer_engine: agreement.peer_engine.clone() });
    order.join_unless(agreement.parts);
    inputs.arrive(channel, (&order, &program.circuit), Party::Evaluator, options)?;
    let reports = reports.insert(Reports::new(begin, engine.name(), &agreement));
    if options.security == SecurityLevel::Malicious {
        let job = Malicious::new(Party::Evaluator, (program, engine), &order, &agreement, options);
        return authenticated::session(channel, job, &inputs, events, reports);
    }

    let mut transfer = match order.count(Party::Evaluator) {
        0 => None,
        _ => Some(TransferReceiver::set_up(channel, &agreement, options.ot)?),
    };

    let mut prepared = None;
    for (run, inputs) in inputs.each().iter().enumerate() {
        let layout = Layout::new(&program.circuit, &agreement.learn, options.cycles, order.parts());
        let learned = Learned::new(Party::Evaluator, options.stream);
        let values = Values::new(Party::Evaluator, run, (&order, inputs), options.feed.as_ref());
        // What is boxed from here on would carry secrets of earlier calls in its unused bytes.
        wipe::stack();
        let mut side = EvaluatorSide::new(
            (channel, events),
            RunNumber::new(run, program, options.suite, options.cycles),
            (&order, values),
            transfer.as_mut(),
            (OutputLabels::new(layout), learned),
            options.suite,
        );
        if run > 0 {
            side.channel.set_deadline(options.deadlines.run());
        }
        let key = side.begin()?;
        if run == 0 {
            side.channel.set_deadline(options.deadlines.run());
            reports.set_up(side.events);
        }
        let prepared = match &mut prepared {
            Some(prepared) => prepared,
            none => {
                let start = Instant::now();
                let new = prepare(side.channel, Party::Garbler, engine, program)?;
                reports.prepared(start, side.events);
                none.insert(new)
            }
        };
        let start = Instant::now();
        (side.events)(Event::RunStarted { run });
        let ran = prepared.evaluate(key, options.cycles, &mut side);
        let counters = side.stopped.or(ran.map_err(SessionError::Engine))?;
        let ended = side.finish()?;
        let total = start.elapsed();
        // A report outlives the session, and its unused bytes could hold secrets from the stack.
        wipe::stack();
        reports.add(channel, &agreement, ended, counters, total)?;
    }
    channel
        .close()
        .map_err(|error| SessionError::channel(Party::Garbler, "ending the session", error))
}

/// This party's full hello.
fn hello(
    channel: &dyn Channel,
    (program, engine): (&Program, &dyn Engine),
    runs: usize,
    options: &RunOptions,
) -> Result<Hello, SessionError> {
    let mut hello = Hello::new(Party::Evaluator, program, runs, options, *random()?)?;
    hello.ot_field = options.ot_field_over(channel);
    hello.parts = engine.runs_functions();
    hello.engine = engine.name();
    Ok(hello)
}
