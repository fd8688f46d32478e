//! From a circuit to a program: one pass a file; [`pipeline`] is the whole path, top to bottom.

pub mod order;
pub mod pipeline;
pub mod program;

pub use order::Order;
pub use pipeline::compile;
pub use program::{Program, ProgramHash};
