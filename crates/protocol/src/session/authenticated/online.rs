//! The part of a run that needs inputs, for either party.

use super::evaluator::Evaluator;
use super::garbler::Garbler;
use super::job::{Job, Own, Secrets};
use super::link::Link;
use super::outputs::Outputs;
use super::ready::Ready;
use super::shares::Rows;
use super::walks::Labels;
use crate::session::SessionError;
use halfgate_circuit::Party;
use std::thread::Scope;

/// A party's online part.
pub(super) enum Online<'s> {
    Garbler(Box<Garbler<'s>>),
    Evaluator(Evaluator<'s>),
}

impl<'s> Online<'s> {
    /// Starts the walk.
    ///
    /// # Errors
    /// If the system has no thread for it.
    pub fn start<'scope, 'a: 'scope>(
        scope: &'scope Scope<'scope, '_>,
        job: Job<'a>,
        secrets: &'s Secrets,
    ) -> Result<Online<'s>, SessionError>
    where
        's: 'scope,
    {
        let start = |labels| job.start(scope, &secrets.key, labels);
        Ok(match job.party {
            Party::Garbler => Online::Garbler(Box::new(Garbler {
                masked: start(Labels::shares(None))?,
                delta: secrets.garbling(),
                seed: &secrets.seed,
                number: 0,
            })),
            Party::Evaluator => {
                let delta = &secrets.delta;
                Online::Evaluator(Evaluator { evaluating: start(Labels::active())?, delta })
            }
        })
    }

    /// Sends the evaluator's masked inputs of a window.
    ///
    /// # Errors
    /// If the connection is lost.
    pub fn begin(&self, link: &mut Link<'_>, masked: &[bool]) -> Result<(), SessionError> {
        match self {
            Online::Garbler(_) => Ok(()),
            Online::Evaluator(evaluator) => evaluator.begin(link, masked),
        }
    }

    /// Runs a window after [`begin`](Online::begin); `masked` are the party's masked inputs.
    ///
    /// # Errors
    /// If the connection is lost, an engine fails, or a check fails.
    pub fn window(
        &mut self,
        link: &mut Link<'_>,
        (ready, masked): (Ready, Vec<bool>),
        own: &mut Own<'_, '_>,
        outputs: &mut Outputs<'_>,
    ) -> Result<[Rows; 2], SessionError> {
        match self {
            Online::Garbler(role) => role.window(link, (ready, &masked), own.events, outputs),
            Online::Evaluator(role) => role.window(link, (ready, &masked), own.events, outputs),
        }
    }
}
