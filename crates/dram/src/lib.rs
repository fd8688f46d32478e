//! DRAM behind a machine: its timing, burst by burst, from the simulator DRAMsim3.
//!
//! Read [`configuration`] (a memory as a text file, and why one is refused), then [`memory`] (which
//! takes bursts and says when each is done). The simulator is C++ and comes with the Cargo feature
//! `dram`; without it, configurations can still be read and checked, and [`Dram::new`] says how to
//! build with it.
//!
//! This package knows addresses and times only, no data and no machine.

mod address;
mod check;
pub mod configuration;
mod error;
mod find;
#[cfg(feature = "dram")]
mod ini;
pub mod memory;
#[cfg(not(feature = "dram"))]
#[path = "absent.rs"]
mod simulator;
#[cfg(feature = "dram")]
mod simulator;

pub use configuration::{Configuration, ConfigurationError};
pub use error::DramError;
pub use memory::{Access, Dram};

/// Bytes of a burst.
pub const BURST: u64 = 64;

/// Whether this build has the simulator.
pub const IS_BUILT_IN: bool = cfg!(feature = "dram");
