//! From a circuit to a program: one pass a file; [`pipeline`] is the whole path, top to bottom.
//!
//! `dead` drops gates, `group` or [`gate_engines`] orders them, [`hash`] names the result. Passes
//! stream: they go through the gates and hold the wires alive ([`wire_map`]); what a pass backwards
//! has to tell a pass forwards waits in a [`reverse_spool`], what is to be read as it was written
//! in a [`spool`]. [`skip`] is no pass: it decides while a program runs which gates are left.

mod dead;
mod error;
pub mod gate_engines;
mod group;
pub mod hash;
pub mod order;
pub mod pipeline;
pub mod program;
pub mod reverse_spool;
pub mod skip;
pub mod spool;
mod uses;
pub mod wire_map;

pub use error::CompileError;
pub use order::{Order, OrderError};
pub use pipeline::compile;
pub use program::{Program, ProgramHash, Skips};
