//! Designs in SystemVerilog, built by Verilator and simulated in this process. The crate depends
//! on no engine and no machine.
//!
//! Verilator builds a library of a [`Design`] on request, and the library is loaded at run time. So
//! `cargo build` needs no Verilator. Libraries are cached in `target/rtl`, under a hash of
//! everything from which they are made.
//!
//! ```no_run
//! use halfgate_verilated::{Design, Simulation};
//!
//! # fn main() -> Result<(), halfgate_verilated::Error> {
//! let library = Design::of("free_xor").build()?;
//! let mut sim = Simulation::new(&library)?;
//! let (a, y) = (sim.input("a_i", 128)?, sim.output("label_o", 128)?);
//! sim.reset()?;
//! sim.set_u128(a, 1);
//! sim.clock()?;
//! assert_eq!(sim.get_u128(y), 1);
//! # Ok(())
//! # }
//! ```

mod aes;
mod build;
mod design;
mod error;
mod ffi;
mod simulation;
mod sources;
pub mod testing;
mod toolchain;

pub use aes::Aes;
pub use build::Library;
pub use design::{Design, Effort, Mutation};
pub use error::Error;
pub use simulation::{In, Out, Simulation};
pub use sources::Folders;
pub use toolchain::Toolchain;
