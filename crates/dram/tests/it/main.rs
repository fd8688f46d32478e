//! Tests of configurations, and of the simulator where the build has it.

mod configuration;
#[cfg(feature = "dram")]
mod simulator;
