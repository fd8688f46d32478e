//! Circuit files: HGC, Bristol, Bristol Fashion, SCD and HSCD, read as streams and written; ABY's,
//! read as streams; Verilog, read with Yosys.
//!
//! [`open`] and [`write()`] take any of them; [`hgc`], [`bristol`], [`scd`], [`aby`] and
//! [`verilog`] are the formats. `text` reads bytes and counts lines, `renumber` is the way from a
//! file's wires to a circuit's, `assigned` the set of wires that a file has driven so far, and
//! `spool` the list of records behind them that spills to a file.

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
pub use file::{Options, WriteError, detect, open, open_with, write};
pub use format::Format;
