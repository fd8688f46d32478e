//! HAAC in SystemVerilog as an engine.
//!
//! Verilator builds the machine of `machines/haac/rtl`. Its AXI4 ports connect to a memory that is
//! implemented here, and its AXI4-Lite port to a driver. Launches, inputs and outputs are handled
//! as for every HAAC ([`host`](crate::engine::host)), but here the machine itself moves the labels.
//!
//! Read [`engine`], then `machine` (registers and clock), `axi` (the ports' protocol), `memory`
//! (the data behind the ports), `image` (contents of memory), and [`contents`] (the same as bytes,
//! for test benches in other languages). [`memory_image`] is for hosts of a machine in hardware.
//!
//! Memory: the simulated machine; inputs, and live wires that are still to be read; 96 KiB of
//! tables per engine. Labels and delta are wiped, also in the machine. Waveforms, if requested,
//! contain all labels and delta.

mod axi;
pub mod contents;
pub mod engine;
mod error;
mod fault;
mod hardware;
mod image;
mod lite;
mod machine;
mod measure;
mod memory;
pub mod memory_image;
mod observe;
mod options;
mod pace;
pub mod registers;
mod run;
mod stream;
mod tables;

pub use engine::RtlEngine;
pub use fault::Fault;
pub use halfgate_verilated::{Aes, Effort};
pub(crate) use image::descriptor_bytes;
pub use measure::Measured;
pub use options::{Keeper, Options};
pub use pace::Failure;

/// Bytes of a burst.
const BURST: usize = 64;

/// Bytes of a label.
const LABEL: usize = 16;
