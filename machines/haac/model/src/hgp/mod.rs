//! Program files, `.hgp`: a lowered program with everything that a machine and its host need to run
//! it.
//!
//! Read [`chunk`] (the file's parts and checksums), [`header`] (the description of the program),
//! [`mod@write`] and [`mod@read`], [`text`] (the file as assembly), [`error`].
//! `machines/haac/spec/hgp.md` has the format in prose.
//!
//! A file holds no label and no secret. Its code fits machines of one shape. Both parties may use
//! the same file.

pub mod chunk;
pub mod error;
pub mod header;
pub mod read;
#[cfg(test)]
mod tests;
pub mod text;
pub mod write;

pub use crate::encoding::Encoding;
pub use error::ReadError;
pub use halfgate_model::file::{self, WriteError};
pub use header::{EngineCounts, Header, Port};
pub use read::{Loaded, open, read};
pub use text::{TextError, read_text, write_text};
pub use write::{write, write_to};
