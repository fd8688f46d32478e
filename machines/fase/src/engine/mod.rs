//! FASE machines as garblers.
//!
//! A scheduled machine runs ahead: netlist cycles overlap, tables are finished out of order, and
//! input labels are made from the run's seed. [`Delivery`] is the host's part. It puts everything
//! in the order that [`io`](halfgate_engine::io) requires. [`FaseEngine`] runs the model of a
//! scheduled machine on labels, [`PaperEngine`] the model of a published machine. FASE garbles
//! only: the evaluator is any other engine.

mod delivery;
mod fase_engine;
mod labels;
mod paper;

pub use delivery::{Delivery, begin};
pub use fase_engine::{FaseEngine, Lowered, MHZ};
pub use paper::{PAPER_SUITES, PaperEngine};
