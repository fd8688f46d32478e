//! Errors of a session, with the option of this command that would help.

use halfgate_console::error::Failure;
use halfgate_engine::EngineError;
use halfgate_protocol::session::SessionError;

/// Converts the error of a session.
pub fn failure(error: SessionError) -> Failure {
    let advice = of_engine(&error).and_then(halfgate_registry::advice);
    Failure::from(error).with_advice(advice)
}

/// The engine's error, if that is what ended the session.
fn of_engine(error: &SessionError) -> Option<&EngineError> {
    match error {
        SessionError::Engine(error) => Some(error),
        SessionError::Unfinished { error, .. } => of_engine(error),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_engine::{Exceeded, Resource};

    #[test]
    fn a_limit_comes_with_an_option_that_helps() {
        let exceeded = Exceeded { resource: Resource::Gates, needed: 300, available: 256 };
        let error = EngineError::Limit { engine: "model:none".to_owned(), exceeded };
        let error = Box::new(SessionError::Engine(error));
        let printed = failure(SessionError::Unfinished { finished: Vec::new(), error }).to_string();
        assert!(
            printed.starts_with("this side's engine failed: the netlist needs 300 gates"),
            "{printed}"
        );
        assert!(printed.contains("--engine cpu has no such limit"), "{printed}");
    }
}
