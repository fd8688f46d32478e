//! What stands between engines and designs in SystemVerilog: [hosts](host), and [options](Options)
//! of how a design is built.

pub mod host;
mod options;
pub mod text;

pub use host::{Host, HostError, PATIENCE, Wipe, built, counter, failed, start};
pub use options::{DepthError, Options, check_depth};
