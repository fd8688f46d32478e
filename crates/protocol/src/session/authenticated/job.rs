//! What a party runs in a malicious session, and with what.

use super::correlate::Correlator;
use super::cost::Phase;
use super::outputs::Outputs;
use super::walks::{Labels, Route, Walk};
use crate::session::inputs::{InputOrder, Values};
use crate::session::labels::random;
use crate::session::layout::Layout;
use crate::session::outputs::OutputLabels;
use crate::session::{Event, Learn, RunOptions, SessionError};
use halfgate_circuit::Party;
use halfgate_compiler::Program;
use halfgate_engine::authenticated::Authenticated;
use halfgate_engine::{Delta, LabelSeed, RunKey, Suite};
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

impl Own<'_, '_> {
    /// Reports that a phase begins.
    pub fn begins(&mut self, phase: Phase) {
        (self.events)(Event::PhaseStarted { phase });
    }
}

/// The keys of a run. The garbler's offset and the seed of its labels are secret.
pub(super) struct Secrets {
    pub key: RunKey,
    pub delta: Delta,
    pub seed: LabelSeed,
    #[cfg(test)]
    garbling: Delta,
}

impl Secrets {
    /// Those of a new run.
    ///
    /// # Errors
    /// If the operating system gives no random bytes.
    pub fn new(correlator: &mut Correlator) -> Result<Secrets, SessionError> {
        let key = RunKey { suite: Suite::HalfGates, point: correlator.number() };
        // A copy, since the correlator changes during the run.
        let delta = Delta::new(correlator.delta().label());
        Ok(Secrets::of(key, delta, new_seed()?))
    }

    /// These keys.
    pub fn of(key: RunKey, delta: Delta, seed: LabelSeed) -> Secrets {
        Secrets {
            key,
            #[cfg(test)]
            garbling: crate::cheating::garbling_offset(&delta),
            delta,
            seed,
        }
    }

    /// The offset of the labels, which is Δ, unless a test cheats.
    pub fn garbling(&self) -> &Delta {
        #[cfg(test)]
        return &self.garbling;
        #[cfg(not(test))]
        &self.delta
    }
}

/// A fresh seed of labels.
fn new_seed() -> Result<LabelSeed, SessionError> {
    let seed = random()?;
    #[cfg(test)]
    crate::session::tests::memory::recording::note("seeds of labels", &seed);
    Ok(LabelSeed::new(&seed))
}

impl<'a> Job<'a> {
    /// Starts a walk.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start<'scope>(
        self,
        scope: &'scope Scope<'scope, '_>,
        key: &'scope RunKey,
        labels: Labels<'scope>,
    ) -> Result<Walk, SessionError>
    where
        'a: 'scope,
    {
        let (engine, cycles) = (self.engine, self.options.cycles);
        let outputs = self.labels();
        Walk::start(scope, Route { engine, key, labels, cycles, outputs })
    }

    /// The outputs of the run, none of which are known.
    pub fn outputs(self) -> Outputs<'a> {
        Outputs::new(self.party, self.labels(), self.options.stream)
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
