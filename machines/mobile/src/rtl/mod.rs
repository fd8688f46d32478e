//! The mobile coprocessor in SystemVerilog (`machines/mobile/rtl`), as an engine that evaluates.
//! The chip's RTL is simulated clock cycle by clock cycle; the link to the host is a model.
//!
//! Read [`engine`], then [`machine`] (ports, and the label memory). Memory: the simulated chip and
//! its label memory. Labels are wiped. Waveforms, if enabled, contain all labels.

pub mod engine;
mod machine;
pub mod wide;

pub use engine::{Options, RtlMobile};
pub use machine::{Machine, Memory};
pub use wide::{WideCore, WideDevice, WideOptions};
