//! Both parties in one process.

use super::{Event, PartyInputs, Report, RunOptions, SessionError, evaluate, garble};
use crate::channel::ChannelError;
use crate::ring;
use halfgate_compiler::Program;
use halfgate_engine::Engine;

/// One of two parties in one process.
pub struct LocalParty<'a> {
    engine: &'a dyn Engine,
    inputs: &'a PartyInputs,
    events: Box<dyn FnMut(Event) + Send + 'a>,
}

impl<'a> LocalParty<'a> {
    /// A party with this engine and these inputs.
    pub fn new(engine: &'a dyn Engine, inputs: &'a PartyInputs) -> LocalParty<'a> {
        LocalParty { engine, inputs, events: Box::new(|_| {}) }
    }

    /// Calls `events` for the party's events; the evaluator's are called on another thread.
    #[must_use]
    pub fn with_events(self, events: impl FnMut(Event) + Send + 'a) -> LocalParty<'a> {
        LocalParty { events: Box::new(events), ..self }
    }
}

/// Runs both parties, the garbler on this thread and the evaluator on another, over rings of
/// shared buffers.
///
/// # Errors
/// The root cause: if one party fails, the other only sees that its peer is gone.
pub fn run_local(
    program: &Program,
    mut garbler: LocalParty<'_>,
    mut evaluator: LocalParty<'_>,
    options: &RunOptions,
) -> Result<(Report, Report), SessionError> {
    let (mut to_evaluator, mut to_garbler) = ring::pair();
    let (garbled, evaluated) = std::thread::scope(|scope| {
        let evaluator = scope.spawn(move || {
            let LocalParty { engine, inputs, events } = &mut evaluator;
            let runs = std::slice::from_ref(*inputs);
            evaluate(&mut to_garbler, program, *engine, runs, options, events)
        });
        let LocalParty { engine, inputs, events } = &mut garbler;
        let runs = std::slice::from_ref(*inputs);
        let garbled = garble(&mut to_evaluator, program, *engine, runs, options, events);
        drop(to_evaluator);
        let evaluated = match evaluator.join() {
            Ok(evaluated) => evaluated,
            Err(panic) => std::panic::resume_unwind(panic),
        };
        (garbled, evaluated)
    });
    match (garbled, evaluated) {
        (Ok(mut garbled), Ok(mut evaluated)) => match (garbled.pop(), evaluated.pop()) {
            (Some(garbled), Some(evaluated)) => Ok((garbled, evaluated)),
            _ => Err(SessionError::Usage("a run needs inputs".to_owned())),
        },
        (Err(error), Ok(_)) | (Ok(_), Err(error)) => Err(error),
        (Err(garbler), Err(evaluator)) if is_consequence(&garbler) => Err(evaluator),
        (Err(garbler), Err(_)) => Err(garbler),
    }
}

/// Whether an error only reports that the other party ended the session.
fn is_consequence(error: &SessionError) -> bool {
    let SessionError::Channel { error, .. } = error else { return false };
    matches!(error, ChannelError::Closed | ChannelError::Aborted(_))
}
