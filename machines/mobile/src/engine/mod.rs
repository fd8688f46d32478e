//! Evaluates on the mobile coprocessor. [`host`] is the phone's part, which sends the garbler's
//! stream to the chip. It works on any [`Port`], such as a [serial] port or [SPI](spi). The engines
//! are: the chip at a port ([`device`]), the [model](MobileEngine) of the chip behind a link, and
//! the [wide core](wide) without a link.

#[cfg(not(target_os = "linux"))]
mod absent;
pub mod device;
mod error;
pub mod host;
mod mobile_engine;
mod model;
#[cfg(target_os = "linux")]
mod receive_buffer;
#[cfg(target_os = "linux")]
pub mod serial;
#[cfg(target_os = "linux")]
pub mod spi;
#[cfg(target_os = "linux")]
pub mod terminal;
mod watch;
pub mod wide;

#[cfg(not(target_os = "linux"))]
pub use absent::{serial, spi, terminal};
pub use device::DeviceEngine;
pub use error::{ChipError, PortError};
pub use host::{Evaluates, Port, SUITES, Sent};
pub use mobile_engine::{MHZ, MobileEngine};
pub use model::{Clocked, Faulty, Hasher, Link, Linked, Modelled};
pub use wide::WideEngine;
