//! Why a program file cannot be written or read.

use std::fmt;
use std::io;

/// A place in a file: the chunk's number from 0, its tag, and the byte at which it starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The chunk's number, from 0.
    pub chunk: u32,
    /// Its tag, or zeros if it could not be read.
    pub tag: [u8; 4],
    /// The byte of the file at which the chunk starts.
    pub offset: u64,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "chunk {}", self.chunk)?;
        if self.tag != [0; 4] {
            write!(f, " ({})", Tag(self.tag))?;
        }
        write!(f, " at byte {}", self.offset)
    }
}

/// A tag as text; bytes that are not letters are escaped.
pub(super) struct Tag(pub(super) [u8; 4]);

impl fmt::Display for Tag {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0.escape_ascii())
    }
}

/// Why a program file was refused.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file cannot be opened or read.
    #[error("cannot read {name}: {error}")]
    Io {
        /// The file.
        name: String,
        /// The cause.
        error: io::Error,
    },
    /// The first bytes are not those of a program file.
    #[error("{name} is no Halfgate program file (.hgp): {what}")]
    NoProgramFile {
        /// The file.
        name: String,
        /// What is at the start of the file instead.
        what: &'static str,
    },
    /// A version that this reader does not know.
    #[error("{name} is a program file of version {version}; this reader knows version {known}")]
    Version {
        /// The file.
        name: String,
        /// The file's version.
        version: u32,
        /// The only version that this reader knows.
        known: u32,
    },
    /// The file ends too early.
    #[error("{name} is cut short: it ends in {place}")]
    CutShort {
        /// The file.
        name: String,
        /// The chunk in which it ends.
        place: Place,
    },
    /// A checksum is wrong, so bytes were changed after the file was written.
    #[error("{name} is damaged: {place}: {what}")]
    Damaged {
        /// The file.
        name: String,
        /// The damaged chunk.
        place: Place,
        /// The check that failed.
        what: &'static str,
    },
    /// Checksums are right, but the content is inconsistent or of an unknown kind.
    #[error("{name}: {place}: {what}")]
    Refused {
        /// The file.
        name: String,
        /// The refused chunk.
        place: Place,
        /// What is wrong or unknown.
        what: String,
    },
    /// The program is for another machine.
    #[error(
        "{name} is a program for {made_for}, not for {wanted}; compile it again with --machine"
    )]
    OtherMachine {
        /// The file.
        name: String,
        /// The machine that it was compiled for, with its shape.
        made_for: String,
        /// The machine that was to run it, with its shape.
        wanted: String,
    },
}
