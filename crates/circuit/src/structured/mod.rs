//! Structured circuits: circuits with functions that are called once, mapped over lanes, or folded
//! over steps. `spec/functions.md` defines them and works examples.
//!
//! Reading order: [`function`] (functions, bodies and calls), [`argument`] (what a call passes),
//! [`circuit`] (a whole structured circuit),
//! [`size`] (gates of the flattening, and how many lanes run side by side), [`mod@verify`]
//! (validity), [`mod@flatten`] (the flat circuit with the same tables), [`clear`] (evaluation on
//! public values), [`depth`], [`passes`] and [`uses`] (the order of inputs), [`blocks`] (inputs and
//! outputs while a run goes on), [`mod@prune`] (removal of unused gates), [`random`] (circuits for
//! tests).

pub mod argument;
pub mod blocks;
pub mod circuit;
pub mod clear;
pub mod depth;
pub mod flatten;
pub mod function;
pub mod passes;
pub mod prune;
pub mod random;
pub mod size;
pub mod uses;
pub mod verify;

pub use argument::Argument;
pub use circuit::StructuredCircuit;
pub use flatten::{FlattenError, flatten};
pub use function::{Body, Call, Form, Function, FunctionId, Item};
pub use prune::without_unused;
pub use size::{Size, Sizes};
pub use verify::{StructureError, verify};

#[cfg(test)]
mod tests;
