//! From errors to the exceptions of `halfgate.errors`.

use crate::wording::in_python;
use halfgate::compiler::Program;
use halfgate::engine::EngineError;
use halfgate::protocol::session::{Difference, ErrorClass, SessionError};
use halfgate_circuit::Party;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// The exception of this class in `halfgate.errors`. Options of the command in `what` become those
/// of the package.
pub fn exception(py: Python<'_>, class: &str, what: &str) -> PyErr {
    let what = in_python(what);
    let make = || -> PyResult<Bound<'_, PyAny>> {
        py.import("halfgate.errors")?.getattr(class)?.call1((&what,))
    };
    match make() {
        Ok(exception) => PyErr::from_value(exception),
        Err(error) => error,
    }
}

/// The exception for an error of the library.
pub fn of_error(py: Python<'_>, error: &halfgate::Error) -> PyErr {
    use halfgate::Error;
    match error {
        Error::Session(error) => of_session(py, error),
        Error::Key(_) => exception(py, "IdentityError", &error.to_string()),
        Error::Net(_) | Error::Tls(_) => exception(py, "ConnectionError", &error.to_string()),
        Error::Kernel(_) => exception(py, "OptionError", &error.to_string()),
        _ => exception(py, "CircuitError", &error.to_string()),
    }
}

/// The exception for an error of a session. Its `party` is the one that the error is about.
pub fn of_session(py: Python<'_>, error: &SessionError) -> PyErr {
    let advice = of_engine(error).and_then(halfgate_registry::advice).unwrap_or_default();
    with_text(py, error, &format!("{error}{advice}"))
}

/// The engine's error, if that is what ended the session.
fn of_engine(error: &SessionError) -> Option<&EngineError> {
    match error {
        SessionError::Engine(error) => Some(error),
        SessionError::Unfinished { error, .. } => of_engine(error),
        _ => None,
    }
}

/// As [`of_session`], for a session of `program`: names the function that the parties differ in.
pub fn of_program(py: Python<'_>, error: &SessionError, program: &Program) -> PyErr {
    let SessionError::Mismatch { what: Difference::Function { number }, .. } = error else {
        return of_session(py, error);
    };
    let functions = program.structure.as_ref().map(|with| &with.circuit.functions);
    let name = functions.and_then(|functions| Some(functions.get(*number)?.name.as_str()));
    with_text(py, error, &format!("{error}; here it is {}", name.unwrap_or("unnamed")))
}

fn with_text(py: Python<'_>, error: &SessionError, text: &str) -> PyErr {
    let class = match error.class() {
        ErrorClass::Usage => "OptionError",
        ErrorClass::Mismatch => "MismatchError",
        ErrorClass::Connection => "ConnectionError",
        ErrorClass::Timeout => "TimeoutError",
        ErrorClass::Aborted => "AbortedError",
        ErrorClass::Protocol => "ProtocolError",
        ErrorClass::Cancelled => "CancelledError",
        ErrorClass::Internal | ErrorClass::File => "EngineError",
    };
    let raised = exception(py, class, text);
    if let Some(party) = party(error) {
        // An exception without the attribute is still the right exception.
        let _ = raised.value(py).setattr("party", party.to_string());
    }
    raised
}

/// The party that an error is about.
fn party(error: &SessionError) -> Option<Party> {
    match error {
        SessionError::Channel { peer, .. }
        | SessionError::Cancelled { peer }
        | SessionError::Mismatch { peer, .. }
        | SessionError::Protocol { peer, .. }
        | SessionError::Cheated { peer, .. }
        | SessionError::Ot { peer, .. } => Some(*peer),
        SessionError::Digest { sender } => Some(*sender),
        SessionError::Unfinished { error, .. } => party(error),
        _ => None,
    }
}

/// Runs `f` without the interpreter's lock. A panic, which is a defect of Halfgate, becomes an
/// exception.
pub fn detached<R: Send>(py: Python<'_>, f: impl FnOnce() -> R + Send) -> PyResult<R> {
    py.detach(|| catch_unwind(AssertUnwindSafe(f))).map_err(|panic| of_panic(&*panic))
}

/// The exception for a panic.
pub fn of_panic(panic: &(dyn Any + Send)) -> PyErr {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    let what = text.unwrap_or("no message");
    PyRuntimeError::new_err(format!("a defect in Halfgate, please report it: {what}"))
}
