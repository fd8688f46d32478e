//! Circuit files. HGC, Bristol, Bristol Fashion, SCD and HSCD can be read and written. ABY's format
//! and Verilog can only be read. Verilog is read with Yosys, all other formats are read as streams.
//!
//! [`open`] and [`write()`] handle every format. [`hgc`], [`bristol`], [`scd`], [`aby`] and
//! [`verilog`] handle one format each. `text` reads bytes and counts lines. `renumber` maps the
//! wires of a file to those of a circuit. `assigned` is a set of wires that are assigned so far.
//! `spool` is a list of records that continues in a temporary file if it is long.

pub mod aby;
mod assigned;
pub mod bristol;
mod error;
mod file;
mod format;
pub mod hgc;
mod renumber;
pub mod scd;
mod spool;
mod text;
pub mod verilog;

pub use error::{Problem, ReadError, TextProblem};
pub use file::{Options, WriteError, detect, open, open_structured_with, open_with, write};
pub use format::Format;
