//! HAAC as an engine: the machine's model says what is executed when and on which wires, and this module
//! computes the labels.
//!
//! A [model](halfgate_haac_model::model) moves the *names* of wires through slots, latches and
//! queues, as the machine would move labels, and hands on each instruction as it enters its unit,
//! with the names that came to it. [`follow`] looks up the labels of these names, and no others: a
//! machine that picks up a wrong wire garbles a wrong table, and one that picks up a wire that is
//! not there gets an error. Read [`haac_engine`], then [`host`] (launches, inputs and outputs,
//! whatever machine it is), [`run`](mod@run) (launches of a model), [`follow`], [`store`] (labels
//! by name) and [`tables`] (from the order of time into that of the program).
//!
//! Of the suites only `half-gates` runs: the machine's half-gate units expand a key for each hash
//! (HAAC, section 3.2), and an instruction does not know its position among the program's gates, by
//! which the fixed-key suites tell hashes apart.
//!
//! Memory: the labels of two windows, the live wires that are still to be read, the inputs of a launch
//! and the flip-flops; at most a window of tables; the lowered code.

mod error;
mod follow;
mod haac_engine;
pub mod host;
mod modelled;
mod role;
mod run;
mod store;
mod tables;

pub use error::{CodeError, RunError};
pub use haac_engine::HaacEngine;
pub use halfgate_haac_model::description::{
    Description, DescriptionError, Overrides, parse_window,
};
pub use halfgate_haac_model::lower::Lowering;
pub use halfgate_haac_model::machine::Machine;
pub use halfgate_haac_model::model::exact::{Disturbance, Mutation};
pub use modelled::Model;
