//! What the models of all machines share: the [fields](Field) of the words that they read, the
//! [traffic](Traffic) of a link, [limits](Exceeded) that a program exceeds, [files](mod@file) that
//! are there only when they are whole, and how a [program file](program_file) is recognised.
//!
//! No label comes here: models depend on this package, and may not reach labels.

mod field;
pub mod file;
mod limit;
pub mod program_file;
mod traffic;

pub use field::Field;
pub use limit::{Exceeded, Resource};
pub use traffic::Traffic;
