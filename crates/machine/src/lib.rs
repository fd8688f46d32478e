//! The interface between machines and the rest of Halfgate: the trait [`Machine`], and the code
//! between engines, models and simulated designs. Read [`Machine`] first, then [`args`] (the
//! options of its commands), [`rtl`] (hosts of designs), and [`labels`] (comparison of a machine
//! with the CPU engine).
//!
//! This package names no machine. The list of machines is `machines/registry`.

mod advice;
pub mod args;
pub mod building;
pub mod labels;
mod limits;
mod machine;
mod path;
mod program;
mod roles;
pub mod rtl;
mod traffic;
mod wiped;

pub use advice::advice;
pub use limits::{MAX_CYCLES, check_options, check_rtl_options, check_size};
pub use machine::{
    Configuration, EngineForm, EngineRequest, Kind, Machine, Reproduced, SizeOption,
};
pub use path::LongestPath;
pub use program::{Named, program};
pub use roles::{evaluates_only, garbles_only, only_garbles};
pub use traffic::Traffic;
pub use wiped::Wiped;
