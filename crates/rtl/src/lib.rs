//! SystemVerilog machines behind the Engine trait.
//!
//! The sources are under `rtl/`; Verilator makes a library of them when one is asked for, which is
//! loaded at run time, so that `cargo build` needs neither.
//!
//! ```no_run
//! use halfgate_rtl::{Design, Simulation};
//!
//! # fn main() -> Result<(), halfgate_rtl::Error> {
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
pub mod fase;
mod ffi;
pub mod garbledcpu;
pub mod haac;
pub mod mobile;
pub mod overlay;
pub mod registers;
mod simulation;
mod sources;
mod toolchain;

pub use aes::Aes;
pub use build::Library;
pub use design::{Design, Mutation};
pub use error::Error;
pub use simulation::{In, Out, Simulation};
pub use toolchain::Toolchain;
