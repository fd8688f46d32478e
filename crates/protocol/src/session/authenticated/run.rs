//! A run of a program in a malicious session, for both parties.

use super::correlate::Correlator;
use super::cost::Phase;
use super::cost::{MAX_WINDOW_ANDS, MIN_WINDOW_ANDS, bucket_size_of};
use super::evaluator::Evaluator;
use super::garbler::Garbler;
use super::link::Link;
use super::meter::Meter;
use super::outputs::Outputs;
use super::shares::{ShareWalks, Stopped};
use super::walks::{Labels, Route, Walk};
use crate::correlations::buckets::Shape;
use crate::frame::Kind;
use crate::session::inputs::{InputBit, InputOrder, Values};
use crate::session::labels::random;
use crate::session::layout::Layout;
use crate::session::outputs::OutputLabels;
use crate::session::reports::Ended;
use crate::session::{Event, Learn, RunOptions, SessionError, contract};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::authenticated::Authenticated;
use halfgate_engine::{ContractError, Counters, Delta, LabelSeed, RunKey, Suite};
use std::thread::Scope;

/// What is run.
#[derive(Clone, Copy)]
pub(super) struct Job<'a> {
    pub party: Party,
    pub program: &'a Program,
    pub engine: &'a dyn Authenticated,
    pub order: &'a InputOrder,
    pub learn: &'a [Learn],
    pub options: &'a RunOptions,
}

/// A party's own inputs, and where its events go.
pub(super) struct Own<'v, 'e> {
    pub values: Values<'v>,
    pub events: &'e mut dyn FnMut(Event),
}

/// A party's online role.
enum Role<'a> {
    Garbler(Garbler<'a>),
    Evaluator(Evaluator<'a>),
}

impl Own<'_, '_> {
    /// The masked values of this party's own input bits of a window; `masks` has their masks.
    ///
    /// # Errors
    /// If a feed fails.
    pub fn masked(&mut self, stopped: &Stopped, masks: &[bool]) -> Result<Vec<bool>, SessionError> {
        let party = self.values.party();
        let inputs = stopped.inputs_of(party).zip(masks);
        inputs
            .map(|(input, mask)| {
                let (cycle, wire) = (input.cycle, input.wire);
                let bit = InputBit { sequence: 0, cycle, part: cycle, wire };
                Ok(self.values.get(bit)? ^ mask)
            })
            .collect()
    }
}

/// Counts up.
#[derive(Clone, Copy, Default)]
pub(super) struct Place(usize);

impl Place {
    /// The next place.
    pub fn next(&mut self) -> usize {
        self.0 += 1;
        self.0 - 1
    }
}

/// Runs the program once.
///
/// # Errors
/// If the connection is lost, an engine fails, or a check fails.
pub(super) fn run(
    job: Job<'_>,
    link: &mut Link<'_>,
    correlator: &mut Correlator,
    own: &mut Own<'_, '_>,
) -> Result<(Ended, Counters), SessionError> {
    let key = RunKey { suite: Suite::HalfGates, point: correlator.number() };
    // A copy, since the correlator changes during the run.
    let delta = Delta::new(correlator.delta().label());
    let seed = LabelSeed::new(&*random::<16>()?);
    std::thread::scope(|scope| {
        let start = |labels| job.start(scope, key, labels);
        let walks = [start(Labels::Shares(Some(&delta)))?, start(Labels::Shares(None))?];
        let mut walks = ShareWalks::new(walks, job.order);
        let mut role = match job.party {
            Party::Garbler => Role::Garbler(Garbler {
                garbling: start(Labels::False(&delta, &seed))?,
                masked: start(Labels::Shares(None))?,
                delta: &delta,
                seed: &seed,
                number: 0,
            }),
            Party::Evaluator => {
                Role::Evaluator(Evaluator { evaluating: start(Labels::Active)?, delta: &delta })
            }
        };
        let mut outputs = Outputs::new(job.party, job.labels(), job.options.stream);
        let mut meter = Meter::start(link);
        let walks = (correlator, &mut walks);
        let counters = windows(job, link, walks, &mut role, own, (&mut outputs, &mut meter))?;
        let end = link.exchange(Kind::Done, &[0], 1, "ending the run");
        match end {
            Err(error) if !outputs.learned.is_something() => Err(error),
            end => {
                let (outputs, phases) = (outputs.learned.into_values(), meter.phases());
                let ended = Ended { outputs, phases, error: end.err() };
                Ok((ended, counters))
            }
        }
    })
}

/// Runs all windows.
fn windows(
    job: Job<'_>,
    link: &mut Link<'_>,
    (correlator, walks): (&mut Correlator, &mut ShareWalks<'_>),
    role: &mut Role<'_>,
    own: &mut Own<'_, '_>,
    (outputs, meter): (&mut Outputs<'_>, &mut Meter),
) -> Result<Counters, SessionError> {
    let total = job.program.ands_per_cycle().saturating_mul(job.options.cycles);
    let shape = shape_of(total);
    let mut done = 0;
    loop {
        let (masks, mut stopped) = correlator.window(link, walks, shape)?;
        let ended = stopped.ended;
        meter.ended(Phase::Correlations, link);
        done += stopped.ands as u64;
        for what in stopped.notes.drain(..) {
            (own.events)(Event::Note { what });
        }
        match role {
            Role::Garbler(garbler) => garbler.window(link, (masks, stopped), own, outputs)?,
            Role::Evaluator(evaluator) => evaluator.window(link, (masks, stopped), own, outputs)?,
        }
        meter.ended(Phase::Online, link);
        (own.events)(Event::Progress { cycles: 0, ands: done, total_ands: total });
        match ended {
            Some(counters) => return Ok(counters),
            None if done > total => return Err(contract(ContractError::NotPrepared)),
            None => {}
        }
    }
}

/// The windows of a run with at most `total` ANDs. Tests have short ones.
fn shape_of(total: u64) -> Shape {
    let most = if cfg!(test) { 2 * MIN_WINDOW_ANDS } else { MAX_WINDOW_ANDS };
    let windows = total.div_ceil(most);
    if windows == 0 {
        return Shape { ands: 0, layers: 1 };
    }
    let ands = total.div_ceil(windows).max(MIN_WINDOW_ANDS);
    Shape { ands: ands as usize, layers: bucket_size_of(ands, windows) as usize }
}

impl<'a> Job<'a> {
    /// Starts a walk.
    fn start<'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        key: RunKey,
        labels: Labels<'scope>,
    ) -> Result<Walk, SessionError>
    where
        'a: 'scope,
    {
        let (engine, cycles) = (self.engine, self.options.cycles);
        let outputs = self.labels();
        Walk::start(scope, Route { engine, key, labels, cycles, outputs })
    }

    /// Output labels of the run, none of which are known.
    fn labels(self) -> OutputLabels<'a> {
        let cycles = self.options.cycles;
        OutputLabels::new(Layout::new(
            &self.program.circuit,
            self.learn,
            cycles,
            self.order.parts(),
        ))
    }
}
