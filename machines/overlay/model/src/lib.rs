//! Commands for SIFO's overlay of garbled AND and XOR cells (Fang, Ioannidis and Leeser), and a
//! model of the overlay.
//!
//! [`batches`] splits a circuit into batches of independent gates, layer by layer as in the paper
//! (section 3.3.2) or window by window. [`allocate`] gives each wire a place in block RAM or DDR,
//! by the paper's policies (section 3.4.2) or by ours. [`command`] encodes a gate with the places
//! of its labels, and [`stream`] writes and reads the commands of a circuit. [`model`] simulates
//! the overlay clock cycle by clock cycle, together with its host and DDR. [`description`] has the
//! named overlays with their boards and hosts.

pub mod allocate;
pub mod banked;
mod batches;
mod build;
pub mod command;
pub mod description;
pub mod encode;
pub mod fields;
pub mod model;
mod place;
pub mod plan;
pub mod stream;
#[cfg(test)]
mod tests;

pub use allocate::{Allocation, Policy, Traffic};
pub use banked::Banks;
pub use batches::{Batch, Batches, Cells};
pub use build::Build;
pub use command::{Command, Form};
pub use description::{DescriptionError, Overlay, PlanError};
pub use place::Place;
pub use plan::{How, Plan};
pub use stream::{Stream, StreamError};
