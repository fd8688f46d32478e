//! SIFO's overlays in SystemVerilog (`machines/overlay/rtl`) as engines.
//!
//! Verilator builds them. They run with the host and DDR of the model
//! ([`halfgate_overlay_model::model::run`]). [`Host`](crate::engine::Host) handles labels and
//! tables, as it does for the model.
//!
//! Read [`engine`], then `machine` (ports and both clocks).
//!
//! Memory: the simulated machine, the plan, and the contents of DDR. Labels and Δ are wiped, also
//! in the machine. Waveforms, if enabled, contain all of them.

pub mod engine;
mod machine;

pub use engine::{Options, RtlOverlay};
pub use machine::Machine;
