//! Garbling ahead of time: all work that needs no input is done before a session, into a file.
//!
//! [`garble_to_file`] runs the engine and writes the secrets and the tables. [`TableFile`] is an
//! open file. [`garble_from_file`] is a session that sends the file's tables. The session masks the
//! label pairs of the evaluator's inputs by hashed random OTs, whose offset belongs to the
//! connection.
//!
//! The file is created for its owner alone (mode 0600), because its contents reveal the garbler's
//! inputs in a recorded session. It is locked while in use. Before its first label leaves, it is
//! marked used and flushed to the disk, and it is never used again: labels that serve two sets of
//! inputs would reveal both labels of a wire. Δ and the seed are overwritten together with the
//! mark. No mark can prevent the use of a second copy, so the unused file must not be copied or
//! restored from a backup or a snapshot. Every record carries a keyed BLAKE3 tag, checked before
//! the record is sent. A truncated file is detected when it is opened.
//!
//! Memory: one record, 128 KiB, and the memory of engine and session.

mod format;
mod read;
mod write;

pub use read::{TableFile, garble_from_file};
pub use write::{FileReport, garble_to_file};

use crate::session::Difference;
use std::io;

/// Why a file of garbled tables cannot be created or used.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The file cannot be created, read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What happened.
        error: io::Error,
    },
    /// The file is not a file of garbled tables, or is one of another version.
    #[error("{path} is not a file of garbled tables of this version: {what}")]
    Format {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file is truncated, or its garbling did not finish.
    #[error("{path} is not complete: garble again")]
    Incomplete {
        /// The file.
        path: String,
    },
    /// The file's content was changed after it was written.
    #[error("{path} has been changed or damaged at {place}: garble again")]
    Damaged {
        /// The file.
        path: String,
        /// Where: "its header" or the number of a record.
        place: String,
    },
    /// The file was already used for a session.
    #[error("{path} has been used: a garbling serves one session only, garble again")]
    Used {
        /// The file.
        path: String,
    },
    /// Others may read the file.
    #[error(
        "{path} has mode {mode:04o}: others may have read its secrets; garble again, into a file \
         that only you can read"
    )]
    Permissions {
        /// The file.
        path: String,
        /// Its permission bits.
        mode: u32,
    },
    /// Another process uses the file.
    #[error("{path} is in use by another process")]
    Busy {
        /// The file.
        path: String,
    },
    /// The file was garbled for something else.
    #[error("{path} was garbled for another {what}: it has {file}, this session {session}")]
    Mismatch {
        /// The file.
        path: String,
        /// What differs.
        what: Difference,
        /// The file's value.
        file: String,
        /// The session's value.
        session: String,
    },
}

#[cfg(test)]
mod tests;
