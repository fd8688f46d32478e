//! The mobile coprocessor in SystemVerilog (`machines/mobile/rtl`): its core behind a link in its
//! own clocks, as an engine that evaluates.
//!
//! Read [`engine`], then [`machine`] (ports, and the label memory). Memory: the simulated chip and its label memory. Labels are wiped;
//! waveforms, if they are asked for, have all of them.

pub mod engine;
mod machine;
pub mod wide;

pub use engine::{Options, RtlMobile};
pub use machine::{Machine, Memory};
pub use wide::{WideCore, WideDevice, WideOptions};
