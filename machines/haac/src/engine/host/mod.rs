//! The host's part of a run on a HAAC: everything but the machine.
//!
//! A circuit's cycle is one launch. Before it the host fetches the labels of all input bits that the
//! cycle reads and puts them, with those of the flip-flops, into the machine's memory; after it, it
//! takes outputs and next labels from there. Which machine is launched, a model whose labels are
//! computed beside it or a simulated circuit that moves them itself, is its [`Launcher`]'s affair.
//!
//! [`Host`] is the order of things, [`Garbler`] and [`Evaluator`] what a role gives and takes,
//! [`LiveLabels`] the part of memory that a launch writes and reads again, and [`EngineTables`] the merge
//! of the engines' table streams into the order in which tables are sent, and back.

mod code;
mod fifo;
mod live;
mod run;
mod side;
mod streams;

pub use code::{lowered, verified};
pub use live::LiveLabels;
pub use run::Host;
pub use side::{Evaluator, Garbler, Side};
pub use streams::EngineTables;

use halfgate_engine::EngineError;
use halfgate_kernels::Label;

/// Bytes of a table.
pub const TABLE: usize = 32;

/// A machine with its memory, launched once for each cycle of the circuit.
///
/// The host calls, for each: [`set_input`](Launcher::set_input) for all inputs,
/// [`launch`](Launcher::launch), [`label`](Launcher::label) for outputs and flip-flops, and
/// [`clear`](Launcher::clear). After an error nothing more is called, and no output is handed on.
pub trait Launcher {
    /// The role, and the caller.
    type Side: Side;

    /// The role, and the caller.
    fn side(&mut self) -> &mut Self::Side;

    /// Puts the label of an input at `address` into memory.
    fn set_input(&mut self, address: u32, label: Label);

    /// Runs the program once, number `number` of this run, and passes all of its tables.
    ///
    /// # Errors
    /// If the machine fails, its code cannot be read, or the caller stops it.
    fn launch(&mut self, number: u64) -> Result<(), EngineError>;

    /// The label at `address`, an input's or that of an output that the launch wrote.
    fn label(&self, address: u32) -> Option<Label>;

    /// The launch is over, and all labels are taken: memory is wiped.
    fn clear(&mut self);
}
