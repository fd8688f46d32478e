//! The garbler's side of a session.

use super::authenticated::{self, Malicious};
use super::garbler_io::{GarblerSide, RunNumber};
use super::inputs::{InputOrder, Values};
use super::labels::{Garbling, random, random_delta};
use super::layout::Layout;
use super::learned::Learned;
use super::outputs::OutputLabels;
use super::prepare::prepare;
use super::reports::{Reports, kept};
use super::transfer::TransferSender;
use super::{
    Event, Fetch, Inputs, OtMode, PartyInputs, Report, RunOptions, SecurityLevel, SessionError,
    check_engine, check_session, contract, report_to_peer, shake,
};
use crate::channel::{Channel, Timing};
use crate::handshake::{Agreement, Hello, LabelMode};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::wipe;
use halfgate_engine::{ContractError, Counters, Delta, Engine, GarblerIo, Prepared, Suite};
use std::time::Instant;

/// Garbles `program` once for each of `runs` over one connection.
///
/// With one run, the evaluator's labels come directly from OT under the garbling's Δ. With several,
/// each garbling has its own Δ and one OT extension serves them all.
///
/// # Errors
/// See [`SessionError`]. The evaluator is notified, unless it is gone.
pub fn garble(
    channel: &mut dyn Channel,
    program: &Program,
    engine: &dyn Engine,
    runs: &[PartyInputs],
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    garble_with(channel, (program, engine), Inputs::Given(runs), options, events)
}

/// [`garble`] for one run, with inputs that are fetched after the parties have agreed.
///
/// # Errors
/// Those of [`garble`], and [`SessionError::Unavailable`].
pub fn garble_late(
    channel: &mut dyn Channel,
    program: &Program,
    engine: &dyn Engine,
    fetch: Fetch<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    garble_with(channel, (program, engine), Inputs::Late(fetch), options, events)
}

fn garble_with(
    channel: &mut dyn Channel,
    (program, engine): (&Program, &dyn Engine),
    inputs: Inputs<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    let (runs, suite) = (inputs.runs(), options.suite);
    let mut source = Live { engine, program, prepared: None, runs, suite };
    match check_engine(engine, program, options) {
        Ok(()) => serve(channel, program, &mut source, inputs, options, events),
        error => report_to_peer(channel, error.map(|()| Vec::new())),
    }
}

/// The source of a session's garbled tables: an engine, or a file.
pub(crate) trait Source {
    /// The engine's name.
    fn engine(&self) -> String;

    /// The engine, if it garbles during the session.
    fn live(&self) -> Option<&dyn Engine> {
        None
    }

    /// Where the evaluator's labels come from.
    fn label_mode(&self) -> LabelMode;

    /// Whether it takes inputs and gives outputs part by part.
    fn has_parts(&self) -> bool;

    /// The secrets of the next run.
    fn next_garbling(&mut self, options: &RunOptions) -> Result<Garbling, SessionError>;

    /// Prepares the garbling, which may take long.
    fn prepare(&mut self, channel: &mut dyn Channel) -> Result<(), SessionError>;

    /// Garbles, or plays back a garbling. If `io` stopped it, the caller knows the error.
    fn run(
        &mut self,
        garbling: &Garbling,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, SessionError>;
}

struct Live<'p> {
    engine: &'p dyn Engine,
    program: &'p Program,
    prepared: Option<Box<dyn Prepared + 'p>>,
    runs: usize,
    suite: Suite,
}

impl Source for Live<'_> {
    fn engine(&self) -> String {
        self.engine.name()
    }

    fn live(&self) -> Option<&dyn Engine> {
        Some(self.engine)
    }

    fn label_mode(&self) -> LabelMode {
        // Correlated transfers create the labels, which then come from no seed and have all 128
        // bits.
        let whole = self.suite.label_bits() == 128;
        match self.runs == 1 && whole && !self.engine.makes_labels() {
            true => LabelMode::Correlated,
            false => LabelMode::Masked,
        }
    }

    fn has_parts(&self) -> bool {
        self.engine.runs_functions()
    }

    fn next_garbling(&mut self, options: &RunOptions) -> Result<Garbling, SessionError> {
        Ok(Garbling::random(options.suite)?.0)
    }

    fn prepare(&mut self, channel: &mut dyn Channel) -> Result<(), SessionError> {
        self.prepared = Some(prepare(channel, Party::Evaluator, self.engine, self.program)?);
        Ok(())
    }

    fn run(
        &mut self,
        garbling: &Garbling,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, SessionError> {
        let prepared =
            self.prepared.as_mut().ok_or_else(|| contract(ContractError::NotPrepared))?;
        Ok(prepared.garble(garbling.key, &garbling.delta, cycles, io)?)
    }
}

