//! GarbledCPU's evaluators as engines: models that compute labels. They evaluate only: the garbler
//! is any other engine.
//!
//! [`Supply`] is the host's part, also for the machine in SystemVerilog.

mod error;
mod garbledcpu_engine;
mod supply;

pub use error::SupplyError;
pub use garbledcpu_engine::{GarbledCpuEngine, Lowered, MHZ, SUITES};
pub use supply::Supply;
