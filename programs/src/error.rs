//! Errors of built-in programs: unknown names, wrong parameters, circuits that cannot be stored.

use halfgate_circuit::builder::BuildError;
use halfgate_circuit::structured::FlattenError;
use thiserror::Error;

/// Error of a spec such as `auction:8x32` that yields no circuit.
#[derive(Debug, Error)]
pub enum ProgramError {
    /// There is no program of that name.
    #[error("there is no built-in program '{name}'; there are: {known}")]
    Unknown {
        /// The requested name.
        name: String,
        /// The known names, separated by commas.
        known: String,
    },
    /// No paper has a circuit of this problem.
    #[error("there is no published circuit of '{name}'; available: {known}")]
    NotPublished {
        /// The requested name.
        name: String,
        /// The known names, separated by commas.
        known: String,
    },
    /// The program cannot be built with these parameters.
    #[error("program '{name}': {reason}; usage: {usage}")]
    Parameters {
        /// The program's name.
        name: &'static str,
        /// The form of the spec, and the default.
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
    /// The program calls functions, and its gates cannot be written out.
    #[error("program '{name}': {source}")]
    Flatten {
        /// The program's name.
        name: &'static str,
        /// What went wrong.
        source: FlattenError,
    },
}

/// Error of a program's parameters. The function of each program returns it; [`crate::build`] adds
/// the program's name and usage.
#[derive(Debug, Error)]
pub enum MakeError {
    /// The parameters do not have the program's form.
    #[error("the parameters '{given}' are not of the form {expected}")]
    Form {
        /// The form, such as `BIDDERSxBITS`.
        expected: String,
        /// The given text.
        given: String,
    },
    /// The program takes no parameters.
    #[error("it takes no parameters, but '{given}' was given")]
    NoParameters {
        /// The given text.
        given: String,
    },
    /// A parameter is not a whole number, or does not fit its integer type.
    #[error("{parameter} is '{given}', which is not a whole number, or is too large")]
    NotANumber {
        /// The parameter's name.
        parameter: &'static str,
        /// The given text.
        given: String,
    },
    /// A parameter is outside its range.
    #[error("{parameter} is {given}, but must be from {min} to {max}")]
    OutOfRange {
        /// The parameter's name.
        parameter: &'static str,
        /// The given value.
        given: u64,
        /// The smallest allowed value.
        min: u64,
        /// The largest allowed value.
        max: u64,
    },
    /// A parameter is above the body's size and not a multiple of it.
    #[error("{parameter} is {given}, but above {of} it must be a multiple of {of}")]
    NotAMultiple {
        /// The parameter's name.
        parameter: &'static str,
        /// The given value.
        given: u64,
        /// The gates of the body.
        of: u64,
    },
    /// Each parameter is in range, but together they make a circuit that is too large.
    #[error("the circuit would have about {ands} ANDs, above the limit of {max}")]
    TooLarge {
        /// An estimate of the circuit's ANDs.
        ands: u64,
        /// Maximum number of ANDs in the body of a built-in program.
        max: u64,
    },
    /// The circuit could not be stored.
    #[error(transparent)]
    Build(#[from] BuildError),
}
