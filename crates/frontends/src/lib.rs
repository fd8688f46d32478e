//! Circuit files: HGC, Bristol, Bristol Fashion, SCD and HSCD, which are read as streams and
//! written; ABY's, which are read as streams; and Verilog, which is read with Yosys.
//!
//! [`open`] and [`write()`] handle every format; [`hgc`], [`bristol`], [`scd`], [`aby`] and
//! [`verilog`] handle one each. `text` reads bytes and counts lines. `renumber` maps a file's wires
//! to a circuit's. `assigned` is the set of wires that a file has driven so far, and `spool` is a
//! list of records that spills to a file.

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
