//! The compiler from circuits to programs. Each file has one pass, and [`pipeline`] runs them.
//!
//! `dead` drops gates, `inline` writes small functions out, `group`, `group_functions` or
//! [`gate_engines`] orders gates, and [`hash`] computes the hash that identifies the result. Passes
//! stream: they go through the gates, and keep data only for the wires alive ([`wire_map`]) or, in
//! circuits with functions, for a body's wires (`renaming`). A [`reverse_spool`] carries records
//! from a backward pass to a forward pass. A [`spool`] carries records that are read in the order
//! of writing. [`skip`] is not a pass: it decides at run time which gates remain.

mod dead;
mod error;
pub mod gate_engines;
mod group;
mod group_functions;
pub mod hash;
mod inline;
mod lanes;
pub mod order;
pub mod pipeline;
pub mod program;
mod program_hash;
mod renaming;
pub mod reverse_spool;
pub mod skip;
pub mod spool;
mod structured_hash;
mod uses;
pub mod wire_map;

pub use error::CompileError;
pub use order::{Order, OrderError};
pub use pipeline::{compile, compile_structured};
pub use program::{Program, Skips, StructuredProgram};
pub use program_hash::ProgramHash;
