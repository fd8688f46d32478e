//! Simulates the overlay of `machines/overlay/rtl` and its environment, clock cycle by clock cycle.
//!
//! [`shape`] has the build's parameters, [`machine`] the machine, and [`host`] the host and DDR.
//! The RTL runs with the same host and DDR.

mod crossing;
mod device;
pub mod host;
pub mod machine;
pub mod shape;
#[cfg(test)]
mod tests;
mod timing;

pub use device::{Fault, Modelled};
pub use host::{Board, Device, Sent, Stuck, Waits, run};
pub use machine::{Begin, Counters, Garbles, Inputs, Machine, Request, Seen, Went, port_of};
pub use shape::{AndCells, MOST_LANES, ROWS_LATENCY, Shape, ShapeError};
pub use timing::Timing;
