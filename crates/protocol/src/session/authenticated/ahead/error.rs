//! Why a preprocessing file cannot be created or used.

use crate::session::difference::Difference;
use std::io;

/// Why a preprocessing file cannot be created or used.
#[derive(Debug, thiserror::Error)]
pub enum PreprocessedError {
    /// The file, or the ledger, cannot be created, read or written.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// What happened.
        error: io::Error,
    },
    /// There is a file already.
    #[error("{path} exists and is never overwritten: remove it or choose another name")]
    Exists {
        /// The file.
        path: String,
    },
    /// Another run writes the file, or was killed while it did.
    #[error(
        "{path} is being written by another preprocessing: give each party a file of its own; if \
         there is none, remove {part}"
    )]
    Taken {
        /// The file.
        path: String,
        /// The file that it is until it is complete.
        part: String,
    },
    /// The file is not a preprocessing file, or is one of another version.
    #[error("{path} is not a preprocessing file of this version: {what}")]
    Format {
        /// The file.
        path: String,
        /// What is wrong with it.
        what: &'static str,
    },
    /// The file was changed after it was written, or cut short.
    #[error("{path} has been changed or damaged, or is of another version: preprocess again")]
    Damaged {
        /// The file.
        path: String,
    },
    /// The file is encrypted in another way than the caller expects.
    #[error(
        "{path} is encrypted under {how}: give --preprocess-key, --preprocess-passphrase-file or \
         neither, as when it was made"
    )]
    Protection {
        /// The file.
        path: String,
        /// What unlocks it.
        how: &'static str,
    },
    /// The key or the passphrase is wrong.
    #[error("{path} cannot be unlocked: it is encrypted under {how}, and this is another one")]
    Locked {
        /// The file.
        path: String,
        /// What unlocks it.
        how: &'static str,
    },
    /// The file was already used for a session.
    #[error("{path} has been used: a preprocessing serves one run only, preprocess again")]
    Used {
        /// The file.
        path: String,
    },
    /// The file is not marked, but this computer has used its generation.
    #[error(
        "{path} is a copy of a file that has been used, as {ledger} shows: a preprocessing serves \
         one run only, preprocess again"
    )]
    Copied {
        /// The file.
        path: String,
        /// The list of used generations.
        ledger: String,
    },
    /// The ledger has other content.
    #[error(
        "{path} is not a list of used preprocessing, or is damaged: no file can be used before it \
         is repaired; each line has 64 digits, 0 to 9 and a to f"
    )]
    Ledger {
        /// The ledger.
        path: String,
    },
    /// Others may read the file.
    #[error(
        "{path} has mode {mode:04o}: others may have read its secrets; preprocess again, into a \
         file that only you can read"
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
    /// The file was made for something else.
    #[error("{path} was made for another {what}: it has {file}, this session {session}")]
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
