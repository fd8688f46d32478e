//! Engines garble and evaluate programs: the trait, the CPU engine, and the tests that every
//! engine must pass.
//!
//! An [`Engine`] prepares a program (its lowering, its code) and the result garbles or evaluates
//! it any number of times. Labels come in and tables go out through [`GarblerIo`] and
//! [`EvaluatorIo`], a piece at a time, so that an engine holds the labels alive at once and
//! nothing that grows with the gates; who is behind them (a socket, a file, a ring in memory, a
//! test) is not its affair.

mod checked;
pub mod conformance;
pub mod cpu;
mod error;
mod evaluates_only;
pub mod io;
mod seed;
pub mod testing;
pub mod vectors;

pub use checked::{check_length, checked};
pub use error::{Cause, ContractError, EngineError, IoError};
pub use evaluates_only::EvaluatesOnly;
pub use halfgate_kernels::choose as kernels;
pub use halfgate_kernels::wipe;
pub use halfgate_kernels::{Delta, Label, LabelMemory, Strength, Suite};
pub use halfgate_model::{Exceeded, Resource, Traffic};
pub use io::{Counters, EvaluatorIo, GarblerIo, RunKey};
pub use seed::LabelSeed;

use halfgate_compiler::Program;

/// A machine that can garble and evaluate.
pub trait Engine: Send + Sync {
    /// The name under which a user asks for it, and what was chosen inside: `cpu (vaes512)`.
    fn name(&self) -> String;

    /// Lowers `program` for this engine.
    ///
    /// # Errors
    /// If the program is beyond what the engine can hold, or a temporary file for its code cannot
    /// be written.
    fn prepare<'p>(&self, program: &'p Program) -> Result<Box<dyn Prepared + 'p>, EngineError>;

    /// Whether it runs programs that [skip](halfgate_compiler::skip).
    fn skips(&self) -> bool {
        false
    }

    /// Whether it makes input labels itself, and so asks for [`GarblerIo::label_seed`] where it garbles.
    fn makes_labels(&self) -> bool {
        false
    }

    /// The time that a simulated machine would have taken for all runs so far; `None` where nothing is
    /// simulated.
    fn simulated(&self) -> Option<Simulated> {
        None
    }

    /// What went over the link to a device in all runs so far; `None` where there is no link.
    fn traffic(&self) -> Option<Traffic> {
        None
    }
}

/// What a simulated machine did, in its own time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Simulated {
    /// Clock cycles of the machine, over all launches.
    pub clock_cycles: u64,
    /// How often the body ran on it.
    pub launches: u64,
    /// Its clock, in MHz; 0 before the first launch.
    pub mhz: f64,
}

impl Simulated {
    /// The machine's time.
    pub fn seconds(&self) -> f64 {
        self.clock_cycles as f64 / (self.mhz.max(1.0) * 1e6)
    }
}

/// A program ready to run on one engine.
pub trait Prepared: Send {
    /// Garbles `cycles` runs of the body under `delta`.
    ///
    /// # Errors
    /// Those of `io`, unchanged, as [`EngineError::Io`].
    fn garble(
        &mut self,
        key: RunKey,
        delta: &Delta,
        cycles: u64,
        io: &mut dyn GarblerIo,
    ) -> Result<Counters, EngineError>;

    /// Evaluates `cycles` runs of the body.
    ///
    /// # Errors
    /// Those of `io`, unchanged, as [`EngineError::Io`].
    fn evaluate(
        &mut self,
        key: RunKey,
        cycles: u64,
        io: &mut dyn EvaluatorIo,
    ) -> Result<Counters, EngineError>;
}
