//! The host's part of a run on a HAAC: everything except the machine.
//!
//! Each cycle of the circuit is one launch. Before a launch the host fetches the labels of all
//! input bits that the cycle reads. It writes them, with those of the flip-flops, to the machine's
//! memory. After the launch it reads outputs and next labels from this memory. The [`Launcher`]
//! hides the kind of machine that is launched: a model whose labels are computed beside it, or
//! simulated RTL that moves labels itself.
//!
//! [`Host`] has the sequence of launches. [`Garbler`] and [`Evaluator`] are the two roles.
//! [`LiveLabels`] holds the labels that a launch writes to memory and reads again. [`EngineTables`]
//! merges the engines' table streams into the order in which tables are sent, or splits that order
//! into the streams.

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
/// [`clear`](Launcher::clear). After an error it makes no more calls and hands on no output.
pub trait Launcher {
    /// Type of the role, which includes its caller.
    type Side: Side;

    /// The role, which includes its caller.
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
