//! HAAC as an engine. A model of the machine determines which instruction is executed when, and on
//! which wires. This module computes the labels.
//!
//! A [model](halfgate_haac_model::model) moves the *names* of wires through slots, latches and
//! queues, as the machine would move labels. When an instruction enters its unit, the model passes
//! it on, with the names of the operands that reached it. [`follow`] looks up the labels of these
//! names, and no others. So a machine that reads a wrong wire garbles a wrong table, and one that
//! reads a missing wire gets an error. Read [`haac_engine`], then [`host`] (launches, inputs and
//! outputs, for any machine), [`run`](mod@run) (launches of a model), [`follow`], [`store`] (labels
//! by name) and [`tables`] (from the order of execution to that of the program).
//!
//! `half-gates` is the only suite that runs. The machine's half-gate units expand a key for each
//! hash (HAAC, section 3.2). The fixed-key suites distinguish hashes by a gate's position in the
//! program, which instructions do not contain.
//!
//! Memory: the labels of two windows, the live wires that are still to be read, the inputs of a
//! launch and the flip-flops; at most a window of tables; the lowered code.

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
