//! The session's own error, while it passes through an engine.

use super::SessionError;
use halfgate_engine::{EngineError, IoError};

/// Keeps the error that stops an engine until the engine has returned.
#[derive(Default)]
pub(crate) struct Stopped(Option<Box<SessionError>>);

impl Stopped {
    /// Keeps `error`, and gives what the engine is stopped with.
    #[cold]
    pub fn by(&mut self, error: SessionError) -> IoError {
        self.0 = Some(error.fresh());
        IoError::kept()
    }

    /// The result of the run: the error that was kept, if there is one, whatever the engine made of
    /// it.
    pub fn or<T>(&mut self, result: Result<T, SessionError>) -> Result<T, SessionError> {
        match self.0.take() {
            Some(own) => Err(*own),
            None => result,
        }
    }
}

/// The engine was stopped by its input or output, which [keeps](Stopped) the reason.
pub(crate) fn stopped(error: IoError) -> SessionError {
    SessionError::Engine(EngineError::Io(error))
}
