//! GarbledCPU's evaluators as engines: the model with labels in it. They evaluate only: the garbler is any other engine.
//!
//! [`Supply`] is the host's part, which the machine in SystemVerilog has as well.

mod error;
mod garbledcpu_engine;
mod supply;

pub use error::SupplyError;
pub use garbledcpu_engine::{GarbledCpuEngine, Lowered, MHZ, SUITES};
pub use supply::Supply;
