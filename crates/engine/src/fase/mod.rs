//! Scheduled FASE machines as garblers.
//!
//! The machine runs ahead: netlist cycles overlap, tables are finished out of order, and input labels are made
//! from the run's seed. [`Delivery`] is the host's part, and puts everything in the order that [`io`](crate::io)
//! wants; [`FaseEngine`] is the model with labels in it. FASE garbles only: the evaluator is any other engine.

mod delivery;
mod engine;
mod labels;

pub use delivery::{Delivery, seed};
pub use engine::{FaseEngine, Lowered, MHZ, assumed_cycles, checked, only_garbles};
