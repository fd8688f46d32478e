//! Code that the models of all machines share: the [fields](Field) of the words that they read, the
//! [traffic](Traffic) of a link, [limits](Exceeded) that a program exceeds, [files](mod@file) that
//! appear only when complete, and how a [program file](program_file) is recognised.
//!
//! Models depend on this package, so it must not handle labels.

mod field;
pub mod file;
mod limit;
pub mod program_file;
mod traffic;

pub use field::Field;
pub use limit::{Exceeded, Resource};
pub use traffic::Traffic;
