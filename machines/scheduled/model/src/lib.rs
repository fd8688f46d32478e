//! Models of machines with a static schedule: sequential netlists in which the compiler fixes the
//! clock cycle of each gate. FASE's garbler and GarbledCPU's evaluator are such machines. They
//! share the modules of this package: the [netlist] with its [body], the [schedule] with its
//! banks, the [code] for the hardware, and the cycle-accurate [model]. [check] detects wrong
//! labels in a run of the model, and [`Went`] breaks down its clock cycles.
//!
//! Clock cycles are the machine's; a *netlist cycle* is one cycle of the sequential circuit.

pub mod body;
pub mod check;
pub mod code;
mod labels;
pub mod model;
pub mod netlist;
pub mod schedule;
mod went;

pub use body::Body;
pub use code::Code;
pub use netlist::Netlist;
pub use schedule::{Schedule, Shape};
pub use went::Went;

/// Clock cycles before the first gate. AES's key, Δ, and the labels of both constants (section
/// 5.4, states GETKEYS and CONSTLABELS) take two each, as does the wait for the first of the
/// netlist's words.
pub const SETUP: u64 = 10;
