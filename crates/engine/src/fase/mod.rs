//! FASE machines as garblers.
//!
//! A scheduled machine runs ahead: netlist cycles overlap, tables are finished out of order, and input labels are made
//! from the run's seed. [`Delivery`] is the host's part, and puts everything in the order that [`io`](crate::io)
//! wants; [`FaseEngine`] is the model with labels in it, and [`PaperEngine`] that of the published machine. FASE garbles
//! only: the evaluator is any other engine.

mod delivery;
mod engine;
mod kept;
mod labels;
mod paper;

pub use delivery::{Delivery, begin};
pub use engine::{FaseEngine, Lowered, MAX_CYCLES, MHZ, assumed_cycles, only_garbles};
pub(crate) use kept::Kept;
pub(crate) use labels::Wiped;
pub use paper::{PAPER_SUITES, PaperEngine};
