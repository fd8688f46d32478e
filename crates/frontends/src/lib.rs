//! Circuit files: Bristol and Bristol Fashion, read as streams and written.
//!
//! [`bristol`] is the format; `spool` is the list of records behind it that spills to a file.

pub mod bristol;
mod spool;
