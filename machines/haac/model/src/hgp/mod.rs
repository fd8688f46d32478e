//! Program files, `.hgp`: a lowered program with all that a machine and its host need to run it.
//!
//! Read [`chunk`] (what a file is made of, and its checksums), [`header`] (what it says about
//! itself), [`mod@write`] and [`mod@read`], [`text`] (the same as assembly),
//! [`error`]. `machines/haac/spec/hgp.md` is the format in prose.
//!
//! A file holds no label and no secret: it says what is computed, in the form that one shape of
//! machine takes. Both parties may use the same file.

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
