//! Why there is no memory.

use crate::configuration::ConfigurationError;

/// Why there is no memory.
#[derive(Debug, thiserror::Error)]
pub enum DramError {
    /// The build has no simulator.
    #[error(
        "this build has no DRAM simulator: build with the Cargo feature `dram`, as in `cargo build \
         --release --features dram`, which needs cmake and a C++ compiler"
    )]
    NotBuilt,
    /// The configuration makes no sense.
    #[error(transparent)]
    Configuration(#[from] ConfigurationError),
    /// The simulator's own files.
    #[error("cannot write the DRAM simulator's configuration: {0}")]
    File(std::io::Error),
}
