//! HAAC: gate engines in rows, a sliding window of wires, and three streams (Mo, Gopinath and
//! Reagen, ISCA 2023).
//!
//! Read [`instruction`], then [`code`] (what a lowering makes), [`machine`] (what a description
//! says), and [`issue`] and [`report`] (what a model gives).

pub mod code;
pub mod instruction;
pub mod interpret;
pub mod issue;
pub mod lower;
pub mod machine;
pub mod report;

pub use code::Code;
pub use instruction::{Instruction, Op, Unary};
pub use issue::{Issue, Sink};
pub use machine::Machine;
pub use report::Report;
