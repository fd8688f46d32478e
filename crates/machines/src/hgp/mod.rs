//! Program files, `.hgp`: a lowered program with all that a machine and its host need to run it.
//!
//! Read [`chunk`] (what a file is made of, and its checksums), [`header`] (what it says about
//! itself), [`mod@write`] and [`mod@read`], [`text`] (the same as assembly), [`mod@file`] (a file under its name only when it is whole),
//! [`error`]. `spec/hgp.md` is the format in prose.
//!
//! A file holds no label and no secret: it says what is computed, in the form that one shape of
//! machine takes. Both parties may use the same file.

pub mod chunk;
pub mod error;
pub mod file;
pub mod header;
pub mod read;
#[cfg(test)]
mod tests;
pub mod text;
pub mod write;

pub use crate::haac::encoding::Encoding;
pub use error::{ReadError, WriteError};
pub use header::{EngineCounts, Header, Port};
pub use read::{Loaded, open, read};
pub use text::{TextError, read_text, write_text};
pub use write::{write, write_to};
