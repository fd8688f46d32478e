//! Machines that a schedule drives: sequential netlists whose gates have their clock fixed by the
//! compiler. The garbler of FASE and the evaluator of GarbledCPU are such machines, and share what
//! is here: the [netlist] with its [body], the [schedule] with its banks, the [code] that the
//! hardware reads, and the clock-by-clock [model]; [check] says whether a run of the model is
//! right, and [`Went`] where its clocks go.
//!
//! Clocks are the machine's; a *netlist cycle* is one cycle of the sequential circuit.

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

/// Clocks before the first gate: the key of AES, Δ, and the labels of both constants (section 5.4,
/// states GETKEYS and CONSTLABELS), two each with the wait for the first of the netlist's words.
pub const SETUP: u64 = 10;
