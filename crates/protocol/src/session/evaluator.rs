//! The evaluator's side of a session.

use super::evaluator_io::EvaluatorSide;
use super::garbler_io::RunNumber;
use super::inputs::InputOrder;
use super::labels::random;
use super::outputs::OutputLabels;
use super::prepare::prepare;
use super::transfer::TransferReceiver;
use super::{Event, PartyInputs, Report, RunOptions, SessionError, check_session, shake};
use crate::channel::{Channel, Timing};
use crate::handshake::Hello;
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::Engine;
use std::time::{Duration, Instant};

/// Evaluates `program` once for each of `runs` over one connection.
///
/// # Errors
/// See [`SessionError`]. The garbler is told, except where it is the one that is gone.
pub fn evaluate(
    channel: &mut dyn Channel,
    program: &Program,
    engine: &dyn Engine,
    runs: &[PartyInputs],
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    let result = evaluate_inner(channel, program, engine, runs, options, events);
    if let Some(reason) = result.as_ref().err().and_then(SessionError::for_peer) {
        channel.abort(&reason);
    }
    result
}

fn evaluate_inner(
    channel: &mut dyn Channel,
    program: &Program,
    engine: &dyn Engine,
    runs: &[PartyInputs],
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<Vec<Report>, SessionError> {
    let begin = Instant::now();
    check_session(program, runs, options)?;
    let order = InputOrder::new(&program.circuit, options.cycles);
    for inputs in runs {
        order.check(&program.circuit, Party::Evaluator, inputs)?;
    }

    channel.set_timing(Timing::new(options.timeout, options.cancel.clone()));
    let mut hello = Hello::new(Party::Evaluator, program, runs.len(), options, *random()?)?;
    hello.engine = engine.name();
    let agreement = shake(channel, program, &hello, options)?;
    events(Event::Connected { peer_engine: agreement.peer_engine.clone() });

    let mut transfer = match order.count(Party::Evaluator) {
        0 => None,
        _ => Some(TransferReceiver::set_up(channel, &agreement, options.ot)?),
    };

    let total_ands = program.ands_per_cycle().saturating_mul(options.cycles);
    let mut reports = Vec::with_capacity(runs.len());
    let (mut setup, mut prepare_time) = (Duration::ZERO, Duration::ZERO);
    let (mut sent, mut received) = (0, 0);
    let mut prepared = None;
    for (run, inputs) in runs.iter().enumerate() {
        let outputs = OutputLabels::new(&program.circuit, &agreement.learn, options.cycles)?;
        let mut side = EvaluatorSide::new(
            (channel, events),
            RunNumber { number: run as u32, total_ands },
            (&order, inputs),
            transfer.as_mut(),
            outputs,
        );
        let key = side.begin(options.suite)?;
        if run == 0 {
            setup = begin.elapsed();
            (side.events)(Event::Setup { after: setup });
        }
        let prepared = match &mut prepared {
            Some(prepared) => prepared,
            none => {
                let start = Instant::now();
                let new = prepare(side.channel, Party::Garbler, engine, program)?;
                prepare_time = start.elapsed();
                (side.events)(Event::Prepared { after: prepare_time });
                none.insert(new)
            }
        };
        let start = Instant::now();
        (side.events)(Event::RunStarted { run });
        let counters =
            prepared.evaluate(key, options.cycles, &mut side).map_err(SessionError::from_engine)?;
        let outputs = side.finish(key)?;
        drop(side);
        let total = start.elapsed();
        let (all_sent, all_received) = (channel.bytes_sent(), channel.bytes_received());
        reports.push(Report {
            outputs,
            learn: agreement.learn.clone(),
            counters,
            bytes_sent: all_sent - sent,
            bytes_received: all_received - received,
            setup,
            prepare: prepare_time,
            total,
            engines: (engine.name(), agreement.peer_engine.clone()),
        });
        (sent, received) = (all_sent, all_received);
    }
    channel
        .close()
        .map_err(|error| SessionError::channel(Party::Garbler, "ending the session", error))?;
    Ok(reports)
}
