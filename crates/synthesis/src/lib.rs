//! What a design costs in hardware: [`tools`] finds and runs the programs, [`yosys`] counts cells
//! of FPGAs, [`place`] places and routes, [`cells`] measures areas in a [`liberty`] library. A
//! [`Design`] is a module with parameters; [`sources()`] are the files.

pub mod cells;
mod design;
pub mod liberty;
pub mod place;
mod sources;
pub mod tools;
pub mod yosys;

pub use design::{Design, Part};
pub use sources::{folders, sources};

/// What came of a design, or why nothing did.
pub type Outcome<T> = (String, Result<T, String>);