/// The garbler's side of a session, for tables from any source.
pub(crate) fn serve(
    channel: &mut dyn Channel,
    program: &Program,
    source: &mut dyn Source,
    inputs: Inputs<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    let (runs, mut reports) = (inputs.runs(), None);
    let result = wipe::stack_after(|| {
        let result = serve_inner(channel, program, source, inputs, options, events, &mut reports);
        let done = reports.map(|reports| reports.done).unwrap_or_default();
        kept(channel, result, done, runs).map_err(SessionError::fresh)
    });
    result.map_err(|error| *error)
}

fn serve_inner(
    channel: &mut dyn Channel,
    program: &Program,
    source: &mut dyn Source,
    mut inputs: Inputs<'_>,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
    reports: &mut Option<Reports>,
) -> Result<(), SessionError> {
    let begin = Instant::now();
    check_session(program, inputs.runs(), options)?;
    let mut order = InputOrder::of(program, options.cycles)?;
    inputs.check((&order, &program.circuit), Party::Garbler, options)?;

    channel.set_timing(Timing::new(options.timeout, options.cancel.clone()));
    let hello = hello(channel, program, source, inputs.runs(), options)?;
    let agreement = shake(channel, program, &hello, None, options)?;
    events(Event::Connected { peer_engine: agreement.peer_engine.clone() });
    order.join_unless(agreement.parts);
    inputs.arrive(channel, (&order, &program.circuit), Party::Garbler, options)?;
    let reports = reports.insert(Reports::new(begin, source.engine(), &agreement));
    if options.security == SecurityLevel::Malicious {
        let engine = source.live().ok_or_else(|| contract(ContractError::NotPrepared))?;
        let job = Malicious::new(Party::Garbler, (program, engine), &order, &agreement, options);
        return authenticated::session(channel, job, &inputs, events, reports);
    }

    let mut garbling = Some(source.next_garbling(options)?);
    let transfers = order.count(Party::Evaluator);
    let mut transfer = match &garbling {
        Some(garbling) if transfers > 0 => {
            Some(set_up_transfers(channel, &agreement, options.ot, &garbling.delta)?)
        }
        _ => None,
    };

    for (run, inputs) in inputs.each().iter().enumerate() {
        let garbling = match garbling.take() {
            Some(first) => first,
            None => source.next_garbling(options)?,
        };
        let number = RunNumber::new(run, program, options.suite, options.cycles);
        let layout = Layout::new(&program.circuit, &agreement.learn, options.cycles, order.parts());
        let learned = Learned::new(Party::Garbler, options.stream);
        let values = Values::new(Party::Garbler, run, (&order, inputs), options.feed.as_ref());
        // What is boxed from here on would carry secrets of earlier calls in its unused bytes.
        wipe::stack();
        let mut side = GarblerSide::new(
            (channel, events),
            number,
            &garbling,
            (&order, values),
            transfer.as_mut(),
            (OutputLabels::new(layout), learned),
        );
        if run > 0 {
            side.channel.set_deadline(options.deadlines.run());
        }
        side.begin()?;
        if run == 0 {
            side.channel.set_deadline(options.deadlines.run());
            reports.set_up(side.events);
            let start = Instant::now();
            source.prepare(side.channel)?;
            reports.prepared(start, side.events);
        }
        let start = Instant::now();
        (side.events)(Event::RunStarted { run });
        let ran = source.run(&garbling, options.cycles, &mut side);
        let counters = side.stopped.or(ran)?;
        let ended = side.finish()?;
        let total = start.elapsed();
        // A report outlives the session, and its unused bytes could hold secrets from the stack.
        wipe::stack();
        reports.add(channel, &agreement, ended, counters, total)?;
    }
    channel
        .close()
        .map_err(|error| SessionError::channel(Party::Evaluator, "ending the session", error))
}

/// This party's hello.
fn hello(
    channel: &dyn Channel,
    program: &Program,
    source: &dyn Source,
    runs: usize,
    options: &RunOptions,
) -> Result<Hello, SessionError> {
    let mut hello = Hello::new(Party::Garbler, program, runs, options, *random()?)?;
    hello.ot_field = options.ot_field_over(channel);
    hello.labels = Some(source.label_mode());
    hello.parts = source.has_parts();
    hello.engine = source.engine();
    Ok(hello)
}

/// Sets up transfers whose offset is the garbling's `delta`, or a fresh one in masked mode.
fn set_up_transfers(
    channel: &mut dyn Channel,
    agreement: &Agreement,
    ot: OtMode,
    delta: &Delta,
) -> Result<TransferSender, SessionError> {
    match agreement.labels {
        LabelMode::Correlated => TransferSender::set_up(channel, agreement, ot, delta),
        LabelMode::Masked => TransferSender::set_up(channel, agreement, ot, &random_delta()?),
    }
}
