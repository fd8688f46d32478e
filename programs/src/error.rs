//! What can be wrong with a request for a built-in program.

use halfgate_circuit::builder::BuildError;
use thiserror::Error;

/// Why a spec such as `auction:8x32` named no circuit.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// There is no program of that name.
    #[error("there is no built-in program '{name}'; there are: {known}")]
    Unknown {
        /// The name that was asked for.
        name: String,
        /// The names there are, separated by commas.
        known: String,
    },
    /// The paper has no such problem.
    #[error("there is no published circuit of '{name}'; there are those of {known}")]
    NotPublished {
        /// The name that was asked for.
        name: String,
        /// The names there are, separated by commas.
        known: String,
    },
    /// The program exists, but not with these parameters.
    #[error("program '{name}': {reason}; usage: {usage}")]
    Parameters {
        /// The program's name.
        name: &'static str,
        /// How to write the spec, with the default.
        usage: String,
        /// What was wrong.
        #[source]
        reason: MakeError,
    },
    /// The circuit could not be stored.
    #[error("program '{name}': {source}")]
    Build {
        /// The program's name.
        name: &'static str,
        /// What went wrong.
        source: BuildError,
    },
}

/// Why a program cannot be made with its parameters. The programs' own functions return it;
/// [`crate::build`] adds the program's name and usage.
#[derive(Debug, Error)]
pub enum MakeError {
    /// The parameters are not of the form that the program takes.
    #[error("the parameters '{given}' are not of the form {expected}")]
    Form {
        /// The form, such as `BIDDERSxBITS`.
        expected: String,
        /// What was given.
        given: String,
    },
    /// The program takes no parameters.
    #[error("it takes no parameters, but '{given}' was given")]
    NoParameters {
        /// What was given.
        given: String,
    },
    /// A parameter is not a whole number, or is larger than any that could be meant.
    #[error("{parameter} is '{given}', which is not a whole number of a possible size")]
    NotANumber {
        /// The parameter's name.
        parameter: &'static str,
        /// What was given.
        given: String,
    },
    /// A parameter is outside its range.
    #[error("{parameter} is {given}, but must be from {min} to {max}")]
    OutOfRange {
        /// The parameter's name.
        parameter: &'static str,
        /// What was given.
        given: u64,
        /// The smallest that is allowed.
        min: u64,
        /// The largest that is allowed.
        max: u64,
    },
    /// A parameter must be a multiple of the body's size.
    #[error("{parameter} is {given}, but above {of} it must be a multiple of {of}")]
    NotAMultiple {
        /// The parameter's name.
        parameter: &'static str,
        /// What was given.
        given: u64,
        /// The gates in one pass of the body.
        of: u64,
    },
    /// Each parameter is in range, but together they make a circuit that is too large.
    #[error("the circuit would have about {ands} ANDs, above the limit of {max}")]
    TooLarge {
        /// An estimate of the circuit's ANDs.
        ands: u64,
        /// The most that a built-in program may have in one body.
        max: u64,
    },
    /// The circuit could not be stored.
    #[error(transparent)]
    Build(#[from] BuildError),
}
