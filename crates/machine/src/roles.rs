//! Refusals of machines that have one role only.

use halfgate_circuit::Party;
use halfgate_console::error::{Exit, Failure};
use halfgate_engine::EngineError;

/// Refuses an engine that only garbles to a party that evaluates.
///
/// # Errors
/// If `roles` include the evaluator.
pub fn garbles_only(engine: &str, roles: &[Party]) -> Result<(), Failure> {
    if roles.contains(&Party::Evaluator) {
        let what = format!(
            "engine {engine} garbles only: name it with --garbler-engine, or choose another to evaluate"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
}

/// Refuses an engine that only evaluates to a party that garbles.
///
/// # Errors
/// If `roles` include the garbler.
pub fn evaluates_only(engine: &str, roles: &[Party]) -> Result<(), Failure> {
    if roles.contains(&Party::Garbler) {
        let what = format!(
            "engine {engine} evaluates only: name it with --evaluator-engine, or choose another to garble"
        );
        return Err(Failure::new(Exit::Usage, what));
    }
    Ok(())
}

/// The error of an engine that only garbles and is used to evaluate.
pub fn only_garbles(name: &str) -> EngineError {
    EngineError::Role { engine: name.to_owned(), has: Party::Garbler }
}
