//! The compiler from circuits to programs. Each file holds one pass; [`pipeline`] shows the whole
//! path.
//!
//! `dead` drops gates, `group` or [`gate_engines`] orders them, [`hash`] names the result. Passes
//! stream: they go through the gates and keep only the wires alive ([`wire_map`]). A
//! [`reverse_spool`] carries records from a backward pass to a forward pass; a [`spool`] carries
//! records that are read in the order of writing. [`skip`] is not a pass: it decides at run time
//! which gates remain.

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
