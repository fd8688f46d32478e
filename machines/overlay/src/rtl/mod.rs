//! SIFO's overlays in SystemVerilog (`machines/overlay/rtl`) as engines.
//!
//! Built by Verilator, with the host and the DDR that the model has around it
//! ([`halfgate_overlay_model::model::run`]); what is done with labels and tables is the affair of
//! every overlay ([`Host`](crate::engine::Host)).
//!
//! Read [`engine`], then `machine` (ports and both clocks).
//!
//! Memory: the simulated machine, the plan, and what DDR holds. Labels and Δ are wiped, in the
//! machine too; waveforms, if they are asked for, have all of them.

pub mod engine;
mod machine;

pub use engine::{Options, RtlOverlay};
pub use machine::Machine;
