//! How a party's session ended, and whether that is allowed.

use super::cases::Case;
use super::model::Verdict;
use halfgate_circuit::{Bits, Party};
use halfgate_engine::cpu::CpuEngine;
use halfgate_protocol::channel::Channel;
use halfgate_protocol::session::{
    self, Deadlines, ErrorClass, Event, Report, RunOptions, SessionError, evaluate,
    evaluate_proposal, garble,
};
use std::time::Duration;

/// The start of a report about a result that is not allowed.
pub const RESULT: &str = "A RESULT";

/// A party, with a check of the outputs in its events.
pub struct Watch<'c> {
    case: &'c Case,
    party: Party,
    options: RunOptions,
    run: usize,
    cycles: u64,
    /// The first wrong streamed output.
    wrong: Option<String>,
}

impl<'c> Watch<'c> {
    pub fn new(case: &'c Case, party: Party) -> Watch<'c> {
        Watch { case, party, options: case.options.clone(), run: 0, cycles: 0, wrong: None }
    }

    /// Sets the idle timeout to `idle` and the limit of each step to `step`.
    pub fn within(mut self, idle: Duration, step: Duration) -> Watch<'c> {
        self.options.timeout = idle;
        self.options.deadlines = Deadlines { setup: step, run: Some(step) };
        self
    }

    /// Runs the party's whole session.
    pub fn run(&mut self, channel: &mut dyn Channel) -> Result<Vec<Report>, SessionError> {
        let engine = CpuEngine::new(None).unwrap();
        let (case, party) = (self.case, self.party);
        let inputs = &case.inputs[usize::from(party == Party::Evaluator)];
        let (program, options) = (&case.program, &self.options.clone());
        let mut events = |event| self.event(&event);
        match party {
            Party::Garbler => garble(channel, program, &engine, inputs, options, &mut events),
            Party::Evaluator if case.requests => {
                let proposal = session::proposal(channel, options)?;
                evaluate_proposal(channel, proposal, program, &engine, inputs, options, &mut events)
            }
            Party::Evaluator => evaluate(channel, program, &engine, inputs, options, &mut events),
        }
    }

    fn event(&mut self, event: &Event) {
        match event {
            Event::RunStarted { run } => (self.run, self.cycles) = (*run, 0),
            Event::Outputs { first_cycle, cycles, values } => {
                let right = *first_cycle == self.cycles
                    && (values.iter().enumerate()).all(|(port, value)| match value {
                        Some(value) => *value == self.slice(port, *first_cycle, *cycles),
                        None => !self.is_streamed(port),
                    });
                if !right {
                    self.wrong.get_or_insert(format!("run {} from cycle {first_cycle}", self.run));
                }
                self.cycles += cycles;
            }
            _ => {}
        }
    }

    fn is_streamed(&self, port: usize) -> bool {
        let learned = self.case.options.learn[port].by(self.party);
        self.case.options.stream && self.case.program.circuit.outputs[port].per_cycle && learned
    }

    fn slice(&self, port: usize, first: u64, cycles: u64) -> Bits {
        let width = self.case.program.circuit.outputs[port].bits.len();
        let (first, end) = (first as usize * width, (first + cycles) as usize * width);
        (first..end).map(|bit| self.case.outputs[self.run][port].get(bit)).collect()
    }
}

/// How a session ended.
#[derive(Debug)]
pub struct Outcome {
    /// The number of reported runs, and the first error in their outputs.
    pub runs: usize,
    pub wrong: Option<String>,
    /// The error, or why the end is not confirmed.
    pub error: Option<(ErrorClass, String)>,
}

impl Outcome {
    pub fn of(
        case: &Case,
        party: Party,
        outcome: Result<Vec<Report>, SessionError>,
        watch: &Watch,
    ) -> Outcome {
        let (reports, error) = match outcome {
            Ok(reports) => {
                let last = reports.last().and_then(|report| report.unconfirmed.clone());
                (reports, last.map(|end| (end.class, end.reason)))
            }
            Err(SessionError::Unfinished { finished, error }) => {
                (finished, Some((error.class(), error.to_string())))
            }
            Err(error) => (Vec::new(), Some((error.class(), error.to_string()))),
        };
        let mut wrong = watch.wrong.clone();
        for (run, (report, clear)) in reports.iter().zip(&case.outputs).enumerate() {
            for (port, (value, clear)) in report.outputs.iter().zip(clear).enumerate() {
                let right = match case.options.learn[port].by(party) {
                    true if watch.is_streamed(port) => value.as_ref().is_some_and(Bits::is_empty),
                    true => value.as_ref() == Some(clear),
                    false => value.is_none(),
                };
                if !right {
                    wrong.get_or_insert(format!("output {port} of run {run}"));
                }
            }
        }
        Outcome { runs: reports.len(), wrong, error }
    }

    /// Whether all runs ended successfully.
    pub fn is_complete(&self, case: &Case) -> bool {
        self.runs == case.runs() && self.wrong.is_none() && self.error.is_none()
    }

    /// Checks that the outcome is one that `verdict` allows; `peer` is the peer's role.
    pub fn check(&self, verdict: &Verdict, peer: Party) -> Result<(), String> {
        if let Some(wrong) = &self.wrong {
            return Err(format!("{RESULT}, which is wrong: {wrong}"));
        }
        if self.runs < verdict.runs.0 && !(verdict.complete && self.error.is_none()) {
            return Err(format!("a verified result is lost: {self:?}"));
        }
        let Some((class, text)) = &self.error else {
            return if verdict.complete { Ok(()) } else { Err(format!("{RESULT}: {self:?}")) };
        };
        if self.runs > verdict.runs.1 {
            return Err(format!("{RESULT} before its time: {self:?}"));
        }
        if !verdict.classes.contains(class) {
            return Err(format!("{class:?} and not {:?}: {text}", verdict.classes));
        }
        if !text.contains(&peer.to_string()) {
            return Err(format!("the {peer} is not named: {text}"));
        }
        Ok(())
    }
}
