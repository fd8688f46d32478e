//! Why a description is rejected.

use std::fmt::Display;

/// Why a description gives no machine.
#[derive(Debug, thiserror::Error)]
pub enum DescriptionError {
    /// No built-in description has the name.
    #[error("no machine is called {name:?}: give one of {known}, or the path of a description")]
    Unknown {
        /// The requested name.
        name: String,
        /// Names of the built-in descriptions.
        known: String,
    },
    /// The file cannot be read.
    #[error("cannot read the machine's description {origin}: {source}")]
    Read {
        /// The file.
        origin: String,
        /// The cause.
        #[source]
        source: std::io::Error,
    },
    /// The file is longer than any description.
    #[error("{origin} is no machine's description: it is longer than {longest} bytes")]
    TooLong {
        /// The file.
        origin: String,
        /// The largest number of bytes that is read.
        longest: u64,
    },
    /// The text is not TOML, or a key is unknown, missing, or of the wrong type.
    #[error("{origin}:{line}: {message}")]
    Syntax {
        /// The file or built-in description.
        origin: String,
        /// The line, from 1.
        line: usize,
        /// The error, and the text of the line.
        message: String,
    },
    /// A number that no machine can have.
    #[error("{origin}: {key} is {value}, but must be {allowed}")]
    Value {
        /// The file, built-in description, or `the command line`.
        origin: String,
        /// The key as `section.key`.
        key: String,
        /// Its value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
}

impl DescriptionError {
    pub(super) fn value(
        origin: &str,
        key: impl Into<String>,
        value: impl Display,
        allowed: impl Into<String>,
    ) -> DescriptionError {
        DescriptionError::Value {
            origin: origin.to_owned(),
            key: key.into(),
            value: value.to_string(),
            allowed: allowed.into(),
        }
    }
}
