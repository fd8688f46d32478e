//! Models of machines with a static schedule: sequential netlists in which the compiler fixes the
//! clock cycle of each gate. FASE's garbler and GarbledCPU's evaluator are such machines. They
//! share the modules of this package: the [netlist] with its [body], the [schedule] with its banks,
//! the [code] for the hardware, and the cycle-accurate [model]. [check] detects wrong labels in a
//! run of the model, and [`Went`] breaks down the run's clock cycles by cause.
//!
//! A *clock cycle* is a period of the machine's clock. A *netlist cycle* is one cycle of the
//! sequential circuit. The *kernel* is the code that repeats: a machine runs its words in order,
//! and each repetition is a *round*, in which one netlist cycle starts.

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

/// Clock cycles of the published FASE before its first gate. The key of AES, Δ, the labels of the
/// two constants (section 5.4, states GETKEYS and CONSTLABELS) and the wait for the netlist's first
/// word take two clock cycles each.
pub const SETUP: u64 = 10;
