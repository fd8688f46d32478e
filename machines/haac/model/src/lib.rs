//! HAAC: parallel gate engines, a sliding window of wires, and three streams (Mo, Gopinath and
//! Reagen, ISCA 2023).
//!
//! Read [`instruction`], then [`code`] (the result of a lowering), [`machine`] and [`description`]
//! (a machine's numbers, and the file that has them), [`issue`] and [`report`] (the results of a
//! model), and [`model`].

pub mod asm;
pub mod code;
pub mod description;
pub mod encoding;
pub mod hgp;
pub mod instruction;
pub mod interpret;
#[path = "isa_generated.rs"]
pub mod isa;
pub mod issue;
pub mod lower;
pub mod machine;
pub mod model;
pub mod report;
pub mod verify;

pub use code::Code;
pub use description::{Description, DescriptionError, Overrides};
pub use instruction::{Instruction, Op, Unary};
pub use issue::{Issue, Sink};
pub use machine::{Components, Forwarding, Machine};
pub use report::Report;
