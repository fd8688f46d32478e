//! Garbling ahead of time, into a file.

/// Why a file of garbled tables cannot be made or used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What happened.
        error: std::io::Error,
    },
}
