//! Both parties in one process.

use super::{Event, PartyInputs, Report, RunOptions, SessionError, evaluate, garble};
use crate::channel::ChannelError;
use crate::ring;
use halfgate_compiler::Program;
use halfgate_engine::Engine;

/// Runs both parties, the garbler on this thread and the evaluator on another, over rings of
/// shared buffers. `events` hears the garbler's.
///
/// # Errors
/// The first cause: where one party fails, the other only sees its peer go.
pub fn run_local(
    program: &Program,
    garbler_engine: &dyn Engine,
    evaluator_engine: &dyn Engine,
    garbler_inputs: &PartyInputs,
    evaluator_inputs: &PartyInputs,
    options: &RunOptions,
    events: &mut dyn FnMut(Event),
) -> Result<(Report, Report), SessionError> {
    let (mut to_evaluator, mut to_garbler) = ring::pair();
    let (garbled, evaluated) = std::thread::scope(|scope| {
        let evaluator = scope.spawn(move || {
            let runs = std::slice::from_ref(evaluator_inputs);
            evaluate(&mut to_garbler, program, evaluator_engine, runs, options, &mut |_| {})
        });
        let runs = std::slice::from_ref(garbler_inputs);
        let garbled = garble(&mut to_evaluator, program, garbler_engine, runs, options, events);
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

/// Whether an error only says that the other party has ended the session.
fn is_consequence(error: &SessionError) -> bool {
    let SessionError::Channel { error, .. } = error else { return false };
    matches!(error, ChannelError::Closed | ChannelError::Aborted(_))
}
