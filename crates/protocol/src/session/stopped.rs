//! Carries a session's error through an engine.

use super::SessionError;
use halfgate_engine::{EngineError, IoError};

/// Stores the error that stops an engine until the engine returns.
#[derive(Default)]
pub(crate) struct Stopped(Option<Box<SessionError>>);

impl Stopped {
    /// Stores `error` and returns the error that stops the engine.
    #[cold]
    pub fn by(&mut self, error: SessionError) -> IoError {
        self.0 = Some(error.fresh());
        IoError::kept()
    }

    /// The result of the run: the stored error if there is one, whatever error the engine returned.
    pub fn or<T>(&mut self, result: Result<T, SessionError>) -> Result<T, SessionError> {
        match self.0.take() {
            Some(own) => Err(*own),
            None => result,
        }
    }
}

/// The error of an engine that its input or output has stopped. [`Stopped`] has the cause.
pub(crate) fn stopped(error: IoError) -> SessionError {
    SessionError::Engine(EngineError::Io(error))
}
