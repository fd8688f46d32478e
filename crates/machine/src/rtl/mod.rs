//! Code between engines and designs in SystemVerilog: [hosts](host), and [options](Options) for
//! building a design.

pub mod host;
mod options;
pub mod text;

pub use host::{Host, HostError, PATIENCE, Wipe, built, counter, failed, start};
pub use options::{DepthError, Options, check_depth};
