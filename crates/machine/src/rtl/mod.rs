//! What stands between engines and designs in SystemVerilog: [hosts](host), and [options](Options)
//! of how a design is built.

pub mod host;
mod options;
pub mod text;

pub use host::{Host, PATIENCE, Wipe, counter, failed, start};
pub use options::{Options, check_depth};
