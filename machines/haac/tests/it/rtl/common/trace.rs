//! The state of a machine in each cycle: recorded from the exact model, and compared with the RTL.

use halfgate_circuit::Party;
use halfgate_haac_model::Code;
use halfgate_haac_model::issue::NoSink;
use halfgate_haac_model::machine::Machine;
use halfgate_haac_model::model::exact::{self, Extra, Mutation, QueueLevels, Snapshot, Watch};
use halfgate_haac_model::model::rows::Plain;
use halfgate_haac_model::model::{Cause, Options};
use halfgate_haac_model::report::Report;
use std::sync::Arc;

/// Largest number of recorded cycles. A cycle takes 40 bytes with 16 engines.
const MOST: usize = 1 << 20;

/// Number of equal cycles that are shown before the first different one.
const BEFORE: usize = 4;

/// All cycles of a launch.
#[derive(Default, PartialEq)]
pub struct Trace {
    engines: usize,
    causes: Vec<Cause>,
    levels: Vec<QueueLevels>,
}

impl Watch for Trace {
    fn cycle(&mut self, snapshot: &Snapshot<'_>) {
        assert!(self.levels.len() < MOST, "a longer run than traces are for");
        assert_eq!(snapshot.cycle, self.levels.len() as u64);
        self.engines = snapshot.causes.len();
        self.causes.extend_from_slice(snapshot.causes);
        self.levels.push(snapshot.queues());
    }
}

impl Trace {
    pub fn cycles(&self) -> usize {
        self.levels.len()
    }

    fn at(&self, cycle: usize) -> Option<(&[Cause], QueueLevels)> {
        let causes = &self.causes[cycle.min(self.cycles()) * self.engines..];
        Some((&causes[..self.engines.min(causes.len())], *self.levels.get(cycle)?))
    }
}

/// The counters of a launch, and a trace of every cycle.
pub type Modelled = (Report, Arc<Trace>);

/// Runs `code` on the exact model, with or without a fault.
pub fn traced(
    code: &Code,
    machine: &Machine,
    role: Party,
    mutation: Option<Mutation>,
) -> Result<Modelled, String> {
    let mut trace = Trace::default();
    let (mut sizes, extra) = (Plain::new(code.shape), Extra { mutation, disturbance: None });
    let options = Options::new(role);
    let run = exact::run_with(code, machine, &options, &mut sizes, &mut NoSink, &mut trace, extra);
    Ok((run.map_err(|error| error.to_string())?, Arc::new(trace)))
}

/// Compares a run of several launches with the model, by the trace of each launch in order.
pub struct Compare {
    wanted: Vec<(String, Arc<Trace>)>,
    launch: usize,
    /// Number of cycles of this launch that were compared.
    seen: usize,
    /// The first difference, as text; nothing is compared after it.
    pub differs: Option<String>,
}

impl Compare {
    /// Launches with their names.
    pub fn new(wanted: Vec<(String, Arc<Trace>)>) -> Compare {
        Compare { wanted, launch: 0, seen: 0, differs: None }
    }

    /// Ends the comparison after all launches; returns the difference.
    pub fn finish(&mut self) -> Option<String> {
        self.launch_ended();
        self.differs.take()
    }

    /// Whether the number of launches was right.
    pub fn is_complete(&self) -> bool {
        self.launch == self.wanted.len()
    }

    fn launch_ended(&mut self) {
        if self.differs.is_some() || self.seen == 0 {
            return;
        }
        let (name, trace) = &self.wanted[self.launch];
        if self.seen != trace.cycles() {
            let (seen, cycles) = (self.seen, trace.cycles());
            self.differs = Some(format!("{name}: it ended after {seen} cycles, not {cycles}"));
        }
        (self.launch, self.seen) = (self.launch + 1, 0);
    }
}

impl Watch for Compare {
    fn cycle(&mut self, snapshot: &Snapshot<'_>) {
        if snapshot.cycle == 0 {
            self.launch_ended();
        }
        if let Some(differs) = &self.differs {
            assert!(snapshot.cycle < MOST as u64, "{differs}\nand it does not come to an end");
            return;
        }
        let Some((name, trace)) = self.wanted.get(self.launch) else {
            self.differs = Some("there are more launches than there should be".to_owned());
            return;
        };
        let found = (snapshot.causes, snapshot.queues());
        if snapshot.cycle != self.seen as u64 || trace.at(self.seen) != Some(found) {
            self.differs = Some(difference(name, trace, snapshot.cycle, found));
        }
        self.seen += 1;
    }
}

/// The state of both sides in a cycle, and the equal cycles before it.
fn difference(name: &str, trace: &Trace, cycle: u64, found: (&[Cause], QueueLevels)) -> String {
    let at = cycle as usize;
    let mut text = format!("{name}: cycle {cycle} is the first that differs\n");
    for before in at.saturating_sub(BEFORE)..at {
        text.push_str(&format!("  both  {before:6}: {}\n", line(trace.at(before))));
    }
    text.push_str(&format!("  model {cycle:6}: {}\n", line(trace.at(at))));
    text.push_str(&format!("  RTL   {cycle:6}: {}", line(Some(found))));
    text
}

/// The levels of the queues, then the cause of each engine, on one line.
fn line(state: Option<(&[Cause], QueueLevels)>) -> String {
    let Some((causes, levels)) = state else { return "has ended".to_owned() };
    let QueueLevels { issue, tables, addresses, wires, live, in_flight } = levels;
    let causes: Vec<&str> = causes.iter().map(|cause| cause.name()).collect();
    format!(
        "issue {issue} tables {tables} addresses {addresses} wires {wires} live {live} \
         in_flight {in_flight} | {}",
        causes.join(" ")
    )
}
