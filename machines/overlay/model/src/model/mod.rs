//! The overlay in time: what `machines/overlay/rtl` does clock by clock, and what stands around it.
//!
//! [`shape`] is what it is built with, [`machine`] the machine, [`host`] the host and DDR, which
//! the RTL has around it, too.

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
