//! Hardware cost of a design. [`tools`] finds and runs the programs, [`yosys`] counts cells of
//! FPGAs, [`place`] places and routes, [`cells`] measures areas in a [`liberty`] library with
//! [`buffers`], and [`sta`] times a netlist and adds up its power; [`silicon`] does so for the
//! parts of machines, several at a time ([`jobs`]). A [`Design`] is a module with parameters;
//! [`folders`] finds the source files.

pub mod buffers;
pub mod cells;
mod code;
mod design;
mod files;
pub mod grid;
pub mod jobs;
pub mod liberty;
mod netlist;
pub mod place;
pub mod silicon;
mod sources;
pub mod sta;
pub mod tools;
pub mod yosys;

pub use code::Code;
pub use design::{Design, Part};
pub use sources::folders;

/// A design's name, and its result or the reason why there is none.
pub type Outcome<T> = (String, Result<T, String>);
