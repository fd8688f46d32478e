//! All errors of this crate, in one type.

use halfgate_circuit::builder::BuildError;
use halfgate_circuit::clear::ClearError;
use halfgate_circuit::structured::FlattenError;
use halfgate_compiler::CompileError;
use halfgate_engine::kernels::KernelError;
use halfgate_frontends::bristol::WriteError;
use halfgate_frontends::hgc;
use halfgate_protocol::keys::KeyError;
use halfgate_protocol::net::NetError;
use halfgate_protocol::session::SessionError;
use halfgate_protocol::text::OneLine;
use halfgate_protocol::tls::TlsError;
use halfgate_secret::ValueError;
use std::fmt;
use std::sync::Arc;

/// Why there is no result. Each message is one line that says what is wrong and what to do. It
/// names the other party if that is at fault. No message contains an input.
///
/// The debug output is the same line, as the command prints it, so a `main` that returns this error
/// ends with a readable message.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The circuit of the function cannot be built: it is too long, or cannot be stored.
    #[error("function {function:?}: {error}")]
    Build {
        /// The function's name.
        function: String,
        /// What is wrong. Shared, because each use of the function reports it.
        error: Arc<BuildError>,
    },
    /// The functions that the circuit calls cannot be written out.
    #[error("function {function:?}: {error}")]
    Flatten {
        /// The function's name.
        function: String,
        /// What is wrong. Shared, because each use of the flattening reports it.
        error: Arc<FlattenError>,
    },
    /// The circuit could not be compiled.
    #[error(transparent)]
    Compile(#[from] CompileError),
    /// An input does not fit its type.
    #[error("input {input:?}: {error}")]
    Input {
        /// The name of the input's port.
        input: String,
        /// What is wrong with the value.
        error: ValueError,
    },
    /// The number of values for a per-cycle input is not the number of cycles.
    #[error("input {input:?}: {found} values for {cycles} cycles: give one for each")]
    Cycles {
        /// The name of the input's port.
        input: String,
        /// Number of cycles.
        cycles: u64,
        /// Values given.
        found: usize,
    },
    /// The value of an output was requested that this party does not learn.
    #[error(
        "this party does not learn output {output:?}: use Outcome::learned, or let it learn the \
         output (Function::learn)"
    )]
    NotLearned {
        /// The output's name.
        output: String,
    },
    /// Evaluation in the clear failed.
    #[error(transparent)]
    Clear(#[from] ClearError),
    /// The requested kernel does not work on this computer.
    #[error(transparent)]
    Kernel(#[from] KernelError),
    /// A key cannot be used.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// There is no connection.
    #[error(transparent)]
    Net(#[from] NetError),
    /// There is no TLS connection, usually because the peer is not the expected one.
    #[error(transparent)]
    Tls(#[from] TlsError),
    /// The session ended without a result; [`SessionError::class`] returns the kind of error.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// The circuit cannot be written in this format.
    #[error(transparent)]
    Write(#[from] WriteError),
    /// The circuit cannot be written in HGC format.
    #[error(transparent)]
    WriteHgc(#[from] hgc::WriteError),
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&OneLine(&self.to_string()), f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use halfgate_circuit::Party;
    use halfgate_protocol::session::Difference;

    #[test]
    fn a_main_that_returns_an_error_ends_with_a_sentence() {
        let error = Error::from(SessionError::Mismatch {
            peer: Party::Evaluator,
            what: Difference::Suite,
            ours: "half-gates".to_owned(),
            theirs: "a\u{1b}[2J\nb".to_owned(),
        });
        let printed = "the two parties differ in the suite: ours is half-gates, the evaluator's is \
                    a\\u{1b}[2J b";
        assert_eq!(format!("{error:?}"), printed);
        // In the form that `main` prints.
        assert_eq!(format!("{error:#?}"), printed);
    }
}
