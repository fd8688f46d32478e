//! The host's part of a run on a HAAC: everything except the machine.
//!
//! A circuit's cycle is one launch. Before it the host fetches the labels of all input bits that
//! the cycle reads. It writes them, with those of the flip-flops, to the machine's memory. After
//! the launch it takes outputs and next labels from there. The [`Launcher`] hides which machine is
//! launched: a model whose labels are computed beside it, or a simulated circuit that moves labels
//! itself.
//!
//! [`Host`] has the sequence of launches, [`Garbler`] and [`Evaluator`] the two roles,
//! [`LiveLabels`] the labels that a launch writes to memory and reads again. [`EngineTables`]
//! merges the engines' table streams into the order in which tables are sent, and splits them.

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
/// For each launch the host calls [`set_input`](Launcher::set_input) for all inputs,
/// [`launch`](Launcher::launch), [`label`](Launcher::label) for outputs and flip-flops, and
/// [`clear`](Launcher::clear). After an error it calls nothing more and hands on no output.
pub trait Launcher {
    /// Type of the role with its caller.
    type Side: Side;

    /// The role with its caller.
    fn side(&mut self) -> &mut Self::Side;

    /// Puts the label of an input at `address` into memory.
    fn set_input(&mut self, address: u32, label: Label);

    /// Runs the program once, as launch number `number` of this run, and passes on all of its
    /// tables.
    ///
    /// # Errors
    /// If the machine fails, its code cannot be read, or the caller stops it.
    fn launch(&mut self, number: u64) -> Result<(), EngineError>;

    /// The label at `address`: that of an input, or of an output that the launch wrote.
    fn label(&self, address: u32) -> Option<Label>;

    /// Ends a launch: wipes memory after all labels were taken.
    fn clear(&mut self);
}
